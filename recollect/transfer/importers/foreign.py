"""What the files of other applications have in common.

Their ids become ids of ours in a fixed way: so the same file gives the same rows, and a longer one
adds to them.
"""

from datetime import UTC, datetime
from uuid import UUID, uuid5

from recollect.core.errors import InvalidInput
from recollect.core.types import Json
from recollect.core.validation import utc_moment

_NAMESPACE = UUID("5b0c7f5e-6d5f-4b43-9c39-6f6f0b6c2f0a")
_LONGEST_ID = 255
_LONGEST_TITLE = 255


def derived_id(*names: str) -> str:
    try:
        return str(uuid5(_NAMESPACE, ":".join(names)))
    except UnicodeEncodeError as error:
        raise InvalidInput("An id is not valid Unicode.", field="id") from error


def source_id(*candidates: Json) -> str:
    """The first that is an id at all."""
    for id in candidates:
        if isinstance(id, str) and 0 < len(id) <= _LONGEST_ID:
            return id
    raise InvalidInput("It has no id.", field="id")


def title_of(given: Json) -> str | None:
    if given is not None and not isinstance(given, str):
        raise InvalidInput("Its title is no text.", field="title")
    return (given or "").strip()[:_LONGEST_TITLE].rstrip() or None


def moment(given: Json, field: str) -> datetime | None:
    """Seconds since 1970, or a date as text. Without a time zone it is UTC."""
    try:
        match given:
            case None:
                return None
            case bool():
                raise ValueError
            case int() | float():
                return datetime.fromtimestamp(given, UTC)
            case str():
                found = datetime.fromisoformat(given)
                return utc_moment(found if found.tzinfo else found.replace(tzinfo=UTC), field)
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidInput(f"{field} is not a time: {str(given)[:40]!r}.", field=field)


def a_name(given: Json) -> str | None:
    """None for what is no text: it names nothing."""
    return given if isinstance(given, str) else None


def an_object(given: Json, field: str) -> dict[str, Json]:
    """Nothing is an empty one."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InvalidInput(f"{field} must be an object.", field=field)
    return given


def a_list(given: Json, field: str) -> list[Json]:
    if given is None:
        return []
    if not isinstance(given, list):
        raise InvalidInput(f"{field} must be a list.", field=field)
    return given


def texts_of(*candidates: Json) -> list[str]:
    """Those that say something."""
    return [text for text in candidates if isinstance(text, str) and text.strip()]
