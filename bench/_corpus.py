"""A corpus as large as one likes: words after Zipf's law, and vectors that lie as real ones do.

The commonest words are English function words, so that texts and questions are analyzed as English
ones are; the others are made of syllables. The vectors have what makes searching them hard or easy:
a mean that they share, most of their variance in some hundred directions, and topics, of which each
conversation has a few. The constants were chosen beside 2,960 vectors of the local embedder.
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
from recollect.language.stopwords import STOP_WORDS
from recollect.store.search_index import message_terms

Vectors = NDArray[np.float32]

DIMENSIONS = 896
VOCABULARY = 20_000
_FUNCTION_WORDS = 60
_SHORTEST, _LONGEST = 5, 60
_FLATTENED = 2.7
"""What Mandelbrot added to the rank: the first few words are less common than Zipf's law has it."""
_TOPICS, _TOPICS_EACH = 2_000, 3
_DIRECTIONS = 160
_START = datetime(2026, 1, 1, tzinfo=UTC)
_BETWEEN = timedelta(minutes=4)


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    conversations: int
    each: int
    """How many messages there are in each conversation."""

    @property
    def messages(self) -> int:
        return self.conversations * self.each


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    id: str
    seq: int
    role: Role
    at: datetime
    content: str
    terms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, with the vectors of its messages."""

    id: str
    user_id: str
    title: str
    said: Sequence[Said]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    vector: list[float]


class Corpus:
    """The same for the same seed, except for the ids."""

    def __init__(self, people: Sequence[Person], *, seed: int) -> None:
        self.people = people
        self._random = np.random.default_rng(seed)
        self._words = np.array(_vocabulary(self._random))
        ranks = np.arange(VOCABULARY) + 1 + _FLATTENED
        self._shares = (1 / ranks) / (1 / ranks).sum()
        self._space = _Space(self._random)
        self.talks = [talk for person in people for talk in self._talks(person)]

    def questions(self, user_id: str, count: int) -> list[Asked]:
        """Of two to six words, from common to rare ones, as sentences and bare words in turn; near
        a message of the user's in meaning."""
        vectors = self.vectors(user_id)
        chosen = vectors[self._random.integers(len(vectors), size=count)]
        near = self._space.perturbed(chosen)
        return [
            Asked(self._question(is_sentence=bool(number % 2)), vector.tolist())
            for number, vector in enumerate(near)
        ]

    def vectors(self, user_id: str) -> Vectors:
        return np.concatenate([talk.vectors for talk in self.talks if talk.user_id == user_id])

    def _question(self, *, is_sentence: bool) -> str:
        count = int(self._random.integers(2, 7))
        ranks = np.exp(self._random.uniform(log(_FUNCTION_WORDS), log(VOCABULARY), size=count))
        words = [str(word) for word in self._words[ranks.astype(int)]]
        if not is_sentence:
            return " ".join(words)
        return f"What was it that you told me about the {' and the '.join(words)}?"

    def _talks(self, person: Person) -> Iterator[Talk]:
        at = _START
        for _ in range(person.conversations):
            lengths = self._random.integers(_SHORTEST, _LONGEST + 1, size=person.each)
            drawn = self._random.choice(self._words, size=lengths.sum(), p=self._shares)
            ends = [0, *lengths.cumsum()]
            texts = [" ".join(drawn[start:end]) for start, end in pairwise(ends)]
            said = [
                Said(
                    id=new_id(),
                    seq=seq,
                    role="user" if seq % 2 else "assistant",
                    at=at + seq * _BETWEEN,
                    content=text,
                    terms=message_terms(text, {}),
                )
                for seq, text in enumerate(texts, 1)
            ]
            at = said[-1].at
            title = " ".join(self._random.choice(self._words[_FUNCTION_WORDS:], size=3))
            yield Talk(new_id(), person.id, title, said, self._space.talk(person.each))


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

    def talk(self, count: int) -> Vectors:
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
    """The commonest first."""
    known = frozenset().union(*STOP_WORDS.values())
    syllables = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = dict.fromkeys(sorted(STOP_WORDS["en"], key=lambda word: (len(word), word)))
    words = dict.fromkeys([*words][:_FUNCTION_WORDS])
    while len(words) < VOCABULARY:
        word = "".join(random.choice(syllables, size=random.integers(2, 5))) + "k"
        if word not in known:
            words[word] = None
    return [*words]
