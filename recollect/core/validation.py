"""Validation of input. Raises InvalidInput with the name of the field.

Values that one of the databases cannot store unchanged are rejected for both: NUL characters, lone
surrogates, NaN.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import get_args

from recollect.core.errors import InvalidInput, TooLarge
from recollect.core.ids import canonical_id
from recollect.core.policy import RecallScope
from recollect.core.types import Json, MessageIn, Role

_ROLES: tuple[str, ...] = get_args(Role)
_MAX_JSON_DEPTH = 100
MAX_EXTERNAL_ID_CHARS = 200
MAX_PROJECT_ID_CHARS = 200
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def check_text(value: str, field: str) -> None:
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be text.", field=field)
    if "\0" in value:
        raise InvalidInput(f"{field} contains a NUL character.", field=field)
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        message = f"{field} is not valid Unicode: it contains half of a surrogate pair."
        raise InvalidInput(message, field=field) from None


def check_size(value: str, field: str, *, limit: int) -> None:
    """Raises TooLarge if the value has more than `limit` bytes."""
    size = len(value) if value.isascii() else len(value.encode())
    if size > limit:
        raise TooLarge(f"{field} has {size:,} bytes; the limit is {limit:,}.", field=field)


def check_name(value: str, field: str, *, limit: int = 255) -> None:
    """Raises InvalidInput if the value has more than `limit` characters."""
    check_text(value, field)
    if len(value) > limit:
        message = f"{field} has {len(value):,} characters; the limit is {limit:,}."
        raise InvalidInput(message, field=field)


def check_user_id(user_id: str) -> None:
    check_name(user_id, "user_id")
    if not user_id or not user_id.isprintable():
        raise InvalidInput("user_id must be printable and not empty.", field="user_id")


def check_title(title: str | None) -> str | None:
    """Return the title without surrounding white space; None if it is empty."""
    if title is None:
        return None
    check_name(title, "title")
    return title.strip() or None


def is_external_id(key: str) -> bool:
    """Whether a text can be the caller's key of a conversation.

    Keys stand in URL paths, so `/` and the reserved word `current` are not allowed.
    """
    is_text = 0 < len(key) <= MAX_EXTERNAL_ID_CHARS and key.isprintable() and bool(key.strip())
    return is_text and "/" not in key and key != "current"


def check_external_id(key: str) -> str:
    """Return the caller's key of a conversation, or raise InvalidInput."""
    if not isinstance(key, str) or not is_external_id(key):
        raise InvalidInput(
            f"external_id must be 1 to {MAX_EXTERNAL_ID_CHARS} printable characters without a "
            f"slash, and not 'current' (got {key!r:.250}).",
            field="external_id",
        )
    return key


def check_project_id(project_id: str | None) -> str | None:
    """Return the caller's name of a project, or raise InvalidInput."""
    if project_id is None:
        return None
    is_text = isinstance(project_id, str) and 0 < len(project_id) <= MAX_PROJECT_ID_CHARS
    if not is_text:
        raise InvalidInput(
            f"project_id must be 1 to {MAX_PROJECT_ID_CHARS} characters (got {project_id!r:.250}).",
            field="project_id",
        )
    check_text(project_id, "project_id")
    return project_id


def check_recall_scope(scope: RecallScope | None) -> RecallScope | None:
    if scope is not None:
        check_choice(scope, "recall_scope", get_args(RecallScope))
    return scope


def check_idempotency_key(key: str) -> None:
    check_name(key, "idempotency_key")
    if not key:
        raise InvalidInput("idempotency_key must not be empty.", field="idempotency_key")


def check_flag(value: bool, field: str) -> None:
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be true or false.", field=field)


def check_choice(value: str, field: str, choices: Sequence[str]) -> None:
    if value not in choices:
        message = f"{field} must be one of {', '.join(choices)}, not {value!r}."
        raise InvalidInput(message, field=field)


def check_updates(updates: Mapping[str, Json], known: Collection[str]) -> None:
    if not isinstance(updates, Mapping):
        raise InvalidInput("updates must be an object.", field="updates")
    if unknown := updates.keys() - known:
        field = min(unknown)
        names = ", ".join(sorted(known))
        raise InvalidInput(f"{field} cannot be updated, only {names}.", field=field)


def check_pinned(noun: str, tokens: int, *, limit: int) -> None:
    """Raises TooLarge if the pinned items, which every context includes, exceed the limit."""
    if tokens > limit:
        raise TooLarge(
            f"With this one the pinned {noun} have {tokens:,} tokens; the limit is {limit:,}. "
            "Unpin another one first.",
            field="is_pinned",
        )


def json_text(value: Json, field: str, *, limit: int) -> str:
    if _is_deeper(value, _MAX_JSON_DEPTH):
        message = f"{field} is nested more than {_MAX_JSON_DEPTH} levels deep."
        raise InvalidInput(message, field=field)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{field} cannot be written as JSON: {error}.", field=field) from error
    check_text(text, field)
    if r"\u0000" in text and _ESCAPED_NUL.search(text):  # the pattern alone is slow
        raise InvalidInput(f"{field} contains a NUL character.", field=field)
    check_size(text, field, limit=limit)
    return text


def _is_deeper(value: Json, limit: int) -> bool:
    """Check level by level, so that no depth can exhaust the stack."""
    level = [value]
    for _ in range(limit):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: Json) -> Iterable[Json]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def metadata_text(metadata: Mapping[str, Json], *, limit: int) -> str:
    if not isinstance(metadata, Mapping):
        raise InvalidInput("metadata must be an object.", field="metadata")
    if not metadata:
        return "{}"
    return json_text(dict(metadata), "metadata", limit=limit)


def check_message(message: MessageIn, *, limit: int, may_be_empty: bool = False) -> None:
    if not isinstance(message, MessageIn):
        kind = type(message).__name__
        raise InvalidInput(f"Each message must be a MessageIn, not {kind}.", field="messages")
    check_choice(message.role, "role", _ROLES)
    check_text(message.content, "content")
    check_size(message.content, "content", limit=limit)
    if message.tool_calls is not None:
        _check_tool_calls(message.tool_calls)
    if not message.tool_calls and not message.content.strip() and not may_be_empty:
        raise InvalidInput("content is empty, and there are no tool calls.", field="content")
    if message.thinking is not None:
        check_text(message.thinking, "thinking")
        check_size(message.thinking, "thinking", limit=limit)
    if message.model_variant is not None:
        check_name(message.model_variant, "model_variant")
    check_flag(message.is_pinned, "is_pinned")
    if message.id is not None and canonical_id(message.id) is None:
        raise InvalidInput("id must be a UUID.", field="id")


def utc_moment(moment: datetime, field: str) -> datetime:
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{field} must be a datetime.", field=field)
    if moment.tzinfo is None:
        raise InvalidInput(f"{field} needs a time zone.", field=field)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput(f"{field} is out of range.", field=field) from error


def _check_tool_calls(calls: Sequence[Mapping[str, Json]]) -> None:
    valid = isinstance(calls, Sequence) and not isinstance(calls, str | bytes)
    if not valid or not all(
        isinstance(call, Mapping) and isinstance(call.get("tool_name"), str) for call in calls
    ):
        raise InvalidInput(
            "tool_calls must be a list of {tool_name, input, output}.", field="tool_calls"
        )
