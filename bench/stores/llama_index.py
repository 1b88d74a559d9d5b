"""LlamaIndex: `SQLAlchemyChatStore`, all conversations in one store.

It lists from the beginning only, so the last messages are read by counting and skipping, which is
faster than loading everything.
"""

import json
import sqlite3
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import LAST, TEXT, role_of, serve, sqlite_settings


class LlamaIndex:
    is_blocking = False

    def __init__(self) -> None:
        self._message = import_module("llama_index.core.llms").ChatMessage
        self._store: Any = None
        self._path: Path
        self._drafted = 0

    async def open(self, folder: Path) -> str:
        module = import_module("llama_index.core.storage.chat_store.sql")
        self._path = folder / "chat.db"
        self._store = module.SQLAlchemyChatStore(
            table_name="chat", async_database_uri=f"sqlite+aiosqlite:///{self._path}"
        )
        await self._store.get_messages("conversation-0")  # creates the table
        return sqlite_settings(self._path)

    def draft(self, conversation: int) -> Any:
        self._drafted += 1
        return self._message(role=role_of(self._drafted), content=TEXT)

    async def append(self, conversation: int, draft: Any) -> None:
        await self._store.add_message(f"conversation-{conversation}", draft)

    async def fill(self, count: int) -> None:
        """Insert directly: its own API would take minutes."""
        start = time.time_ns()
        rows = [
            ("conversation-0", start + n, role_of(n), json.dumps(data))
            for n in range(count)
            for data in [self.draft(0).model_dump(mode="json")]
        ]
        with sqlite3.connect(self._path) as connection:
            connection.executemany(
                "insert into chat (key, timestamp, role, status, data) "
                "values (?, ?, ?, 'active', ?)",
                rows,
            )
        connection.close()

    async def load(self) -> int:
        count = await self._store.count_messages("conversation-0")
        found = await self._store.get_messages(
            "conversation-0", limit=LAST, offset=max(0, count - LAST)
        )
        return len(found)

    async def close(self) -> None:
        await self._store._async_engine.dispose()


if __name__ == "__main__":
    serve(LlamaIndex)
