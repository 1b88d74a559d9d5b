"""Conversations, on both databases."""

import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import BrokenCursor, Conversation, InvalidInput, MessageIn, NotFound
from recollect.sync import Recollect
from tests.conftest import Clock, Open
from tests.scripted_model import ScriptedModel, stalls

UNKNOWN = "01a1e113-0000-7000-8000-000000000000"


def test_a_new_conversation_can_be_read_back(memory: Recollect) -> None:
    created = memory.conversations.create_conversation(
        "  Trip to Lisbon ",
        user_id="alice",
        policy="window",
        metadata={"z": 1, "a": [1.0, None, "é"]},
    )
    assert created.title == "Trip to Lisbon"
    assert created.title_source == "user"
    assert created.policy == "window"
    assert list(created.metadata) == ["z", "a"]
    assert (
        memory.conversations.get_conversation(conversation_id=created.id, user_id="alice")
        == created
    )


def test_conversation_without_title_has_source_auto(memory: Recollect) -> None:
    created = memory.conversations.create_conversation(user_id="alice")
    assert created.title is None
    assert created.title_source == "auto"
    assert created.policy == "chunked"


def test_creation_with_messages_is_atomic(
    memory: Recollect,
) -> None:
    created = memory.conversations.create_conversation(
        user_id="alice", messages=[MessageIn(role="user", content="hi")]
    )
    assert created.message_count == 1
    with pytest.raises(InvalidInput):
        memory.conversations.create_conversation(
            user_id="alice",
            messages=[MessageIn(role="user", content="hi"), MessageIn(role="user", content="")],
        )
    assert len(memory.conversations.list_conversations(user_id="alice")) == 1


def test_lists_are_sorted_by_last_activity(memory: Recollect, clock: Clock) -> None:
    older, newer = _create(memory, clock, 2)
    assert [c.id for c in memory.conversations.list_conversations(user_id="alice")] == [
        newer.id,
        older.id,
    ]
    clock.advance(seconds=1)
    memory.conversations.add_message(
        MessageIn(role="user", content="hi"), conversation_id=older.id, user_id="alice"
    )
    assert [c.id for c in memory.conversations.list_conversations(user_id="alice")] == [
        older.id,
        newer.id,
    ]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10, 11])
def test_cursors_page_through_equal_timestamps(memory: Recollect, limit: int) -> None:
    created = {memory.conversations.create_conversation(user_id="alice").id for _ in range(10)}
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.conversations.list_conversations(limit, user_id="alice", cursor=cursor)
        assert len(page) <= limit
        seen += [conversation.id for conversation in page]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(created)
    assert set(seen) == created


def test_offset_skips_items(memory: Recollect, clock: Clock) -> None:
    created = _create(memory, clock, 4)
    page = memory.conversations.list_conversations(2, 1, user_id="alice")
    assert [c.id for c in page] == [created[2].id, created[1].id]


def test_archived_conversations_are_listed_separately(memory: Recollect, clock: Clock) -> None:
    kept, archived = _create(memory, clock, 2)
    memory.conversations.update_conversation(
        {"is_archived": True}, conversation_id=archived.id, user_id="alice"
    )
    assert [c.id for c in memory.conversations.list_conversations(user_id="alice")] == [kept.id]
    listed = memory.conversations.list_conversations(user_id="alice", archived=True)
    assert [c.id for c in listed] == [archived.id]


@pytest.mark.parametrize("query", ["citta", "CITTÀ", "tà di r", "roma"])
def test_filter_ignores_case_and_accents(memory: Recollect, query: str) -> None:
    wanted = memory.conversations.create_conversation("Città di Roma", user_id="alice")
    memory.conversations.create_conversation("Lisbon", user_id="alice")
    found = memory.conversations.list_conversations(user_id="alice", query=query)
    assert [c.id for c in found] == [wanted.id]


@pytest.mark.parametrize("query", ["%", "_", "\\", "100%", "a_b"])
def test_filter_escapes_wildcards(memory: Recollect, query: str) -> None:
    wanted = memory.conversations.create_conversation(f"x{query}y", user_id="alice")
    memory.conversations.create_conversation("100 acb", user_id="alice")
    found = memory.conversations.list_conversations(user_id="alice", query=query)
    assert [c.id for c in found] == [wanted.id]


def test_current_is_the_most_recently_active(memory: Recollect, clock: Clock) -> None:
    older, newer = _create(memory, clock, 2)
    assert memory.conversations.current_conversation(user_id="alice").id == newer.id
    memory.conversations.update_conversation(
        {"is_archived": True}, conversation_id=newer.id, user_id="alice"
    )
    assert memory.conversations.current_conversation(user_id="alice").id == older.id


def test_current_is_created_once_by_concurrent_calls(memory: Recollect) -> None:
    with ThreadPoolExecutor(8) as threads:
        asked = [
            threads.submit(memory.conversations.current_conversation, user_id="alice")
            for _ in range(16)
        ]
    assert len({future.result().id for future in asked}) == 1


def test_update_changes_only_given_fields(memory: Recollect, clock: Clock) -> None:
    created = memory.conversations.create_conversation(user_id="alice", metadata={"a": 1})
    clock.advance(seconds=1)
    renamed = memory.conversations.update_conversation(
        {"title": "New"}, conversation_id=created.id, user_id="alice"
    )
    assert (renamed.title, renamed.title_source, renamed.metadata) == ("New", "user", {"a": 1})
    assert renamed.updated_at > created.updated_at
    assert renamed.last_activity_at == created.last_activity_at
    changes = {"metadata": {"b": 2}, "policy": "rolling", "remember": False, "title": None}
    changed = memory.conversations.update_conversation(
        changes, conversation_id=created.id, user_id="alice"
    )
    assert (changed.metadata, changed.policy, changed.remember) == ({"b": 2}, "rolling", False)
    assert (changed.title, changed.title_source) == (None, "auto")
    assert (
        memory.conversations.get_conversation(conversation_id=created.id, user_id="alice")
        == changed
    )


@pytest.mark.parametrize(
    ("updates", "field"),
    [
        ({"policy": "nonsense"}, "policy"),
        ({"message_count": 3}, "message_count"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": None}, "metadata"),
        ({"is_archived": "yes"}, "is_archived"),
        ({"title": "a\0b"}, "title"),
    ],
)
def test_invalid_updates_are_rejected(
    memory: Recollect, updates: dict[str, object], field: str
) -> None:
    created = memory.conversations.create_conversation("Title", user_id="alice")
    with pytest.raises(InvalidInput) as refused:
        memory.conversations.update_conversation(
            updates, conversation_id=created.id, user_id="alice"
        )
    assert refused.value.field == field
    assert (
        memory.conversations.get_conversation(conversation_id=created.id, user_id="alice")
        == created
    )


def test_fork_is_independent(memory: Recollect) -> None:
    source = memory.conversations.create_conversation("Plan", user_id="alice", policy="rolling")
    said = [
        MessageIn(role="system", content="Be kind."),
        MessageIn(role="user", content="one", metadata={"k": 1}),
        MessageIn(role="assistant", content="two", tool_calls=[{"tool_name": "t"}]),
        MessageIn(role="user", content="three"),
    ]
    memory.conversations.add_messages(said, conversation_id=source.id, user_id="alice")
    fork = memory.conversations.fork_conversation(conversation_id=source.id, user_id="alice", at=3)
    assert (fork.forked_from, fork.title, fork.policy) == (source.id, "Plan", "rolling")
    originals = memory.conversations.get_messages(conversation_id=source.id, user_id="alice")
    assert fork.message_count == 3
    assert fork.token_count == sum(message.tokens for message in originals[:3])
    copies = memory.conversations.get_messages(conversation_id=fork.id, user_id="alice")
    assert [(c.seq, c.turn, c.content, c.metadata, c.tool_calls) for c in copies] == [
        (o.seq, o.turn, o.content, o.metadata, o.tool_calls) for o in originals[:3]
    ]
    assert {c.id for c in copies}.isdisjoint(o.id for o in originals)
    appended = memory.conversations.add_message(
        MessageIn(role="user", content="else"), conversation_id=fork.id, user_id="alice"
    )
    assert (appended.seq, appended.turn) == (4, 2)
    assert len(memory.conversations.get_messages(conversation_id=source.id, user_id="alice")) == 4


def test_fork_after_deletions_has_gapless_seqs(memory: Recollect) -> None:
    source = memory.conversations.create_conversation(user_id="alice")
    stored = memory.conversations.add_messages(
        [MessageIn(role="user", content=str(n)) for n in range(4)],
        conversation_id=source.id,
        user_id="alice",
    )
    memory.conversations.delete_message(message_id=stored[1].id, user_id="alice")
    fork = memory.conversations.fork_conversation(
        conversation_id=source.id, user_id="alice", at=4, title="Other"
    )
    copies = memory.conversations.get_messages(conversation_id=fork.id, user_id="alice")
    assert [(c.seq, c.content) for c in copies] == [(1, "0"), (2, "2"), (3, "3")]
    assert (fork.title, fork.title_source) == ("Other", "user")


def test_fork_without_message_copies_all(memory: Recollect) -> None:
    source = memory.conversations.create_conversation("Plan", user_id="alice")
    empty = memory.conversations.fork_conversation(conversation_id=source.id, user_id="alice")
    assert (empty.message_count, empty.forked_from) == (0, source.id)
    said = [MessageIn(role="user", content=str(n)) for n in range(4)]
    stored = memory.conversations.add_messages(said, conversation_id=source.id, user_id="alice")
    memory.conversations.delete_message(message_id=stored[3].id, user_id="alice")
    fork = memory.conversations.fork_conversation(
        conversation_id=source.id, user_id="alice", title="All"
    )
    assert (fork.title, fork.message_count) == ("All", 3)
    for id, before in ((fork.id, ["0", "1", "2"]), (empty.id, [])):
        memory.conversations.add_message(
            MessageIn(role="user", content="else"), conversation_id=id, user_id="alice"
        )
        found = memory.conversations.get_messages(conversation_id=id, user_id="alice")
        assert [(m.seq, m.content) for m in found] == [*enumerate([*before, "else"], 1)]


def test_fork_copies_the_active_answer_not_the_streaming_one(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model()
    model.answers("From May on.", stalls("In the "))
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    second = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    fork = memory.conversations.fork_conversation(
        conversation_id=first.conversation_id, user_id="alice"
    )
    copies = memory.conversations.get_messages(conversation_id=fork.id, user_id="alice")
    assert [(c.seq, c.turn, c.superseded_at is None) for c in copies] == [
        (1, 1, True),
        (2, 1, True),
        (3, 1, False),
    ]
    assert (copies[1].content, copies[2].status) == ("From May on.", "interrupted")
    built = memory.contexts.build_context(
        "And in winter?", conversation_id=fork.id, user_id="alice"
    )
    assert built.messages is not None
    assert [m["content"] for m in built.messages] == [
        "When is it warm?",
        "From May on.",
        "And in winter?",
    ]
    memory.chat.stop(second.message_id, user_id="alice")


def test_fork_at_superseded_message_restores_its_state(
    open_with_model: Open, model: ScriptedModel, clock: Clock
) -> None:
    memory = open_with_model()
    model.answers("In May.", "From May on.", "In Oslo, in July.")
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    clock.advance(seconds=1)
    memory.chat.regenerate(message_id=first.message_id, user_id="alice").result()
    clock.advance(seconds=1)
    question = memory.conversations.get_messages(
        conversation_id=first.conversation_id, user_id="alice"
    )[0]
    memory.chat.edit("When is it warm in Oslo?", message_id=question.id, user_id="alice").result()

    def shown(at: int) -> list[str]:
        fork = memory.conversations.fork_conversation(
            conversation_id=first.conversation_id, user_id="alice", at=at
        )
        built = memory.contexts.build_context("Why?", conversation_id=fork.id, user_id="alice")
        return [message["content"] for message in built.messages or ()]

    assert shown(2) == ["When is it warm?", "In May.", "Why?"]
    assert shown(3) == ["When is it warm?", "From May on.", "Why?"]
    assert shown(5) == ["When is it warm in Oslo?", "In Oslo, in July.", "Why?"]


def test_fork_copies_a_streaming_answer_that_replaces_nothing(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model()
    source = memory.conversations.create_conversation(
        user_id="alice", messages=[MessageIn(role="user", content="When is it warm?")]
    )
    (question,) = memory.conversations.get_messages(conversation_id=source.id, user_id="alice")
    model.answers(stalls("In the "))
    answering = memory.chat.regenerate(message_id=question.id, user_id="alice")
    fork = memory.conversations.fork_conversation(conversation_id=source.id, user_id="alice")
    _, copy = memory.conversations.get_messages(conversation_id=fork.id, user_id="alice")
    assert (copy.status, copy.superseded_at) == ("interrupted", None)
    memory.chat.stop(answering.message_id, user_id="alice")


@pytest.mark.parametrize("at", [-1, 0, 2, 10**12])
def test_fork_needs_an_existing_message(memory: Recollect, at: int) -> None:
    source = memory.conversations.create_conversation(
        user_id="alice", messages=[MessageIn(role="user", content="hi")]
    )
    with pytest.raises(NotFound):
        memory.conversations.fork_conversation(conversation_id=source.id, user_id="alice", at=at)
    assert len(memory.conversations.list_conversations(user_id="alice")) == 1


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "!!!!", "W10", "bnVsbA", "WyJtZXNzYWdlcy1hc2MiLDFd", "é", "A" * 10_000]
    + [
        base64.urlsafe_b64encode(f'["conversations","{at}","{UNKNOWN}"]'.encode()).decode()
        for at in ("", "now", "2026-W01-1T00:00:00Z", "2026-01-01T00:00:00+23:59:59.5")
    ],
)
def test_invalid_cursors_are_rejected(memory: Recollect, cursor: str) -> None:
    with pytest.raises(BrokenCursor):
        memory.conversations.list_conversations(user_id="alice", cursor=cursor)


@pytest.mark.parametrize("limit", [-1, 0, 201])
def test_page_limits_are_checked(memory: Recollect, limit: int) -> None:
    with pytest.raises(InvalidInput):
        memory.conversations.list_conversations(limit, user_id="alice")


@pytest.mark.parametrize("user_id", ["", "a\0b", "a\nb", "x" * 256, "\ud800"])
def test_invalid_user_ids_are_rejected(memory: Recollect, user_id: str) -> None:
    for call in (
        memory.conversations.create_conversation,
        memory.conversations.current_conversation,
        memory.conversations.list_conversations,
        memory.history.turns,
        memory.history.expire,
        memory.keys.create_key,
    ):
        with pytest.raises(InvalidInput):
            call(user_id=user_id)


@pytest.mark.parametrize("query", ["a\0b", "\ud800", "x" * 1_001])
def test_invalid_filters_are_rejected(memory: Recollect, query: str) -> None:
    with pytest.raises(InvalidInput):
        memory.conversations.list_conversations(user_id="alice", query=query)


@pytest.mark.parametrize("id", [UNKNOWN, "", "nonsense", "1' or '1'='1"])
def test_unknown_ids_are_not_found(memory: Recollect, id: str) -> None:
    service = memory.conversations
    calls: list[Callable[[], object]] = [
        lambda: service.get_conversation(conversation_id=id, user_id="alice"),
        lambda: service.update_conversation({"title": "x"}, conversation_id=id, user_id="alice"),
        lambda: service.delete_conversation(conversation_id=id, user_id="alice"),
        lambda: service.fork_conversation(conversation_id=id, user_id="alice", at=1),
        lambda: service.add_message(
            MessageIn(role="user", content="x"), conversation_id=id, user_id="alice"
        ),
        lambda: service.get_messages(conversation_id=id, user_id="alice"),
        lambda: service.get_message(message_id=id, user_id="alice"),
        lambda: service.pin_message(message_id=id, user_id="alice"),
        lambda: service.rate_message(message_id=id, user_id="alice", rating="up"),
        lambda: service.delete_message(message_id=id, user_id="alice"),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            call()


def _create(memory: Recollect, clock: Clock, number: int) -> list[Conversation]:
    created = []
    for _ in range(number):
        clock.advance(seconds=1)
        created.append(memory.conversations.create_conversation(user_id="alice"))
    return created
