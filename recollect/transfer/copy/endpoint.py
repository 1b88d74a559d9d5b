"""The port of a move: tables of all users, with values in one form for both databases.

Unlike `Database`, which runs named queries for one user, an endpoint reads and writes whole tables.
Values have the form of SQLite: times as text of fixed width, booleans as 0 or 1, ids and JSON as
text, vectors as little-endian 4-byte floats. So a row is the same on both databases.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

Value = str | int | float | bytes | None
TableRow = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    """Sorted by name, so that both databases have the same order."""
    key: tuple[str, ...]
    """The primary key, which is also the order of reading."""


class MoveEndpoint(Protocol):
    """The source or the target of a move. Used by one thread."""

    dialect: str
    address: str
    """The URL without a password. Identifies the database."""

    def tables(self) -> Mapping[str, Table]:
        """Return all tables with rows, also tables that are not Recollect's."""
        ...

    def versions(self) -> set[int]:
        """Return the versions of all applied migrations."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Read from one snapshot."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Open a transaction. It is on disk when the context ends without an exception."""
        ...

    def count(self, table: str) -> int: ...

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[Value] | None = None
    ) -> Generator[TableRow, None, None]:
        """Yield rows in the order of the key, from the first one or after the key `after`.

        Only a few rows are in memory at a time. Text is sorted as the database does it.
        """
        ...

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        """Raises Conflict for rows that exist, NotFound for rows whose foreign key does not."""
        ...

    def clear(self, table: str) -> None: ...

    def read_checkpoints(self) -> dict[str, str] | None:
        """Return the checkpoints of a move into this database; None if there is no such move."""
        ...

    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        """Raises Conflict if another move has created them."""
        ...

    def update_checkpoint(self, name: str, old: str, new: str) -> bool:
        """Return False, and change nothing, if the checkpoint is not `old`."""
        ...

    def drop_checkpoints(self) -> None: ...

    def update_statistics(self) -> None:
        """Update the statistics of the query planner."""
        ...

    def close(self) -> None: ...
