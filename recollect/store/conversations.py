"""Conversation rows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from recollect.core.errors import Conflict, NotFound
from recollect.core.ids import canonical_id
from recollect.core.types import Conversation, Deleted, utc_text
from recollect.core.validation import is_external_id
from recollect.language.normalize import fold
from recollect.store import idempotency, memories, search_index
from recollect.store.database import MAX_ID, MAX_TIME, MIN_ID, Run, require_row

T = TypeVar("T")

_MAX_LOCK_ATTEMPTS = 20


def insert(run: Run, new: Conversation, *, kind: str) -> None:
    run("insert_conversation", kind=kind, search_text=_search_text(new), **new.columns())
    if new.title:
        search_index.put_topic(run, new)


def get(run: Run, conversation_id: str) -> Conversation:
    """Return a conversation by its id or the caller's key, or raise NotFound."""
    rows = run("get_conversation", id=canonical_id(conversation_id))
    if not rows:
        rows = run("get_conversation", id=find_key(run, conversation_id))
    return Conversation.from_row(require_row(rows, "conversation"))


def find_key(run: Run, key: str) -> str | None:
    """Return the id of the conversation with the caller's key, or None."""
    if not is_external_id(key):
        return None
    rows = run("find_conversation_by_key", external_id=key)
    return rows[0]["id"] if rows else None


def by_id_or_key(run: Run, id_or_key: str, fn: Callable[[str], T]) -> T:
    """Call `fn` with the conversation's id and return its result.

    A UUID is tried as an id first, so the usual case costs no extra query. `fn` must raise
    NotFound for an unknown id before it writes anything.
    """
    id = canonical_id(id_or_key)
    if id is not None:
        try:
            return fn(id)
        except NotFound:
            pass
    found = find_key(run, id_or_key)
    if found is None or found == id:
        raise NotFound("There is no such conversation.")
    return fn(found)


def find(run: Run, conversation_id: str) -> Conversation | None:
    """Return a conversation by its canonical id, or None."""
    return Conversation.from_first(run("get_conversation", id=conversation_id))


def lock(run: Run, conversation_id: str) -> bool:
    """Block other writes to the conversation until the transaction ends.

    Return False if there is none, perhaps since it was deleted while this waited.
    """
    id = canonical_id(conversation_id)
    return bool(id and run("lock_conversation", id=id))


def lock_user(run: Run, *, now: datetime) -> None:
    """Create the user if needed, and block other creations until the transaction ends.

    If the user is deleted while this waits for the lock, the row is created again.
    """
    for _ in range(_MAX_LOCK_ATTEMPTS):
        run("insert_user", now=utc_text(now))
        if run("lock_user"):
            return
    raise Conflict("The user is being deleted again and again.")


def find_history(run: Run) -> str | None:
    rows = run("find_history")
    return rows[0]["id"] if rows else None


def page(
    run: Run,
    *,
    archived: bool,
    pattern: str,
    limit: int,
    offset: int = 0,
    after: tuple[str, str] | None = None,
    project_id: str | None = None,
) -> list[Conversation]:
    """List conversations by last activity, from the newest or after a (last_activity_at, id)."""
    before_at, before_id = after or (MAX_TIME, MAX_ID)
    rows = run(
        "list_conversations" if project_id is None else "list_project_conversations",
        project_id=project_id,
        archived=archived,
        pattern=pattern,
        limit=limit,
        offset=offset,
        before_at=before_at,
        before_id=before_id,
    )
    return Conversation.from_rows(rows)


def page_of_all(
    run: Run, *, limit: int, after: tuple[str, str] | None = None
) -> list[tuple[str, str]]:
    """List (user, conversation) pairs of all users."""
    after_user, after_id = after or ("", MIN_ID)
    rows = run("list_all_conversations", after_user=after_user, after_id=after_id, limit=limit)
    return [(row["user_id"], row["id"]) for row in rows]


def update(run: Run, conversation: Conversation, *, now: datetime) -> None:
    rows = run(
        "update_conversation",
        **conversation.columns(),
        search_text=_search_text(conversation),
        now=utc_text(now),
    )
    if rows:
        search_index.put_topic(run, conversation)


def set_topic(run: Run, conversation: Conversation, *, now: datetime) -> None:
    rows = run(
        "set_topic",
        **conversation.columns(),
        search_text=_search_text(conversation),
        now=utc_text(now),
    )
    if rows:
        search_index.put_topic(run, conversation)


def clear_topic(run: Run, conversation_id: str, *, now: datetime) -> None:
    """Remove the derived topic and title. A title that a user gave stays."""
    current = get(run, conversation_id)
    title = current.title if current.title_source == "user" else None
    search_index.delete(run, "topic", current.id)  # also deletes its vectors
    set_topic(run, replace(current, title=title, topic=None), now=now)


def delete(run: Run, conversation_id: str, *, now: datetime) -> Deleted:
    (counts,) = run("count_conversation_rows", id=conversation_id)
    derived = memories.unlink_conversation(run, conversation_id, now=now)
    idempotency.retire(run, conversation_id, now=now)
    if run("delete_conversation", id=conversation_id):
        insert_tombstone(run, conversation_id, created_at=utc_text(now))
    return Deleted(**counts) + derived


def insert_tombstone(run: Run, conversation_id: str, *, created_at: str) -> bool:
    """Record that a conversation was deleted, so that an older export does not restore it.

    Return False if there is a tombstone already, or a conversation with this id.
    """
    return bool(run("insert_conversation_tombstone", id=conversation_id, created_at=created_at))


def deleted_at(run: Run, conversation_id: str) -> datetime | None:
    """Return when a conversation was deleted, or None."""
    rows = run("get_conversation_tombstone", id=conversation_id)
    return datetime.fromisoformat(rows[0]["created_at"]) if rows else None


def delete_tombstone(run: Run, conversation_id: str) -> None:
    run("delete_conversation_tombstone", id=conversation_id)


def _search_text(conversation: Conversation) -> str:
    return fold(search_index.topic_text(conversation.title, conversation.topic))
