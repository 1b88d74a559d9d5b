"""Without a budget in the request, the memory part is fitted in the order of specification 002."""

import pytest

from recollect.core.types import ExactValue
from recollect.recall.context.budget import Limits
from recollect.recall.context.selection import text_cost
from recollect.recall.context.types import ContextMemory, Recalled
from tests.recall.sample_conversations import (
    BACKGROUND,
    EVERYTHING,
    NOTE,
    UNFILLED_TAIL,
    a_summary,
    assistant,
    build,
    byte_count,
    call,
    contents,
    said,
    tool,
    turns,
    user,
)


def test_only_the_last_k_turns_are_sent() -> None:
    built = build(UNFILLED_TAIL, said(*turns(6)), message="next")
    assert contents(built) == [
        *("question 4", "answer 4", "question 5", "answer 5", "question 6", "answer 6"),
        "next",
    ]
    dropped = [item for item in built.receipt.items if item.outcome == "dropped"]
    assert [item.first_seq for item in dropped] == [1, 2, 3, 4, 5, 6]
    assert {item.reason for item in dropped} == {
        "Older than what the policy keeps verbatim. Not digested yet."
    }


def test_a_stored_current_message_does_not_count_as_one_of_k_turns() -> None:
    built = build(UNFILLED_TAIL, said(*turns(4), user("current")))
    assert contents(built) == [
        *("question 2", "answer 2", "question 3", "answer 3", "question 4", "answer 4"),
        "current",
    ]


def test_older_turns_fill_the_rest_of_the_budget() -> None:
    built = build("chunked", said(*turns(6)), message="next")
    assert len(contents(built)) == 13
    tight = build("chunked", said(*turns(6)), message="next", layout="seed", limits=Limits(60))
    assert contents(tight) == [*(f"{who} {n}" for n in (3, 4, 5, 6)
                                 for who in ("question", "answer")), "next"]  # fmt: skip


def test_tail_shrinks_to_one_turn_before_the_summary_is_cut() -> None:
    messages = said(*turns(2, words=" word" * 40), user("question 3"), assistant("answer 3"))
    sentences = [f"The {nth} thing has {'many ' * 40}words." for nth in ("first", "second")]
    summary = a_summary(" ".join(sentences), through_seq=0)
    whole = build(UNFILLED_TAIL, messages, summary, message="next")

    def shown(budget: int) -> tuple[int, str]:
        built = build(UNFILLED_TAIL, messages, summary, message="next", limits=Limits(budget))
        texts = contents(built)
        said_before = [text for text in texts if text.startswith("question")]
        return len(said_before), texts[0].removesuffix(f"\n\n{NOTE}")

    note = text_cost(NOTE, byte_count)  # it is part of the budget
    budget = whole.receipt.memory_tokens + note
    assert shown(budget) == (3, f"{BACKGROUND}\n{summary.text}")
    assert shown(budget - 1) == (2, f"{BACKGROUND}\n{summary.text}")
    assert shown(budget - 120) == (1, f"{BACKGROUND}\n{summary.text}")
    last = build(UNFILLED_TAIL, messages[4:], summary, message="next").receipt.memory_tokens
    last += note
    assert shown(last) == (1, f"{BACKGROUND}\n{summary.text}")
    assert shown(last - 1) == (1, f"{BACKGROUND}\n{sentences[1]}")


def test_generated_sentences_are_cut_before_user_text() -> None:
    mine, theirs, more = (f"{word} {'word ' * 30}here." for word in ("Mine", "Theirs", "More"))
    summary = a_summary(f"{mine} {theirs} {more}", user_text=mine)
    whole = build("chunked", [], summary, message="x").receipt.memory_tokens
    whole += text_cost(NOTE, byte_count)
    built = build("chunked", [], summary, message="x", limits=Limits(whole - 1))
    assert contents(built)[0] == f"{BACKGROUND}\n{mine} {more}\n\n{NOTE}"


def test_order_in_which_sections_are_dropped() -> None:
    """The budget shrinks token by token; each part is noted when it is first cut."""
    exact_values = (
        ExactValue(kind="date", value="2026-05-01", seq=1, weight=9),
        ExactValue(kind="amount", value="€ 12", seq=2, weight=1),
    )
    before = (user("pinned long ago", is_pinned=True), *turns(4))
    messages = said(*before, *turns(3), user("why?"), assistant("word " * 300))
    summary = a_summary("One thing. Another thing.", through_seq=9, ledger=exact_values)

    def cut_parts(budget: int) -> set[str]:
        built = build(
            "chunked",
            messages,
            summary,
            recalled=EVERYTHING,
            message="?",
            limits=Limits(budget),
        )
        found = set()
        for item in built.receipt.items:
            if item.outcome == "included" or item.section == "message":
                continue
            if item.section == "tail" and item.first_seq is not None and item.first_seq >= 16:
                found.add(f"last turn {item.outcome}")
            elif item.section == "memories":
                found.add("pinned memory" if item.source == "1" else "memory")
            elif item.source.startswith("ledger"):
                found.add("ledger")
            else:
                found.add(f"{item.section} {item.outcome}")
        return found

    order: list[str] = []
    for budget in range(900, -1, -1):
        order += sorted(cut_parts(budget) - set(order))
    assert order == [
        "retrieved dropped",  # passages take what the others leave
        "tail dropped",  # beyond the three turns that the policy keeps
        "references dropped",
        "last turn shortened",
        "memory",
        "summary shortened",
        "summary dropped",
        "ledger",
        "pinned memory",
        "last turn dropped",
        "pinned dropped",
    ]


def test_a_long_message_is_truncated_in_the_middle() -> None:
    giant = "It begins. " + "word " * 4_000 + "It ends."
    built = build(
        "chunked", said(user(giant), assistant("Noted.")), message="So?", limits=Limits(400)
    )
    shown = contents(built)[0]
    assert shown.startswith("It begins.")
    assert shown.endswith("It ends.")
    assert "tokens of message 1 left out" in shown
    (item,) = [item for item in built.receipt.items if item.outcome == "shortened"]
    assert item.reason == "Recent, but long: its middle is left out."
    assert 150 < item.tokens <= 400


@pytest.mark.parametrize("steps", [40, 400])
def test_many_tool_calls_do_not_displace_summary_and_memories(steps: int) -> None:
    loop = [
        draft
        for n in range(steps)
        for draft in (assistant(tool_calls=[call(id=str(n))]), tool("A line. " * 40, of=str(n)))
    ]
    built = build(
        "chunked",
        said(user("Check all files."), *loop, assistant("All are fine.")),
        summary=a_summary("Anna lives in Oslo."),
        recalled=Recalled(memories=[ContextMemory("1", "Likes tea.")]),
        message="So?",
        limits=Limits(3_000),
    )
    left = {item.section for item in built.receipt.items if item.outcome == "included"}
    assert {"summary", "memories", "tail"} <= left
    shown = contents(built)
    assert [shown.count(text) for text in ("Check all files.", "All are fine.", "So?")] == [1, 1, 1]


def test_parts_that_cannot_fit_are_dropped_first() -> None:
    giant = said({**user("word " * 3_000), "is_pinned": True}, assistant("Noted."))
    built = build(
        "chunked",
        giant,
        summary=a_summary("Anna lives in Oslo."),
        message="So?",
        limits=Limits(400),
    )
    assert contents(built)[0].startswith(f"{BACKGROUND}\nAnna lives in Oslo.")
    gone = [item.first_seq for item in built.receipt.items if item.outcome == "dropped"]
    assert set(gone) == {1, 2}
