"""Properties of every context, for any conversation and any limits."""

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
from recollect.recall.context.budget import Limits
from recollect.recall.context.receipt import Receipt, ReceiptItem, Section
from recollect.recall.context.types import (
    Context,
    ContextSources,
    Count,
    Format,
    MessagesContext,
    TextContext,
)
from tests.recall.provider_checks import (
    check_anthropic,
    check_gemini,
    check_openai,
    is_text,
    recount,
    rendered,
)
from tests.recall.sample_conversations import (
    NO_SUMMARY,
    ROOMS,
    Case,
    a_request,
    assemble,
    byte_count,
    cases,
    limits,
    mark,
    messages_of,
    text_of,
)

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
"""As in API.md."""
ROOMY = 2_000_000


def build(case: Case, limits: Limits, room: int, count: Count = byte_count) -> Context:
    """Skip the example if the parts that must be sent do not fit."""
    request = replace(case.request, room=room, count=count)
    try:
        return assemble(case.sources, request, limits=limits, recalled=case.recalled)
    except TooLarge:
        assume(False)
        raise


@settings(max_examples=150)
@given(cases(), limits(), ROOMS, st.sampled_from([1.0, 1.3, 1.7, 3.0]))
def test_memory_is_within_budget_and_context_within_room(
    case: Case, limits: Limits, room: int, scale: float
) -> None:
    count = byte_count if scale == 1.0 else tokens.Counter(scale).count
    built = build(case, limits, room, count)
    fixed = build(case, Limits(0), room, count)
    assert built.receipt.memory_tokens <= limits.total
    assert fixed.receipt.memory_tokens == 0
    assert built.tokens == built.receipt.tokens <= room
    counted = recount(built, count)
    assert counted <= room
    notes = [i for i in built.receipt.items if i.source in ("current date", "note")]
    own = sum(item.tokens for item in notes)
    assert counted - fixed.tokens <= built.receipt.memory_tokens + own


@settings(max_examples=150)
@given(cases(), limits(), ROOMS)
def test_providers_accept_the_context(case: Case, limits: Limits, room: int) -> None:
    built = build(case, limits, room)
    if case.request.format == "openai":
        check_openai(messages_of(built))
    elif case.request.format == "gemini":
        check_gemini(messages_of(built))
    elif case.request.format == "anthropic":
        check_anthropic(messages_of(built))
    else:
        assert isinstance(built, TextContext)


@settings(max_examples=150)
@given(cases(), limits(), ROOMS)
def test_context_ends_with_the_whole_current_message(case: Case, limits: Limits, room: int) -> None:
    built = build(case, limits, room)
    current, has_later = current_message(case)
    assume(current is not None)
    assert current is not None
    if is_text(case.request):
        assert text_of(built).endswith(f"User: {current}")
        return
    messages = messages_of(built)
    found = [index for index, message in enumerate(messages) if _user_text(message) == current]
    assert found, "the current message is missing"
    for after in messages[found[-1] + 1 :]:
        assert has_later
        assert after["role"] in ("assistant", "tool", "system", "model", "user")
        assert _user_text(after) is None or case.request.format == "gemini"


@settings(max_examples=150)
@given(cases(), limits(), ROOMS)
def test_every_message_is_covered_sent_or_dropped_with_a_reason(
    case: Case, limits: Limits, room: int
) -> None:
    built = build(case, limits, room)
    receipt, summary = built.receipt, case.sources.summary
    sent, dropped = seqs(receipt, "included", "shortened"), seqs(receipt, "dropped")
    for section in SECTIONS:
        sent_ids = message_ids(receipt, "included", "shortened", section=section)
        assert not sent_ids & message_ids(receipt, "dropped", section=section)
    assert all(item.reason for item in receipt.items)
    for message in case.conversation:
        is_named = message.seq in sent | dropped
        assert is_named or message.seq <= summary.through_seq, f"message {message.seq} is lost"
    shown = shown_seqs(built, case.conversation)
    assert shown.keys() <= sent, "a message is sent that is not in the receipt"
    whole = seqs(receipt, "included")
    missing = {m.seq for m in case.conversation if m.seq in whole and has_text(m)} - shown.keys()
    if is_text(case.request):
        missing -= {m.seq for m in case.conversation if m.role == "tool"}
    assert not missing, "the receipt has a message that was not sent"


@settings(max_examples=150)
@given(cases(), limits(), ROOMS)
def test_no_message_is_sent_twice(case: Case, limits: Limits, room: int) -> None:
    built = build(case, limits, room)
    for seq, times in shown_seqs(built, case.conversation).items():
        assert times == 1, f"message {seq} is sent {times} times"
    named = seqs(built.receipt, "included", "shortened", "dropped")
    assert {m.seq for m in case.sources.pinned if can_be_quoted(m)} <= named


@settings(max_examples=100)
@given(cases(), st.booleans())
def test_nothing_is_over_a_large_budget(case: Case, is_shared: bool) -> None:
    built = build(case, Limits(1_000_000, is_shared=is_shared), ROOMY)
    assume(case.sources.unread_from is None)
    assert not [item for item in built.receipt.items if "budget" in item.reason]
    assert all(item.outcome != "shortened" for item in built.receipt.items)
    pinned = {message.id for message in case.sources.pinned if can_be_quoted(message)}
    assert pinned <= message_ids(built.receipt, "included")


@settings(max_examples=150)
@given(cases(), limits(), ROOMS)
def test_receipt_items_add_up_to_its_totals(case: Case, limits: Limits, room: int) -> None:
    receipt = build(case, limits, room).receipt
    sent = [item for item in receipt.items if item.outcome != "dropped"]
    assert {item.section for item in receipt.items} <= SECTIONS
    fixed = sum(item.tokens for item in sent if item.section in ("system", "contexts", "message"))
    assert receipt.tokens - fixed == receipt.memory_tokens
    assert sum(item.tokens for item in sent) == receipt.tokens
    assert receipt.budget == limits.total
    stored = json.loads(json.dumps(receipt.to_json()))
    assert Receipt.from_json(stored) == receipt.with_titles({})


@settings(max_examples=100)
@given(cases(), limits(), ROOMS)
def test_assembly_is_deterministic(case: Case, limits: Limits, room: int) -> None:
    assert build(case, limits, room) == build(case, limits, room)


@settings(max_examples=100)
@given(cases(), st.integers(0, 300))
def test_only_fixed_parts_over_the_room_are_too_large(case: Case, room: int) -> None:
    needed = recount(build(case, Limits(0), ROOMY), byte_count)
    outcome = "it fits"
    try:
        request = replace(case.request, room=room)
        assemble(case.sources, request, limits=Limits(1), recalled=case.recalled)
    except TooLarge as error:
        outcome = str(error.field)
    assert outcome == "message" or needed <= room


def test_sections_are_those_of_the_api() -> None:
    assert set(get_args(Section)) == SECTIONS


@pytest.mark.parametrize("format", get_args(Format))
def test_an_empty_conversation_gives_an_empty_context(format: Format) -> None:
    sources = ContextSources(policy=PRESETS["chunked"], summary=NO_SUMMARY, backlog=[])
    built = assemble(sources, a_request(format=format))
    assert not (built.messages if isinstance(built, MessagesContext) else built.text)
    assert (built.tokens, built.receipt.items) == (0, ())


def current_message(case: Case) -> tuple[str | None, bool]:
    """Return the current message, and whether messages were stored after it."""
    if case.request.message is not None:
        return case.request.message, False
    if case.sources.question is not None:
        return case.sources.question.content, bool(case.sources.backlog)
    has_later = False
    for message in reversed(case.sources.backlog):
        if message.role == "user":
            return message.content, has_later
        if message.role == "assistant" and message.content.strip():
            if message.status != "streaming":
                return None, False
        elif message.role in ("assistant", "system") and message.status != "streaming":
            has_later = True
    return None, False


def _user_text(message: object) -> str | None:
    match message:
        case {"role": "user", "content": str(text)}:
            return text
        case {"role": "user", "parts": [*_, {"text": str(text)}]}:
            return text
        case {"role": "user", "content": [*_, {"type": "text", "text": str(text)}]}:
            return text
    return None


def seqs(receipt: Receipt, *outcomes: str, sections: tuple[str, ...] = ()) -> set[int]:
    """Return the messages of the receipt with one of the outcomes."""
    return {
        seq
        for item in receipt.items
        if item.outcome in outcomes and item.section in (sections or SECTIONS - {"summary"})
        for seq in _range(item)
    }


def message_ids(receipt: Receipt, *outcomes: str, section: str = "") -> set[str]:
    """Return the ids of the messages of the receipt with one of the outcomes."""
    return {
        item.message_id
        for item in receipt.items
        if item.outcome in outcomes and item.message_id and section in ("", item.section)
    }


def _range(item: ReceiptItem) -> range:
    if item.first_seq is None or item.last_seq is None:
        return range(0)
    return range(item.first_seq, item.last_seq + 1)


def shown_seqs(built: Context, conversation: list[Message]) -> Counter[int]:
    """Return how often each message is in the rendered context."""
    text = rendered(built)
    found = {message.seq: text.count(mark(message.seq)) for message in conversation}
    return Counter({seq: times for seq, times in found.items() if times})


def has_text(message: Message) -> bool:
    return bool(message.content.strip())


def can_be_quoted(message: Message) -> bool:
    return has_text(message) and message.status != "streaming"
