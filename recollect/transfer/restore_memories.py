"""Storing memories that were found in a file, each with its history, in one transaction.

What is known here holds: a memory of the same subject and attribute comes in as one that it has
superseded. What was deleted here does not come back.
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
from recollect.transfer import rows
from recollect.transfer.importers.values import Counts, Loose, Remembered, Stored


def restore_memory(
    run: Run, given: Remembered, *, enqueuer: JobEnqueuer, pinned_tokens: int, now: datetime
) -> Stored:
    memories.lock(run, now=now)
    skipped = Stored(skipped=Counts(memories=1, memory_events=len(given.events)))
    if _was_deleted(run, given.memory):
        return skipped
    sources = {row["message_id"]: row["created_at"] for row in given.sources}
    named = {*sources, given.memory.source_message_id} - {None}
    found = {row["id"]: row for row in messages.find_rows(run, sorted(map(str, named)))}
    as_given = _standing_on(run, given.memory, found)
    rival = memories.find_conflicting(run, as_given) if as_given.is_current else None
    memory = replace(as_given, valid_to=now, superseded_by=rival.id) if rival else as_given
    if not rows.restore_memory(run, memory):
        return skipped
    for id in found.keys() & sources.keys():
        memories.add_source(run, memory.id, id, now=datetime.fromisoformat(sources[id]))
    kept = sum(rows.restore_event(run, memory.id, event) for event in given.events)
    memories.index(run, memory)
    if rival:
        memories.update(run, as_given, memory, action="superseded", actor="user", now=now)
    if memory.is_pinned and memory.is_current:
        check_pinned_memories(run, pinned_tokens)
    enqueuer.enqueue_embedding(run, None, now=now)
    return Stored(
        imported=Counts(memories=1, memory_events=kept),
        skipped=Counts(memory_events=len(given.events) - kept),
    )


def restore_loose(run: Run, given: Loose) -> Stored:
    stones = sum(rows.restore_tombstone(run, row) for row in given.tombstones)
    calls = sum(rows.restore_call(run, row) for row in given.calls)
    return Stored(
        imported=Counts(tombstones=stones, model_calls=calls),
        skipped=Counts(
            tombstones=len(given.tombstones) - stones, model_calls=len(given.calls) - calls
        ),
    )


def _was_deleted(run: Run, memory: Memory) -> bool:
    """After it last changed: a deletion buries what a memory says."""
    stones = memories.find_tombstones(
        run, user_id=memory.user_id, texts=[memory.content], message_ids=[]
    )
    grave = tombstone_hash(memory.user_id, memory.content)
    return any(
        stone.content_hash == grave and stone.buried_at >= memory.updated_at for stone in stones
    )


def _standing_on(run: Run, memory: Memory, found: Mapping[str, Row]) -> Memory:
    """What it was said in, as far as that is here."""
    message = found.get(memory.source_message_id or "")
    if message is not None:
        return replace(memory, source_conversation_id=message["conversation_id"])
    id = memory.source_conversation_id
    is_here = id is not None and conversations.find(run, id) is not None
    return replace(memory, source_message_id=None, source_conversation_id=id if is_here else None)
