"""PostgreSQL as an end of a move: as `recollect_system`, who may see and write all rows."""

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
from recollect.store.postgres import checked_address, configure, errors_mapped
from recollect.transfer.copy.port import Plain, Row, Table
from recollect.transfer.copy.tables import MOVED

_FETCHED_AT_ONCE = 200
_MOST_POSITIONS = 255

_TABLES = """
select c.relname, a.attname, t.typname, array_position(cast(i.indkey as smallint[]), a.attnum)
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace and n.nspname = current_schema()
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type as t on t.oid = a.atttypid
left join pg_index as i on i.indrelid = c.oid and i.indisprimary
where c.relkind in ('r', 'p')
"""

_READ = {
    "bool": "cast({} as integer)",
    "timestamptz": """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
    "vector": "vector_send({})",
    "tsvector": "(select coalesce(string_agg(rtrim(repeat(lexeme || ' ', cardinality(positions))),"
    " ' '), '') from unnest({}))",
}
"""What makes a value one that SQLite would give."""

_MARKS = """
create table move_marks (name text not null primary key, mark text not null);
grant select, insert, update on move_marks to recollect_system
"""


class PostgresEnd:
    dialect = "postgres"

    def __init__(self, url: str) -> None:
        with errors_mapped():
            self._connection = psycopg.connect(checked_address(url))
            configure(self._connection)
            self._connection.execute("set role recollect_system")
            self._connection.commit()
        info = self._connection.info
        self.address = f"postgresql://{info.host}:{info.port}/{info.dbname}"
        self._tables, self._types = self._catalogue()

    def tables(self) -> dict[str, Table]:
        return self._tables

    def versions(self) -> set[int]:
        with self.reading():
            found = self._connection.execute("select version from migrations").fetchall()
            return {version for (version,) in found}

    @contextmanager
    def reading(self) -> Iterator[None]:
        with errors_mapped():
            self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            try:
                yield
            finally:
                self._connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with errors_mapped():
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
        self, table: Table, columns: Sequence[str], *, after: Sequence[Plain] | None = None
    ) -> Generator[Row, None, None]:
        types = self._types[table.name]
        key = _names(table.key)
        statement = sql.SQL("select {} from {} {} order by {}").format(
            sql.SQL(", ").join(_expression(column, types[column]) for column in columns),
            sql.Identifier(table.name),
            sql.SQL("where ({}) > ({})").format(key, _places(table.key))
            if after is not None
            else sql.SQL(""),
            key,
        )
        vectors = [place for place, column in enumerate(columns) if types[column] == "vector"]
        with self._connection.cursor(name="moving") as cursor:
            cursor.itersize = _FETCHED_AT_ONCE
            cursor.execute(statement, after)
            for row in cursor:
                yield _with(row, vectors, _floats) if vectors else row

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        types = self._types[table.name]
        changes = [
            (place, _WRITTEN[types[column]])
            for place, column in enumerate(table.columns)
            if types[column] in _WRITTEN
        ]
        for place, written in changes:
            rows = [_with(row, [place], written) for row in rows]
        statement = sql.SQL("insert into {} ({}) values ({})").format(
            sql.Identifier(table.name), _names(table.columns), _places(table.columns)
        )
        with self._connection.cursor() as cursor:
            cursor.executemany(statement, rows)

    def clear(self, table: str) -> None:
        self._connection.execute(sql.SQL("delete from {}").format(sql.Identifier(table)))

    def marks(self) -> dict[str, str] | None:
        with self.reading():
            if self._one("select to_regclass('move_marks')") == (None,):
                return None
            return dict(self._connection.execute("select name, mark from move_marks").fetchall())

    def make_marks(self, marks: Mapping[str, str]) -> None:
        self._connection.execute("set local role none")
        try:
            self._connection.execute(_MARKS)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                f"{self._connection.info.user} may not create tables in {self.address}, and a move "
                "needs one until it ends: make it the owner, or move as somebody who is."
            ) from error
        except (pg.DuplicateTable, pg.UniqueViolation) as error:
            raise Conflict(f"Another move into {self.address} has just begun.") from error
        self._connection.execute("set local role recollect_system")
        with self._connection.cursor() as cursor:
            cursor.executemany("insert into move_marks values (%s, %s)", list(marks.items()))

    def set_mark(self, name: str, old: str, new: str) -> bool:
        changed = self._connection.execute(
            "update move_marks set mark = %s where name = %s and mark = %s", (new, name, old)
        )
        return changed.rowcount == 1

    def drop_marks(self) -> None:
        self._connection.execute("set local role none")
        self._connection.execute("drop table move_marks")
        self._connection.execute("set local role recollect_system")

    def settle(self) -> None:
        """Else the first searches are planned for tables that are empty."""
        self._connection.execute("set local role none")
        self._connection.execute(sql.SQL("analyze {}").format(_names(MOVED)))
        self._connection.execute("set local role recollect_system")

    def close(self) -> None:
        self._connection.close()

    def _catalogue(self) -> tuple[dict[str, Table], dict[str, dict[str, str]]]:
        """The tables, and the types of their columns."""
        types: dict[str, dict[str, str]] = {}
        keys: dict[str, dict[int, str]] = {}
        with self.reading():
            for table, column, kind, place in self._connection.execute(_TABLES):
                types.setdefault(table, {})[column] = kind
                if place is not None:
                    keys.setdefault(table, {})[place] = column
        tables = {}
        for name, columns in types.items():
            key = tuple(column for _, column in sorted(keys.get(name, {}).items()))
            tables[name] = Table(name, tuple(sorted(columns)), key)
        return tables, types

    def _one(self, statement: sql.Composed | str) -> tuple[Any, ...]:
        return self._connection.execute(statement).fetchone() or ()


def _expression(column: str, kind: str) -> sql.Composable:
    return sql.SQL(_READ.get(kind, "{}")).format(sql.Identifier(column))


def _names(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _places(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join([sql.Placeholder()] * len(columns))


def _with(row: Row, places: Sequence[int], form: Callable[[Any], Any]) -> Row:
    changed = [*row]
    for place in places:
        changed[place] = form(changed[place]) if changed[place] is not None else None
    return tuple(changed)


def _floats(sent: bytes) -> bytes:
    """Two bytes of length, two of nothing, and then the numbers, the other way round."""
    numbers = array("f", sent[4:])
    numbers.byteswap()
    return numbers.tobytes()


def _vector(floats: bytes) -> str:
    """Nine digits name every float of four bytes."""
    numbers = array("f", floats)
    if byteorder == "big":
        numbers.byteswap()
    return "[" + ",".join([f"{number:.9g}" for number in numbers]) + "]"


def _tsvector(terms: str) -> str:
    """A word's positions stand for how often it occurs."""
    quoted = terms.replace("\\", "\\\\").replace("'", "''")
    counted = Counter(filter(None, quoted.split(" ")))
    return " ".join([f"'{term}':{_positions(count)}" for term, count in counted.items()])


@lru_cache(maxsize=_MOST_POSITIONS)
def _positions(count: int) -> str:
    return ",".join(map(str, range(1, min(count, _MOST_POSITIONS) + 1)))


_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "vector": _vector,
    "tsvector": _tsvector,
}
"""What PostgreSQL does not make of the common form by itself."""
