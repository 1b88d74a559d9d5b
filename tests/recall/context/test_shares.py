"""A requested budget is divided among the sections by floors and ceilings."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.errors import Misconfigured
from recollect.core.policy import PRESETS, SHARES, Policy, Share, SharedSection
from recollect.recall.context.shares import divide, floors
from recollect.recall.context.types import Recalled
from recollect.settings import Settings
from tests.recall.sample_conversations import (
    a_summary,
    assistant,
    build,
    contents,
    messages_of,
    passage_of,
    said,
    text_of,
    turns,
    user,
)

SECTIONS: tuple[SharedSection, ...] = get_args(SharedSection)
NEEDS = st.fixed_dictionaries({section: st.integers(0, 5_000) for section in SECTIONS})


@given(st.integers(0, 10_000), NEEDS, st.integers(0, 400))
def test_a_budget_is_used_up_but_never_exceeded(
    budget: int, needs: dict[SharedSection, int], min_tail: int
) -> None:
    granted = divide(budget, needs, SHARES, min_tail=min_tail)
    assert all(0 <= granted[section] <= needs[section] for section in SECTIONS)
    assert sum(granted.values()) == min(budget, sum(needs.values()))
    assert granted["tail"] >= min(min_tail, needs["tail"], budget)


@given(st.integers(0, 10_000), NEEDS)
def test_every_section_is_sure_of_its_floor(budget: int, needs: dict[SharedSection, int]) -> None:
    granted = divide(budget, needs, SHARES)
    for section, floor in floors(budget, SHARES).items():
        assert granted[section] >= min(floor, needs[section])


def test_unused_tokens_flow_first_to_ceilings_then_beyond() -> None:
    shares = dict.fromkeys(SECTIONS, Share(0.1, 0.2))
    needs = {"summary": 0, "memories": 0, "pinned": 0, "retrieved": 900, "tail": 150}
    granted = divide(1_000, needs, shares)  # type: ignore[arg-type]
    assert (granted["retrieved"], granted["tail"]) == (850, 150)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"memory_share_summary": "0.5-0.2"}, "MEMORY_SHARE_SUMMARY"),
        ({"memory_share_recent": "lots"}, "MEMORY_SHARE_RECENT"),
        ({"memory_share_retrieved": "0.9-1.0"}, "MEMORY_SHARE_RETRIEVED"),
        ({"memory_recall_scope": "galaxy"}, "MEMORY_RECALL_SCOPE"),
        ({"memory_layout": "pretty"}, "MEMORY_LAYOUT"),
    ],
)
def test_a_wrong_share_scope_or_layout_stops_the_start(
    settings: dict[str, str], named: str
) -> None:
    with pytest.raises(Misconfigured, match=named):
        Settings(**settings)  # type: ignore[arg-type]


def test_a_policy_with_floors_over_the_whole_is_rejected() -> None:
    with pytest.raises(Misconfigured, match="add up to"):
        Policy(name="greedy", timing="never", shares=dict.fromkeys(SECTIONS, Share(0.3, 0.4)))


LONG = "It begins here. " + "Then comes a long explanation of the details. " * 150 + "It ends here."


def test_a_long_recent_answer_is_shortened_before_passages_are_dropped() -> None:
    old = said(*turns(2), marked=True)
    recent = [replace(m, seq=m.seq + 4, turn=m.turn + 2, id=f"recent-{m.seq}")
              for m in said(user("Tell me all."), assistant(LONG))]  # fmt: skip
    built = build(
        "chunked",
        [*old, *recent],
        a_summary("Something was said.", through_seq=4),
        recalled=Recalled(passages=[passage_of(message) for message in old]),
        message="And?",
        budget=600,
    )
    answer = next(text for text in contents(built) if text.startswith("It begins here."))
    assert "tokens of message 6 left out" in answer
    assert answer.endswith("It ends here.")
    outcomes = {(item.section, item.outcome) for item in built.receipt.items}
    assert ("tail", "shortened") in outcomes
    assert ("retrieved", "dropped") not in outcomes
    assert built.receipt.memory_tokens <= 600
    sections = {share.section: share for share in built.receipt.sections}
    assert sections["retrieved"].share == int(600 * SHARES["retrieved"].floor)
    assert sections["tail"].flowed > 0
    assert sum(share.tokens for share in sections.values()) == built.receipt.memory_tokens


def test_with_enough_budget_recent_answers_stay_verbatim() -> None:
    messages = said(user("Tell me all."), assistant(LONG))
    built = build("chunked", messages, message="And?", budget=20_000)
    assert LONG in contents(built)


def test_without_a_budget_nothing_is_shortened_unless_the_policy_says_so() -> None:
    messages = said(*turns(2), user("Tell me all."), assistant(LONG), *turns(1))
    policy = replace(PRESETS["chunked"], prompt_tokens=1_000)
    built = build(policy, messages, message="And?")
    assert "left out" not in str(messages_of(built))
    built = build(replace(policy, shorten_recent=True), messages, message="And?")
    assert "tokens of message 6 left out" in str(messages_of(built))


def test_a_passage_from_the_omitted_middle_of_a_recent_answer_is_quoted() -> None:
    code = "The code word is HERON."
    text = LONG.replace("details. ", f"details. {code} ", 75).replace(f"{code} ", "", 74)
    messages = said(user("Tell me all."), assistant(text))
    start = text.index(code)
    passages = [passage_of(messages[1], start, start + len(code)), passage_of(messages[1], 0, 15)]
    built = build(
        "chunked", messages, recalled=Recalled(passages=passages), message="Code?", budget=300
    )
    shown = str(messages_of(built))
    assert shown.count(code) == 1
    assert shown.count("It begins here.") == 1


def test_retrieved_passages_have_a_budget_beside_the_prompt() -> None:
    old = said(*turns(40, words=" and some more words"))
    policy = replace(PRESETS["chunked"], retrieved_tokens=200, prompt_tokens=300)
    built = build(
        policy,
        old,
        a_summary("Before.", through_seq=60),
        recalled=Recalled(passages=[passage_of(message) for message in old[:60]]),
        message="And?",
    )
    assert built.receipt.budget == 500
    retrieved = [s.tokens for s in built.receipt.sections if s.section == "retrieved"]
    assert 100 < retrieved[0] <= 200


@pytest.mark.parametrize("budget", [500, 2_000, 6_000])
@pytest.mark.parametrize("own", [0, 20])
def test_passages_from_elsewhere_take_at_most_a_third_of_the_share(budget: int, own: int) -> None:
    old = said(*turns(100, words=" and some more words"))
    others = [passage_of(replace(m, id=f"other-{m.seq}", conversation_id="other")) for m in old]
    others = [replace(p, quote=replace(p.quote, is_elsewhere=True)) for p in others]
    built = build(
        "chunked",
        [],
        a_summary("Before.", through_seq=40),
        recalled=Recalled(passages=[*others, *(passage_of(m) for m in old[:own])]),
        message="And?",
        budget=budget,
    )
    (share,) = [s.share for s in built.receipt.sections if s.section == "retrieved"]
    taken = [
        item.tokens
        for item in built.receipt.items
        if item.conversation_id == "other" and item.outcome == "included"
    ]
    assert share == int(budget * SHARES["retrieved"].floor)
    assert share / 3 - 60 < sum(taken) <= share / 3


def test_passages_are_joined_oldest_first_with_day_and_speaker() -> None:
    (message,) = said(
        user("One paragraph.\n\nAnother one.\n\nA third.", metadata={"speaker": "Ada"})
    )
    later = said(*turns(3))[4]
    passages = [
        passage_of(later),
        passage_of(message, 16, 28),
        passage_of(message, 0, 14),
    ]
    built = build(
        "rolling",
        [],
        a_summary("Before.", through_seq=9),
        recalled=Recalled(passages=passages),
        message="And?",
        format="text",
    )
    assert (
        "• 4 March 2026\n• #1 Ada: One paragraph.\nAnother one.\n"
        "• #5 user: question 3\n• end of quotes"
    ) in text_of(built)
