"""What is found in a file to import: values that lack nothing but a place in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from recollect.memories import Memory
from recollect.model import MessageIn, Role
from recollect.store.database import Value
from recollect.turns import starts_turn

Columns = Mapping[str, Value]
"""A row, as it is stored."""


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

    `keeps_numbers` says that the messages have numbers of their own; else these follow from their
    order.
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


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a conversation's numbering goes on."""

    last_seq: int = 0
    last_turn: int = 0
    last_role: Role | None = None
    """Of the last message that stands."""


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


MOST_FAILURES = 100


def numbered(rows: Sequence[Columns], ends: Ends) -> tuple[list[dict[str, Value]], Ends]:
    """Rows with the numbers that come next. Turns count what stands: what was replaced belongs to
    the turn of what took its place."""
    seq, turn, role = ends.last_seq, ends.last_turn, ends.last_role
    numbers: list[dict[str, Value]] = []
    waiting = 0
    for row in rows:
        seq += 1
        if row["superseded_at"] is None:
            turn += starts_turn(row["role"], role)
            role = row["role"]
            for before in numbers[len(numbers) - waiting :]:
                before["turn"] = turn
            waiting = 0
        else:
            waiting += 1
        numbers.append({**row, "seq": seq, "turn": turn})
    return numbers, replace(ends, last_seq=seq, last_turn=turn, last_role=role)
