"""openai-agents: `SQLiteSession`, one per conversation, on one file."""

from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import CONVERSATIONS, LAST, TEXT, role_of, serve, sqlite_settings


class OpenaiAgents:
    is_blocking = False

    def __init__(self) -> None:
        self._sessions: list[Any] = []
        self._drafted = 0

    async def open(self, folder: Path) -> str:
        session = import_module("agents").SQLiteSession
        path = folder / "sessions.db"
        self._sessions = [session(f"conversation-{n}", path) for n in range(CONVERSATIONS)]
        return sqlite_settings(path)

    def draft(self, conversation: int) -> list[dict[str, str]]:
        self._drafted += 1
        return [{"role": role_of(self._drafted), "content": TEXT}]

    async def append(self, conversation: int, draft: list[dict[str, str]]) -> None:
        await self._sessions[conversation].add_items(draft)

    async def fill(self, count: int) -> None:
        items = [item for _ in range(count) for item in self.draft(0)]
        if items:
            await self._sessions[0].add_items(items)

    async def load(self) -> int:
        return len(await self._sessions[0].get_items(limit=LAST))

    async def close(self) -> None:
        for session in self._sessions:
            session.close()


if __name__ == "__main__":
    serve(OpenaiAgents)
