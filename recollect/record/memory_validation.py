"""Validate what a user writes about memories."""

from collections.abc import Mapping
from typing import Any, get_args

from recollect.core.errors import InvalidInput
from recollect.core.memory_types import MemoryFilters, MemoryIn
from recollect.core.types import Json, MemoryType
from recollect.core.validation import (
    check_choice,
    check_flag,
    check_name,
    check_size,
    check_text,
    check_updates,
)

_TYPES: tuple[str, ...] = get_args(MemoryType)
_MAX_CONTENT_BYTES = 8_000
_MAX_CATEGORY_CHARS = 100
_MAX_QUERY_CHARS = 1_000
_UPDATABLE = frozenset(
    {"memory_type", "category", "content", "is_pinned", "is_archived", "confidence"}
)


def validate_new(memory: MemoryIn) -> dict[str, Any]:
    """Return the fields of a new memory as they are stored, except for its source."""
    if not isinstance(memory, MemoryIn):
        kind = type(memory).__name__
        raise InvalidInput(f"memory must be a MemoryIn, not {kind}.", field="memory")
    fields = ("memory_type", "content", "category", "is_pinned", "confidence")
    return validate_updates({field: getattr(memory, field) for field in fields})


def validate_updates(updates: Mapping[str, Json]) -> dict[str, Any]:
    """Return the updated fields as they are stored."""
    check_updates(updates, _UPDATABLE)
    values = dict(updates)
    if "memory_type" in values:
        check_choice(values["memory_type"], "memory_type", _TYPES)
    if "content" in values:
        values["content"] = _parse_content(values["content"])
    if values.get("category") is not None:
        check_name(values["category"], "category", limit=_MAX_CATEGORY_CHARS)
        values["category"] = values["category"].strip() or None
    if "confidence" in values:
        values["confidence"] = _parse_confidence(values["confidence"])
    for flag in values.keys() & {"is_pinned", "is_archived"}:
        check_flag(values[flag], flag)
    return values


def validate_filters(filters: MemoryFilters) -> None:
    if filters.memory_type is not None:
        check_choice(filters.memory_type, "memory_type", _TYPES)
    if filters.category is not None:
        check_name(filters.category, "category", limit=_MAX_CATEGORY_CHARS)
    if filters.query is not None:
        check_name(filters.query, "q", limit=_MAX_QUERY_CHARS)


def _parse_content(content: Json) -> str:
    check_text(content, "content")
    text: str = content.strip()
    if not text:
        raise InvalidInput("content is empty.", field="content")
    check_size(text, "content", limit=_MAX_CONTENT_BYTES)
    return text


def _parse_confidence(confidence: Json) -> float:
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if not is_number or not 0 <= confidence <= 1:
        message = f"confidence must be a number from 0 to 1 (got {confidence!r})."
        raise InvalidInput(message, field="confidence")
    return float(confidence)
