"""Values that pass between the importers, the functions that store them, and the service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recollect.core.memory_types import Memory
from recollect.core.types import MessageIn

Columns = Mapping[str, Any]
"""A row to be stored, by column."""

MAX_OBJECT_BYTES = 64 * 1024 * 1024
"""The largest conversation that can be imported: it has to fit in memory."""
_MAX_LISTED_FAILURES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    user_id: str
    default_policy: str
    """The policy of conversations that come from other applications."""
    max_message_bytes: int
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMessage:
    message: MessageIn
    is_active: bool = True
    """False on a branch that was replaced by a regenerated answer or an edited question."""
    is_complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignConversation:
    """A conversation of another application. Its `id` is derived from the `source_id` there."""

    id: str
    source: str
    source_id: str
    title: str | None
    created_at: datetime
    updated_at: datetime
    is_archived: bool = False
    remember: bool = True
    messages: Sequence[ForeignMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRows:
    """A conversation and the rows that belong to it, with all columns.

    `is_native`: the file is our own export, so `seq` and `turn` were assigned by Recollect.
    Otherwise they only follow from the order of the messages.
    """

    conversation: Columns
    messages: Sequence[Columns]
    is_native: bool = False
    summaries: Sequence[Columns] = ()
    receipts: Sequence[Columns] = ()
    feedback: Sequence[Columns] = ()

    @property
    def id(self) -> str:
        return str(self.conversation["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRows:
    """A memory, its source messages and its history."""

    memory: Memory
    sources: Sequence[Columns]
    events: Sequence[Columns]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandaloneRows:
    """Rows that belong to no conversation or memory."""

    tombstones: Sequence[Columns] = ()
    """Of memories."""
    conversation_tombstones: Sequence[Columns] = ()
    calls: Sequence[Columns] = ()

    def __len__(self) -> int:
        return len(self.tombstones) + len(self.conversation_tombstones) + len(self.calls)


@dataclass(frozen=True, slots=True)
class ImportFailure:
    """A part of the file that could not be imported."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportUnit:
    """Rows that are stored in one transaction, and where they are in the file."""

    where: str
    content: ConversationRows | MemoryRows | StandaloneRows


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
class Imported:
    """The result of an import: new rows, rows that existed already, and failures.

    `failed` lists the first failures, `failures` counts them all.
    """

    imported: Counts = field(default_factory=Counts)
    skipped: Counts = field(default_factory=Counts)
    failed: Sequence[ImportFailure] = ()
    failures: int = 0

    def __add__(self, other: "Imported") -> "Imported":
        return Imported(
            imported=self.imported + other.imported,
            skipped=self.skipped + other.skipped,
            failed=[*self.failed, *other.failed][:_MAX_LISTED_FAILURES],
            failures=self.failures + other.failures,
        )
