"""Cache of embeddings, optionally kept in a file between runs.

The file has only the SHA-256 of each text. Vectors of another embedder are ignored: the key
includes the hash of a probe's vector.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine import Recollect
from recollect.llm.local_embedder import LocalEmbedder
from recollect.llm.protocols import CallContext

_NOBODYS = CallContext(purpose="embedding", user_id="")


class Vectors:
    def __init__(self, file: Path | None = None) -> None:
        self.seconds: list[float] = []
        """Seconds per text embedded in this run."""
        self._known: dict[str, Any] = {}
        self._file = file
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    async def serve(self, memory: Recollect) -> LocalEmbedder:
        """Put the cache in front of the engine's embedder; return the embedder."""
        embedder = memory._embedders.configured
        assert isinstance(embedder, LocalEmbedder), "This bench needs the local embedder."
        (probe,) = await embed(embedder, ["A probe."])
        known_by = hashlib.sha256(json.dumps(probe).encode()).hexdigest()
        compute = embedder._vector

        def recall(text: str) -> list[float]:
            key = hashlib.sha256(f"{known_by} {text}".encode()).hexdigest()
            if key not in self._known:
                before = time.perf_counter()
                vector = compute(text)
                self.seconds.append(time.perf_counter() - before)
                self._known[key] = np.array(vector, dtype="float32")
            found: list[float] = self._known[key].tolist()
            return found

        embedder._vector = recall  # type: ignore[method-assign]
        return embedder

    def keep(self) -> None:
        if self._file is not None and self.seconds:
            keys = np.array([*self._known])
            np.savez(self._file, keys=keys, vectors=np.stack([*self._known.values()]))


async def embed(embedder: LocalEmbedder, texts: Sequence[str]) -> list[list[float]]:
    return await embedder.embed(texts, call=_NOBODYS)


def remember_closeness(embedder: LocalEmbedder) -> None:
    """Cache the embedder's word similarities."""
    look = embedder.word_similarities
    known: dict[tuple[tuple[str, ...], str], float] = {}

    async def recall(words: Sequence[str], texts: Sequence[str]) -> list[float] | None:
        asked = tuple(words)
        new = [text for text in texts if (asked, text) not in known]
        found = await look(words, new) if new else []
        if found is None:
            return None
        known.update(((asked, text), close) for text, close in zip(new, found, strict=True))
        return [known[asked, text] for text in texts]

    embedder.word_similarities = recall  # type: ignore[method-assign]
