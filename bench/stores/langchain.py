"""LangChain: `SQLChatMessageHistory`, one per conversation, on one engine.

It can only load all messages, so the last ones are cut from the whole list.
"""

import json
import sqlite3
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import CONVERSATIONS, LAST, TEXT, role_of, serve, sqlite_settings


class _History:
    def __init__(self) -> None:
        messages = import_module("langchain_core.messages")
        self._classes = {"user": messages.HumanMessage, "assistant": messages.AIMessage}
        self._as_dict = messages.message_to_dict
        self._histories: list[Any] = []
        self._engine: Any = None
        self._path: Path
        self._drafted = 0

    def draft(self, conversation: int) -> Any:
        self._drafted += 1
        return self._classes[role_of(self._drafted)](content=TEXT)

    async def fill(self, count: int) -> None:
        """Insert directly: its own API would take minutes."""
        rows = [("conversation-0", json.dumps(self._as_dict(self.draft(0)))) for _ in range(count)]
        with sqlite3.connect(self._path) as connection:
            connection.executemany(
                "insert into message_store (session_id, message) values (?, ?)", rows
            )
        connection.close()

    def _open(self, engine: Any, path: Path) -> None:
        history = import_module("langchain_community.chat_message_histories").SQLChatMessageHistory
        self._engine = engine
        self._path = path
        self._histories = [
            history(f"conversation-{n}", connection=engine) for n in range(CONVERSATIONS)
        ]


class Awaited(_History):
    is_blocking = False

    async def open(self, folder: Path) -> str:
        path = folder / "history.db"
        create = import_module("sqlalchemy.ext.asyncio").create_async_engine
        self._open(create(f"sqlite+aiosqlite:///{path}"), path)
        for history in self._histories:
            await history.aget_messages()  # creates the table, once per object
        return sqlite_settings(path)

    async def append(self, conversation: int, draft: Any) -> None:
        await self._histories[conversation].aadd_message(draft)

    async def load(self) -> int:
        return len((await self._histories[0].aget_messages())[-LAST:])

    async def close(self) -> None:
        await self._engine.dispose()


class Blocking(_History):
    is_blocking = True

    async def open(self, folder: Path) -> str:
        path = folder / "history.db"
        self._open(import_module("sqlalchemy").create_engine(f"sqlite:///{path}"), path)
        return sqlite_settings(path)

    def append(self, conversation: int, draft: Any) -> None:
        self._histories[conversation].add_message(draft)

    def load(self) -> int:
        return len(self._histories[0].messages[-LAST:])

    async def close(self) -> None:
        self._engine.dispose()


if __name__ == "__main__":
    serve(Blocking if "blocking" in sys.argv[2:] else Awaited)
