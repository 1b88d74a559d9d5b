"""Recollect, async and blocking."""

import sys
from pathlib import Path

from bench.common.store_process import CONVERSATIONS, LAST, TEXT, role_of, serve, settings_text
from recollect import sync
from recollect.core.types import Message, MessageIn
from recollect.engine import Recollect
from recollect.settings import Settings
from recollect.store.sqlite import connect

_FILL_BATCH = 1_000


class Awaited:
    is_blocking = False

    def __init__(self) -> None:
        self._memory: Recollect
        self._ids: list[str] = []
        self._drafted = 0

    async def open(self, folder: Path) -> str:
        url, settings = _database(folder)
        self._memory = await Recollect.open(url, settings=settings)
        for number in range(CONVERSATIONS):
            chat = await self._memory.conversations.create_conversation(user_id=f"user-{number}")
            self._ids.append(chat.id)
        return write_settings(folder)

    def draft(self, conversation: int) -> MessageIn:
        self._drafted += 1
        return _message(self._drafted)

    async def append(self, conversation: int, draft: MessageIn) -> Message:
        return await self._memory.conversations.add_message(
            draft, conversation_id=self._ids[conversation], user_id=f"user-{conversation}"
        )

    async def fill(self, count: int) -> None:
        for start in range(0, count, _FILL_BATCH):
            drafts = [_message(n) for n in range(start, min(start + _FILL_BATCH, count))]
            await self._memory.conversations.add_messages(
                drafts, conversation_id=self._ids[0], user_id="user-0"
            )

    async def load(self) -> int:
        page = await self._memory.conversations.get_messages(
            conversation_id=self._ids[0], user_id="user-0", limit=LAST, order="desc"
        )
        return len(page)

    async def close(self) -> None:
        await self._memory.close()


class Blocking:
    is_blocking = True

    def __init__(self) -> None:
        self._memory: sync.Recollect
        self._ids: list[str] = []
        self._drafted = 0

    async def open(self, folder: Path) -> str:
        url, settings = _database(folder)
        self._memory = sync.Recollect.open(url, settings=settings)
        for number in range(CONVERSATIONS):
            chat = self._memory.conversations.create_conversation(user_id=f"user-{number}")
            self._ids.append(chat.id)
        return write_settings(folder)

    def draft(self, conversation: int) -> MessageIn:
        self._drafted += 1
        return _message(self._drafted)

    def append(self, conversation: int, draft: MessageIn) -> None:
        self._memory.conversations.add_message(
            draft, conversation_id=self._ids[conversation], user_id=f"user-{conversation}"
        )

    async def fill(self, count: int) -> None:
        for start in range(0, count, _FILL_BATCH):
            drafts = [_message(n) for n in range(start, min(start + _FILL_BATCH, count))]
            self._memory.conversations.add_messages(
                drafts, conversation_id=self._ids[0], user_id="user-0"
            )

    def load(self) -> int:
        page = self._memory.conversations.get_messages(
            conversation_id=self._ids[0], user_id="user-0", limit=LAST, order="desc"
        )
        return len(page)

    async def close(self) -> None:
        self._memory.close()


def _database(folder: Path) -> tuple[str, Settings]:
    """Return default settings, independent of the environment."""
    url = f"sqlite:///{folder / 'recollect.db'}"
    return url, Settings(database_url=url)


def _message(number: int) -> MessageIn:
    return MessageIn(role="assistant" if role_of(number) == "assistant" else "user", content=TEXT)


def write_settings(folder: Path) -> str:
    """Asked of a connection made the way the engine makes its own, not merely claimed."""
    connection = connect(str(folder / "recollect.db"))
    try:
        journal, synchronous = connection.pragma("journal_mode"), connection.pragma("synchronous")
        return settings_text(str(journal), int(str(synchronous)))
    finally:
        connection.close()


if __name__ == "__main__":
    serve(Blocking if "blocking" in sys.argv[2:] else Awaited)
