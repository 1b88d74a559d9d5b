"""Stores an imported memory with its history in one transaction.

A memory here takes precedence: an imported one of the same subject and attribute is stored as
superseded by it. Memories that were deleted here do not come back, also not those that were deleted
with their message or conversation.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from recollect.core.memory_types import Memory
from recollect.core.types import Row
from recollect.language.normalize import tombstone_hash
from recollect.record.enqueue import JobEnqueuer
from recollect.record.memories import check_pinned_memories
from recollect.store import conversations, memories, messages
from recollect.store.database import Run
from recollect.transfer.types import Counts, Imported, MemoryRows, StandaloneRows


def restore_memory(
    run: Run, given: MemoryRows, *, enqueuer: JobEnqueuer, pinned_tokens: int, now: datetime
) -> Imported:
    memories.lock(run, now=now)
    skipped = Imported(skipped=Counts(memories=1, memory_events=len(given.events)))
    if _was_deleted(run, given.memory):
        return skipped
    sources = {row["message_id"]: row["created_at"] for row in given.sources}
    message_ids = {*sources, given.memory.source_message_id} - {None}
    existing = {row["id"]: row for row in messages.find_rows(run, sorted(map(str, message_ids)))}
    if not existing and _was_deleted_with_source(run, given.memory, has_messages=bool(message_ids)):
        return skipped
    with_source = _with_existing_source(run, given.memory, existing)
    rival = memories.find_conflicting(run, with_source) if with_source.is_current else None
    memory = replace(with_source, valid_to=now, superseded_by=rival.id) if rival else with_source
    if not run("insert_memory", **memories.columns(memory)):  # it exists already
        return skipped
    for id in existing.keys() & sources.keys():
        memories.add_source(run, memory.id, id, now=datetime.fromisoformat(sources[id]))
    stored_events = sum(
        bool(run("insert_memory_event", memory_id=memory.id, **event)) for event in given.events
    )
    memories.index(run, memory)
    if rival:
        memories.update(run, with_source, memory, action="superseded", actor="user", now=now)
    if memory.is_pinned and memory.is_current:
        check_pinned_memories(run, pinned_tokens)
    enqueuer.enqueue_embedding(run, None, now=now)
    return Imported(
        imported=Counts(memories=1, memory_events=stored_events),
        skipped=Counts(memory_events=len(given.events) - stored_events),
    )


def restore_standalone(run: Run, given: StandaloneRows) -> Imported:
    tombstones = sum(bool(run("insert_tombstone", **row)) for row in given.tombstones)
    tombstones += sum(
        conversations.insert_tombstone(run, row["id"], created_at=row["created_at"])
        for row in given.conversation_tombstones
    )
    given_tombstones = len(given.tombstones) + len(given.conversation_tombstones)
    calls = sum(bool(run("insert_model_call", estimated_in=0, **row)) for row in given.calls)
    return Imported(
        imported=Counts(tombstones=tombstones, model_calls=calls),
        skipped=Counts(
            tombstones=given_tombstones - tombstones, model_calls=len(given.calls) - calls
        ),
    )


def _was_deleted(run: Run, memory: Memory) -> bool:
    """Return whether a memory of this content was deleted after this one was last updated."""
    tombstones = memories.find_tombstones(
        run, user_id=memory.user_id, texts=[memory.content], message_ids=[]
    )
    hashed = tombstone_hash(memory.user_id, memory.content)
    return any(
        tombstone.content_hash == hashed and tombstone.created_at >= memory.updated_at
        for tombstone in tombstones
    )


def _was_deleted_with_source(run: Run, memory: Memory, *, has_messages: bool) -> bool:
    """Return whether the conversation of a memory, or each message of it, was deleted here.

    A conversation is imported with all its messages: one that is missing was deleted.
    """
    id = memory.source_conversation_id
    if id is None:
        return False
    deleted_at = conversations.deleted_at(run, id)
    if deleted_at is not None:
        return deleted_at >= memory.updated_at
    return has_messages and conversations.find(run, id) is not None


def _with_existing_source(run: Run, memory: Memory, existing: Mapping[str, Row]) -> Memory:
    """Clear the source message and conversation if they do not exist here."""
    message = existing.get(memory.source_message_id or "")
    if message is not None:
        return replace(memory, source_conversation_id=message["conversation_id"])
    id = memory.source_conversation_id
    exists = id is not None and conversations.find(run, id) is not None
    return replace(memory, source_message_id=None, source_conversation_id=id if exists else None)
