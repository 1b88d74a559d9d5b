"""What is said, and in which direction it points: made up once, and said again and again.

To analyze a million texts would take longer than to store them. So there are some thousands, which
recur; each message has a vector of its own. The vectors are short: how costs grow does not depend
on their length, and a million of the local embedder's would take 4 GB in each database. They lie
about topics, as real ones do.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench._corpus import Asked, Corpus, Person
from recollect.core import tokens
from recollect.store.search_index import message_terms

Vectors = NDArray[np.float32]

MODEL, DIMENSIONS = "made-up", 64
RARE = "quartzite"
"""A word that is said once: in the first message of the measured conversation."""
_SEED = 2026
_TEXTS, _TOPICS, _QUESTIONS = 5_000, 500, 16
_SHARES = (0.01, 0.002, 0.0004)
"""In which part of the messages the words of a question are, the frequent one first."""


@dataclass(frozen=True, slots=True)
class Text:
    content: str
    tokens: int
    counts: Sequence[tuple[str, int]]
    """Its terms, and how often each occurs."""
    length: int

    @classmethod
    def of(cls, content: str, terms: Sequence[str] | None = None) -> "Text":
        terms = message_terms(content, {}) if terms is None else terms
        return cls(content, tokens.count(content), [*Counter(terms).items()], len(terms))


class Texts:
    """So many different ones; the words in them follow Zipf's law."""

    def __init__(self, count: int = _TEXTS) -> None:
        said = Corpus([Person("nobody", 1, count)], seed=_SEED).talks[0].said
        self.texts = [Text.of(one.content, one.terms) for one in said]
        self.first = Text.of(f"{RARE} {said[0].content}")
        self._random = np.random.default_rng(_SEED)
        self._topics: Vectors = self._random.standard_normal((_TOPICS, DIMENSIONS), np.float32)
        spread = Counter(word for one in said for word in {*one.content.split()})
        shared = [_word(spread, share * count) for share in _SHARES]
        self.frequent = shared[0]
        self.questions = [
            Asked(f"{' '.join(shared)} {number}", vector.tolist())
            for number, vector in enumerate(self.vectors(_QUESTIONS))
        ]

    def said(self, seq: int) -> Text:
        return self.texts[seq % len(self.texts)]

    def vectors(self, count: int) -> Vectors:
        """Each of length 1, near one of the topics."""
        near = self._topics[self._random.integers(len(self._topics), size=count)]
        vectors = 0.6 + 0.7 * near + 0.7 * self._random.standard_normal(near.shape, np.float32)
        units: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(
            np.float32
        )
        return units


def _word(spread: Counter[str], wanted: float) -> str:
    """The one that is in as many texts as wanted."""
    return min(spread, key=lambda word: (abs(spread[word] - wanted), word))
