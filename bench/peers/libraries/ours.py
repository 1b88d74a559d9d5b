"""Recollect: speaker and date are fields of a message; background work is done by jobs."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bench.peers.library_process import LAST, Said, Vectors, serve
from bench.stores.ours import write_settings
from recollect.core.types import MessageIn
from recollect.engine import Recollect
from recollect.llm.local_embedder import LocalEmbedder
from recollect.settings import Settings


class Ours:
    def __init__(self) -> None:
        self._memory: Recollect
        self._chats: dict[tuple[str, str], str] = {}
        self._turns: dict[tuple[str, int], str] = {}
        self._counts: dict[str, int] = {}

    async def open(self, folder: Path, vectors: Vectors) -> str:
        url = f"sqlite:///{folder / 'recollect.db'}"
        self._memory = await Recollect.open(settings=Settings(database_url=url))
        embedder = self._memory._embedders.configured
        assert isinstance(embedder, LocalEmbedder)
        embedder._vector = vectors.of  # type: ignore[method-assign]
        return write_settings(folder)

    async def append(self, user: str, chat: str, said: Said) -> None:
        id = await self._chat(user, chat)
        self._note(id, said)
        await self._memory.conversations.add_message(
            _message(said), conversation_id=id, user_id=user
        )

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        id = await self._chat(user, chat)
        for said in talk:
            self._note(id, said)
        await self._memory.conversations.add_messages(
            [_message(one) for one in talk], conversation_id=id, user_id=user
        )

    async def process_pending(self) -> None:
        while await self._memory.work():
            pass

    async def load(self, user: str, chat: str) -> list[str]:
        page = await self._memory.conversations.get_messages(
            conversation_id=await self._chat(user, chat), user_id=user, limit=LAST, order="desc"
        )
        return [message.content for message in reversed(list(page))]

    async def context(self, user: str, chat: str, question: str) -> str:
        id = await self._chat(user, chat)
        built = await self._memory.contexts.build_context(
            question, conversation_id=id, user_id=user
        )
        return "\n".join(str(message["content"]) for message in built.messages or ())

    async def search(self, user: str, question: str, limit: int) -> list[str]:
        hits = await self._memory.recall.search(question, user_id=user, limit=limit)
        return [self._turns[hit.conversation_id or "", hit.seq or 0] for hit in hits]

    async def close(self) -> None:
        await self._memory.close()

    async def _chat(self, user: str, chat: str) -> str:
        if (user, chat) not in self._chats:
            made = await self._memory.conversations.create_conversation(user_id=user)
            self._chats[user, chat] = made.id
        return self._chats[user, chat]

    def _note(self, id: str, said: Said) -> None:
        self._counts[id] = self._counts.get(id, 0) + 1
        self._turns[id, self._counts[id]] = said.turn


def _message(said: Said) -> MessageIn:
    return MessageIn(
        role="assistant" if said.role == "assistant" else "user",
        content=said.content,
        metadata={"speaker": said.speaker} if said.speaker else {},
        event_at=datetime.fromisoformat(said.at) if said.at else None,
    )


if __name__ == "__main__":
    serve(Ours)
