"""Synthetic corpus of any size: Zipf-distributed words and vectors with a realistic structure.

The most common words are English function words, so that the analyzer treats texts and questions as
English; the others are made of syllables. Vectors share a mean, have most of their variance in
about a hundred directions, and cluster by topic. The constants were fitted to 2,960 vectors of the
local embedder.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from recollect.core.ids import new_id
from recollect.core.types import Role
from recollect.language.analyzer import analyze
from recollect.language.stopwords import STOP_WORDS

Vectors = NDArray[np.float32]

DIMENSIONS = 896
VOCABULARY = 20_000
_FUNCTION_WORDS = 60
_MIN_WORDS, _MAX_WORDS = 5, 60
_FLATTENED = 2.7
"""Mandelbrot's offset: flattens the frequencies of the most common words."""
_TOPICS, _TOPICS_EACH = 2_000, 3
_DIRECTIONS = 160
_START = datetime(2026, 1, 1, tzinfo=UTC)
_BETWEEN = timedelta(minutes=4)


@dataclass(frozen=True, slots=True)
class CorpusUser:
    id: str
    conversations: int
    each: int
    """Messages per conversation."""

    @property
    def messages(self) -> int:
        return self.conversations * self.each


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusMessage:
    id: str
    seq: int
    role: Role
    at: datetime
    content: str
    terms: Sequence[str]


@dataclass(frozen=True, slots=True)
class CorpusConversation:
    """A conversation with the vectors of its messages."""

    id: str
    user_id: str
    title: str
    messages: Sequence[CorpusMessage]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class EmbeddedQuestion:
    text: str
    vector: list[float]


class Corpus:
    """Deterministic for a seed, except for the ids."""

    def __init__(self, users: Sequence[CorpusUser], *, seed: int) -> None:
        self.users = users
        self._random = np.random.default_rng(seed)
        self._words = np.array(_vocabulary(self._random))
        ranks = np.arange(VOCABULARY) + 1 + _FLATTENED
        self._shares = (1 / ranks) / (1 / ranks).sum()
        self._space = _Space(self._random)
        self.conversations = [
            conversation for user in users for conversation in self._conversations(user)
        ]

    def questions(self, user_id: str, count: int) -> list[EmbeddedQuestion]:
        """Of two to six words, from common to rare ones, as sentences and bare words in turn; near
        a message of the user's in meaning."""
        vectors = self.vectors(user_id)
        chosen = vectors[self._random.integers(len(vectors), size=count)]
        near = self._space.perturbed(chosen)
        return [
            EmbeddedQuestion(self._question(is_sentence=bool(number % 2)), vector.tolist())
            for number, vector in enumerate(near)
        ]

    def vectors(self, user_id: str) -> Vectors:
        return np.concatenate(
            [
                conversation.vectors
                for conversation in self.conversations
                if conversation.user_id == user_id
            ]
        )

    def _question(self, *, is_sentence: bool) -> str:
        count = int(self._random.integers(2, 7))
        ranks = np.exp(self._random.uniform(log(_FUNCTION_WORDS), log(VOCABULARY), size=count))
        words = [str(word) for word in self._words[ranks.astype(int)]]
        if not is_sentence:
            return " ".join(words)
        return f"What was it that you told me about the {' and the '.join(words)}?"

    def _conversations(self, user: CorpusUser) -> Iterator[CorpusConversation]:
        at = _START
        for _ in range(user.conversations):
            lengths = self._random.integers(_MIN_WORDS, _MAX_WORDS + 1, size=user.each)
            drawn = self._random.choice(self._words, size=lengths.sum(), p=self._shares)
            ends = [0, *lengths.cumsum()]
            texts = [" ".join(drawn[start:end]) for start, end in pairwise(ends)]
            messages = [
                CorpusMessage(
                    id=new_id(),
                    seq=seq,
                    role="user" if seq % 2 else "assistant",
                    at=at + seq * _BETWEEN,
                    content=text,
                    terms=analyze(text),
                )
                for seq, text in enumerate(texts, 1)
            ]
            at = messages[-1].at
            title = " ".join(self._random.choice(self._words[_FUNCTION_WORDS:], size=3))
            yield CorpusConversation(
                new_id(), user.id, title, messages, self._space.conversation(user.each)
            )


class _Space:
    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        decay = 1 / (1 + np.arange(_DIRECTIONS, dtype=np.float32) / 16)
        basis = self._draw((_DIRECTIONS, DIMENSIONS)) * decay[:, None]
        self._basis: Vectors = basis / np.sqrt((basis**2).sum())
        self._mean = 0.75 * _unit(self._draw((1, DIMENSIONS)))
        self._topics = self._draw((_TOPICS, _DIRECTIONS))

    def _draw(self, shape: tuple[int, int]) -> Vectors:
        return self._random.standard_normal(shape, dtype=np.float32)

    def conversation(self, count: int) -> Vectors:
        own = self._random.choice(_TOPICS, size=_TOPICS_EACH, replace=False)
        topics = self._topics[self._random.choice(own, size=count)]
        latent = 0.7 * topics + 0.7 * self._draw((count, _DIRECTIONS))
        return self._placed(latent)

    def _placed(self, latent: Vectors) -> Vectors:
        noise = self._draw((len(latent), DIMENSIONS)) * (0.3 / np.sqrt(DIMENSIONS))
        return _unit(self._mean + latent @ self._basis + noise.astype(np.float32))

    def perturbed(self, vectors: Vectors) -> Vectors:
        away = self._draw((len(vectors), _DIRECTIONS)) @ self._basis
        return _unit(vectors - 0.3 * self._mean + 1.1 * _unit(away))


def _unit(vectors: Vectors) -> Vectors:
    units: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return units


def _vocabulary(random: np.random.Generator) -> list[str]:
    """Return the vocabulary, most common word first."""
    known = frozenset().union(*STOP_WORDS.values())
    syllables = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = dict.fromkeys(sorted(STOP_WORDS["en"], key=lambda word: (len(word), word)))
    words = dict.fromkeys([*words][:_FUNCTION_WORDS])
    while len(words) < VOCABULARY:
        word = "".join(random.choice(syllables, size=random.integers(2, 5))) + "k"
        if word not in known:
            words[word] = None
    return [*words]
