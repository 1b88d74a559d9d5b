"""Receipts list many messages with one outcome as ranges."""

import json

from recollect.core.types import Message
from recollect.recall.context.budget import Limits
from recollect.recall.context.receipt import Receipt, ReceiptItem
from recollect.recall.context.types import Context
from tests.recall.sample_conversations import (
    UNFILLED_TAIL,
    Draft,
    assistant,
    build,
    call,
    said,
    tool,
    turns,
    user,
)

MANY = 500


def dropped(built: Context) -> list[ReceiptItem]:
    return [item for item in built.receipt.items if item.outcome == "dropped"]


def seqs(item: ReceiptItem) -> list[int]:
    assert item.first_seq is not None
    assert item.last_seq is not None
    return [*range(item.first_seq, item.last_seq + 1)]


def named(receipt: Receipt) -> list[int]:
    """The numbers of all messages in a receipt; each must be there once."""
    found = [seq for item in receipt.items if item.first_seq for seq in seqs(item)]
    assert len(found) == len(set(found))
    return sorted(found)


def test_small_context_of_a_long_history_has_a_small_receipt() -> None:
    messages = said(*turns(MANY, words=" about the garden"))
    built = build("chunked", messages, message="So?", limits=Limits(200))
    assert named(built.receipt) == [*range(1, 2 * MANY + 1)]
    assert len(json.dumps(built.receipt.to_json())) < 10_000
    (gone,) = dropped(built)
    assert gone.source == f"messages 1 to {gone.last_seq}"
    assert gone.message_id is None
    assert gone.tokens > 10 * MANY


def test_ranges_have_the_tokens_of_their_messages() -> None:
    few, many = (build(UNFILLED_TAIL, said(*turns(n)), message="So?") for n in (10, 100))
    sizes = {
        len(dropped(built)): sum(i.tokens for i in dropped(built)) / messages
        for built, messages in ((few, 14), (many, 194))
    }
    assert sizes.keys() == {14, 1}
    assert abs(sizes[14] - sizes[1]) < 1


def test_range_ends_at_a_pinned_message() -> None:
    drafts: list[Draft] = turns(MANY)
    drafts[100] = user("Remember the garden.", is_pinned=True)
    built = build("chunked", said(*drafts), message="So?", limits=Limits(200))
    first, second = dropped(built)
    assert (first.first_seq, first.last_seq, second.first_seq) == (1, 100, 102)
    (pin,) = [item for item in built.receipt.items if item.section == "pinned"]
    assert pin.first_seq == 101


def test_ranges_skip_deleted_messages() -> None:
    messages: list[Message] = [m for m in said(*turns(MANY)) if m.turn % 2]
    built = build("chunked", messages, message="So?", limits=Limits(200))
    assert len(dropped(built)) == 1


def test_tool_results_are_in_the_range_of_their_calls() -> None:
    drafts = [
        draft
        for n in range(MANY)
        for draft in (
            user(f"q{n}"),
            assistant(tool_calls=[call(id=f"c{n}")]),
            tool("found", f"c{n}"),
            assistant(f"a{n}"),
        )
    ]
    built = build("chunked", said(*drafts), message="So?", limits=Limits(200))
    assert named(built.receipt) == [*range(1, 4 * MANY + 1)]
    assert len(dropped(built)) == 1


def test_alternating_reasons_are_joined() -> None:
    drafts = [draft for n in range(MANY) for draft in (user(f"q{n}"), tool("lost", f"x{n}"))]
    built = build("chunked", said(*drafts), message="So?", limits=Limits(200))
    assert set(named(built.receipt)) == {*range(1, 2 * MANY + 1)}
    gone = dropped(built)
    assert len(gone) < 50
    assert gone[0].reason == "Over budget. Not digested yet. A tool result without its call."


def test_full_history_has_ranges_of_older_messages() -> None:
    built = build("chunked", said(*turns(MANY)), message="So?", mode="full")
    assert named(built.receipt) == [*range(1, 2 * MANY + 1)]
    sent = [item for item in built.receipt.items if item.section == "tail"]
    assert {item.outcome for item in sent} == {"included"}
    assert len(sent) == 201
    assert sent[0].first_seq == 1
    assert sum(item.tokens for item in built.receipt.items) == built.receipt.tokens
    assert Receipt.from_json(built.receipt.to_json()) == built.receipt
