"""PostgreSQL as an endpoint of a move, as the role `recollect_system`, which sees all rows."""

from array import array
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from sys import byteorder
from typing import Any

import psycopg
from psycopg import IsolationLevel, sql
from psycopg import errors as pg

from recollect.core.errors import Conflict, Misconfigured
from recollect.store.postgres import configure_session, connection_string, map_errors
from recollect.transfer.copy.endpoint import Table, TableRow, Value
from recollect.transfer.copy.tables import COPIED_TABLES

_FETCH_ROWS = 200
_MAX_POSITIONS = 255

_TABLES = """
select c.relname, a.attname, t.typname, array_position(cast(i.indkey as smallint[]), a.attnum)
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


class PostgresEndpoint:
    dialect = "postgres"

    def __init__(self, url: str) -> None:
        with map_errors():
            self._connection = psycopg.connect(connection_string(url))
            configure_session(self._connection)
            self._connection.execute("set role recollect_system")
            self._connection.commit()
        info = self._connection.info
        self.address = f"postgresql://{info.host}:{info.port}/{info.dbname}"
        self._tables, self._types = self._read_catalogue()

    def tables(self) -> dict[str, Table]:
        return self._tables

    def versions(self) -> set[int]:
        with self.reading():
            rows = self._connection.execute("select version from migrations").fetchall()
            return {version for (version,) in rows}

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

    def count(self, table: str) -> int:
        (number,) = self._one(sql.SQL("select count(*) from {}").format(sql.Identifier(table)))
        return int(number)

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[Value] | None = None
    ) -> Generator[TableRow, None, None]:
        types = self._types[table.name]
        key = _names(table.key)
        statement = sql.SQL("select {} from {} {} order by {}").format(
            sql.SQL(", ").join(_expression(column, types[column]) for column in columns),
            sql.Identifier(table.name),
            sql.SQL("where ({}) > ({})").format(key, _placeholders(table.key))
            if after is not None
            else sql.SQL(""),
            key,
        )
        vectors = [i for i, column in enumerate(columns) if types[column] == "vector"]
        with self._connection.cursor(name="moving") as cursor:
            cursor.itersize = _FETCH_ROWS
            cursor.execute(statement, after)
            for row in cursor:
                yield _convert(row, vectors, _floats) if vectors else row

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        types = self._types[table.name]
        for index, column in enumerate(table.columns):
            if convert := _WRITE_CONVERSIONS.get(types[column]):
                rows = [_convert(row, [index], convert) for row in rows]
        statement = sql.SQL("insert into {} ({}) values ({})").format(
            sql.Identifier(table.name), _names(table.columns), _placeholders(table.columns)
        )
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, rows)

    def clear(self, table: str) -> None:
        self._connection.execute(sql.SQL("delete from {}").format(sql.Identifier(table)))

    def read_checkpoints(self) -> dict[str, str] | None:
        with self.reading():
            if self._one("select to_regclass('move_marks')") == (None,):
                return None
            return dict(self._connection.execute("select name, mark from move_marks").fetchall())

    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        self._connection.execute("set local role none")
        try:
            self._connection.execute(_CHECKPOINTS_TABLE)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                f"{self._connection.info.user} may not create tables in {self.address}, and a move "
                "needs one until it ends: make it the owner, or move as somebody who is."
            ) from error
        except (pg.DuplicateTable, pg.UniqueViolation) as error:
            raise Conflict(f"Another move into {self.address} has just begun.") from error
        self._connection.execute("set local role recollect_system")
        with self._connection.cursor() as cursor:
            cursor.executemany("insert into move_marks values (%s, %s)", list(checkpoints.items()))

    def update_checkpoint(self, name: str, old: str, new: str) -> bool:
        changed = self._connection.execute(
            "update move_marks set mark = %s where name = %s and mark = %s", (new, name, old)
        )
        return changed.rowcount == 1

    def drop_checkpoints(self) -> None:
        self._connection.execute("set local role none")
        self._connection.execute("drop table move_marks")
        self._connection.execute("set local role recollect_system")

    def update_statistics(self) -> None:
        """Without statistics the first searches are planned for empty tables."""
        self._connection.execute("set local role none")
        self._connection.execute(sql.SQL("analyze {}").format(_names(COPIED_TABLES)))
        self._connection.execute("set local role recollect_system")

    def close(self) -> None:
        self._connection.close()

    def _read_catalogue(self) -> tuple[dict[str, Table], dict[str, dict[str, str]]]:
        """Return the tables, and the types of their columns."""
        types: dict[str, dict[str, str]] = {}
        keys: dict[str, dict[int, str]] = {}
        with self.reading():
            for table, column, type, key_position in self._connection.execute(_TABLES):
                types.setdefault(table, {})[column] = type
                if key_position is not None:
                    keys.setdefault(table, {})[key_position] = column
        tables = {}
        for name, columns in types.items():
            key = tuple(column for _, column in sorted(keys.get(name, {}).items()))
            tables[name] = Table(name, tuple(sorted(columns)), key)
        return tables, types

    def _one(self, statement: sql.Composed | str) -> tuple[Any, ...]:
        return self._connection.execute(statement).fetchone() or ()


def _expression(column: str, type: str) -> sql.Composable:
    return sql.SQL(_READ_EXPRESSIONS.get(type, "{}")).format(sql.Identifier(column))


def _names(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _placeholders(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join([sql.Placeholder()] * len(columns))


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
