"""Memory rows, their source messages, and their history.

Every change of a memory inserts an event in the same transaction. Only current memories are in the
search index. Callers take `lock` before they change anything: the memories of one user change in
one transaction at a time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.core.ids import canonical_id, new_id
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters
from recollect.core.types import Deleted, MemoryAction, MemoryAuthor, Stored, column, utc_text
from recollect.language.analyzer import analyze
from recollect.language.normalize import content_hash, fold, like_pattern, tombstone_hash
from recollect.store import search_index
from recollect.store.database import MAX_ID, MIN_ID, Run, SqlValue, require_row

_TIMES = frozenset({"valid_from", "valid_to", "confirmed_at"})
_UNTRACKED = {"id", "user_id", "created_at", "updated_at", "last_accessed_at", "access_count"}
_TRACKED_FIELDS = tuple(name for name in Memory.__slots__ if name not in _UNTRACKED)
"""The fields whose changes are in the history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone(Stored):
    """A deleted memory that must not be extracted from its source again."""

    content_hash: str
    source_message_id: str | None
    key_hash: str | None
    created_at: datetime


def lock(run: Run, *, now: datetime) -> None:
    """Create the user if needed, and block other changes of memories until the transaction ends."""
    run("insert_user", now=utc_text(now))
    run("lock_memories")


def get(run: Run, memory_id: str) -> Memory:
    """Raises NotFound for an unknown id, another user's id, or an invalid id."""
    return Memory.from_row(require_row(run("get_memory", id=canonical_id(memory_id)), "memory"))


def page(
    run: Run, filters: MemoryFilters, *, limit: int, offset: int = 0, before_id: str | None = None
) -> list[Memory]:
    """Newest first."""
    rows = run(
        "list_memories",
        before_id=before_id or MAX_ID,
        archived=filters.archived,
        superseded=filters.superseded,
        memory_type=filters.memory_type or "",
        category=filters.category,
        any_category=filters.category is None,
        pinned=bool(filters.pinned),
        any_pinned=filters.pinned is None,
        pattern=like_pattern(filters.query or ""),
        limit=limit,
        offset=offset,
    )
    return Memory.from_rows(rows)


def pinned(run: Run) -> list[Memory]:
    """Oldest first."""
    return Memory.from_rows(run("list_pinned_memories"))


def recent(run: Run, *, limit: int) -> list[Memory]:
    """Return current memories that are not pinned, last updated first."""
    return Memory.from_rows(run("list_recent_memories", limit=limit))


def current(run: Run, memory_ids: Sequence[str]) -> list[Memory]:
    """Return the memories that are current."""
    rows = run("list_current_memories", ids=json.dumps(memory_ids)) if memory_ids else []
    return Memory.from_rows(rows)


def find_related(
    run: Run, *, texts: Iterable[str], keys: Iterable[tuple[str, str]], ids: Iterable[str]
) -> list[Memory]:
    """Return memories with the same content, the same subject and attribute, or one of the ids."""
    rows = run(
        "list_related_memories",
        hashes=json.dumps([content_hash(text) for text in texts]),
        keys=json.dumps(list(keys)),
        ids=json.dumps(list(ids)),
    )
    return Memory.from_rows(rows)


def find_conflicting(run: Run, memory: Memory) -> Memory | None:
    """Return another current memory of the same subject and attribute."""
    if memory.key is None:
        return None
    rows = run(
        "find_conflicting_memory", id=memory.id, subject=memory.subject, attribute=memory.attribute
    )
    return Memory.from_first(rows)


def list_superseded_by(run: Run, memory_id: str) -> list[Memory]:
    return Memory.from_rows(run("list_superseded_by", id=memory_id))


def list_from_conversation(run: Run, conversation_id: str) -> list[Memory]:
    """Return memories whose source is the conversation or one of its messages."""
    return _list_unlinked(run, {"message_id": MIN_ID, "conversation_id": conversation_id})


def insert(
    run: Run, memory: Memory, *, actor: MemoryAuthor, message_id: str | None, now: datetime
) -> None:
    run("insert_memory", **columns(memory))
    if message_id is not None:
        add_source(run, memory.id, message_id, now=now)
    index(run, memory)
    _insert_event(run, None, memory, action="created", actor=actor, message_id=message_id, now=now)


def update(
    run: Run,
    before: Memory,
    after: Memory,
    *,
    action: MemoryAction,
    actor: MemoryAuthor,
    message_id: str | None = None,
    now: datetime,
) -> None:
    """Update a memory. A message that confirms it becomes another source."""
    run("update_memory", **columns(after))
    if message_id is not None and action == "confirmed":
        add_source(run, after.id, message_id, now=now)
    if before.content != after.content:
        search_index.delete(run, "memory", after.id)  # also deletes its vectors
    if (before.content, before.is_current) != (after.content, after.is_current):
        index(run, after)
    _insert_event(run, before, after, action=action, actor=actor, message_id=message_id, now=now)


def delete(run: Run, memory: Memory, *, now: datetime) -> Deleted:
    """Delete a memory and its history. Memories that it superseded become current again, unless a
    user wrote it."""
    if memory.author == "user":
        return Deleted(memories=1, embeddings=_delete(run, memory))
    return _delete_all(run, [memory], now=now)


def detach_sources(run: Run, memory: Memory) -> Memory:
    """Delete the sources of a memory, and return it without a source."""
    run("delete_memory_sources", memory_id=memory.id)
    return replace(memory, source_conversation_id=None, source_message_id=None)


def add_source(run: Run, memory_id: str, message_id: str, *, now: datetime) -> None:
    run("insert_memory_source", memory_id=memory_id, message_id=message_id, now=utc_text(now))


def copy_sources(
    run: Run, *, source_id: str, target_id: str, through_seq: int, now: datetime
) -> None:
    """Make the copies of a conversation's messages sources of the same memories."""
    lock(run, now=now)
    run(
        "copy_memory_sources",
        source_id=source_id,
        target_id=target_id,
        through_seq=through_seq,
        now=utc_text(now),
    )


def sources(run: Run, memory_ids: Sequence[str]) -> dict[str, set[str]]:
    """Return the ids of source messages by memory."""
    sources: dict[str, set[str]] = {id: set() for id in memory_ids}
    for row in run("list_memory_sources", ids=json.dumps(memory_ids)) if memory_ids else ():
        sources[row["memory_id"]].add(row["message_id"])
    return sources


def insert_tombstones(run: Run, memory: Memory, *, now: datetime) -> None:
    """Keep extraction from creating the memory again, from its sources or from older messages."""
    message_ids: set[str | None] = {*sources(run, [memory.id])[memory.id]}
    for message_id in message_ids or {memory.source_message_id}:
        run(
            "insert_tombstone",
            id=new_id(),
            content_hash=tombstone_hash(memory.user_id, memory.content),
            source_message_id=message_id,
            key_hash=tombstone_hash(memory.user_id, *memory.key) if memory.key else None,
            created_at=utc_text(now),
        )


def find_tombstones(
    run: Run, *, user_id: str, texts: Iterable[str], message_ids: Iterable[str]
) -> list[Tombstone]:
    """Return tombstones with the same content or the same source message."""
    rows = run(
        "list_tombstones",
        hashes=json.dumps([tombstone_hash(user_id, text) for text in texts]),
        message_ids=json.dumps(list(message_ids)),
    )
    return Tombstone.from_rows(rows)


def find_existing_hashes(run: Run, hashes: Iterable[str]) -> set[str]:
    """Return the content hashes that a memory has."""
    return {
        row["content_hash"] for row in run("list_existing_hashes", hashes=json.dumps([*hashes]))
    }


def events(
    run: Run, memory_id: str, *, limit: int, before_id: str | None = None
) -> list[MemoryEvent]:
    """Newest first."""
    rows = run(
        "list_memory_events",
        memory_id=memory_id,
        before_id=before_id or MAX_ID,
        limit=limit,
    )
    return MemoryEvent.from_rows(rows)


def find_undoable_event(run: Run, memory_id: str) -> MemoryEvent | None:
    """Return the last change that can be undone."""
    return MemoryEvent.from_first(run("find_last_event", memory_id=memory_id, action="updated"))


def find_superseding_event(run: Run, memory_id: str) -> MemoryEvent | None:
    """Return the event that superseded the memory, unless it was undone."""
    return MemoryEvent.from_first(run("find_last_event", memory_id=memory_id, action="superseded"))


def mark_undone(run: Run, event: MemoryEvent, *, now: datetime) -> None:
    run("mark_event_undone", id=event.id, now=utc_text(now))


def revert(memory: Memory, event: MemoryEvent) -> Memory:
    """Return the memory with the fields before the event."""
    before: dict[str, Any] = {
        name: datetime.fromisoformat(value) if name in _TIMES and value else value
        for name, value in (event.before or {}).items()
    }
    return replace(memory, **before)


def list_extracted_since(run: Run, conversation_id: str, event_id: str) -> list[str]:
    """Return ids of memories that extraction created or changed since an event."""
    rows = run("list_extracted_since", conversation_id=conversation_id, after_event=event_id)
    return [*dict.fromkeys(row["id"] for row in rows)]


def record_access(run: Run, memory_id: str, *, count: int, at: datetime) -> None:
    """Count how often the memory was in a context, and the last time."""
    run("record_memory_access", id=memory_id, count=count, at=utc_text(at))


def unlink_message(run: Run, message_id: str, *, now: datetime) -> Deleted:
    """Delete memories without another source. To be called before a message is deleted."""
    return _unlink(run, {"message_id": message_id, "conversation_id": MIN_ID}, now=now)


def unlink_conversation(run: Run, conversation_id: str, *, now: datetime) -> Deleted:
    """Delete memories without another source. To be called before a conversation is deleted."""
    return _unlink(run, {"message_id": MIN_ID, "conversation_id": conversation_id}, now=now)


def _unlink(run: Run, source: Mapping[str, str], *, now: datetime) -> Deleted:
    """Move each memory to another source, or delete it if there is none."""
    orphaned: list[Memory] = []
    affected = _list_unlinked(run, source)
    if affected:
        lock(run, now=now)
        affected = _list_unlinked(run, source)  # they may have changed before the lock
    for memory in affected:
        others = run("find_other_source", memory_id=memory.id, **source)
        if not others:
            orphaned.append(memory)
        elif (
            memory.source_message_id == source["message_id"]
            or memory.source_conversation_id == source["conversation_id"]
        ):
            (other,) = others
            moved = replace(
                memory,
                source_message_id=other["id"],
                source_conversation_id=other["conversation_id"],
            )
            run("update_memory", **columns(moved))
    deleted = _delete_all(run, orphaned, now=now)
    for query in ("delete_unlinked_events", "unlink_memory_events", "unlink_tombstones"):
        run(query, **source)
    return deleted


def _list_unlinked(run: Run, source: Mapping[str, str]) -> list[Memory]:
    return Memory.from_rows(run("list_unlinked_memories", **source))


def _delete_all(run: Run, memories: Sequence[Memory], *, now: datetime) -> Deleted:
    deleted = {memory.id: memory for memory in memories}
    superseded = [
        (older, memory)
        for memory in memories
        for older in list_superseded_by(run, memory.id)
        if older.id not in deleted
    ]
    vectors = sum(_delete(run, memory) for memory in memories)
    for older, memory in superseded:
        _restore_superseded(run, older, memory, deleted, now=now)
    return Deleted(memories=len(memories), embeddings=vectors)


def _delete(run: Run, memory: Memory) -> int:
    """Return the number of deleted vectors."""
    vectors = search_index.delete(run, "memory", memory.id)
    run("clear_superseded_by", id=memory.id)
    run("delete_memory", id=memory.id)
    return vectors


def _restore_superseded(
    run: Run, older: Memory, successor: Memory, deleted: Mapping[str, Memory], *, now: datetime
) -> None:
    """Make `older` what it would be if its deleted successors had never existed."""
    while (next_successor := deleted.get(successor.superseded_by or "")) is not None:
        successor = next_successor
    after = replace(older, superseded_by=successor.superseded_by, valid_to=successor.valid_to)
    if after.is_current and find_conflicting(run, after) is not None:
        return
    if after.is_current and (event := find_superseding_event(run, older.id)):
        mark_undone(run, event, now=now)
    update(run, older, after, action="restored", actor="user", now=now)


def list_users(run: Run) -> list[str]:
    return [row["user_id"] for row in run("list_users_with_memories")]


def index(run: Run, memory: Memory) -> None:
    """Add a current memory to the search index; remove any other."""
    if not memory.is_current:
        search_index.delete(run, "memory", memory.id)
        return
    search_index.put(
        run,
        "memory",
        memory.id,
        analyze(memory.content),
        user_id=memory.user_id,
        conversation_id=None,
        at=memory.valid_from,
    )


def _insert_event(
    run: Run,
    before: Memory | None,
    after: Memory,
    *,
    action: MemoryAction,
    actor: MemoryAuthor,
    message_id: str | None,
    now: datetime,
) -> None:
    changed = [
        name
        for name in _TRACKED_FIELDS
        if before is None or getattr(before, name) != getattr(after, name)
    ]
    run(
        "insert_memory_event",
        id=new_id(),
        memory_id=after.id,
        action=action,
        actor=actor,
        source_message_id=message_id,
        before=None if before is None else _fields(before, changed),
        after=_fields(after, changed),
        created_at=utc_text(now),
        undone_at=None,
    )


def _fields(memory: Memory, names: Iterable[str]) -> str:
    return json.dumps({name: column(getattr(memory, name)) for name in names}, ensure_ascii=False)


def columns(memory: Memory) -> dict[str, SqlValue]:
    """Return the columns of a memory, including derived ones."""
    return {
        **memory.columns(),
        "search_text": fold(memory.content),
        "content_hash": content_hash(memory.content),
    }
