"""Direct access to the tables, without the engine and row-level security."""

from collections.abc import Sequence
from typing import Any

import apsw
import psycopg
import sqlite_vec

from recollect.store.queries import percent_parameters
from recollect.store.url import parse_database_url


class RawDatabase:
    def __init__(self, url: str) -> None:
        self.dialect, self._address = parse_database_url(url)

    def execute(self, statement: str, **params: Any) -> list[tuple[Any, ...]]:
        """Run one statement with `:name` parameters as the owner of the tables."""
        (rows,) = self.execute_all([statement], **params)
        return rows

    def execute_all(self, statements: Sequence[str], **params: Any) -> list[list[tuple[Any, ...]]]:
        """Run several statements on one connection."""
        if self.dialect == "sqlite":
            connection = apsw.Connection(self._address)
            connection.set_busy_timeout(10_000)
            connection.enable_load_extension(True)
            connection.load_extension(sqlite_vec.loadable_path())
            try:
                return [
                    [tuple(row) for row in connection.execute(statement, params)]
                    for statement in statements
                ]
            finally:
                connection.close()
        with psycopg.connect(self._address) as session:
            cursors = (
                session.execute(percent_parameters(statement), params) for statement in statements
            )
            return [cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def insert(self, table: str, **columns: Any) -> None:
        names = ", ".join(columns)
        values = ", ".join(f":{name}" for name in columns)
        self.execute(f"insert into {table} ({names}) values ({values})", **columns)

    def count(self, table: str) -> int:
        ((number,),) = self.execute(f"select count(*) from {table}")
        return int(number)
