"""mem0: `Memory.add(infer=False)` with its default vector store, Qdrant in a folder.

Its list has no order, so the caller numbers the messages. A context is the default number of search
hits. Its keyword and entity search needs models from the network (`fastembed`, spaCy), which are
not available here.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import sqlite_settings
from bench.peers.libraries.langchain_embeddings import embeddings
from bench.peers.library_process import LAST, Said, Vectors, serve


class Mem0:
    def __init__(self) -> None:
        self._memory: Any = None
        self._counts: dict[tuple[str, str], int] = {}

    async def open(self, folder: Path, vectors: Vectors) -> str:
        os.environ["MEM0_DIR"] = str(folder / "mem0")
        self._memory = import_module("mem0").Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": str(folder / "qdrant"),
                        "on_disk": True,
                        "embedding_model_dims": vectors.dimensions,
                    },
                },
                "embedder": {"provider": "langchain", "config": {"model": embeddings(vectors)}},
                "llm": {"provider": "openai", "config": {"api_key": "never used"}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        return f"Qdrant, local; history in {sqlite_settings(folder / 'history.db')}"

    async def append(self, user: str, chat: str, said: Said) -> None:
        number = self._counts[user, chat] = self._counts.get((user, chat), 0) + 1
        self._memory.add(
            [{"role": said.role, "content": said.text}],
            user_id=user,
            run_id=chat,
            metadata={"turn": said.turn, "number": number},
            infer=False,
        )

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        for said in talk:
            await self.append(user, chat, said)

    async def process_pending(self) -> None:
        """No background work."""

    async def load(self, user: str, chat: str) -> list[str]:
        oldest = self._counts[user, chat] - LAST
        found = self._memory.get_all(
            filters={"user_id": user, "run_id": chat, "number": {"gt": oldest}}, top_k=LAST
        )["results"]
        last = sorted(found, key=lambda memory: int(memory["metadata"]["number"]))
        return [memory["memory"] for memory in last]

    async def context(self, user: str, chat: str, question: str) -> str:
        found = self._memory.search(question, filters={"user_id": user})["results"]
        return "\n".join([*(memory["memory"] for memory in found), question])

    async def search(self, user: str, question: str, limit: int) -> list[str]:
        found = self._memory.search(question, filters={"user_id": user}, top_k=limit)["results"]
        return [memory["metadata"]["turn"] for memory in found]

    async def close(self) -> None:
        self._memory.close()


if __name__ == "__main__":
    serve(Mem0)
