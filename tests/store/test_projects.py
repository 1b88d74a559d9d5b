"""Projects: conversations with a name in common, as a filter of lists and searches."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest

from recollect import Conversation, IdempotencyConflict, InvalidInput, MemoryIn, MessageIn
from recollect.core.policy import RecallScope
from recollect.engine import open_database
from recollect.language.analyzer import query_terms
from recollect.store import search
from recollect.store.database import Run
from recollect.store.search_index import Filters, has_conversations
from recollect.store.vectors import QueryVector
from recollect.sync import Recollect
from tests.store.concept_embedder import MODEL, ConceptEmbedder, concept_vector

T = TypeVar("T")


def _chat(memory: Recollect, text: str, project_id: str | None = None) -> Conversation:
    return memory.conversations.create_conversation(
        text,
        user_id="alice",
        project_id=project_id,
        messages=[MessageIn(role="user", content=text)],
    )


def test_project_and_scope_are_kept(memory: Recollect) -> None:
    plain = memory.conversations.create_conversation(user_id="alice")
    assert (plain.project_id, plain.recall_scope) == (None, None)
    chat = memory.conversations.create_conversation(
        user_id="alice",
        project_id="Lisbon / 2027 ✈",
        recall_scope="project",
        messages=[MessageIn(role="user", content="When is it warm?")],
    )
    fork = memory.conversations.fork_conversation(conversation_id=chat.id, user_id="alice")
    for one in (chat, fork):
        assert (one.project_id, one.recall_scope) == ("Lisbon / 2027 ✈", "project")

    def update(**changes: str | None) -> tuple[str | None, RecallScope | None]:
        changed = memory.conversations.update_conversation(
            changes, conversation_id=chat.id, user_id="alice"
        )
        return changed.project_id, changed.recall_scope

    assert update(title="Lisbon") == ("Lisbon / 2027 ✈", "project")
    assert update(project_id="Porto", recall_scope="user") == ("Porto", "user")
    assert update(project_id=None) == (None, "user")
    assert update(recall_scope=None) == (None, None)


@pytest.mark.parametrize(
    "given",
    [
        {"project_id": ""},
        {"project_id": "x" * 201},
        {"project_id": "a\0b"},
        {"project_id": 7},
        {"recall_scope": "everything"},
        {"recall_scope": ""},
    ],
)
def test_invalid_values_are_rejected(memory: Recollect, given: dict[str, Any]) -> None:
    (field,) = given
    chat = memory.conversations.create_conversation(user_id="alice")
    calls: tuple[Callable[[], object], ...] = (
        lambda: memory.conversations.create_conversation(user_id="alice", **given),
        lambda: memory.conversations.update_conversation(
            given, conversation_id=chat.id, user_id="alice"
        ),
    )
    for call in calls:
        with pytest.raises(InvalidInput, match=field) as refused:
            call()
        assert refused.value.field == field
    if field == "project_id":
        with pytest.raises(InvalidInput, match=field):
            memory.recall.search("x", user_id="alice", **given)
        with pytest.raises(InvalidInput, match=field):
            memory.conversations.list_conversations(user_id="alice", **given)


def test_retry_with_another_project_is_a_conflict(memory: Recollect) -> None:
    def create(project_id: str) -> str:
        return memory.conversations.create_conversation(
            user_id="alice", project_id=project_id, idempotency_key="once"
        ).id

    assert create("one") == create("one")
    with pytest.raises(IdempotencyConflict):
        create("two")


def test_lists_are_filtered_by_project(memory: Recollect) -> None:
    trip = [_chat(memory, f"Ferry {n}", "trip") for n in range(5)]
    for project_id in ("work", None):
        _chat(memory, "Ferry", project_id)
    memory.conversations.create_conversation(user_id="bob", project_id="trip")

    listed: list[str] = []
    cursor: str | None = None
    while True:
        page = memory.conversations.list_conversations(
            2, user_id="alice", cursor=cursor, project_id="trip"
        )
        listed += [chat.id for chat in page]
        if (cursor := page.next_cursor) is None:
            break
    assert sorted(listed) == sorted(chat.id for chat in trip)
    memory.conversations.update_conversation(
        {"is_archived": True}, conversation_id=trip[0].id, user_id="alice"
    )
    for archived, count in ((False, 4), (True, 1)):
        page = memory.conversations.list_conversations(
            user_id="alice", project_id="trip", archived=archived
        )
        assert len(page) == count
    page = memory.conversations.list_conversations(user_id="alice", project_id="trip", query="y 3")
    assert [chat.id for chat in page] == [trip[3].id]


def test_searches_are_filtered_by_project(memory: Recollect) -> None:
    trip, work = _chat(memory, "The ferry.", "trip"), _chat(memory, "A ferry.", "work")
    _chat(memory, "Ferry?")
    for chat in (trip, work):
        (message,) = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        memory.memories.create_memory(
            MemoryIn(
                memory_type="fact",
                content=f"Takes the ferry, says {chat.project_id}.",
                source_message_id=message.id,
            ),
            user_id="alice",
        )
    for project_id, chats in (("trip", {trip.id}), ("work", {work.id}), ("none", set())):
        for kind in ("messages", "conversations", "memories"):
            hits = memory.recall.search("ferry", user_id="alice", kind=kind, project_id=project_id)
            assert {hit.conversation_id for hit in hits} == chats, kind
    assert len(memory.recall.search("ferry", user_id="alice")) == 3
    for project_id, count in (("trip", 1), ("work", 0)):
        hits = memory.recall.search(
            "ferry", user_id="alice", conversation_id=trip.id, project_id=project_id
        )
        assert len(hits) == count


def test_passages_elsewhere_come_from_recallable_conversations(database_url: str) -> None:
    with Recollect.open(database_url, embedder=ConceptEmbedder()) as memory:
        here, there = _chat(memory, "A ferry here.", "trip"), _chat(memory, "A ferry.", "trip")
        other = _chat(memory, "Ferries elsewhere.")
        archived, private = _chat(memory, "An archived ferry."), _chat(memory, "A private ferry.")
        for chat, change in ((archived, {"is_archived": True}), (private, {"remember": False})):
            memory.conversations.update_conversation(
                change, conversation_id=chat.id, user_id="alice"
            )
        memory.work()
        everywhere = {here.id, there.id, other.id, archived.id, private.id}
        expected = {
            Filters(): everywhere,
            Filters(other_than=here.id): everywhere - {here.id},
            Filters(recallable=True): {here.id, there.id, other.id},
            Filters(recallable=True, other_than=here.id): {there.id, other.id},
            Filters(recallable=True, other_than=here.id, project_id="trip"): {there.id},
            Filters(recallable=True, other_than=here.id, project_id="work"): set(),
        }
        for filters, chats in expected.items():
            assert _found(database_url, filters, "ferry", None) == chats
            assert _found(database_url, filters, "", "boat") == chats
            assert _found(database_url, filters, "ferry", "boat") == chats
        for chat in (there, other):
            memory.conversations.delete_conversation(conversation_id=chat.id, user_id="alice")
        elsewhere = Filters(recallable=True, other_than=here.id)
        assert _found(database_url, elsewhere, "ferry", "boat") == set()


def test_whether_there_are_conversations_elsewhere(memory: Recollect, database_url: str) -> None:
    here = _chat(memory, "Here.", "trip")
    elsewhere = Filters(recallable=True, other_than=here.id)
    project = Filters(recallable=True, other_than=here.id, project_id="trip")

    def exist() -> list[bool]:
        return [
            _read(database_url, partial(has_conversations, filters=filters))
            for filters in (elsewhere, project)
        ]

    memory.conversations.create_conversation(user_id="alice", project_id="trip")
    memory.conversations.create_conversation(
        user_id="alice", remember=False, messages=[MessageIn(role="user", content="Private.")]
    )
    memory.history.add_turn(user_id="alice", user_query="Hi", ai_response="Hello")
    assert exist() == [False, False]
    other = _chat(memory, "There.")
    assert exist() == [True, False]
    memory.conversations.update_conversation(
        {"project_id": "trip"}, conversation_id=other.id, user_id="alice"
    )
    assert exist() == [True, True]


def _found(url: str, filters: Filters, words: str, meaning: str | None) -> set[str]:
    """Return the conversations of the messages that are found by words, by meaning or by both."""

    def find(run: Run) -> set[str]:
        rows = search.search(
            run,
            "message",
            terms=query_terms(words),
            vector=QueryVector(MODEL, concept_vector(meaning)) if meaning else None,
            user_id="alice",
            filters=filters,
            among=10,
            limit=10,
        )
        return {row["conversation_id"] for row in rows}

    return _read(url, find)


def _read(url: str, fn: Callable[[Run], T]) -> T:
    async def read() -> T:
        database = await open_database(url)
        try:
            return await database.read(fn, user_id="alice")
        finally:
            await database.close()

    return asyncio.run(read())
