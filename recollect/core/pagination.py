"""Pagination by cursor. A cursor is opaque and valid for one list only."""

import base64
import binascii
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, TypeVar

from recollect.core.errors import BrokenCursor, InvalidInput
from recollect.core.ids import canonical_id
from recollect.core.types import Order, Page, column, utc_text

T = TypeVar("T")
ListKind = (
    Literal["conversations", "messages-asc", "messages-desc", "versions"]
    | Literal["memories", "history", "jobs", "keys", "audit"]
)
Position = tuple[str | int | datetime, ...]

_MAX_PAGE_ITEMS = 200
_MAX_NUMBER = 2**31 - 1


def check_page(limit: int, offset: int, cursor: str | None) -> None:
    if not 1 <= limit <= _MAX_PAGE_ITEMS:
        message = f"limit must be between 1 and {_MAX_PAGE_ITEMS} (got {limit})."
        raise InvalidInput(message, field="limit")
    if not 0 <= offset <= _MAX_NUMBER:
        message = f"offset must be between 0 and {_MAX_NUMBER:,} (got {offset})."
        raise InvalidInput(message, field="offset")
    if offset and cursor is not None:
        raise InvalidInput("Give a cursor or an offset, not both.", field="offset")


def make_page(
    rows: list[T], limit: int, kind: ListKind, position: Callable[[T], Position]
) -> Page[T]:
    """Make a page of up to `limit` items. One more row means that there is a next page.

    The cursor is the position of the last item, which one of the functions below decodes.
    """
    items = tuple(rows[:limit])
    if len(rows) <= limit:
        return Page(items)
    text = json.dumps([kind, *map(column, position(items[-1]))], separators=(",", ":"))
    return Page(items, base64.urlsafe_b64encode(text.encode()).decode().rstrip("="))


def decode_time(kind: ListKind, cursor: str | None) -> tuple[str, str] | None:
    """Return the time and the id of the last item."""
    if cursor is None:
        return None
    at, id = _decode(kind, cursor, str, str)
    try:
        is_canonical = utc_text(datetime.fromisoformat(at)) == at
    except (ValueError, OverflowError) as error:
        raise BrokenCursor from error
    if not is_canonical:
        raise BrokenCursor
    return at, _check_id(id)


def decode_number(kind: ListKind, cursor: str | None, *, owner: str) -> int | None:
    """Return the number of the last item in the list of `owner`."""
    if cursor is None:
        return None
    cursor_owner, number = _decode(kind, cursor, str, int)
    if cursor_owner != owner or not 0 < number <= _MAX_NUMBER:
        raise BrokenCursor
    return int(number)


def decode_id(kind: ListKind, cursor: str | None, *owner: str) -> str | None:
    """Return the id of the last item, in the list of `owner` if that is given."""
    if cursor is None:
        return None
    *cursor_owner, id = _decode(kind, cursor, *map(type, owner), str)
    if cursor_owner != [*owner]:
        raise BrokenCursor
    return _check_id(id)


def seq_before(order: Order, first: int) -> int:
    """Return the seq after which a list starts with the message `first`."""
    if not 1 <= first <= _MAX_NUMBER:
        raise InvalidInput(f"from_seq must be between 1 and {_MAX_NUMBER:,}.", field="from_seq")
    return first - 1 if order == "asc" else first + 1


def _check_id(id: str) -> str:
    if canonical_id(id) != id:
        raise BrokenCursor
    return id


def _decode(kind: ListKind, cursor: str, *types: type) -> list[Any]:
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
