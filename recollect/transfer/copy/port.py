"""The port that a move needs: whole tables, of all users, in one form for both databases.

It stands beside `Database`, which knows named queries of one user at a time, and serves nobody but
a move. Values are in the form that SQLite keeps them in: times as text of fixed width, truth values
as 0 or 1, ids and JSON as text, vectors as little-endian floats of four bytes each. So a row is the
same wherever it is read.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

Plain = str | int | float | bytes | None
Row = tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """What a database's own catalogue says of a table."""

    name: str
    columns: tuple[str, ...]
    """In the order of their names, which is the same on both databases."""
    key: tuple[str, ...]
    """What tells its rows apart, and what they are read in the order of."""


class End(Protocol):
    """A database that is moved from or to. One thread uses it."""

    dialect: str
    address: str
    """Where it is, without a password: tells one database from another."""

    def tables(self) -> Mapping[str, Table]:
        """All tables that hold rows, whoever made them."""
        ...

    def versions(self) -> set[int]:
        """Of the migrations that were applied, by whichever release."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Whatever is read inside is of one moment, however long it takes."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """A transaction. When it ends without an exception, what was written is on disk."""
        ...

    def count(self, table: str) -> int: ...

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[Plain] | None = None
    ) -> Generator[Row, None, None]:
        """In the order of the key, from the first or from behind `after`, a few in memory at a
        time. The order of texts is the database's own."""
        ...

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Raises Conflict or NotFound for rows that are there, or hang on some that are not."""
        ...

    def clear(self, table: str) -> None: ...

    def marks(self) -> dict[str, str] | None:
        """How far a move into this database has come; None if none is under way."""
        ...

    def make_marks(self, marks: Mapping[str, str]) -> None:
        """Raises Conflict if somebody else has made them meanwhile."""
        ...

    def set_mark(self, name: str, old: str, new: str) -> bool:
        """Whether it was `old` until now."""
        ...

    def drop_marks(self) -> None: ...

    def settle(self) -> None:
        """Takes note of what has become of the tables, for whoever plans queries."""
        ...

    def close(self) -> None: ...
