"""LlamaIndex: `Memory` for storage, `VectorStoreIndex` for search, both with Chroma on disk.

`Memory` keeps recent messages in SQLite and moves older ones, several as one text, into its
`VectorMemoryBlock`. Single messages are found by a separate index, which is not part of an append.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.common.store_process import sqlite_settings
from bench.peers.library_process import BUDGET, LAST, Said, Vectors, serve


class LlamaIndex:
    def __init__(self) -> None:
        self._message = import_module("llama_index.core.llms").ChatMessage
        self._schema = import_module("llama_index.core.schema")
        self._filters = import_module("llama_index.core.vector_stores")
        self._memories: dict[str, Any] = {}
        self._uri = ""
        self._embed: Any = None
        self._block: Any = None
        self._index: Any = None

    async def open(self, folder: Path, vectors: Vectors) -> str:
        path = folder / "memory.db"
        self._uri = f"sqlite+aiosqlite:///{path}"
        self._embed = _embedding(vectors)
        chroma = import_module("chromadb").PersistentClient(str(folder / "chroma"))
        store = import_module("llama_index.vector_stores.chroma").ChromaVectorStore
        self._block = store(chroma_collection=chroma.create_collection("block"))
        self._index = import_module("llama_index.core").VectorStoreIndex.from_vector_store(
            store(chroma_collection=chroma.create_collection("messages")), embed_model=self._embed
        )
        await self._memory("first").aget_all()  # creates the table
        return f"{sqlite_settings(path)}; Chroma"

    async def append(self, user: str, chat: str, said: Said) -> None:
        await self._memory(chat).aput(self._message(role=said.role, content=said.text))

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        node = self._schema.TextNode
        hidden = ["user", "turn"]
        self._index.insert_nodes(
            [
                node(
                    text=said.text,
                    metadata={"user": user, "turn": said.turn},
                    excluded_embed_metadata_keys=hidden,
                )
                for said in talk
            ]
        )

    async def process_pending(self) -> None:
        """No background work."""

    async def load(self, user: str, chat: str) -> list[str]:
        store = self._memory(chat).sql_store
        count = await store.count_messages(chat, status=None)
        found = await store.get_messages(chat, status=None, limit=LAST, offset=count - LAST)
        return [message.content for message in found]

    async def context(self, user: str, chat: str, question: str) -> str:
        found = await self._memory(chat).aget(input=question)
        return "\n".join([*(message.content or "" for message in found), question])

    async def search(self, user: str, question: str, limit: int) -> list[str]:
        of_user = self._filters.MetadataFilter(key="user", value=user)
        retriever = self._index.as_retriever(
            similarity_top_k=limit, filters=self._filters.MetadataFilters(filters=[of_user])
        )
        return [found.metadata["turn"] for found in await retriever.aretrieve(question)]

    async def close(self) -> None:
        for memory in self._memories.values():
            await memory.sql_store._async_engine.dispose()

    def _memory(self, chat: str) -> Any:
        if chat not in self._memories:
            module = import_module("llama_index.core.memory")
            block = module.VectorMemoryBlock(vector_store=self._block, embed_model=self._embed)
            self._memories[chat] = module.Memory.from_defaults(
                session_id=chat,
                token_limit=BUDGET,
                token_flush_size=BUDGET // 10,
                memory_blocks=[block],
                async_database_uri=self._uri,
            )
        return self._memories[chat]


def _embedding(vectors: Vectors) -> Any:
    def of(self: object, text: str) -> list[float]:
        return vectors.of(text)

    async def of_query(self: object, query: str) -> list[float]:
        return vectors.of(query)

    base = import_module("llama_index.core.embeddings").BaseEmbedding
    methods = {
        "_get_query_embedding": of,
        "_get_text_embedding": of,
        "_aget_query_embedding": of_query,
    }
    return type("Served", (base,), {"__module__": __name__, **methods})()


if __name__ == "__main__":
    serve(LlamaIndex)
