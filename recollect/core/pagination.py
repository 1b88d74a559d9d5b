"""Lists in parts. A cursor says where a list goes on: opaque, and good for that list only."""

import base64
import binascii
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from recollect.core.errors import BrokenCursor, InvalidInput
from recollect.core.ids import canonical_id
from recollect.core.memory_types import Memory, MemoryEvent
from recollect.core.types import ApiKey, Conversation, Job, Message, Order, Page, Summary, utc_text

T = TypeVar("T")

_LARGEST_PAGE = 200
_LARGEST_NUMBER = 2**31 - 1


def check_page(limit: int, offset: int, cursor: str | None) -> None:
    if not 1 <= limit <= _LARGEST_PAGE:
        raise InvalidInput(f"limit must be between 1 and {_LARGEST_PAGE}.", field="limit")
    if not 0 <= offset <= _LARGEST_NUMBER:
        raise InvalidInput("offset must not be negative.", field="offset")
    if offset and cursor is not None:
        raise InvalidInput("Give a cursor or an offset, not both.", field="offset")


def make_page(found: list[T], limit: int, cursor_after: Callable[[T], str]) -> Page[T]:
    """`found` holds one more than was asked for where the list goes on."""
    items = tuple(found[:limit])
    return Page(items, cursor_after(items[-1]) if len(found) > limit else None)


def conversation_cursor(last: Conversation) -> str:
    return _encode("conversations", utc_text(last.last_activity_at), last.id)


def decode_conversation_cursor(cursor: str) -> tuple[str, str]:
    """The (last_activity_at, id) after which the list goes on."""
    return _decode_moment("conversations", cursor)


def key_cursor(last: ApiKey) -> str:
    return _encode("keys", utc_text(last.created_at), last.id)


def decode_key_cursor(cursor: str) -> tuple[str, str]:
    """The (created_at, id) after which the list goes on."""
    return _decode_moment("keys", cursor)


def message_cursor(order: Order, last: Message) -> str:
    return _encode(f"messages-{order}", last.conversation_id, last.seq)


def decode_message_cursor(order: Order, conversation_id: str, cursor: str) -> int:
    """The seq beyond which the list goes on."""
    given_id, seq = _decode(f"messages-{order}", cursor, str, int)
    if given_id != conversation_id or not 0 < seq <= _LARGEST_NUMBER:
        raise BrokenCursor
    number: int = seq
    return number


def seq_before(order: Order, first: int) -> int:
    """The seq beyond which a list begins whose first message is to be `first`."""
    if not 1 <= first <= _LARGEST_NUMBER:
        raise InvalidInput(f"from_seq must be between 1 and {_LARGEST_NUMBER:,}.", field="from_seq")
    return first - 1 if order == "asc" else first + 1


def job_cursor(last: Job) -> str:
    return _encode("jobs", last.id)


def decode_job_cursor(cursor: str) -> str:
    """The id before which the list goes on."""
    (id,) = _decode("jobs", cursor, str)
    if canonical_id(id) != id:
        raise BrokenCursor
    return str(id)


def memory_cursor(last: Memory) -> str:
    return _encode("memories", last.id)


def decode_memory_cursor(cursor: str) -> str:
    """The id before which the list goes on."""
    (id,) = _decode("memories", cursor, str)
    if canonical_id(id) != id:
        raise BrokenCursor
    return str(id)


def event_cursor(last: MemoryEvent) -> str:
    return _encode("history", last.memory_id, last.id)


def decode_event_cursor(memory_id: str, cursor: str) -> str:
    """The id before which a memory's history goes on."""
    given_id, id = _decode("history", cursor, str, str)
    if given_id != memory_id or canonical_id(id) != id:
        raise BrokenCursor
    return str(id)


def version_cursor(last: Summary) -> str:
    return _encode("versions", last.conversation_id, last.version)


def decode_version_cursor(conversation_id: str, cursor: str) -> int:
    """The version before which the list goes on."""
    given_id, version = _decode("versions", cursor, str, int)
    if given_id != conversation_id or not 0 < version <= _LARGEST_NUMBER:
        raise BrokenCursor
    return int(version)


def _decode_moment(kind: str, cursor: str) -> tuple[str, str]:
    """A time and an id, for lists in the order of both."""
    at, id = _decode(kind, cursor, str, str)
    try:
        is_ours = utc_text(datetime.fromisoformat(at)) == at and canonical_id(id) == id
    except (ValueError, OverflowError) as error:
        raise BrokenCursor from error
    if not is_ours:
        raise BrokenCursor
    return at, id


def _encode(kind: str, *position: str | int) -> str:
    text = json.dumps([kind, *position], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(kind: str, cursor: str, *types: type) -> list[Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise BrokenCursor from error
    if not isinstance(parts, list) or [type(part) for part in parts] != [str, *types]:
        raise BrokenCursor
    if parts[0] != kind:
        raise BrokenCursor
    return parts[1:]
