"""Parsing and conversion that the importers of other applications share.

Ids are derived from the ids in the file: importing the same file again gives the same rows, and a
longer export adds to them.
"""

from datetime import UTC, datetime
from uuid import UUID, uuid5

from recollect.core.errors import InvalidInput
from recollect.core.types import Json, utc_text
from recollect.core.validation import check_title, metadata_text, utc_moment
from recollect.record.append import message_row
from recollect.transfer.importers.branches import LastNumbers, assign_numbers
from recollect.transfer.types import ConversationRows, ForeignConversation, ImportOptions

_NAMESPACE = UUID("5b0c7f5e-6d5f-4b43-9c39-6f6f0b6c2f0a")
_MAX_ID_CHARS = 255
_MAX_TITLE_CHARS = 255


def to_rows(foreign: ForeignConversation, options: ImportOptions) -> ConversationRows:
    """Convert to rows. Raises InvalidInput, and TooLarge for a message over the limit.

    The conversation counts as extracted, so that an import does not start the extraction of
    memories from years of messages. It is extracted when a user requests it or continues it.
    """
    limit = options.max_message_bytes
    recorded_at = utc_text(options.now)
    rows, last = assign_numbers(
        [
            {
                **message_row(foreign_message.message, limit=limit, created_at=recorded_at),
                "status": "complete" if foreign_message.is_complete else "interrupted",
                "superseded_at": None if foreign_message.is_active else recorded_at,
            }
            for foreign_message in foreign.messages
        ],
        LastNumbers(),
    )
    title = check_title(foreign.title)
    source = {"source": foreign.source, "source_id": foreign.source_id}
    row = {
        "id": foreign.id,
        "external_id": None,
        "project_id": None,
        "recall_scope": None,
        "kind": "chat",
        "title": title,
        "title_source": "user" if title else "auto",
        "policy": options.default_policy,
        "remember": foreign.remember,
        "topic": None,
        "metadata": metadata_text(source, limit=limit),
        "is_archived": foreign.is_archived,
        "forked_from": None,
        "created_at": utc_text(foreign.created_at),
        "updated_at": utc_text(foreign.updated_at),
        "last_activity_at": utc_text(foreign.updated_at),
        "last_seq": last.last_seq,
        "last_turn": last.last_turn,
        "last_role": last.last_role,
        "removals": 0,
        "extracted_through_seq": 0,
        "extracted_turn": last.last_turn,
        "summary_version": 0,
        "last_summary_version": 0,
    }
    return ConversationRows(conversation=row, messages=rows)


def import_id(*names: str) -> str:
    try:
        return str(uuid5(_NAMESPACE, ":".join(names)))
    except UnicodeEncodeError as error:
        raise InvalidInput("An id is not valid Unicode.", field="id") from error


def parse_source_id(*candidates: Json) -> str:
    """Return the first candidate that is an id."""
    for id in candidates:
        if isinstance(id, str) and 0 < len(id) <= _MAX_ID_CHARS:
            return id
    raise InvalidInput("It has no id.", field="id")


def parse_title(value: Json) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InvalidInput("The title is not text.", field="title")
    return (value or "").strip()[:_MAX_TITLE_CHARS].rstrip() or None


def parse_time(value: Json, field: str) -> datetime | None:
    """Parse seconds since 1970 or an ISO date. A date without a time zone is in UTC."""
    try:
        match value:
            case None:
                return None
            case bool():
                raise ValueError
            case int() | float():
                return datetime.fromtimestamp(value, UTC)
            case str():
                time = datetime.fromisoformat(value)
                return utc_moment(time if time.tzinfo else time.replace(tzinfo=UTC), field)
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidInput(f"{field} is not a time: {str(value)[:40]!r}.", field=field)


def str_or_none(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def parse_object(value: Json, field: str) -> dict[str, Json]:
    """Return an object; None becomes an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{field} must be an object.", field=field)
    return value


def parse_list(value: Json, field: str) -> list[Json]:
    """Return a list; None becomes an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidInput(f"{field} must be a list.", field=field)
    return value


def non_blank_texts(*candidates: Json) -> list[str]:
    return [text for text in candidates if isinstance(text, str) and text.strip()]
