"""LangChain: `SQLChatMessageHistory` for storage, Chroma on disk for search.

A context is the retriever's default number of hits as a system message, and the history cut by
`trim_messages`.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import sqlite_settings
from bench.peers.libraries.langchain_embeddings import embeddings
from bench.peers.library_process import BUDGET, LAST, Said, Vectors, serve

_RETRIEVED = 4


class LangChain:
    def __init__(self) -> None:
        self._messages = import_module("langchain_core.messages")
        self._histories: dict[str, Any] = {}
        self._engine: Any = None
        self._found: Any = None

    async def open(self, folder: Path, vectors: Vectors) -> str:
        path = folder / "history.db"
        self._engine = import_module("sqlalchemy").create_engine(f"sqlite:///{path}")
        self._found = import_module("langchain_chroma").Chroma(
            collection_name="talk",
            embedding_function=embeddings(vectors),
            persist_directory=str(folder / "chroma"),
        )
        self._history("first")
        return f"{sqlite_settings(path)}; Chroma"

    async def append(self, user: str, chat: str, said: Said) -> None:
        is_user = said.role == "user"
        kind = self._messages.HumanMessage if is_user else self._messages.AIMessage
        self._history(chat).add_message(kind(content=said.text))
        await self.fill(user, chat, [said])

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        self._found.add_texts(
            [said.text for said in talk],
            metadatas=[{"user": user, "turn": said.turn} for said in talk],
        )

    async def process_pending(self) -> None:
        """No background work."""

    async def load(self, user: str, chat: str) -> list[str]:
        return [message.content for message in self._history(chat).messages[-LAST:]]

    async def context(self, user: str, chat: str, question: str) -> str:
        retriever = self._found.as_retriever(
            search_kwargs={"k": _RETRIEVED, "filter": {"user": user}}
        )
        known = "\n".join(document.page_content for document in retriever.invoke(question))
        prompt = self._messages.trim_messages(
            [
                self._messages.SystemMessage(known),
                *self._history(chat).messages,
                self._messages.HumanMessage(question),
            ],
            max_tokens=BUDGET,
            strategy="last",
            token_counter=self._messages.utils.count_tokens_approximately,
            start_on="human",
            include_system=True,
        )
        return "\n".join(message.content for message in prompt)

    async def search(self, user: str, question: str, limit: int) -> list[str]:
        found = self._found.similarity_search(question, k=limit, filter={"user": user})
        return [document.metadata["turn"] for document in found]

    async def close(self) -> None:
        self._engine.dispose()

    def _history(self, chat: str) -> Any:
        if chat not in self._histories:
            module = import_module("langchain_community.chat_message_histories")
            self._histories[chat] = module.SQLChatMessageHistory(chat, connection=self._engine)
        return self._histories[chat]


if __name__ == "__main__":
    serve(LangChain)
