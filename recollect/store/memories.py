"""Memory rows, what they stand on, and their history.

Whatever changes a memory leaves an event, in the same transaction. Only what is current can be
found by a search, so its document comes and goes with that. Whoever changes anything takes `lock`
first: what is known about one user changes in one transaction at a time.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters
from recollect.core.types import Deleted, Json, MemoryAction, MemoryAuthor, utc_text
from recollect.language.analyzer import analyze
from recollect.language.normalize import content_hash, fold, like_pattern, tombstone_hash
from recollect.store import search_index
from recollect.store.database import Run, Value

_AFTER_ALL_IDS = "ffffffff-ffff-ffff-ffff-ffffffffffff"
_NO_ID = "00000000-0000-0000-0000-000000000000"
_TIMES = frozenset({"valid_from", "valid_to", "confirmed_at"})
_HISTORIC = (
    "memory_type",
    "category",
    "content",
    "subject",
    "attribute",
    "author",
    "source_conversation_id",
    "source_message_id",
    "is_pinned",
    "is_archived",
    "confidence",
    "valid_from",
    "valid_to",
    "confirmed_at",
    "superseded_by",
)
"""The fields whose changes are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What was deleted, and must not come back from where it came from."""

    content_hash: str
    source_message_id: str | None
    key_hash: str | None
    created_at: datetime


def lock(run: Run, *, now: datetime) -> None:
    """The user is known from here on, and what is known about them changes here only."""
    run("insert_user", now=utc_text(now))
    run("lock_memories")


def get(run: Run, memory_id: str) -> Memory:
    """Raises NotFound for what is unknown, somebody else's, or no id at all."""
    id = canonical_id(memory_id)
    rows = run("get_memory", id=id) if id else []
    if not rows:
        raise NotFound("There is no such memory.")
    return Memory.from_row(rows[0])


def page(
    run: Run, filters: MemoryFilters, *, limit: int, offset: int = 0, before_id: str | None = None
) -> list[Memory]:
    """Newest first."""
    rows = run(
        "list_memories",
        before_id=before_id or _AFTER_ALL_IDS,
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
    return [Memory.from_row(row) for row in rows]


def pinned(run: Run) -> list[Memory]:
    """Oldest first."""
    return [Memory.from_row(row) for row in run("list_pinned_memories")]


def recent(run: Run, *, limit: int) -> list[Memory]:
    """What was said, confirmed or changed last, and is not pinned."""
    return [Memory.from_row(row) for row in run("list_recent_memories", limit=limit)]


def current(run: Run, memory_ids: Sequence[str]) -> list[Memory]:
    """Those that still hold and are not archived."""
    rows = run("list_current_memories", ids=json.dumps(memory_ids)) if memory_ids else []
    return [Memory.from_row(row) for row in rows]


def find_related(
    run: Run, *, texts: Iterable[str], keys: Iterable[tuple[str, str]], ids: Iterable[str]
) -> list[Memory]:
    """Those that say the same words, that hold of the same subject and attribute, or are named."""
    rows = run(
        "list_related_memories",
        hashes=json.dumps([content_hash(text) for text in texts]),
        keys=json.dumps(list(keys)),
        ids=json.dumps(list(ids)),
    )
    return [Memory.from_row(row) for row in rows]


def find_conflicting(run: Run, memory: Memory) -> Memory | None:
    """Another one that holds of the same subject and attribute."""
    if memory.key is None:
        return None
    rows = run(
        "find_conflicting_memory", id=memory.id, subject=memory.subject, attribute=memory.attribute
    )
    return Memory.from_row(rows[0]) if rows else None


def list_superseded_by(run: Run, memory_id: str) -> list[Memory]:
    return [Memory.from_row(row) for row in run("list_superseded_by", id=memory_id)]


def list_from_conversation(run: Run, conversation_id: str) -> list[Memory]:
    """Those that stand on one of its messages, or on itself."""
    rows = run("list_memories_from_conversation", conversation_id=conversation_id)
    return [Memory.from_row(row) for row in rows]


def insert(
    run: Run, memory: Memory, *, actor: MemoryAuthor, message_id: str | None, now: datetime
) -> None:
    run(
        "insert_memory",
        created_at=utc_text(memory.created_at),
        **_columns(memory),
    )
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
    """Where it is confirmed by another message, it stands on that too."""
    run("update_memory", **_columns(after))
    if message_id is not None and action == "confirmed":
        add_source(run, after.id, message_id, now=now)
    if before.content != after.content:
        search_index.delete(run, "memory", after.id)  # with the vector of what it said
    if (before.content, before.is_current) != (after.content, after.is_current):
        index(run, after)
    _insert_event(run, before, after, action=action, actor=actor, message_id=message_id, now=now)


def delete(run: Run, memory: Memory, *, now: datetime) -> Deleted:
    """With its history. What it had superseded holds again, as if it had never been read; but not
    by what a user wrote: that was no mistake."""
    if memory.author == "user":
        return Deleted(memories=1, embeddings=_delete(run, memory))
    return _delete_all(run, [memory], now=now)


def detach_sources(run: Run, memory: Memory) -> Memory:
    """It does not stand on any message from here on."""
    run("delete_memory_sources", memory_id=memory.id)
    return replace(memory, source_conversation_id=None, source_message_id=None)


def add_source(run: Run, memory_id: str, message_id: str, *, now: datetime) -> None:
    run("insert_memory_source", memory_id=memory_id, message_id=message_id, now=utc_text(now))


def copy_sources(
    run: Run, *, source_id: str, target_id: str, through_seq: int, now: datetime
) -> None:
    """What stands on a conversation's messages stands on their copies too."""
    lock(run, now=now)
    run(
        "copy_memory_sources",
        source_id=source_id,
        target_id=target_id,
        through_seq=through_seq,
        now=utc_text(now),
    )


def sources(run: Run, memory_ids: Sequence[str]) -> dict[str, set[str]]:
    """The messages that memories stand on, by memory."""
    found: dict[str, set[str]] = {id: set() for id in memory_ids}
    for row in run("list_memory_sources", ids=json.dumps(memory_ids)) if memory_ids else ():
        found[row["memory_id"]].add(row["message_id"])
    return found


def insert_tombstones(run: Run, memory: Memory, *, now: datetime) -> None:
    """It must not come back from the messages it stands on, nor from what was said before."""
    standing_on: set[str | None] = {*sources(run, [memory.id])[memory.id]}
    for message_id in standing_on or {memory.source_message_id}:
        run(
            "insert_tombstone",
            id=new_id(),
            content_hash=tombstone_hash(memory.user_id, memory.content),
            source_message_id=message_id,
            key_hash=tombstone_hash(memory.user_id, *memory.key) if memory.key else None,
            now=utc_text(now),
        )


def find_tombstones(
    run: Run, *, user_id: str, texts: Iterable[str], message_ids: Iterable[str]
) -> list[Tombstone]:
    """Of the same words, or of what stood on the same messages."""
    rows = run(
        "list_tombstones",
        hashes=json.dumps([tombstone_hash(user_id, text) for text in texts]),
        message_ids=json.dumps(list(message_ids)),
    )
    return [
        Tombstone(
            content_hash=row["content_hash"],
            source_message_id=row["source_message_id"],
            key_hash=row["key_hash"],
            created_at=datetime.fromisoformat(row["created_at"]),
        )
        for row in rows
    ]


def find_existing_hashes(run: Run, hashes: Iterable[str]) -> set[str]:
    """Which of these are the words of a memory."""
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
        before_id=before_id or _AFTER_ALL_IDS,
        limit=limit,
    )
    return [MemoryEvent.from_row(row) for row in rows]


def find_undoable_event(run: Run, memory_id: str) -> MemoryEvent | None:
    """Its last change that has not been undone."""
    rows = run("find_undoable_event", memory_id=memory_id)
    return MemoryEvent.from_row(rows[0]) if rows else None


def find_superseding_event(run: Run, memory_id: str) -> MemoryEvent | None:
    """The change by which it was superseded, unless that was undone."""
    rows = run("find_superseding_event", memory_id=memory_id)
    return MemoryEvent.from_row(rows[0]) if rows else None


def mark_undone(run: Run, event: MemoryEvent, *, now: datetime) -> None:
    run("mark_event_undone", id=event.id, now=utc_text(now))


def revert(memory: Memory, event: MemoryEvent) -> Memory:
    """With the fields that an event changed as they were."""
    was: dict[str, Any] = {
        name: datetime.fromisoformat(value) if name in _TIMES and value else value
        for name, value in (event.before or {}).items()
    }
    return replace(memory, **was)


def list_extracted_since(run: Run, conversation_id: str, event_id: str) -> list[str]:
    """Ids of memories that extraction added or changed by what was said in a conversation."""
    rows = run("list_extracted_since", conversation_id=conversation_id, after_event=event_id)
    return [*dict.fromkeys(row["id"] for row in rows)]


def record_access(run: Run, memory_id: str, *, count: int, at: datetime) -> None:
    """It was shown to a model so many times, the last time then."""
    run("record_memory_access", id=memory_id, count=count, at=utc_text(at))


def unlink_message(run: Run, message_id: str, *, now: datetime) -> Deleted:
    """Before a message goes: what stands on it alone goes too."""
    gone = _unlink(
        run, partial(_list_from_message, run, message_id), message_id=message_id, now=now
    )
    run("delete_message_memory_events", message_id=message_id)
    run("unlink_message_memory_events", message_id=message_id)
    run("unlink_message_tombstones", message_id=message_id)
    return gone


def unlink_conversation(run: Run, conversation_id: str, *, now: datetime) -> Deleted:
    """Before a conversation goes: what stands on nothing else goes too."""
    standing = partial(list_from_conversation, run, conversation_id)
    gone = _unlink(run, standing, conversation_id=conversation_id, now=now)
    run("delete_conversation_memory_events", conversation_id=conversation_id)
    run("unlink_conversation_memory_events", conversation_id=conversation_id)
    run("unlink_conversation_tombstones", conversation_id=conversation_id)
    return gone


def _list_from_message(run: Run, message_id: str) -> list[Memory]:
    rows = run("list_memories_from_message", message_id=message_id)
    return [Memory.from_row(row) for row in rows]


def _unlink(
    run: Run,
    standing: Callable[[], Sequence[Memory]],
    *,
    message_id: str = _NO_ID,
    conversation_id: str = _NO_ID,
    now: datetime,
) -> Deleted:
    if not standing():
        return Deleted()
    lock(run, now=now)
    gone: list[Memory] = []
    for memory in standing():  # once more, since others may have changed them before the lock
        others = run(
            "find_other_source",
            memory_id=memory.id,
            message_id=message_id,
            conversation_id=conversation_id,
        )
        if not others:
            gone.append(memory)
        elif message_id == memory.source_message_id or (
            conversation_id == memory.source_conversation_id
        ):
            (other,) = others
            moved = replace(
                memory,
                source_message_id=other["id"],
                source_conversation_id=other["conversation_id"],
            )
            run("update_memory", **_columns(moved))
    return _delete_all(run, gone, now=now)


def _delete_all(run: Run, gone: Sequence[Memory], *, now: datetime) -> Deleted:
    going = {memory.id: memory for memory in gone}
    left = [
        (older, memory)
        for memory in gone
        for older in list_superseded_by(run, memory.id)
        if older.id not in going
    ]
    vectors = sum(_delete(run, memory) for memory in gone)
    for older, memory in left:
        _restore_superseded(run, older, memory, going, now=now)
    return Deleted(memories=len(gone), embeddings=vectors)


def _delete(run: Run, memory: Memory) -> int:
    """How many vectors went with it."""
    gone = search_index.delete(run, "memory", memory.id)
    run("clear_superseded_by", id=memory.id)
    run("delete_memory", id=memory.id)
    return gone


def _restore_superseded(
    run: Run, older: Memory, gone: Memory, going: Mapping[str, Memory], *, now: datetime
) -> None:
    """What superseded it is gone, as if it had never been said."""
    while (heir := going.get(gone.superseded_by or "")) is not None:
        gone = heir
    after = replace(older, superseded_by=gone.superseded_by, valid_to=gone.valid_to)
    if after.is_current and find_conflicting(run, after) is not None:
        return
    if after.is_current and (event := find_superseding_event(run, older.id)):
        mark_undone(run, event, now=now)
    update(run, older, after, action="restored", actor="user", now=now)


def list_users(run: Run) -> list[str]:
    """Of whom something is known."""
    return [row["user_id"] for row in run("list_users_with_memories")]


def index(run: Run, memory: Memory) -> None:
    """Makes it findable, if it is current; else it is not."""
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
        for name in _HISTORIC
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
        now=utc_text(now),
    )


def _fields(memory: Memory, names: Iterable[str]) -> str:
    return json.dumps({name: _plain(getattr(memory, name)) for name in names}, ensure_ascii=False)


def _plain(value: Json) -> Json:
    return utc_text(value) if isinstance(value, datetime) else value


def _columns(memory: Memory) -> dict[str, Value]:
    return {
        "id": memory.id,
        "search_text": fold(memory.content),
        "content_hash": content_hash(memory.content),
        "updated_at": utc_text(memory.updated_at),
        **{name: _plain(getattr(memory, name)) for name in _HISTORIC},
    }
