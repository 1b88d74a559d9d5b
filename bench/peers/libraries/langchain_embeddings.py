"""Our vectors as LangChain `Embeddings`, also used by LangGraph and mem0."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bench.peers.library_process import Vectors


def embeddings(vectors: Vectors) -> Any:
    def embed_documents(self: object, texts: Sequence[str]) -> list[list[float]]:
        return [vectors.of(text) for text in texts]

    def embed_query(self: object, text: str) -> list[float]:
        return vectors.of(text)

    base = import_module("langchain_core.embeddings").Embeddings
    methods = {"embed_documents": embed_documents, "embed_query": embed_query}
    return type("Served", (base,), methods)()
