"""A few thousand texts that repeat, with one synthetic vector per message.

Analyzing a million different texts would take longer than storing them. Vectors have 64 dimensions:
growth does not depend on that, and a million of the local embedder's would take 4 GB.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.common.corpus import Corpus, CorpusUser, EmbeddedQuestion
from recollect.core import tokens
from recollect.language.analyzer import analyze

Vectors = NDArray[np.float32]

MODEL, DIMENSIONS = "made-up", 64
RARE = "quartzite"
"""A word that only the first measured message contains."""
_SEED = 2026
_TEXTS, _TOPICS, _QUESTIONS = 5_000, 500, 16
_SHARES = (0.01, 0.002, 0.0004)
"""Shares of messages that contain the query words, most frequent first."""


@dataclass(frozen=True, slots=True)
class Text:
    content: str
    tokens: int
    counts: Sequence[tuple[str, int]]
    """Terms with their frequencies."""
    length: int

    @classmethod
    def of(cls, content: str, terms: Sequence[str] | None = None) -> "Text":
        terms = analyze(content) if terms is None else terms
        return cls(content, tokens.count(content), [*Counter(terms).items()], len(terms))


class Texts:
    """`count` texts with Zipf-distributed words."""

    def __init__(self, count: int = _TEXTS) -> None:
        messages = Corpus([CorpusUser("nobody", 1, count)], seed=_SEED).conversations[0].messages
        self.texts = [Text.of(one.content, one.terms) for one in messages]
        self.first = Text.of(f"{RARE} {messages[0].content}")
        self._random = np.random.default_rng(_SEED)
        self._topics: Vectors = self._random.standard_normal((_TOPICS, DIMENSIONS), np.float32)
        spread = Counter(word for one in messages for word in {*one.content.split()})
        shared = [_word(spread, share * count) for share in _SHARES]
        self.frequent = shared[0]
        self.questions = [
            EmbeddedQuestion(f"{' '.join(shared)} {number}", vector.tolist())
            for number, vector in enumerate(self.vectors(_QUESTIONS))
        ]

    def message(self, seq: int) -> Text:
        return self.texts[seq % len(self.texts)]

    def vectors(self, count: int) -> Vectors:
        """Return unit vectors near random topics."""
        near = self._topics[self._random.integers(len(self._topics), size=count)]
        vectors = 0.6 + 0.7 * near + 0.7 * self._random.standard_normal(near.shape, np.float32)
        units: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(
            np.float32
        )
        return units


def _word(spread: Counter[str], wanted: float) -> str:
    """Return the word whose document frequency is closest to `wanted`."""
    return min(spread, key=lambda word: (abs(spread[word] - wanted), word))
