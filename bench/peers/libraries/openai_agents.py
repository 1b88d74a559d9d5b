"""openai-agents: `SQLiteSession`. A context is its last 100 items; it has no search."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import sqlite_settings
from bench.peers.library_process import LAST, Said, Vectors, serve

_ITEMS = 100


class OpenaiAgents:
    def __init__(self) -> None:
        self._sessions: dict[str, Any] = {}
        self._path: Path

    async def open(self, folder: Path, vectors: Vectors) -> str:
        self._path = folder / "sessions.db"
        self._session("first")
        return sqlite_settings(self._path)

    async def append(self, user: str, chat: str, said: Said) -> None:
        await self._session(chat).add_items([{"role": said.role, "content": said.text}])

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        """Nothing to do: it has no search."""

    async def process_pending(self) -> None:
        """No background work."""

    async def load(self, user: str, chat: str) -> list[str]:
        return [item["content"] for item in await self._session(chat).get_items(limit=LAST)]

    async def context(self, user: str, chat: str, question: str) -> str:
        items = await self._session(chat).get_items(limit=_ITEMS)
        return "\n".join([*(item["content"] for item in items), question])

    async def search(self, user: str, question: str, limit: int) -> None:
        return None

    async def close(self) -> None:
        for session in self._sessions.values():
            session.close()

    def _session(self, chat: str) -> Any:
        if chat not in self._sessions:
            self._sessions[chat] = import_module("agents").SQLiteSession(chat, self._path)
        return self._sessions[chat]


if __name__ == "__main__":
    serve(OpenaiAgents)
