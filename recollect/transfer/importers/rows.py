"""Rows from the lines of our own export: one function for each kind of line."""

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any, get_args

from recollect.core import tokens
from recollect.core.errors import InvalidInput
from recollect.core.memory_types import Memory
from recollect.core.types import (
    Author,
    ExactValue,
    ExactValueKind,
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
from recollect.core.validation import check_external_id, check_size, check_title, metadata_text
from recollect.record.append import message_row
from recollect.transfer.importers.fields import Fields

_LONGEST_CATEGORY = 100
_LONGEST_SUBJECT = 1_000
_LARGEST_MEMORY = 8_000
_LARGEST_DURATION = 2**53
_HASH = 64


def _memory_text(given: Fields, name: str) -> str:
    text = given.text(name)
    if not text.strip():
        raise InvalidInput(f"{name} is empty.", field=name)
    check_size(text, name, limit=_LARGEST_MEMORY)
    return text


def _maybe_name(given: Fields, name: str, limit: int) -> str | None:
    return given.name(name, limit=limit) if name in given else None


_MEMORY: dict[str, Callable[[Fields, str], Any]] = {
    "memory_type": lambda given, name: given.one_of(name, get_args(MemoryType)),
    "category": lambda given, name: _maybe_name(given, name, _LONGEST_CATEGORY),
    "content": _memory_text,
    "subject": lambda given, name: _maybe_name(given, name, _LONGEST_SUBJECT),
    "attribute": lambda given, name: _maybe_name(given, name, _LONGEST_SUBJECT),
    "author": lambda given, name: given.one_of(name, get_args(MemoryAuthor)),
    "source_conversation_id": lambda given, name: given.maybe(given.id, name),
    "source_message_id": lambda given, name: given.maybe(given.id, name),
    "is_pinned": Fields.flag,
    "is_archived": Fields.flag,
    "confidence": Fields.share,
    "valid_from": Fields.moment,
    "valid_to": lambda given, name: given.maybe(given.moment, name),
    "confirmed_at": Fields.moment,
    "superseded_by": lambda given, name: given.maybe(given.id, name),
}
"""What a memory says, and what its history tells of it."""


def conversation_row(given: Fields, *, limit: int) -> dict[str, Any]:
    return {
        "id": given.id("id"),
        "kind": given.one_of("conversation_kind", ("chat", "history")),
        "title": check_title(given.maybe(given.text, "title")),
        "title_source": given.one_of("title_source", get_args(TitleSource)),
        "policy": given.name("policy"),
        "remember": given.flag("remember"),
        "topic": given.maybe(given.text, "topic"),
        "metadata": metadata_text(given.object("metadata"), limit=limit),
        "is_archived": given.flag("is_archived"),
        "forked_from": given.maybe(given.id, "forked_from"),
        "external_id": _external_id(given),
        "created_at": given.time("created_at"),
        "updated_at": given.time("updated_at"),
        "last_activity_at": given.time("last_activity_at"),
        "last_seq": given.number("last_seq"),
        "last_turn": given.number("last_turn"),
        "last_role": given.one_of("last_role", get_args(Role)) if "last_role" in given else None,
        "removals": given.number("removals"),
        "extracted_through_seq": given.number("extracted_through_seq"),
        "extracted_turn": given.number("extracted_turn"),
        "summary_version": given.number("summary_version"),
        "last_summary_version": given.number("last_summary_version"),
    }


def _external_id(given: Fields) -> str | None:
    """Exports of earlier releases have no such field."""
    key = given.maybe(given.text, "external_id") if "external_id" in given else None
    return None if key is None else check_external_id(key)


def message_columns(given: Fields, *, limit: int) -> dict[str, Any]:
    """What is still being written is nobody's to finish any more. Tokens are counted anew, since
    budgets rely on them."""
    status = given.one_of("status", get_args(Status))
    draft = MessageIn(
        id=given.id("id"),
        role=given.one_of("role", get_args(Role)),
        content=given.text("content"),
        thinking=given.raw("thinking"),
        tool_calls=given.raw("tool_calls"),
        suggested_values=given.raw("suggested_values"),
        suggested_actions=given.raw("suggested_actions"),
        custom_payload=given.raw("custom_payload"),
        model_variant=given.raw("model_variant"),
        metadata=given.object("metadata"),
        is_pinned=given.flag("is_pinned"),
        event_at=given.moment("event_at"),
    )
    row = message_row(draft, limit=limit, created_at=given.time("created_at"), may_be_empty=True)
    return {
        **row,
        "seq": given.number("seq", least=1),
        "turn": given.number("turn"),
        "status": "interrupted" if status == "streaming" else status,
        "superseded_at": given.maybe(given.time, "superseded_at"),
    }


def summary_row(given: Fields) -> dict[str, Any]:
    version = given.number("version", least=1)
    text = given.text("text")
    ledger = [asdict(_atom(one)) for one in given.objects("ledger")]
    return {
        "version": version,
        "base_version": given.number("base_version", most=version - 1),
        "text": text,
        "ledger": json.dumps(ledger, ensure_ascii=False),
        "kept": given.text("kept"),
        "through_seq": given.number("through_seq"),
        "author": given.one_of("author", get_args(Author)),
        "model": given.maybe(given.name, "model"),
        "prompt_version": given.maybe(given.name, "prompt_version"),
        "tokens": tokens.count(text),
        **{
            name: given.number(name)
            for name in ("tokens_in", "tokens_out", "facts_found", "facts_kept")
        },
        "duration_ms": given.number("duration_ms", most=_LARGEST_DURATION),
        "created_at": given.time("created_at"),
    }


def _atom(given: Fields) -> ExactValue:
    return ExactValue(
        kind=given.one_of("kind", get_args(ExactValueKind)),
        value=given.text("value"),
        seq=given.number("seq"),
        label=given.text("label"),
        weight=given.number("weight"),
    )


def feedback_row(given: Fields) -> dict[str, Any]:
    return {
        "message_id": given.id("message_id"),
        "rating": given.one_of("rating", get_args(Rating)),
        "note": given.maybe(given.text, "note"),
        "mode": given.one_of("mode", ("compressed", "full")) if "mode" in given else None,
        "created_at": given.time("created_at"),
    }


def receipt_row(given: Fields) -> dict[str, Any]:
    """That it is a receipt has been checked already."""
    receipt = Fields(given.object("receipt"), limit=0)
    return {
        "message_id": given.id("message_id"),
        "receipt": given.json("receipt"),
        "mode": receipt.raw("mode"),
        "tokens": receipt.number("tokens"),
        "full_history_tokens": receipt.number("full_history_tokens"),
        "created_at": given.time("created_at"),
    }


def memory_of(given: Fields, *, user_id: str) -> Memory:
    if "source_message_id" in given:
        given.id("source_conversation_id")
    return Memory(
        id=given.id("id"),
        user_id=user_id,
        access_count=given.number("access_count"),
        last_accessed_at=given.maybe(given.moment, "last_accessed_at"),
        created_at=given.moment("created_at"),
        updated_at=given.moment("updated_at"),
        **{name: read(given, name) for name, read in _MEMORY.items()},
    )


def source_row(given: Fields) -> dict[str, Any]:
    return {"message_id": given.id("message_id"), "created_at": given.time("created_at")}


def event_row(given: Fields) -> dict[str, Any]:
    return {
        "id": given.id("id"),
        "action": given.one_of("action", get_args(MemoryAction)),
        "actor": given.one_of("actor", get_args(MemoryAuthor)),
        "source_message_id": given.maybe(given.id, "source_message_id"),
        "before": _change(given, "before") if "before" in given else None,
        "after": _change(given, "after"),
        "created_at": given.time("created_at"),
        "undone_at": given.maybe(given.time, "undone_at"),
    }


def _change(given: Fields, name: str) -> str:
    """Of a history: some of a memory's fields, as text."""
    fields = Fields(given.object(name), limit=_LARGEST_MEMORY)
    if unknown := given.object(name).keys() - _MEMORY.keys():
        raise InvalidInput(f"A memory has no {min(unknown)[:40]!r}.", field=name)
    values = {field: _MEMORY[field](fields, field) for field in given.object(name)}
    plain = {k: utc_text(v) if isinstance(v, datetime) else v for k, v in values.items()}
    return json.dumps(plain, ensure_ascii=False)


def tombstone_row(given: Fields) -> dict[str, Any]:
    return {
        "id": given.id("id"),
        "content_hash": given.name("content_hash", limit=_HASH),
        "source_message_id": given.maybe(given.id, "source_message_id"),
        "key_hash": given.name("key_hash", limit=_HASH) if "key_hash" in given else None,
        "created_at": given.time("created_at"),
    }


def call_row(given: Fields) -> dict[str, Any]:
    return {
        "id": given.id("id"),
        "conversation_id": given.maybe(given.id, "conversation_id"),
        "message_id": given.maybe(given.id, "message_id"),
        "purpose": given.name("purpose"),
        "model": given.name("model"),
        "variant": given.maybe(given.name, "variant"),
        "tokens_in": given.number("tokens_in"),
        "tokens_out": given.number("tokens_out"),
        "duration_ms": given.number("duration_ms", most=_LARGEST_DURATION),
        "error": given.maybe(given.text, "error"),
        "created_at": given.time("created_at"),
    }
