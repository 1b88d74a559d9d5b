"""SQLite as an endpoint of a move. Its values have the common form already.

Statements are built from the table and column names of our own schema.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from recollect.core.errors import Conflict
from recollect.store.sqlite import connect, map_error
from recollect.transfer.copy.endpoint import Table, TableRow, Value

_TABLES = """
select tables.name, columns.name, columns.pk
from pragma_table_list as tables, pragma_table_info(tables.name) as columns
where tables.schema = 'main' and tables.type = 'table' and tables.name not glob 'sqlite_*'
order by tables.name, columns.pk, columns.name
"""

# FTS5 stores no text here; its vocabulary table lists each term with its document.
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

_CHECKPOINTS_TABLE = (
    "create table move_marks (name text not null primary key, mark text not null) strict"
)


class SqliteEndpoint:
    dialect = "sqlite"

    def __init__(self, path: str) -> None:
        self._path = path
        self.address = f"sqlite:///{Path(path).resolve()}"
        with self._map_errors():
            self._connection = connect(path)

    def tables(self) -> dict[str, Table]:
        columns: dict[str, list[str]] = {}
        keys: dict[str, list[str]] = {}
        with self._map_errors():
            for table, column, key_position in self._execute(_TABLES):
                columns.setdefault(table, []).append(column)
                if key_position:
                    keys.setdefault(table, []).append(column)
        tables = {
            name: Table(name, tuple(sorted(names)), tuple(keys.get(name, ())))
            for name, names in columns.items()
        }
        return tables | {"documents": _documents(tables["documents"])}

    def versions(self) -> set[int]:
        with self._map_errors():
            return {version for (version,) in self._execute("select version from migrations")}

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._map_errors():
            self._execute("begin")
            try:
                self._execute("select 1 from migrations")  # the first read takes the snapshot
                yield
            finally:
                self._execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._map_errors():
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
        self, table: Table, columns: Sequence[str], *, after: Sequence[Value] | None = None
    ) -> Generator[TableRow, None, None]:
        relation, key = f'"{table.name}"', _names(table.key)
        if "terms" in columns:
            self._execute(_TERMS)
            relation = _WITH_TERMS
        where = f"where ({key}) > ({_placeholders(table.key)})" if after is not None else ""
        yield from self._connection.execute(
            f"select {_names(columns)} from {relation} {where} order by {key}",  # noqa: S608
            tuple(after or ()),
        )

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        relation = "indexed_documents" if table.name == "documents" else table.name
        self._connection.executemany(
            f'insert into "{relation}" ({_names(table.columns)})'  # noqa: S608
            f" values ({_placeholders(table.columns)})",
            rows,
        )

    def clear(self, table: str) -> None:
        self._execute(f'delete from "{table}"')  # noqa: S608

    def read_checkpoints(self) -> dict[str, str] | None:
        with self._map_errors():
            if not self._has_checkpoints():
                return None
            return dict(self._execute("select name, mark from move_marks"))

    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        if self._has_checkpoints():
            raise Conflict(f"Another move into {self.address} has just begun.")
        self._execute(_CHECKPOINTS_TABLE)
        self._connection.executemany("insert into move_marks values (?, ?)", checkpoints.items())

    def update_checkpoint(self, name: str, old: str, new: str) -> bool:
        changed = self._execute(
            "update move_marks set mark = ? where name = ? and mark = ? returning name",
            new,
            name,
            old,
        )
        return bool(changed)

    def drop_checkpoints(self) -> None:
        self._execute("drop table move_marks")

    def update_statistics(self) -> None:
        """SQLite's query plans need no statistics."""

    def close(self) -> None:
        self._connection.close()

    def _has_checkpoints(self) -> bool:
        return self._connection.table_exists("main", "move_marks")

    def _execute(self, statement: str, *params: Value) -> list[Any]:
        return self._connection.execute(statement, params).fetchall()

    @contextmanager
    def _map_errors(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise map_error(error, self._path) from error


def _documents(table: Table) -> Table:
    """Keyed by owner as on PostgreSQL: the number `doc` is internal to SQLite's index."""
    columns = sorted({*table.columns, "terms"} - {"doc"})
    return Table(table.name, tuple(columns), ("user_id", "kind", "owner_id"))


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _placeholders(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))
