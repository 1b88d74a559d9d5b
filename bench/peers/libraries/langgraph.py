"""LangGraph: `SqliteStore` with an index, one namespace per user, one key per message.

The embedded field is passed with each put, because the index ignores `fields` in its settings
(https://github.com/langchain-ai/langgraph/issues/8808). Its timestamps have whole seconds, so the
caller numbers the messages. A context is the default number of search hits. The index needs a
SQLite that loads extensions: where Python's own does not, another build of the module is used.
"""

import sqlite3
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import settings_text
from bench.peers.libraries.langchain_embeddings import embeddings
from bench.peers.library_process import LAST, Said, Vectors, serve


class LangGraph:
    def __init__(self) -> None:
        self._store: Any = None
        self._counts: dict[tuple[str, str], int] = {}

    async def open(self, folder: Path, vectors: Vectors) -> str:
        loads = hasattr(sqlite3.Connection, "enable_load_extension")
        module: Any = sqlite3 if loads else import_module("pysqlite3")
        connection = module.connect(
            folder / "store.db", check_same_thread=False, isolation_level=None
        )
        self._store = import_module("langgraph.store.sqlite").SqliteStore(
            connection,
            index={
                "dims": vectors.dimensions,
                "embed": embeddings(vectors),
                "fields": ["text"],
            },
        )
        self._store.setup()
        (journal,) = connection.execute("pragma journal_mode").fetchone()
        (synchronous,) = connection.execute("pragma synchronous").fetchone()
        return f"{settings_text(journal, synchronous)} (SQLite {module.sqlite_version})"

    async def append(self, user: str, chat: str, said: Said) -> None:
        number = self._counts[user, chat] = self._counts.get((user, chat), 0) + 1
        value = {"text": said.text, "role": said.role, "number": number, "turn": said.turn}
        self._store.put((user, chat), str(number), value, index=["text"])

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        for said in talk:
            await self.append(user, chat, said)

    async def process_pending(self) -> None:
        """No background work."""

    async def load(self, user: str, chat: str) -> list[str]:
        oldest = self._counts[user, chat] - LAST
        found = self._store.search((user, chat), filter={"number": {"$gt": oldest}}, limit=LAST)
        values = sorted((item.value for item in found), key=lambda value: int(value["number"]))
        return [value["text"] for value in values]

    async def context(self, user: str, chat: str, question: str) -> str:
        found = self._store.search((user,), query=question)
        return "\n".join([*(item.value["text"] for item in found), question])

    async def search(self, user: str, question: str, limit: int) -> list[str]:
        found = self._store.search((user,), query=question, limit=limit)
        return [item.value["turn"] for item in found]

    async def close(self) -> None:
        self._store.conn.close()


if __name__ == "__main__":
    serve(LangGraph)
