"""The port of a move: tables of all users, with values in one form for both databases.

Unlike `Database`, which runs named queries for one user, an endpoint reads and writes whole tables.
Values have the form of SQLite: times as text of fixed width, booleans as 0 or 1, ids and JSON as
text, vectors as little-endian 4-byte floats. So a row is the same on both databases.

Statements are built from the table and column names of our own schema.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

CopiedValue = str | int | float | bytes | None
TableRow = tuple[CopiedValue, ...]


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    """Sorted by name, so that both databases have the same order."""
    key: tuple[str, ...]
    """The primary key, which is also the order of reading."""


class MoveEndpoint(ABC):
    """The source or the target of a move. Used by one thread."""

    dialect: str
    placeholder: str
    """Stands for a parameter in a statement."""
    address: str
    """The URL without a password. Identifies the database."""

    @abstractmethod
    def tables(self) -> Mapping[str, Table]:
        """Return all tables with rows, also tables that are not Recollect's."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """Read from one snapshot."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """Open a transaction. It is on disk when the context ends without an exception."""

    @abstractmethod
    def execute(self, statement: str, *params: CopiedValue) -> list[Any]:
        """Return the rows."""

    @abstractmethod
    def execute_many(self, statement: str, rows: Iterable[TableRow]) -> None: ...

    @abstractmethod
    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[CopiedValue] | None = None
    ) -> Generator[TableRow, None, None]:
        """Yield rows in the order of the key, from the first one or after the key `after`.

        Only a few rows are in memory at a time. Text is sorted as the database does it.
        """

    @abstractmethod
    def has_checkpoints(self) -> bool:
        """Whether there is a move into this database."""

    @abstractmethod
    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        """Raises Conflict if another move has created them."""

    @abstractmethod
    def drop_checkpoints(self) -> None: ...

    @abstractmethod
    def update_statistics(self) -> None:
        """Update the statistics of the query planner."""

    @abstractmethod
    def close(self) -> None: ...

    def versions(self) -> set[int]:
        """Return the versions of all applied migrations."""
        with self.reading():
            return {version for (version,) in self.execute("select version from migrations")}

    def count(self, table: str) -> int:
        ((number,),) = self.execute(f'select count(*) from "{table}"')  # noqa: S608
        return int(number)

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        """Raises Conflict for rows that exist, NotFound for rows whose foreign key does not."""
        self.execute_many(
            f'insert into "{table.name}" ({join_names(table.columns)})'  # noqa: S608
            f" values ({self._placeholders(table.columns)})",
            rows,
        )

    def clear(self, table: str) -> None:
        self.execute(f'delete from "{table}"')  # noqa: S608

    def read_checkpoints(self) -> dict[str, str] | None:
        """Return the checkpoints of a move into this database; None if there is no such move."""
        with self.reading():
            if not self.has_checkpoints():
                return None
            return dict(self.execute("select name, mark from move_marks"))

    def insert_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        values = self._placeholders(("name", "mark"))
        self.execute_many(f"insert into move_marks values ({values})", checkpoints.items())  # noqa: S608

    def update_checkpoint(self, name: str, old: str, new: str) -> bool:
        """Return False, and change nothing, if the checkpoint is not `old`."""
        statement = "update move_marks set mark = ? where name = ? and mark = ? returning name"
        return bool(self.execute(statement.replace("?", self.placeholder), new, name, old))

    def select(self, columns: str, relation: str, key: Sequence[str], *, is_continued: bool) -> str:
        """Return the statement that reads all rows, or those after a key."""
        names = join_names(key)
        where = f"where ({names}) > ({self._placeholders(key)})" if is_continued else ""
        return f"select {columns} from {relation} {where} order by {names}"  # noqa: S608

    def _placeholders(self, columns: Sequence[str]) -> str:
        return ", ".join([self.placeholder] * len(columns))


def join_names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def tables_of(catalogue: Iterable[tuple[str, str, int]]) -> dict[str, Table]:
    """Return tables, given each column and its position in the primary key, or else 0."""
    positions: dict[str, dict[str, int]] = {}
    for table, column, key_position in catalogue:
        positions.setdefault(table, {})[column] = key_position
    return {
        name: Table(
            name,
            tuple(sorted(columns)),
            tuple(sorted(filter(columns.get, columns), key=columns.__getitem__)),
        )
        for name, columns in positions.items()
    }
