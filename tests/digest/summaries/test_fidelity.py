"""Facts survive small talk: a short run of `bench.fidelity`."""

import pytest

from bench.fidelity.conversations import LANGUAGES, conversations
from bench.fidelity.language import KINDS
from bench.fidelity.measure import LEDGER_CAP, SUMMARY_CAP, generations
from recollect.sync import Recollect


@pytest.mark.parametrize(("held_out", "least"), [(False, 0.95), (True, 0.8)])
def test_facts_survive_three_generations(held_out: bool, least: float) -> None:
    planted = list(conversations(6, held_out=held_out, after=3))
    assert {one.language for one in planted} == {language.name for language in LANGUAGES}
    survived = 0
    with Recollect.open("sqlite:///:memory:") as memory:
        for one in planted:
            assert sorted(fact.kind for fact in one.facts) == sorted(KINDS)
            for generation in generations(one, memory):
                assert generation.unsupported == ()
                assert generation.summary_tokens <= SUMMARY_CAP
                assert generation.ledger_tokens <= LEDGER_CAP
            survived += len(generation.survived)
    assert survived >= least * len(planted) * len(KINDS)


def test_planted_conversations_are_deterministic() -> None:
    assert list(conversations(3, after=1)) == list(conversations(3, after=1))


def test_only_the_planted_fact_states_its_value() -> None:
    for planted in conversations(3, before=1, after=2):
        said = [message.content for part in planted.parts for message in part]
        for fact in planted.facts:
            assert sum(fact.value.casefold() in content.casefold() for content in said) == 1


def test_held_out_phrasings_differ() -> None:
    for language in LANGUAGES:
        for kind in KINDS:
            assert not {*language.tuned.of(kind)} & {*language.held_out.of(kind)}
