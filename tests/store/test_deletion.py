"""A deletion removes everything derived, and returns the counts."""

from typing import Any

from recollect import Conversation, Deleted, MessageIn
from recollect.core.ids import new_id
from recollect.sync import Recollect
from tests.raw import RawDatabase

NOW = "2026-01-01T00:00:00.000000Z"
DERIVED = (
    "messages",
    "summaries",
    "embeddings",
    "memories",
    "memory_events",
    "memory_sources",
    "jobs",
    "idempotency_keys",
    "receipts",
    "feedback",
)


def test_deleting_a_conversation_deletes_everything_derived(
    memory: Recollect, raw: RawDatabase
) -> None:
    kept = _conversation_with_everything(memory, raw)
    before = {table: raw.count(table) for table in DERIVED}
    doomed = _conversation_with_everything(memory, raw)
    receipt = memory.conversations.delete_conversation(conversation_id=doomed.id, user_id="alice")
    assert receipt == Deleted(messages=3, summaries=2, embeddings=2, memories=2, jobs=1)
    assert {table: raw.count(table) for table in DERIVED} == before
    assert (
        memory.conversations.get_conversation(
            conversation_id=kept.id, user_id="alice"
        ).message_count
        == 3
    )


def test_deleting_a_message_deletes_its_memories_and_covering_summaries(
    memory: Recollect, raw: RawDatabase
) -> None:
    chat = _conversation_with_everything(memory, raw)
    message = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")[1]
    receipt = memory.conversations.delete_message(message_id=message.id, user_id="alice")
    assert receipt == Deleted(messages=1, summaries=1, embeddings=2, memories=1)
    left = {table: raw.count(table) for table in DERIVED}
    assert left == {
        "messages": 2,
        "summaries": 1,
        "embeddings": 0,
        "memories": 1,
        "memory_events": 0,
        "memory_sources": 0,
        "jobs": 2,  # the one there was, and to find the topic without this message
        "idempotency_keys": 1,
        "receipts": 0,
        "feedback": 0,
    }
    ((version,),) = raw.execute("select summary_version from conversations")
    assert version == 1


def _conversation_with_everything(memory: Recollect, raw: RawDatabase) -> Conversation:
    """Three messages, all kinds of rows derived from the second, and a summary of the first."""
    said = [MessageIn(role="user", content=text) for text in ("one", "two", "three")]
    chat = memory.conversations.create_conversation(user_id="alice")
    _, second, _ = memory.conversations.add_messages(
        said, conversation_id=chat.id, user_id="alice", idempotency_key=chat.id
    )
    memory.conversations.rate_message(message_id=second.id, user_id="alice", rating="up")
    raw.insert("receipts", **_row(message_id=second.id, conversation_id=chat.id, receipt="{}"))
    for version in (1, 2):
        raw.insert(
            "summaries",
            **_row(
                conversation_id=chat.id,
                version=version,
                base_version=version - 1,
                text="what was said",
                ledger="[]",
                through_seq=version,
                author="extractive",
                tokens=3,
                tokens_in=0,
                tokens_out=0,
                duration_ms=0,
            ),
        )
    raw.execute("update conversations set summary_version = 2 where id = :id", id=chat.id)
    raw.insert(
        "jobs",
        **_row(
            id=new_id(),
            kind="digest",
            conversation_id=chat.id,
            dedupe_key=chat.id,
            payload="{}",
            state="waiting",
            attempts=0,
            run_at=NOW,
            updated_at=NOW,
        ),
    )
    for message_id in (second.id, None):
        raw.insert("memories", **_memory(chat.id, message_id))
    ((memory_id,),) = raw.execute(
        "select id from memories where source_message_id = :id", id=second.id
    )
    for kind, owner_id in (("message", second.id), ("memory", str(memory_id))):
        raw.insert("embeddings", **_embedding(raw.dialect, kind, owner_id, chat.id))
    raw.insert("memory_sources", **_row(memory_id=memory_id, message_id=second.id))
    raw.insert(
        "memory_events", **_row(id=new_id(), memory_id=memory_id, action="add", actor="pattern")
    )
    return chat


def _embedding(dialect: str, kind: str, owner_id: str, conversation_id: str) -> dict[str, Any]:
    return _row(
        kind=kind,
        owner_id=owner_id,
        model="m",
        conversation_id=conversation_id if kind == "message" else None,
        text="two",
        dimensions=8,
        vector="[1,2,3,4,5,6,7,8]" if dialect == "postgres" else b"\0" * 32,
    )


def _memory(conversation_id: str, message_id: str | None) -> dict[str, Any]:
    return _row(
        id=new_id(),
        memory_type="fact",
        content="likes tea",
        author="pattern",
        source_conversation_id=conversation_id,
        source_message_id=message_id,
        updated_at=NOW,
        access_count=0,
        is_pinned=False,
        is_archived=False,
        confidence=1.0,
        valid_from=NOW,
    )


def _row(**columns: Any) -> dict[str, Any]:
    return {"user_id": "alice", "created_at": NOW, **columns}
