"""PostgreSQL as an endpoint of a move, as the role `recollect_system`, which sees all rows."""

from array import array
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from sys import byteorder
from typing import Any

import psycopg
from psycopg import IsolationLevel
from psycopg import errors as pg

from recollect.core.errors import Conflict, Misconfigured
from recollect.store.postgres import configure_session, connection_string, map_errors
from recollect.transfer.copy.endpoint import (
    CopiedValue,
    MoveEndpoint,
    Table,
    TableRow,
    join_names,
    tables_of,
)
from recollect.transfer.copy.tables import COPIED_TABLES

_FETCH_ROWS = 200
_MAX_POSITIONS = 255

_TABLES = """
select
    c.relname, a.attname, t.typname,
    coalesce(array_position(cast(i.indkey as smallint[]), a.attnum) + 1, 0)
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace and n.nspname = current_schema()
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type as t on t.oid = a.atttypid
left join pg_index as i on i.indrelid = c.oid and i.indisprimary
where c.relkind in ('r', 'p')
"""

_READ_EXPRESSIONS = {
    "bool": "cast({} as integer)",
    "timestamptz": """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
    "vector": "vector_send({})",
    "tsvector": "(select coalesce(string_agg(rtrim(repeat(lexeme || ' ', cardinality(positions))),"
    " ' '), '') from unnest({}))",
}
"""SQL that converts a column of a type to the common form."""

_CHECKPOINTS_TABLE = """
create table move_marks (name text not null primary key, mark text not null);
grant select, insert, update on move_marks to recollect_system
"""


class PostgresEndpoint(MoveEndpoint):
    dialect = "postgres"
    placeholder = "%s"

    def __init__(self, url: str) -> None:
        with map_errors():
            self._connection = psycopg.connect(connection_string(url))
            configure_session(self._connection)
            self._connection.execute("set role recollect_system")
            self._connection.commit()
        info = self._connection.info
        self.address = f"postgresql://{info.host}:{info.port}/{info.dbname}"
        with self.reading():
            catalogue = self.execute(_TABLES)
        self._tables = tables_of((table, column, key) for table, column, _, key in catalogue)
        self._types = {(table, column): type for table, column, type, _ in catalogue}

    def tables(self) -> dict[str, Table]:
        return self._tables

    @contextmanager
    def reading(self) -> Iterator[None]:
        with map_errors():
            self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            try:
                yield
            finally:
                self._connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with map_errors():
            self._connection.isolation_level = IsolationLevel.READ_COMMITTED
            self._connection.read_only = False
            try:
                yield
                self._connection.commit()
            finally:
                self._connection.rollback()

    def execute(self, statement: str, *params: CopiedValue) -> list[Any]:
        cursor = self._connection.execute(statement, params)
        return cursor.fetchall() if cursor.description else []

    def execute_many(self, statement: str, rows: Iterable[TableRow]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, rows)

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[CopiedValue] | None = None
    ) -> Generator[TableRow, None, None]:
        types = [self._types[table.name, column] for column in columns]
        expressions = [
            _READ_EXPRESSIONS.get(type, "{}").format(f'"{column}"')
            for column, type in zip(columns, types, strict=True)
        ]
        statement = self.select(
            ", ".join(expressions), f'"{table.name}"', table.key, is_continued=after is not None
        )
        vectors = [index for index, type in enumerate(types) if type == "vector"]
        with self._connection.cursor(name="moving") as cursor:
            cursor.itersize = _FETCH_ROWS
            cursor.execute(statement, after)
            for row in cursor:
                yield _convert(row, vectors, _floats) if vectors else row

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        for index, column in enumerate(table.columns):
            if convert := _WRITE_CONVERSIONS.get(self._types[table.name, column]):
                rows = [_convert(row, [index], convert) for row in rows]
        super().insert(table, rows)

    def has_checkpoints(self) -> bool:
        return self.execute("select to_regclass('move_marks')") != [(None,)]

    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        self.execute("set local role none")
        try:
            self.execute(_CHECKPOINTS_TABLE)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                f"{self._connection.info.user} may not create tables in {self.address}, and a move "
                "needs one until it ends: make it the owner, or move as the owner."
            ) from error
        except (pg.DuplicateTable, pg.UniqueViolation) as error:
            raise Conflict(f"Another move into {self.address} has just begun.") from error
        self.execute("set local role recollect_system")
        self.insert_checkpoints(checkpoints)

    def drop_checkpoints(self) -> None:
        self.execute("set local role none")
        self.execute("drop table move_marks")
        self.execute("set local role recollect_system")

    def update_statistics(self) -> None:
        """Without statistics the first searches are planned for empty tables."""
        self.execute("set local role none")
        self.execute(f"analyze {join_names(COPIED_TABLES)}")
        self.execute("set local role recollect_system")

    def close(self) -> None:
        self._connection.close()


def _convert(row: TableRow, indexes: Sequence[int], convert: Callable[[Any], Any]) -> TableRow:
    values = [*row]
    for index in indexes:
        values[index] = convert(values[index]) if values[index] is not None else None
    return tuple(values)


def _floats(sent: bytes) -> bytes:
    """Decode `vector_send`: two bytes of length, two unused, then big-endian floats."""
    numbers = array("f", sent[4:])
    numbers.byteswap()
    return numbers.tobytes()


def _vector(floats: bytes) -> str:
    """Nine digits represent every 4-byte float exactly."""
    numbers = array("f", floats)
    if byteorder == "big":
        numbers.byteswap()
    return "[" + ",".join([f"{number:.9g}" for number in numbers]) + "]"


def _tsvector(terms: str) -> str:
    """The number of a term's positions is its frequency."""
    quoted = terms.replace("\\", "\\\\").replace("'", "''")
    counted = Counter(filter(None, quoted.split(" ")))
    return " ".join([f"'{term}':{_positions(count)}" for term, count in counted.items()])


@lru_cache(maxsize=_MAX_POSITIONS)
def _positions(count: int) -> str:
    return ",".join(map(str, range(1, min(count, _MAX_POSITIONS) + 1)))


_WRITE_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "vector": _vector,
    "tsvector": _tsvector,
}
"""Conversions from the common form that PostgreSQL does not do itself, by column type."""
