"""What is found in a file to import: values that lack nothing but a place in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recollect.core.memory_types import Memory
from recollect.core.types import MessageIn

Columns = Mapping[str, Any]
"""A row, as it is stored."""
MOST_FAILURES = 100
"""Are told of; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of another application."""

    message: MessageIn
    stands: bool = True
    is_whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A conversation of another application. Its ids are derived from those it had there."""

    id: str
    source: str
    source_id: str
    title: str | None
    created_at: datetime
    updated_at: datetime
    is_archived: bool = False
    remember: bool = True
    messages: Sequence[Said]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A conversation as it is to be stored: rows with all their columns.

    `keeps_numbers` says that the numbers of its messages were given to them by us; else they only
    follow from their order.
    """

    conversation: Columns
    messages: Sequence[Columns]
    keeps_numbers: bool = False
    summaries: Sequence[Columns] = ()
    receipts: Sequence[Columns] = ()
    feedback: Sequence[Columns] = ()

    @property
    def id(self) -> str:
        return str(self.conversation["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A memory with its history, and the messages it stands on."""

    memory: Memory
    sources: Sequence[Columns]
    events: Sequence[Columns]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """Rows that hang on nothing: of deleted memories, and of what models were asked."""

    tombstones: Sequence[Columns] = ()
    calls: Sequence[Columns] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be imported, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What is stored in one transaction, or not at all; and where it stood, should it fail."""

    where: str
    content: Restored | Remembered | Loose


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    conversations: int = 0
    messages: int = 0
    summaries: int = 0
    receipts: int = 0
    feedback: int = 0
    memories: int = 0
    memory_events: int = 0
    tombstones: int = 0
    model_calls: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            **{name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Of one unit: how much is new, and how much was there."""

    imported: Counts = field(default_factory=Counts)
    skipped: Counts = field(default_factory=Counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import has done: how much is new, how much was there already, and what could not be
    imported. Of the failures, the first are told."""

    imported: Counts = field(default_factory=Counts)
    skipped: Counts = field(default_factory=Counts)
    failed: Sequence[Failure] = ()
    failures: int = 0

    def __add__(self, other: "Imported") -> "Imported":
        return Imported(
            imported=self.imported + other.imported,
            skipped=self.skipped + other.skipped,
            failed=[*self.failed, *other.failed][:MOST_FAILURES],
            failures=self.failures + other.failures,
        )
