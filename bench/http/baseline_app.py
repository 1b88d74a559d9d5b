"""Baseline for the service: a minimal FastAPI app.

    python -m bench.http.baseline_app DATABASE_URL

Routes are plain functions, which FastAPI runs in threads. One inserts and commits one row of our
`messages` table; the other reads the last messages. No authentication, counters, search index, jobs
or validation.
"""

import asyncio
import socket
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any, Protocol

import apsw
import psycopg
import uvicorn
from fastapi import FastAPI
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool
from pydantic import BaseModel

from bench.common.store_process import LAST
from recollect.core.ids import new_id
from recollect.core.types import utc_text
from recollect.store.queries import load_queries, percent_parameters
from recollect.store.url import parse_database_url

USER = "alice"
_ABSENT = (
    "thinking", "tool_calls", "suggested_values", "suggested_actions", "custom_payload",
    "model_variant",
)  # fmt: skip


class Said(BaseModel):
    role: str
    content: str


class Stored(Said):
    id: str
    seq: int
    created_at: str


class Question(BaseModel):
    message: str


class Store(Protocol):
    def insert(self, row: dict[str, Any]) -> None: ...

    def last(self, conversation_id: str) -> list[tuple[str, str]]:
        """Return roles and contents, newest first."""
        ...

    def close(self) -> None: ...


class SqliteStore:
    def __init__(self, path: str) -> None:
        queries = load_queries("sqlite").user
        self._insert, self._select = queries["insert_message"], queries["list_messages_desc"]
        self._path = path
        self._writer = self._connect()
        self._writing = threading.Lock()
        self._readers = threading.local()

    def insert(self, row: dict[str, Any]) -> None:
        with self._writing:
            self._writer.execute(self._insert, row)

    def last(self, conversation_id: str) -> list[tuple[str, str]]:
        if not hasattr(self._readers, "connection"):
            self._readers.connection = self._connect()
        rows = self._readers.connection.execute(self._select, _wanted(conversation_id))
        return [(row[4], row[5]) for row in rows]

    def close(self) -> None:
        """Close the writer; readers are closed with their threads."""
        self._writer.close()

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(self._path)
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.pragma("foreign_keys", True)
        return connection


class PostgresStore:
    def __init__(self, url: str) -> None:
        queries = load_queries("postgres", percent_parameters).user
        self._insert, self._select = queries["insert_message"], queries["list_messages_desc"]
        self._pool = ConnectionPool[psycopg.Connection[Any]](
            url, min_size=10, kwargs={"row_factory": dict_row}, open=True
        )

    def insert(self, row: dict[str, Any]) -> None:
        with self._pool.connection() as connection:
            connection.execute(self._insert, row)

    def last(self, conversation_id: str) -> list[tuple[str, str]]:
        with self._pool.connection() as connection:
            rows = connection.execute(self._select, _wanted(conversation_id)).fetchall()
        return [(row["role"], row["content"]) for row in rows]

    def close(self) -> None:
        self._pool.close()


def create_app(store: Store) -> FastAPI:
    app = FastAPI()
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(LAST + 1))

    @app.post("/conversations/{conversation_id}/messages", status_code=201)
    def append(conversation_id: str, said: Said) -> Stored:
        row = row_of(conversation_id, next(numbers[conversation_id]), said.role, said.content)
        store.insert(row)
        return Stored(
            id=row["id"],
            seq=row["seq"],
            created_at=row["created_at"],
            role=said.role,
            content=said.content,
        )

    @app.post("/conversations/{conversation_id}/context")
    def context(conversation_id: str, question: Question) -> list[Said]:
        last = [Said(role=role, content=content) for role, content in store.last(conversation_id)]
        return [*reversed(last), Said(role="user", content=question.message)]

    return app


def row_of(conversation_id: str, seq: int, role: str, content: str) -> dict[str, Any]:
    now = utc_text(datetime.now(UTC))
    return {
        **dict.fromkeys(_ABSENT),
        "user_id": USER,
        "conversation_id": conversation_id,
        "seq": seq,
        "id": new_id(),
        "turn": (seq + 1) // 2,
        "role": role,
        "content": content,
        "status": "complete",
        "metadata": "{}",
        "tokens": 30,
        "is_pinned": False,
        "created_at": now,
        "event_at": now,
    }


def _wanted(conversation_id: str) -> dict[str, Any]:
    return {
        "user_id": USER,
        "conversation_id": conversation_id,
        "seq": 2**31 - 1,
        "limit": LAST,
        "offset": 0,
    }


def main() -> None:
    dialect, address = parse_database_url(sys.argv[1])
    store = SqliteStore(address) if dialect == "sqlite" else PostgresStore(address)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        create_app(store), log_level="warning", access_log=False, server_header=False
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main()
