"""SQLite as an endpoint of a move. Its values have the common form already."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from recollect.core.errors import Conflict
from recollect.store.sqlite import connect, map_error
from recollect.transfer.copy.endpoint import (
    CopiedValue,
    MoveEndpoint,
    Table,
    TableRow,
    join_names,
    tables_of,
)

_TABLES = """
select tables.name, columns.name, columns.pk
from pragma_table_list as tables, pragma_table_info(tables.name) as columns
where tables.schema = 'main' and tables.type = 'table' and tables.name not glob 'sqlite_*'
"""

_WITH_TERMS = """
(
    select documents.*, coalesce(document_terms.terms, '') as terms
    from documents left join document_terms on document_terms.rowid = documents.doc
)
"""

_CHECKPOINTS_TABLE = (
    "create table move_marks (name text not null primary key, mark text not null) strict"
)


class SqliteEndpoint(MoveEndpoint):
    dialect = "sqlite"
    placeholder = "?"

    def __init__(self, path: str) -> None:
        self._path = path
        self.address = f"sqlite:///{Path(path).resolve()}"
        with self._map_errors():
            self._connection = connect(path)

    def tables(self) -> dict[str, Table]:
        """Documents are keyed by owner as on PostgreSQL: `doc` is internal to SQLite's index."""
        with self._map_errors():
            tables = tables_of(self.execute(_TABLES))
        columns = sorted({*tables["documents"].columns, "terms"} - {"doc"})
        documents = Table("documents", tuple(columns), ("user_id", "kind", "owner_id"))
        return tables | {"documents": documents}

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._map_errors():
            self.execute("begin")
            try:
                self.execute("select 1 from migrations")  # the first read takes the snapshot
                yield
            finally:
                self.execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._map_errors():
            self.execute("begin immediate")
            try:
                yield
                self.execute("commit")
            finally:
                if self._connection.in_transaction:
                    self.execute("rollback")

    def execute(self, statement: str, *params: CopiedValue) -> list[Any]:
        return self._connection.execute(statement, params).fetchall()

    def execute_many(self, statement: str, rows: Iterable[TableRow]) -> None:
        self._connection.executemany(statement, rows)

    def rows(
        self, table: Table, columns: Sequence[str], *, after: Sequence[CopiedValue] | None = None
    ) -> Generator[TableRow, None, None]:
        relation = f'"{table.name}"'
        if "terms" in columns:
            relation = _WITH_TERMS
        statement = self.select(
            join_names(columns), relation, table.key, is_continued=after is not None
        )
        yield from self._connection.execute(statement, tuple(after or ()))

    def insert(self, table: Table, rows: Sequence[TableRow]) -> None:
        if table.name == "documents":
            table = replace(table, name="indexed_documents")
        super().insert(table, rows)

    def has_checkpoints(self) -> bool:
        return self._connection.table_exists("main", "move_marks")

    def create_checkpoints(self, checkpoints: Mapping[str, str]) -> None:
        if self.has_checkpoints():
            raise Conflict(f"Another move into {self.address} has just begun.")
        self.execute(_CHECKPOINTS_TABLE)
        self.insert_checkpoints(checkpoints)

    def drop_checkpoints(self) -> None:
        self.execute("drop table move_marks")

    def update_statistics(self) -> None:
        """SQLite's query plans need no statistics."""

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _map_errors(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise map_error(error, self._path) from error
