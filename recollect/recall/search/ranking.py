"""Rank candidate messages: a pure function of the scores of both searches.

BM25 scores and cosines have different scales. Each is divided by its maximum, and the two are
added. Ranks are not used, because they forget by how much the first is better than the second.
Then

- the best candidates gain by closeness: how near they come to each word of the query;
- a message gains from its neighbours: an answer need not repeat the words of its question. Answers
  of an assistant and of tools neither gain nor lend: they are long, and some passage matches
  anything;
- an assistant's messages weigh less, because they are long and repeat the question; if the query
  asks what the assistant said, the user's messages weigh less instead;
- speakers with a name count alike; if the query names one of them, all others weigh less;
- a message gains from the best of its conversation: answers are seldom in one message only.

Ties are broken by time, latest first. The weights were chosen on conversations between people and
on chats with an assistant together (docs/benchmarks.md); none of them is sharp.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from recollect.core.types import Role
from recollect.language.normalize import plain_words
from recollect.language.questions import asks_about_assistant
from recollect.llm.protocols import LOCAL_RELATED_COSINE

K = TypeVar("K", bound=Hashable)

WHOLE_TEXT_END = 2**31 - 1
"""The `end` of a candidate that is a whole message."""

_MIN_COSINE = LOCAL_RELATED_COSINE
"""Unrelated sentences hardly ever reach it."""
_MIN_COSINE_WITH_WORDS, _MIN_BM25_WITH_COSINE = 0.2, 6.0
"""A lower cosine is enough together with a BM25 that takes more than one rare word."""
_MIN_COSINE_WITH_NAME = 0.1
_MIN_BM25_ALONE = 2.5
"""Without vectors: a BM25 that takes a rare word."""
_MIN_SPREAD = 0.1
"""Of closeness: smaller differences mean little."""
_DISTANCES = (1, 2)
"""Of the neighbours from which a message gains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    lexical: float = 0.4
    """Weight of BM25; the cosine has the rest."""
    neighbour: float = 0.2
    """Of the messages before and after; half of it of those beyond them."""
    other_role: float = 0.6
    """Of messages by the role that the query does not ask about."""
    other_speaker: float = 0.7
    conversation: float = 0.5
    closeness: float = 0.2
    """The most that a candidate can gain by closeness."""


@dataclass(slots=True, kw_only=True)
class PassageCandidate:
    """A passage of a message, with its scores; `[start:end]` of the message's searchable text. Not
    frozen, because hundreds are scored for each query."""

    message_id: str
    part: int
    start: int
    end: int
    conversation_id: str
    seq: int
    turn: int
    role: Role
    speaker: str | None
    said_at: datetime
    created_at: datetime
    lexical: float = 0.0
    """BM25; 0 if no word matches."""
    similarity: float | None = None
    """Cosine; None without a vector."""
    closeness: float | None = None
    """Similarity to the words of the query; None if not computed."""
    shares_name: bool = False
    """Whether it has a name or a number of the query."""
    score: float = 0.0
    """Between 0 and 1, and comparable within one search."""

    @property
    def key(self) -> tuple[str, int]:
        return self.message_id, self.part


def rank(
    candidates: Sequence[PassageCandidate], query: str, *, weights: Weights
) -> list[PassageCandidate]:
    """Set the scores of the candidates, and return them best first."""
    for candidate, score in zip(candidates, _scores(candidates, query, weights), strict=True):
        candidate.score = score
    return sorted(candidates, key=lambda c: _sort_key(c, c.score), reverse=True)


def order(
    candidates: Sequence[PassageCandidate], query: str, *, weights: Weights
) -> list[PassageCandidate]:
    """Return the candidates best first, without setting their scores: they are to be ranked
    again."""
    scores = _scores(candidates, query, weights)
    keys = [_sort_key(c, score) for c, score in zip(candidates, scores, strict=True)]
    best = sorted(range(len(candidates)), key=keys.__getitem__, reverse=True)
    return [candidates[index] for index in best]


def _sort_key(candidate: PassageCandidate, score: float) -> tuple[float, datetime, int, str, int]:
    c = candidate
    return round(score, 4), c.said_at, c.seq, c.message_id, c.part


def _scores(candidates: Sequence[PassageCandidate], query: str, weights: Weights) -> list[float]:
    """Return the scores in the order of the candidates."""
    own = _own_scores(candidates, weights)
    best_by_seq: dict[tuple[str, int], float] = {}
    for c, score in zip(candidates, own, strict=True):
        place = (c.conversation_id, c.seq)
        if not _is_answer(c) and score > best_by_seq.get(place, 0.0):
            best_by_seq[place] = score
    named_speaker = _named_speaker(candidates, query)
    asks_for_answers = asks_about_assistant(query)
    scores: list[float] = []
    best: defaultdict[str, float] = defaultdict(float)
    for c, own_score in zip(candidates, own, strict=True):
        is_answer, near = _is_answer(c), 0.0
        for distance in () if is_answer else _DISTANCES:
            before = best_by_seq.get((c.conversation_id, c.seq - distance), 0.0)
            after = best_by_seq.get((c.conversation_id, c.seq + distance), 0.0)
            near += (before + after) / distance
        score = own_score + weights.neighbour * near
        if named_speaker is not None and c.speaker != named_speaker:
            score *= weights.other_speaker
        elif c.speaker is None and is_answer != asks_for_answers:
            score *= weights.other_role
        scores.append(score)
        best[c.conversation_id] = max(best[c.conversation_id], score)
    neighbours = sum(2 / distance for distance in _DISTANCES)
    maximum = (1 + weights.closeness) * (1 + neighbours * weights.neighbour)
    maximum *= 1 + weights.conversation
    return [
        (score + weights.conversation * best[c.conversation_id]) / maximum
        for c, score in zip(candidates, scores, strict=True)
    ]


def _is_answer(candidate: PassageCandidate) -> bool:
    return candidate.speaker is None and candidate.role != "user"


def _own_scores(candidates: Sequence[PassageCandidate], weights: Weights) -> list[float]:
    """Return the blended scores, raised by closeness, in the order of the candidates."""
    blended = blend(
        {index: c.lexical for index, c in enumerate(candidates)},
        {index: c.similarity for index, c in enumerate(candidates) if c.similarity is not None},
        weight=weights.lexical,
    )
    own = [blended[index] for index in range(len(candidates))]
    for index, closeness in _normalized_closeness(candidates).items():
        own[index] += weights.closeness * closeness
    return own


def blend(
    lexical: Mapping[K, float], similarity: Mapping[K, float], *, weight: float
) -> dict[K, float]:
    """Combine both scores by id. A candidate without a vector, because it is new perhaps, has its
    BM25 alone. Cosines are divided by `_MIN_COSINE` at least, so that weak ones stay low."""
    max_lexical = max(lexical.values(), default=0.0)
    max_similarity = max(_MIN_COSINE, *similarity.values(), 0.0)
    blended = {id: _share(score, max_lexical) for id, score in lexical.items()}
    for id, cosine in similarity.items():
        words = blended.get(id, 0.0)
        blended[id] = weight * words + (1 - weight) * _share(cosine, max_similarity)
    return blended


def _normalized_closeness(candidates: Sequence[PassageCandidate]) -> dict[int, float]:
    """Return closeness scaled to 0 to 1 among the candidates that have one, by index."""
    values = {index: c.closeness for index, c in enumerate(candidates) if c.closeness is not None}
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    spread = max(high - low, _MIN_SPREAD)
    return {index: (closeness - low) / spread for index, closeness in values.items()}


def _share(score: float, best: float) -> float:
    return max(0.0, score) / best if best > 0 else 0.0


def _named_speaker(candidates: Sequence[PassageCandidate], query: str) -> str | None:
    """Return the speaker that the query names, if it names exactly one."""
    words = f" {plain_words(query)} "
    speakers = {c.speaker for c in candidates if c.speaker is not None}
    named = [name for name in speakers if f" {plain_words(name)} " in words]
    return named[0] if len(named) == 1 else None


def is_relevant(candidate: PassageCandidate) -> bool:
    """Return whether a candidate is relevant, and not just the best of unrelated ones."""
    shares_name = candidate.shares_name and (candidate.similarity or 0.0) >= _MIN_COSINE_WITH_NAME
    return shares_name or meets_relevance_floor(candidate.lexical, candidate.similarity)


def meets_relevance_floor(lexical: float, similarity: float | None) -> bool:
    if similarity is None:
        return lexical >= _MIN_BM25_ALONE
    has_words = lexical >= _MIN_BM25_WITH_COSINE and similarity >= _MIN_COSINE_WITH_WORDS
    return has_words or similarity >= _MIN_COSINE
