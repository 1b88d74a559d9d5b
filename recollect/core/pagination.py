"""Pagination by cursor. A cursor is opaque and valid for one list only."""

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

_MAX_PAGE_ITEMS = 200
_MAX_NUMBER = 2**31 - 1


def check_page(limit: int, offset: int, cursor: str | None) -> None:
    if not 1 <= limit <= _MAX_PAGE_ITEMS:
        raise InvalidInput(f"limit must be between 1 and {_MAX_PAGE_ITEMS}.", field="limit")
    if not 0 <= offset <= _MAX_NUMBER:
        raise InvalidInput("offset must not be negative.", field="offset")
    if offset and cursor is not None:
        raise InvalidInput("Give a cursor or an offset, not both.", field="offset")


def make_page(rows: list[T], limit: int, cursor_after: Callable[[T], str]) -> Page[T]:
    """Make a page of up to `limit` items. One more row means that there is a next page."""
    items = tuple(rows[:limit])
    return Page(items, cursor_after(items[-1]) if len(rows) > limit else None)


def conversation_cursor(last: Conversation) -> str:
    return _encode("conversations", utc_text(last.last_activity_at), last.id)


def decode_conversation_cursor(cursor: str) -> tuple[str, str]:
    """Return (last_activity_at, id) of the last conversation."""
    return _decode_time("conversations", cursor)


def key_cursor(last: ApiKey) -> str:
    return _encode("keys", utc_text(last.created_at), last.id)


def decode_key_cursor(cursor: str) -> tuple[str, str]:
    """Return (created_at, id) of the last key."""
    return _decode_time("keys", cursor)


def message_cursor(order: Order, last: Message) -> str:
    return _encode(f"messages-{order}", last.conversation_id, last.seq)


def decode_message_cursor(order: Order, conversation_id: str, cursor: str) -> int:
    """Return the seq of the last message."""
    return _decode_number(f"messages-{order}", conversation_id, cursor)


def seq_before(order: Order, first: int) -> int:
    """Return the seq after which a list starts with the message `first`."""
    if not 1 <= first <= _MAX_NUMBER:
        raise InvalidInput(f"from_seq must be between 1 and {_MAX_NUMBER:,}.", field="from_seq")
    return first - 1 if order == "asc" else first + 1


def job_cursor(last: Job) -> str:
    return _encode("jobs", last.id)


def decode_job_cursor(cursor: str) -> str:
    return _check_id(*_decode("jobs", cursor, str))


def memory_cursor(last: Memory) -> str:
    return _encode("memories", last.id)


def decode_memory_cursor(cursor: str) -> str:
    return _check_id(*_decode("memories", cursor, str))


def event_cursor(last: MemoryEvent) -> str:
    return _encode("history", last.memory_id, last.id)


def decode_event_cursor(memory_id: str, cursor: str) -> str:
    cursor_memory_id, id = _decode("history", cursor, str, str)
    if cursor_memory_id != memory_id:
        raise BrokenCursor
    return _check_id(id)


def version_cursor(last: Summary) -> str:
    return _encode("versions", last.conversation_id, last.version)


def decode_version_cursor(conversation_id: str, cursor: str) -> int:
    return _decode_number("versions", conversation_id, cursor)


def _decode_time(kind: str, cursor: str) -> tuple[str, str]:
    at, id = _decode(kind, cursor, str, str)
    try:
        is_canonical = utc_text(datetime.fromisoformat(at)) == at
    except (ValueError, OverflowError) as error:
        raise BrokenCursor from error
    if not is_canonical:
        raise BrokenCursor
    return at, _check_id(id)


def _decode_number(kind: str, conversation_id: str, cursor: str) -> int:
    cursor_conversation_id, number = _decode(kind, cursor, str, int)
    if cursor_conversation_id != conversation_id or not 0 < number <= _MAX_NUMBER:
        raise BrokenCursor
    return int(number)


def _check_id(id: str) -> str:
    if canonical_id(id) != id:
        raise BrokenCursor
    return id


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
