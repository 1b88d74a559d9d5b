"""Messages on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import BrokenCursor, Conflict, InvalidInput, MessageIn, TooLarge
from recollect.core.ids import new_id
from recollect.core.types import Message, Order, Role, Row
from recollect.store import messages
from recollect.store.database import Run
from recollect.sync import Recollect
from tests.conftest import Clock

ORDERS: tuple[Order, ...] = ("asc", "desc")
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.builds(
    MessageIn,
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    content=TEXT.filter(str.strip),
    thinking=st.none() | TEXT,
    tool_calls=st.none()
    | st.lists(
        st.fixed_dictionaries({"tool_name": TEXT, "input": JSON, "output": JSON}), max_size=2
    ),
    suggested_values=JSON,
    suggested_actions=JSON,
    custom_payload=JSON,
    model_variant=st.none() | st.sampled_from(["arco", "deep-dive"]),
    metadata=st.dictionaries(TEXT, JSON, max_size=2),
    is_pinned=st.booleans(),
    event_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drafts=st.lists(MESSAGES, min_size=1, max_size=4))
def test_messages_are_stored_unchanged(memory: Recollect, drafts: list[MessageIn]) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    stored = memory.conversations.add_messages(drafts, conversation_id=chat.id, user_id="alice")
    for draft, message in zip(drafts, stored, strict=True):
        assert (message.role, message.content, message.thinking) == (
            draft.role,
            draft.content,
            draft.thinking,
        )
        for field in (
            "tool_calls",
            "suggested_values",
            "suggested_actions",
            "custom_payload",
            "metadata",
            "model_variant",
            "is_pinned",
        ):
            assert repr(getattr(message, field)) == repr(getattr(draft, field))
        assert message.status == "complete"
        assert message.event_at == (draft.event_at or message.created_at)
    assert (
        list(memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")) == stored
    )
    conversation = memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
    assert conversation.message_count == len(drafts)
    assert conversation.token_count == sum(message.tokens for message in stored)


def test_seq_continues_across_calls(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    seqs = []
    for size in (1, 3, 2):
        stored = memory.conversations.add_messages(
            [_said("x")] * size, conversation_id=chat.id, user_id="alice"
        )
        seqs += [message.seq for message in stored]
    assert seqs == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("batch_size", [1, 2, 3, 20])
def test_turn_numbers_do_not_depend_on_batches(memory: Recollect, batch_size: int) -> None:
    roles: list[Role] = ["system", "assistant", "user", "user", "assistant", "tool", "assistant"]
    roles += ["user", "system", "user", "assistant", "user"]
    turns = [0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4]
    chat = memory.conversations.create_conversation(user_id="alice")
    stored = []
    for start in range(0, len(roles), batch_size):
        drafts = [MessageIn(role=role, content="x") for role in roles[start : start + batch_size]]
        stored += memory.conversations.add_messages(
            drafts, conversation_id=chat.id, user_id="alice"
        )
    assert [message.turn for message in stored] == turns


def test_seqs_are_not_reused_after_deletion(memory: Recollect, clock: Clock) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    stored = memory.conversations.add_messages(
        [_said("a"), _said("b")], conversation_id=chat.id, user_id="alice"
    )
    clock.advance(seconds=1)
    receipt = memory.conversations.delete_message(message_id=stored[1].id, user_id="alice")
    assert receipt.messages == 1
    after = memory.conversations.add_message(_said("c"), conversation_id=chat.id, user_id="alice")
    assert after.seq == 3
    assert [
        m.seq for m in memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
    ] == [1, 3]
    conversation = memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
    assert (conversation.message_count, conversation.token_count) == (2, 2)


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("limit", [1, 3, 10, 11, 200])
def test_cursors_page_both_ways(memory: Recollect, order: Order, limit: int) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 10)
    seqs: list[int] = []
    cursor = None
    while True:
        page = memory.conversations.get_messages(
            limit, conversation_id=chat.id, user_id="alice", cursor=cursor, order=order
        )
        seqs += [message.seq for message in page]
        if page.next_cursor is None:
            break
        cursor = page.next_cursor
    expected = list(range(1, 11))
    assert seqs == (expected if order == "asc" else expected[::-1])


def test_cursor_is_stable_during_writes(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 4)
    page = memory.conversations.get_messages(
        2, conversation_id=chat.id, user_id="alice", order="desc"
    )
    memory.conversations.add_message(_said("new"), conversation_id=chat.id, user_id="alice")
    rest = memory.conversations.get_messages(
        5, conversation_id=chat.id, user_id="alice", cursor=page.next_cursor, order="desc"
    )
    assert [m.seq for m in page] + [m.seq for m in rest] == [4, 3, 2, 1]


def test_offset_skips_items(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 5)
    page = memory.conversations.get_messages(2, 3, conversation_id=chat.id, user_id="alice")
    assert [m.seq for m in page] == [4, 5]


def test_list_can_start_from_a_seq(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 9)
    gone = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")[4]
    memory.conversations.delete_message(message_id=gone.id, user_id="alice")

    def seqs(order: Order, from_seq: int, **more: Any) -> tuple[list[int], str | None]:
        page = memory.conversations.get_messages(
            3, conversation_id=chat.id, user_id="alice", order=order, from_seq=from_seq, **more
        )
        return [message.seq for message in page], page.next_cursor

    assert seqs("asc", 1)[0] == [1, 2, 3]
    assert seqs("desc", 9)[0] == [9, 8, 7]
    assert seqs("desc", 2) == ([2, 1], None)
    assert seqs("asc", 9) == ([9], None)
    assert seqs("asc", 10) == ([], None)
    assert seqs("desc", 2**31 - 1)[0] == [9, 8, 7]
    assert seqs("asc", 2**31 - 1)[0] == []
    assert seqs("desc", 5)[0] == [4, 3, 2]
    assert seqs("asc", 1, offset=2)[0] == [3, 4, 6]
    found, cursor = seqs("asc", 5)
    assert found == [6, 7, 8]
    assert seqs("asc", 5, cursor=cursor)[0] == [9]
    for wrong in (0, -1, 2**31):
        with pytest.raises(InvalidInput):
            seqs("asc", wrong)


def test_cursor_of_another_list_is_rejected(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 3)
    cursor = memory.conversations.get_messages(
        1, conversation_id=chat.id, user_id="alice"
    ).next_cursor
    other = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")] * 3)
    with pytest.raises(BrokenCursor):
        memory.conversations.get_messages(
            conversation_id=chat.id, user_id="alice", cursor=cursor, order="desc"
        )
    with pytest.raises(BrokenCursor):
        memory.conversations.get_messages(conversation_id=other.id, user_id="alice", cursor=cursor)
    with pytest.raises(InvalidInput):
        memory.conversations.get_messages(
            1, 1, conversation_id=chat.id, user_id="alice", cursor=cursor
        )


@pytest.mark.parametrize(
    "cursor", ["", "garbage", "WyJtZXNzYWdlcy1hc2MiLC0xXQ", "WyJtZXNzYWdlcy1hc2MiLHRydWVd"]
)
def test_invalid_cursors_are_rejected(memory: Recollect, cursor: str) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(BrokenCursor):
        memory.conversations.get_messages(conversation_id=chat.id, user_id="alice", cursor=cursor)


def test_imported_history_keeps_its_dates(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    said_at = datetime(2019, 5, 4, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    stored = memory.conversations.add_message(
        MessageIn(role="user", content="x", event_at=said_at),
        conversation_id=chat.id,
        user_id="alice",
    )
    assert stored.event_at == said_at
    assert stored.event_at.tzinfo == UTC
    assert stored.created_at > said_at


def test_callers_can_provide_ids(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    own = new_id()
    stored = memory.conversations.add_message(
        MessageIn(role="user", content="x", id=own.upper()),
        conversation_id=chat.id,
        user_id="alice",
    )
    assert stored.id == own
    with pytest.raises(Conflict):
        memory.conversations.add_messages(
            [_said("y"), MessageIn(role="user", content="z", id=own)],
            conversation_id=chat.id,
            user_id="alice",
        )
    assert len(memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")) == 1
    assert (
        memory.conversations.add_message(
            _said("next"), conversation_id=chat.id, user_id="alice"
        ).seq
        == 2
    )


def test_a_message_can_be_pinned_and_unpinned(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")])
    (message,) = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
    assert memory.conversations.pin_message(message_id=message.id, user_id="alice").is_pinned
    assert memory.conversations.get_message(message_id=message.id, user_id="alice").is_pinned
    assert not memory.conversations.pin_message(
        message_id=message.id, user_id="alice", is_pinned=False
    ).is_pinned
    assert not memory.conversations.get_message(message_id=message.id, user_id="alice").is_pinned


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        ({"role": "robot", "content": "x"}, "role"),
        ({"role": "user", "content": ""}, "content"),
        ({"role": "user", "content": " \n\t"}, "content"),
        ({"role": "assistant", "content": "", "tool_calls": []}, "content"),
        ({"role": "user", "content": "a\0b"}, "content"),
        ({"role": "user", "content": "\ud800"}, "content"),
        ({"role": "user", "content": 5}, "content"),
        ({"role": "user", "content": "x", "thinking": "\0"}, "thinking"),
        ({"role": "user", "content": "x", "tool_calls": [{"input": 1}]}, "tool_calls"),
        ({"role": "user", "content": "x", "tool_calls": "abc"}, "tool_calls"),
        ({"role": "user", "content": "x", "custom_payload": float("nan")}, "custom_payload"),
        ({"role": "user", "content": "x", "custom_payload": {1, 2}}, "custom_payload"),
        ({"role": "user", "content": "x", "suggested_values": ["\udfff"]}, "suggested_values"),
        ({"role": "user", "content": "x", "metadata": [1]}, "metadata"),
        ({"role": "user", "content": "x", "event_at": datetime(2020, 1, 1)}, "event_at"),
        (
            {
                "role": "user",
                "content": "x",
                "event_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
            },
            "event_at",
        ),
        ({"role": "user", "content": "x", "id": "not-a-uuid"}, "id"),
        ({"role": "user", "content": "x", "is_pinned": "yes"}, "is_pinned"),
        ({"role": "user", "content": "x", "event_at": "2020-01-01"}, "event_at"),
        ({"role": "user", "content": "x", "metadata": {"k": ["a\0b"]}}, "metadata"),
    ],
)
def test_invalid_messages_store_nothing(
    memory: Recollect, draft: dict[str, Any], field: str
) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(InvalidInput) as refused:
        memory.conversations.add_messages(
            [_said("fine"), MessageIn(**draft)], conversation_id=chat.id, user_id="alice"
        )
    assert refused.value.field == field
    assert field in refused.value.message
    assert memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice") == chat


def test_escaped_backslash_is_not_nul(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    draft = MessageIn(role="user", content="x", metadata={"k": "\\u0000"})
    assert (
        memory.conversations.add_message(draft, conversation_id=chat.id, user_id="alice").metadata
        == draft.metadata
    )


def test_plain_dict_is_rejected(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(InvalidInput, match="MessageIn, not dict"):
        memory.conversations.add_messages(
            [{"role": "user"}],  # type: ignore[list-item]
            conversation_id=chat.id,
            user_id="alice",
        )


def test_empty_batch_is_rejected(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(InvalidInput):
        memory.conversations.add_messages([], conversation_id=chat.id, user_id="alice")


def test_message_over_size_limit_is_rejected(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    for draft in (
        MessageIn(role="user", content="x" * 20_000_000),
        MessageIn(role="user", content="x", custom_payload="é" * 10_000_000),
    ):
        with pytest.raises(TooLarge) as refused:
            memory.conversations.add_message(draft, conversation_id=chat.id, user_id="alice")
        assert "2,000,000" in refused.value.message
    assert memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice") == chat


def test_tool_call_without_content_is_accepted(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    call = {"tool_name": "weather", "input": {"city": "Roma"}, "output": None, "id": "call_1"}
    stored = memory.conversations.add_message(
        MessageIn(role="assistant", tool_calls=[call]), conversation_id=chat.id, user_id="alice"
    )
    assert stored.tool_calls == [call]
    assert stored.tokens > 0


def test_feedback_can_be_set_changed_and_removed(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")])
    (message,) = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
    for rating in ("up", "down", None, None):
        rated = memory.conversations.rate_message(
            message_id=message.id,
            user_id="alice",
            rating=rating,
            note="why",
        )
        assert rated == replace(message, rating=rating)
        assert memory.conversations.get_message(message_id=message.id, user_id="alice") == rated
        for order in ORDERS:
            assert list(
                memory.conversations.get_messages(
                    conversation_id=chat.id, user_id="alice", order=order
                )
            ) == [rated]
        pinned = memory.conversations.pin_message(
            message_id=message.id, user_id="alice", is_pinned=False
        )
        assert pinned == rated
        assert _found_by_each_query(memory, rated) == [rated] * 4
    with pytest.raises(InvalidInput):
        memory.conversations.rate_message(message_id=message.id, user_id="alice", rating="meh")  # type: ignore[arg-type]


def _found_by_each_query(memory: Recollect, message: Message) -> list[Message]:
    """Also in the queries for contexts and digests."""
    id, limits = message.conversation_id, {"through_seq": 0, "limit": 9}

    def find(run: Run) -> list[Message]:
        (row,) = run("list_active_messages", conversation_id=id, from_seq=1, before_seq=9)
        return [
            *messages.backlog(run, id, **limits),
            *messages.list_between(run, id, before_seq=9, **limits),
            *messages.turn_of(run, id, seq=message.seq, turn=message.turn),
            Message.from_row(row),
        ]

    async def go() -> list[Message]:
        return await memory._engine._database.read(find, user_id="alice")

    return memory._loop.wait(go)


def test_row_without_required_columns_is_rejected(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", messages=[_said("x")])

    async def go() -> Row:
        (row,) = await memory._engine._database.read(
            lambda run: run("list_messages_asc", conversation_id=chat.id, seq=0, limit=1, offset=0),
            user_id="alice",
        )
        return row

    row = memory._loop.wait(go)
    assert Message.from_row(row).content == "x"
    for column in ("rating", "superseded_at"):
        with pytest.raises(KeyError, match=column):
            Message.from_row({name: row[name] for name in row if name != column})


def _said(content: str) -> MessageIn:
    return MessageIn(role="user", content=content)
