"""Parses the lines of our own export into rows: one function for each kind of line.

A file comes from outside: a value that a table cannot hold, or that would cause an error later, is
rejected here with the name of its field.
"""

import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, TypeVar, get_args

from recollect.core import tokens
from recollect.core.errors import InvalidInput
from recollect.core.ids import canonical_id
from recollect.core.memory_types import Memory
from recollect.core.policy import RecallScope
from recollect.core.types import (
    Author,
    ExactValueKind,
    Json,
    MemoryAction,
    MemoryAuthor,
    MemoryType,
    MessageIn,
    Rating,
    Role,
    Status,
    TitleSource,
    utc_text,
)
from recollect.core.validation import (
    check_external_id,
    check_flag,
    check_name,
    check_project_id,
    check_size,
    check_text,
    check_title,
    json_text,
    metadata_text,
    utc_moment,
)
from recollect.recall.context.receipt import without_titles
from recollect.record.append import message_row

T = TypeVar("T")

_MAX_NUMBER = 1_000_000_000
"""Counters continue from these numbers, so there must be room above them."""
_MAX_CATEGORY_CHARS = 100
_MAX_SUBJECT_CHARS = 1_000
_MAX_MEMORY_BYTES = 8_000
_MAX_DURATION_MS = 2**53
_HASH_CHARS = 64


class Fields:
    """The fields of a line, with a method for each type. All raise InvalidInput."""

    def __init__(self, line: Mapping[str, Json], *, limit: int) -> None:
        """`limit` is the maximum size of a text in bytes."""
        self._line = line
        self.limit = limit

    def __contains__(self, name: str) -> bool:
        return self._line.get(name) is not None

    def maybe(self, read: Callable[..., T], name: str, *args: Any, **options: Any) -> T | None:
        """Return None if the field is null or missing."""
        return read(name, *args, **options) if name in self else None

    def each(self, read: Callable[[str], T], *names: str) -> dict[str, T]:
        return {name: read(name) for name in names}

    def raw(self, name: str) -> Json:
        return self._line.get(name)

    def id(self, name: str) -> str:
        value = self._line.get(name)
        id = canonical_id(value) if isinstance(value, str) and value.isascii() else None
        if id is None:
            raise InvalidInput(f"{name} must be a UUID.", field=name)
        return id

    def text(self, name: str) -> str:
        value = self._line.get(name)
        if not isinstance(value, str):
            raise InvalidInput(f"{name} must be text.", field=name)
        check_text(value, name)
        check_size(value, name, limit=self.limit)
        return value

    def name(self, name: str, *, limit: int = 255) -> str:
        value = self.text(name)
        check_name(value, name, limit=limit)
        return value

    def number(self, name: str, *, minimum: int = 0, maximum: int = _MAX_NUMBER) -> int:
        value = self._line.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
            message = f"{name} must be a whole number from {minimum:,} to {maximum:,}."
            raise InvalidInput(message, field=name)
        return value

    def share(self, name: str) -> float:
        value = self._line.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        raise InvalidInput(f"{name} must be a number from 0 to 1.", field=name)

    def flag(self, name: str) -> bool:
        value: Json = self._line.get(name)
        check_flag(value, name)
        return bool(value)

    def one_of(self, name: str, known: tuple[Any, ...]) -> Any:
        value = self._line.get(name)
        if isinstance(value, str) and value in known:
            return value
        raise InvalidInput(f"{name} must be one of {', '.join(known)}.", field=name)

    def moment(self, name: str) -> datetime:
        value = self._line.get(name)
        try:
            parsed = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            parsed = None
        if parsed is None:
            raise InvalidInput(f"{name} must be a time, such as 2026-11-01T00:00:00Z.", field=name)
        return utc_moment(parsed, name)

    def day(self, name: str) -> str:
        value = self._line.get(name)
        try:
            return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
        except ValueError:
            raise InvalidInput(f"{name} must be a day, such as 2026-11-01.", field=name) from None

    def time(self, name: str) -> str:
        """A time in the stored form."""
        return utc_text(self.moment(name))

    def object(self, name: str) -> dict[str, Json]:
        value = self._line.get(name)
        if not isinstance(value, dict):
            raise InvalidInput(f"{name} must be an object.", field=name)
        return value

    def objects(self, name: str) -> "list[Fields]":
        value = self._line.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise InvalidInput(f"{name} must be a list of objects.", field=name)
        return [Fields(item, limit=self.limit) for item in value]

    def json(self, name: str) -> str:
        """An object as JSON text."""
        return json_text(self.object(name), name, limit=self.limit)


def _memory_text(fields: Fields, name: str) -> str:
    text = fields.text(name)
    if not text.strip():
        raise InvalidInput(f"{name} is empty.", field=name)
    check_size(text, name, limit=_MAX_MEMORY_BYTES)
    return text


_MEMORY_FIELDS: dict[str, Callable[[Fields, str], Any]] = {
    "memory_type": lambda fields, name: fields.one_of(name, get_args(MemoryType)),
    "category": lambda fields, name: fields.maybe(fields.name, name, limit=_MAX_CATEGORY_CHARS),
    "content": _memory_text,
    "subject": lambda fields, name: fields.maybe(fields.name, name, limit=_MAX_SUBJECT_CHARS),
    "attribute": lambda fields, name: fields.maybe(fields.name, name, limit=_MAX_SUBJECT_CHARS),
    "author": lambda fields, name: fields.one_of(name, get_args(MemoryAuthor)),
    "source_conversation_id": lambda fields, name: fields.maybe(fields.id, name),
    "source_message_id": lambda fields, name: fields.maybe(fields.id, name),
    "is_pinned": Fields.flag,
    "is_archived": Fields.flag,
    "confidence": Fields.share,
    "valid_from": Fields.moment,
    "valid_to": lambda fields, name: fields.maybe(fields.moment, name),
    "confirmed_at": Fields.moment,
    "superseded_by": lambda fields, name: fields.maybe(fields.id, name),
}
"""The parsers of the fields that a memory and its history share."""


def conversation_row(fields: Fields) -> dict[str, Any]:
    return {
        "id": fields.id("id"),
        "kind": fields.one_of("conversation_kind", ("chat", "history")),
        "title": check_title(fields.maybe(fields.text, "title")),
        "title_source": fields.one_of("title_source", get_args(TitleSource)),
        "policy": fields.name("policy"),
        "remember": fields.flag("remember"),
        "topic": fields.maybe(fields.text, "topic"),
        "metadata": metadata_text(fields.object("metadata"), limit=fields.limit),
        "is_archived": fields.flag("is_archived"),
        "forked_from": fields.maybe(fields.id, "forked_from"),
        "external_id": _external_id(fields),
        "project_id": check_project_id(fields.maybe(fields.text, "project_id")),
        "recall_scope": fields.maybe(fields.one_of, "recall_scope", get_args(RecallScope)),
        "last_role": fields.maybe(fields.one_of, "last_role", get_args(Role)),
        **fields.each(fields.time, "created_at", "updated_at", "last_activity_at"),
        **fields.each(fields.number, "last_seq", "last_turn", "removals"),
        **fields.each(fields.number, "extracted_through_seq", "extracted_turn"),
        **fields.each(fields.number, "summary_version", "last_summary_version"),
    }


def _external_id(fields: Fields) -> str | None:
    """Exports of earlier releases have no such field."""
    key = fields.maybe(fields.text, "external_id")
    return None if key is None else check_external_id(key)


def message_columns(fields: Fields) -> dict[str, Any]:
    """A streaming answer becomes interrupted. Tokens are counted again: budgets rely on them."""
    status = fields.one_of("status", get_args(Status))
    draft = MessageIn(
        id=fields.id("id"),
        role=fields.one_of("role", get_args(Role)),
        content=fields.text("content"),
        **fields.each(fields.raw, "thinking", "tool_calls", "model_variant"),
        **fields.each(fields.raw, "suggested_values", "suggested_actions", "custom_payload"),
        metadata=fields.object("metadata"),
        is_pinned=fields.flag("is_pinned"),
        event_at=fields.moment("event_at"),
    )
    created_at = fields.time("created_at")
    return {
        **message_row(draft, limit=fields.limit, created_at=created_at, may_be_empty=True),
        "seq": fields.number("seq", minimum=1),
        "turn": fields.number("turn"),
        "status": "interrupted" if status == "streaming" else status,
        "superseded_at": fields.maybe(fields.time, "superseded_at"),
    }


def summary_row(fields: Fields) -> dict[str, Any]:
    version = fields.number("version", minimum=1)
    text = fields.text("text")
    ledger = [_exact_value(value) for value in fields.objects("ledger")]
    return {
        "version": version,
        "base_version": fields.number("base_version", maximum=version - 1),
        "text": text,
        "ledger": json.dumps(ledger, ensure_ascii=False),
        "kept": fields.text("kept"),
        "through_seq": fields.number("through_seq"),
        "author": fields.one_of("author", get_args(Author)),
        "model": fields.maybe(fields.name, "model"),
        "prompt_version": fields.maybe(fields.name, "prompt_version"),
        "tokens": tokens.count(text),
        **fields.each(fields.number, "tokens_in", "tokens_out", "facts_found", "facts_kept"),
        "duration_ms": fields.number("duration_ms", maximum=_MAX_DURATION_MS),
        "created_at": fields.time("created_at"),
    }


def _exact_value(fields: Fields) -> dict[str, Any]:
    return {
        "kind": fields.one_of("kind", get_args(ExactValueKind)),
        "value": fields.text("value"),
        "seq": fields.number("seq"),
        "label": fields.text("label"),
        "day": fields.maybe(fields.day, "day"),
        "weight": fields.number("weight"),
    }


def feedback_row(fields: Fields) -> dict[str, Any]:
    return {
        "message_id": fields.id("message_id"),
        "rating": fields.one_of("rating", get_args(Rating)),
        "note": fields.maybe(fields.text, "note"),
        "mode": fields.maybe(fields.one_of, "mode", ("compressed", "full")),
        "created_at": fields.time("created_at"),
    }


def receipt_row(fields: Fields) -> dict[str, Any]:
    """`check_receipt` has accepted the receipt already."""
    receipt = Fields(fields.object("receipt"), limit=0)
    return {
        "message_id": fields.id("message_id"),
        "receipt": json_text(
            without_titles(fields.object("receipt")), "receipt", limit=fields.limit
        ),
        "mode": receipt.raw("mode"),
        **receipt.each(receipt.number, "tokens", "full_history_tokens"),
        "prefix": json.dumps(receipt.raw("prefix") or []),
        "unchanged_tokens": receipt.maybe(receipt.number, "unchanged_tokens") or 0,
        "cached_tokens": receipt.maybe(receipt.number, "cached_tokens"),
        "created_at": fields.time("created_at"),
    }


def parse_memory(fields: Fields, *, user_id: str) -> Memory:
    if "source_message_id" in fields:
        fields.id("source_conversation_id")
    return Memory(
        id=fields.id("id"),
        user_id=user_id,
        access_count=fields.number("access_count"),
        last_accessed_at=fields.maybe(fields.moment, "last_accessed_at"),
        created_at=fields.moment("created_at"),
        updated_at=fields.moment("updated_at"),
        **{name: parse(fields, name) for name, parse in _MEMORY_FIELDS.items()},
    )


def source_row(fields: Fields) -> dict[str, Any]:
    return {"message_id": fields.id("message_id"), "created_at": fields.time("created_at")}


def event_row(fields: Fields) -> dict[str, Any]:
    return {
        "id": fields.id("id"),
        "action": fields.one_of("action", get_args(MemoryAction)),
        "actor": fields.one_of("actor", get_args(MemoryAuthor)),
        "source_message_id": fields.maybe(fields.id, "source_message_id"),
        "before": fields.maybe(partial(_change, fields), "before"),
        "after": _change(fields, "after"),
        "created_at": fields.time("created_at"),
        "undone_at": fields.maybe(fields.time, "undone_at"),
    }


def _change(fields: Fields, name: str) -> str:
    """Return the changed fields of a memory, before or after an event, as JSON text."""
    changed = fields.object(name)
    if unknown := changed.keys() - _MEMORY_FIELDS.keys():
        raise InvalidInput(f"A memory has no {min(unknown)[:40]!r}.", field=name)
    parsed = Fields(changed, limit=_MAX_MEMORY_BYTES)
    values = {field: _MEMORY_FIELDS[field](parsed, field) for field in changed}
    plain = {k: utc_text(v) if isinstance(v, datetime) else v for k, v in values.items()}
    return json.dumps(plain, ensure_ascii=False)


def tombstone_row(fields: Fields) -> dict[str, Any]:
    return {
        "id": fields.id("id"),
        "content_hash": fields.name("content_hash", limit=_HASH_CHARS),
        "source_message_id": fields.maybe(fields.id, "source_message_id"),
        "key_hash": fields.maybe(fields.name, "key_hash", limit=_HASH_CHARS),
        "created_at": fields.time("created_at"),
    }


def conversation_tombstone_row(fields: Fields) -> dict[str, Any]:
    return {"id": fields.id("id"), "created_at": fields.time("created_at")}


def call_row(fields: Fields) -> dict[str, Any]:
    return {
        "id": fields.id("id"),
        "conversation_id": fields.maybe(fields.id, "conversation_id"),
        "message_id": fields.maybe(fields.id, "message_id"),
        **fields.each(fields.name, "purpose", "model"),
        "variant": fields.maybe(fields.name, "variant"),
        **fields.each(fields.number, "tokens_in", "tokens_out"),
        "tokens_cached": fields.maybe(fields.number, "tokens_cached") or 0,
        "duration_ms": fields.number("duration_ms", maximum=_MAX_DURATION_MS),
        "error": fields.maybe(fields.text, "error"),
        "created_at": fields.time("created_at"),
    }
