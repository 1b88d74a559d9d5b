"""SQLite as an end of a move. Its form of the values is the common one.

Statements are put together here, from names that the catalogue of our own schema gives.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from recollect.core.errors import Conflict
from recollect.store.sqlite import connect, translated
from recollect.transfer.copy.port import Plain, Row, Table

_TABLES = """
select tables.name, columns.name, columns.pk
from pragma_table_list as tables, pragma_table_info(tables.name) as columns
where tables.schema = 'main' and tables.type = 'table' and tables.name not glob 'sqlite_*'
order by tables.name, columns.pk, columns.name
"""

# The index forgets which text a word came from; its list of words knows, and goes by word.
_TERMS = """
drop table if exists temp.moved_terms;
create temp table moved_terms (doc integer not null primary key, terms text not null) strict;
insert into moved_terms
select doc, group_concat(term, ' ') from document_vocabulary group by doc
"""
_WITH_TERMS = """
(
    select documents.*, coalesce(moved_terms.terms, '') as terms
    from documents left join moved_terms using (doc)
)
"""

_MARKS = "create table move_marks (name text not null primary key, mark text not null) strict"


class SqliteEnd:
    dialect = "sqlite"

    def __init__(self, path: str) -> None:
        self._path = path
        self.address = f"sqlite:///{Path(path).resolve()}"
        with self._errors_mapped():
            self._connection = connect(path)

    def tables(self) -> dict[str, Table]:
        columns: dict[str, list[str]] = {}
        keys: dict[str, list[str]] = {}
        with self._errors_mapped():
            for table, column, place in self._execute(_TABLES):
                columns.setdefault(table, []).append(column)
                if place:
                    keys.setdefault(table, []).append(column)
        found = {
            name: Table(name, tuple(sorted(names)), tuple(keys.get(name, ())))
            for name, names in columns.items()
        }
        return found | {"documents": _documents(found["documents"])}

    def versions(self) -> set[int]:
        with self._errors_mapped():
            return {version for (version,) in self._execute("select version from migrations")}

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._errors_mapped():
            self._execute("begin")
            try:
                self._execute("select 1 from migrations")  # the moment is that of the first look
                yield
            finally:
                self._execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._errors_mapped():
            self._execute("begin immediate")
            try:
                yield
                self._execute("commit")
            finally:
                if self._connection.in_transaction:
                    self._execute("rollback")

    def count(self, table: str) -> int:
        ((number,),) = self._execute(f'select count(*) from "{table}"')  # noqa: S608
        return int(number)

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[Plain] | None = None
    ) -> Generator[Row, None, None]:
        relation, key = f'"{table.name}"', _names(table.key)
        if "terms" in columns:
            self._execute(_TERMS)
            relation = _WITH_TERMS
        behind = f"where ({key}) > ({_places(table.key)})" if after is not None else ""
        yield from self._connection.execute(
            f"select {_names(columns)} from {relation} {behind} order by {key}",  # noqa: S608
            tuple(after or ()),
        )

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        relation = "indexed_documents" if table.name == "documents" else table.name
        self._connection.executemany(
            f'insert into "{relation}" ({_names(table.columns)})'  # noqa: S608
            f" values ({_places(table.columns)})",
            rows,
        )

    def clear(self, table: str) -> None:
        self._execute(f'delete from "{table}"')  # noqa: S608

    def marks(self) -> dict[str, str] | None:
        with self._errors_mapped():
            if not self._has_marks():
                return None
            return dict(self._execute("select name, mark from move_marks"))

    def make_marks(self, marks: Mapping[str, str]) -> None:
        if self._has_marks():
            raise Conflict(f"Another move into {self.address} has just begun.")
        self._execute(_MARKS)
        self._connection.executemany("insert into move_marks values (?, ?)", marks.items())

    def set_mark(self, name: str, old: str, new: str) -> bool:
        changed = self._execute(
            "update move_marks set mark = ? where name = ? and mark = ? returning name",
            new,
            name,
            old,
        )
        return bool(changed)

    def drop_marks(self) -> None:
        self._execute("drop table move_marks")

    def settle(self) -> None:
        """Nothing to do: its plans need no statistics."""

    def close(self) -> None:
        self._connection.close()

    def _has_marks(self) -> bool:
        return self._connection.table_exists("main", "move_marks")

    def _execute(self, statement: str, *params: Plain) -> list[Any]:
        return self._connection.execute(statement, params).fetchall()

    @contextmanager
    def _errors_mapped(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise translated(error, self._path) from error


def _documents(table: Table) -> Table:
    """By their owners, as elsewhere: the numbers that the index knows them by stay at home."""
    columns = sorted({*table.columns, "terms"} - {"doc"})
    return Table(table.name, tuple(columns), ("user_id", "kind", "owner_id"))


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _places(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))
