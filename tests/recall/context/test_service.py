"""What holds for every context, whatever was said and however little room there is."""

import json
from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from recollect.core import tokens
from recollect.core.errors import TooLarge
from recollect.core.policy import PRESETS
from recollect.core.types import Message
from recollect.recall.context.assemble import build_context
from recollect.recall.context.formats import Format
from recollect.recall.context.receipt import Receipt, ReceiptItem, Section
from recollect.recall.context.types import Context, ContextSources, Limits, Request
from tests.recall.provider import check_gemini, check_openai, is_text, recount, rendered
from tests.recall.said import LIMITS, NO_SUMMARY, Case, cases, mark

SECTIONS = {
    "system",
    "memories",
    "summary",
    "contexts",
    "pinned",
    "retrieved",
    "references",
    "tail",
    "message",
}
"""As API.md has them."""


def count(text: str) -> int:
    """Exact, and no less for a whole than for its parts."""
    return (len(text.encode()) + 3) // 4


ROOMY = Limits(budget=1_000_000, room=2_000_000, count=count)


def limits_of(budget: int, room: int, scale: float = 1.0) -> Limits:
    counter = count if scale == 1.0 else tokens.Counter(scale).count
    return Limits(budget=budget, room=room, count=counter)


def build(case: Case, limits: Limits) -> Context:
    """Skips the example where what must be there does not fit."""
    try:
        return build_context(case.material, case.request, limits)
    except TooLarge:
        assume(False)
        raise


def fixed_of(case: Case, limits: Limits) -> Context:
    """The same without any memory."""
    return build(case, replace(limits, budget=0))


@settings(max_examples=150)
@given(cases(), LIMITS, st.sampled_from([1.0, 1.3, 1.7, 3.0]))
def test_memory_stays_within_its_budget_and_the_whole_within_the_room(
    case: Case, bounds: tuple[int, int], scale: float
) -> None:
    limits = limits_of(*bounds, scale)
    built = build(case, limits)
    fixed = fixed_of(case, limits)
    assert built.receipt.memory_tokens <= limits.budget
    assert fixed.receipt.memory_tokens == 0
    assert built.tokens == built.receipt.tokens <= limits.room
    counted = recount(built, limits.count)
    assert counted <= limits.room
    assert counted - recount(fixed, limits.count) <= built.receipt.memory_tokens


@settings(max_examples=150)
@given(cases(), LIMITS)
def test_a_provider_takes_it(case: Case, bounds: tuple[int, int]) -> None:
    built = build(case, limits_of(*bounds))
    if case.request.format == "openai":
        assert built.messages is not None
        check_openai(built.messages)
    elif case.request.format == "gemini":
        assert built.messages is not None
        check_gemini(built.messages)
    else:
        assert built.messages is None
        assert built.text is not None


@settings(max_examples=150)
@given(cases(), LIMITS)
def test_it_ends_with_the_current_message_entire(case: Case, bounds: tuple[int, int]) -> None:
    built = build(case, limits_of(*bounds))
    current, since = current_message(case)
    assume(current is not None)
    assert current is not None
    if is_text(case.request):
        assert built.text is not None
        assert built.text.endswith(f"User: {current}")
        return
    messages = list(built.messages or ())
    places = [place for place, message in enumerate(messages) if _said_by_user(message) == current]
    assert places, "the current message is not there"
    for after in messages[places[-1] + 1 :]:
        assert since
        assert after["role"] in ("assistant", "tool", "system", "model", "user")
        assert _said_by_user(after) is None or case.request.format == "gemini"


@settings(max_examples=150)
@given(cases(), LIMITS)
def test_every_message_is_covered_sent_or_named_with_a_reason(
    case: Case, bounds: tuple[int, int]
) -> None:
    built = build(case, limits_of(*bounds))
    receipt, summary = built.receipt, case.material.summary
    sent, dropped = seqs(receipt, "included", "shortened"), seqs(receipt, "dropped")
    assert not one_by_one(receipt, "included", "shortened") & one_by_one(receipt, "dropped")
    assert all(item.reason for item in receipt.items)
    for message in case.conversation:
        is_named = message.seq in sent | dropped
        assert is_named or message.seq <= summary.through_seq, f"message {message.seq} is lost"
    shown = shown_seqs(built, case.conversation)
    assert shown.keys() <= sent, "something is sent that the receipt does not have"
    whole = seqs(receipt, "included")
    missing = {m.seq for m in case.conversation if m.seq in whole and has_words(m)} - shown.keys()
    if is_text(case.request):
        missing -= {m.seq for m in case.conversation if m.role == "tool"}
    assert not missing, "the receipt has what was not sent"


@settings(max_examples=150)
@given(cases(), LIMITS)
def test_pinned_messages_are_sent_once(case: Case, bounds: tuple[int, int]) -> None:
    built = build(case, limits_of(*bounds))
    for seq, times in shown_seqs(built, case.conversation).items():
        assert times == 1, f"message {seq} is sent {times} times"
    named = seqs(built.receipt, "included", "shortened", "dropped")
    assert {m.seq for m in case.material.pinned if can_be_quoted(m)} <= named


@settings(max_examples=100)
@given(cases())
def test_with_room_for_all_nothing_is_over_budget(case: Case) -> None:
    built = build(case, ROOMY)
    assume(case.material.unread_from is None)
    assert not [item for item in built.receipt.items if "budget" in item.reason]
    assert all(item.outcome != "shortened" for item in built.receipt.items)
    pinned = {message.id for message in case.material.pinned if can_be_quoted(message)}
    assert pinned <= one_by_one(built.receipt, "included")


@settings(max_examples=150)
@given(cases(), LIMITS)
def test_the_receipt_adds_up(case: Case, bounds: tuple[int, int]) -> None:
    """To the token: a section's heading is counted with the first of its items."""
    limits = limits_of(*bounds)
    receipt = build(case, limits).receipt
    held = [item for item in receipt.items if item.outcome != "dropped"]
    assert {item.section for item in receipt.items} <= SECTIONS
    fixed = sum(item.tokens for item in held if item.section in ("system", "contexts", "message"))
    assert receipt.tokens - fixed == receipt.memory_tokens
    assert sum(item.tokens for item in held) == receipt.tokens
    assert receipt.budget == limits.budget
    assert Receipt.from_json(json.loads(json.dumps(receipt.to_json()))) == receipt


@settings(max_examples=100)
@given(cases(), LIMITS)
def test_the_same_is_built_from_the_same(case: Case, bounds: tuple[int, int]) -> None:
    limits = limits_of(*bounds)
    assert build(case, limits) == build(case, limits)


@settings(max_examples=100)
@given(cases(), st.integers(0, 300))
def test_what_must_be_there_and_does_not_fit_is_an_error(case: Case, room: int) -> None:
    """And only that: a budget is never the reason."""
    needed = recount(fixed_of(case, ROOMY), count)
    outcome = "it fits"
    try:
        build_context(case.material, case.request, limits_of(1, room))
    except TooLarge as error:
        outcome = str(error.field)
    assert outcome == "message" or needed <= room


def test_the_sections_are_those_of_the_contract() -> None:
    assert set(get_args(Section)) == SECTIONS


@pytest.mark.parametrize("format", get_args(Format))
def test_an_empty_conversation_gives_an_empty_context(format: Format) -> None:
    material = ContextSources(policy=PRESETS["chunked"], summary=NO_SUMMARY, backlog=[])
    built = build_context(material, Request(format=format), ROOMY)
    assert not built.messages
    assert not built.text
    assert (built.tokens, built.receipt.items) == (0, ())


def current_message(case: Case) -> tuple[str | None, bool]:
    """The current message, and whether something has happened since it was stored."""
    if case.request.message is not None:
        return case.request.message, False
    if case.material.question is not None:
        return case.material.question.content, bool(case.material.backlog)
    since = False
    for message in reversed(case.material.backlog):
        if message.role == "user":
            return message.content, since
        if message.role == "assistant" and message.content.strip():
            if message.status != "streaming":
                return None, False
        elif message.role in ("assistant", "system") and message.status != "streaming":
            since = True
    return None, False


def _said_by_user(message: object) -> str | None:
    match message:
        case {"role": "user", "content": str(text)}:
            return text
        case {"role": "user", "parts": [{"text": str(text)}]}:
            return text
    return None


def seqs(receipt: Receipt, *outcomes: str, sections: tuple[str, ...] = ()) -> set[int]:
    """The messages that the receipt names under one of the outcomes."""
    return {
        seq
        for item in receipt.items
        if item.outcome in outcomes and item.section in (sections or SECTIONS - {"summary"})
        for seq in _range(item)
    }


def one_by_one(receipt: Receipt, *outcomes: str) -> set[str]:
    """The messages that the receipt names by their id."""
    return {
        item.message_id for item in receipt.items if item.outcome in outcomes and item.message_id
    }


def _range(item: ReceiptItem) -> range:
    if item.first_seq is None or item.last_seq is None:
        return range(0)
    return range(item.first_seq, item.last_seq + 1)


def shown_seqs(built: Context, conversation: list[Message]) -> Counter[int]:
    """How often each message with words is in what was rendered."""
    text = rendered(built)
    found = {message.seq: text.count(mark(message.seq)) for message in conversation}
    return Counter({seq: times for seq, times in found.items() if times})


def has_words(message: Message) -> bool:
    return bool(message.content.strip())


def can_be_quoted(message: Message) -> bool:
    return has_words(message) and message.status != "streaming"
