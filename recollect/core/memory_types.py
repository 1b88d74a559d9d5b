"""What is known about a user: memories, and the history of each.

A memory says one thing. Where `attribute` is set, it says it of a `subject`, and only one such
thing can hold at a time: a later one *supersedes* it, which leaves it on record with `valid_to`.
Whoever lives in two places, or likes two things, has two attributes.

`author` is whose words it has: a user's own are never changed by an extraction. What is `current`
still holds, and nobody has put it away.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from recollect.core.types import Json, MemoryAction, MemoryAuthor, MemoryType, Row

USER = "user"
"""The subject of what is said of the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryIn:
    """A memory as the caller gives it."""

    memory_type: MemoryType
    content: str
    category: str | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    is_pinned: bool = False
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilters:
    """Which memories are listed. Without `superseded`, those that still hold."""

    memory_type: MemoryType | None = None
    category: str | None = None
    pinned: bool | None = None
    archived: bool = False
    superseded: bool = False
    query: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    id: str
    user_id: str
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    author: MemoryAuthor
    source_conversation_id: str | None
    source_message_id: str | None
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None
    access_count: int
    is_pinned: bool
    is_archived: bool
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    confirmed_at: datetime
    """When it was last said."""
    superseded_by: str | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            user_id=row["user_id"],
            memory_type=row["memory_type"],
            category=row["category"],
            content=row["content"],
            subject=row["subject"],
            attribute=row["attribute"],
            author=row["author"],
            source_conversation_id=row["source_conversation_id"],
            source_message_id=row["source_message_id"],
            created_at=datetime.fromisoformat(row["created_at"]),
            updated_at=datetime.fromisoformat(row["updated_at"]),
            last_accessed_at=_moment(row["last_accessed_at"]),
            access_count=row["access_count"],
            is_pinned=bool(row["is_pinned"]),
            is_archived=bool(row["is_archived"]),
            confidence=row["confidence"],
            valid_from=datetime.fromisoformat(row["valid_from"]),
            valid_to=_moment(row["valid_to"]),
            confirmed_at=datetime.fromisoformat(row["confirmed_at"]),
            superseded_by=row["superseded_by"],
        )

    @property
    def is_current(self) -> bool:
        return self.valid_to is None and not self.is_archived

    @property
    def key(self) -> tuple[str, str] | None:
        """What only one current memory can be about."""
        if self.subject is None or self.attribute is None:
            return None
        return self.subject, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """A change of a memory. `before` and `after` are the fields that it changed."""

    id: str
    memory_id: str
    action: MemoryAction
    actor: MemoryAuthor
    source_message_id: str | None
    before: Mapping[str, Json] | None
    after: Mapping[str, Json]
    created_at: datetime
    undone_at: datetime | None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            memory_id=row["memory_id"],
            action=row["action"],
            actor=row["actor"],
            source_message_id=row["source_message_id"],
            before=None if row["before"] is None else json.loads(row["before"]),
            after=json.loads(row["after"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            undone_at=_moment(row["undone_at"]),
        )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
