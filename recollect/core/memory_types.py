"""Memories about a user, and the history of each.

A memory is one statement. If `attribute` is set, it is about a `subject`, and only one memory per
subject and attribute is current: a later one *supersedes* it, and it stays on record with
`valid_to`. Values that can be true at the same time, such as two likes, have different attributes.

`author` is who wrote the content: extraction never changes a user's own words. A memory is
`current` if it is neither superseded nor archived.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.core.types import Json, MemoryAction, MemoryAuthor, MemoryType, Stored

USER = "user"
"""The subject of memories about the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryIn:
    """A memory to be stored."""

    memory_type: MemoryType
    content: str
    category: str | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    is_pinned: bool = False
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilters:
    """Filters of a list of memories. Without `superseded`, only current ones are listed."""

    memory_type: MemoryType | None = None
    category: str | None = None
    pinned: bool | None = None
    archived: bool = False
    superseded: bool = False
    query: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(Stored):
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
    last_accessed_at: datetime | None = None
    access_count: int = 0
    is_pinned: bool = False
    is_archived: bool = False
    confidence: float
    valid_from: datetime
    valid_to: datetime | None = None
    confirmed_at: datetime
    """When it was last stated."""
    superseded_by: str | None = None

    @property
    def is_current(self) -> bool:
        return self.valid_to is None and not self.is_archived

    @property
    def key(self) -> tuple[str, str] | None:
        """Subject and attribute. Only one current memory has them."""
        if self.subject is None or self.attribute is None:
            return None
        return self.subject, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent(Stored):
    """A change of a memory. `before` and `after` hold the changed fields."""

    id: str
    memory_id: str
    action: MemoryAction
    actor: MemoryAuthor
    source_message_id: str | None
    before: Mapping[str, Json] | None
    after: Mapping[str, Json]
    created_at: datetime
    undone_at: datetime | None
