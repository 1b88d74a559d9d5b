"""A read-only database with a cache of query results, to compare weights quickly."""

import json
from collections.abc import Callable
from typing import TypeVar

from recollect.core.types import Row
from recollect.store.database import Database, Run, SqlValue

T = TypeVar("T")
_Key = tuple[str, str, tuple[tuple[str, SqlValue], ...]]


class _Unread(Exception):
    """Cannot be answered from the cache."""


class Replay:
    """The methods of Database that a search uses."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rows: dict[_Key, list[Row]] = {}
        self._texts: dict[str, Row] = {}

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        def recall(query: str, /, **params: SqlValue) -> list[Row]:
            try:
                if query == "list_message_texts":  # in ever new combinations
                    return [self._texts[id] for id in json.loads(str(params["ids"]))]
                return self._rows[_key(user_id, query, params)]
            except KeyError:
                raise _Unread from None

        def read(run: Run) -> T:
            def read_once(query: str, /, **params: SqlValue) -> list[Row]:
                rows = run(query, **params)
                if query == "list_message_texts":
                    self._texts |= {row["id"]: row for row in rows}
                else:
                    self._rows[_key(user_id, query, params)] = rows
                return rows

            return fn(read_once)

        try:
            return fn(recall)
        except _Unread:
            return await self._database.read(read, user_id=user_id)


def _key(user_id: str, query: str, params: dict[str, SqlValue]) -> _Key:
    return user_id, query, tuple(sorted(params.items()))
