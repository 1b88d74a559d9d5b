"""How many planted facts are still there after one compaction, and after ten.

    python -m bench.fidelity [--write docs/benchmarks.md]

Eight facts are buried under small talk and carried through ten compactions in a real engine,
without a model, and once with a model that answers badly on purpose. A fact has survived when its
exact value is in the context that is built within 3,000 tokens. Facts are stated in phrasings of
two sets, both older than the patterns: the first was in sight when those were made, and none was
made for the second, though common words are in both. They come at the start of a conversation, or
after four generations of small talk, which leave memory full.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from bench._report import publish, table, target_given, verdict
from bench.fidelity.conversations import Planted, conversations
from bench.fidelity.language import KINDS, FactKind
from bench.fidelity.measure import LEDGER_CAP, SUMMARY_CAP, Generation, generations
from recollect import Settings
from recollect.sync import Recollect
from tests.scripted_model import Answer, Failure, Raw, ScriptedModel, fails, garbage

_CONVERSATIONS = 24
_SHOWN = (1, 2, 3, 5, 10)
_FIRST, _LAST = _SHOWN[0], _SHOWN[-1]
_LEAST_FIRST, _LEAST_LAST = 0.97, 0.90
_LATE = 4


@dataclass(frozen=True, slots=True)
class _Run:
    name: str
    results: Sequence[tuple[Planted, Sequence[Generation]]]

    def survival(self, number: int, kind: FactKind | None = None) -> float:
        """The share of facts, of all kinds or one, that are left after so many generations."""
        facts = [
            fact in generation.survived
            for planted, measured in self.results
            for generation in measured
            for fact in planted.facts
            if generation.number == number and kind in {None, fact.kind}
        ]
        return sum(facts) / len(facts)

    @property
    def all_generations(self) -> list[Generation]:
        return [generation for _, measured in self.results for generation in measured]

    @property
    def whole_losses(self) -> int:
        """Conversations of which no fact is left at the end."""
        return sum(not measured[-1].survived for _, measured in self.results)


def _run(
    name: str, *, held_out: bool = False, before: int = 0, settings: Settings | None = None
) -> _Run:
    planted = conversations(_CONVERSATIONS, held_out=held_out, before=before, after=_LAST)
    with Recollect.open(settings=settings or _without_model()) as memory:
        return _Run(name, [(one, list(generations(one, memory))) for one in planted])


def _without_model() -> Settings:
    return Settings.from_environment({"DATABASE_URL": "sqlite:///:memory:"})


def _run_with_bad_model() -> _Run:
    """Each kind of bad answer in turn; the last one says nothing of what was said."""
    answers: tuple[str | Answer | Failure | Raw, ...] = (
        "",
        garbage(),
        fails(400),
        Answer(text="They", finish="length"),
        "They talked. " * 400,
        "<think>What now?</think> They talked.",
        "The budget is 987,654 EUR and the meeting on 2031-01-01.",
        "They talked about several things.",
    )
    bad = cycle(answers)
    with ScriptedModel() as model:
        model.always = lambda body: next(bad)
        settings = replace(
            _without_model(), chat_model="bad", openai_base_url=model.url, openai_api_key="none"
        )
        return _run("known phrasings, a bad model", settings=settings)


def main() -> None:
    target = target_given(__doc__)
    runs = [
        _run(f"{phrasings}, stated {when}", held_out=held_out, before=before)
        for phrasings, held_out in (("known phrasings", False), ("unseen phrasings", True))
        for when, before in (("at the start", 0), ("late", _LATE))
    ]
    runs.append(_run_with_bad_model())
    publish("fidelity", _text(runs), target)


def _text(runs: Sequence[_Run]) -> str:
    by_generation = table(
        ["facts left after generation", *map(str, _SHOWN), "lost altogether"],
        [
            [run.name, *(f"{run.survival(n):.1%}" for n in _SHOWN), str(run.whole_losses)]
            for run in runs
        ],
    )
    by_kind = table(
        [f"by kind, after {_FIRST} and {_LAST}", *KINDS],
        [
            [
                run.name,
                *(f"{run.survival(_FIRST, k):.0%}, {run.survival(_LAST, k):.0%}" for k in KINDS),
            ]
            for run in runs
        ],
    )
    return "\n\n".join((by_generation, by_kind, _aims(runs)))


def _aims(runs: Sequence[_Run]) -> str:
    measured = [generation for run in runs for generation in run.all_generations]
    summary = max(generation.summary_tokens for generation in measured)
    ledger = max(generation.ledger_tokens for generation in measured)
    unsupported = sum(len(generation.unsupported) for generation in measured)
    aims = [
        verdict(
            run.survival(_FIRST) >= _LEAST_FIRST and run.survival(_LAST) >= _LEAST_LAST,
            f"{_LEAST_FIRST:.0%} after one generation and {_LEAST_LAST:.0%} after ten, {run.name}",
            f"{run.survival(_FIRST):.1%} and {run.survival(_LAST):.1%}",
        )
        for run in runs
    ]
    return "\n".join(
        [
            *aims,
            verdict(not unsupported, "no value that nobody said", f"{unsupported}"),
            verdict(
                summary <= SUMMARY_CAP and ledger <= LEDGER_CAP,
                f"a summary within {SUMMARY_CAP} tokens and a ledger within {LEDGER_CAP}",
                f"at most {summary} and {ledger}",
            ),
        ]
    )


if __name__ == "__main__":
    main()
