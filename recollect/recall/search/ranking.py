"""Putting candidates in order: a pure function of what the two searches found.

The words and the vectors each have an opinion of a message, on scales of their own. Both are
divided by their best, so that they can be added: it is the *scores* that are added, and not the
ranks, which would forget how much better the first is than the second. Then

- the best are looked at more closely: how near they come to each word of the question, and not only
  to the question as a whole;
- a message gets a part of what its neighbours have: an answer need not repeat the words of its
  question, nor a question those of its answer;
- what an assistant said weighs less, because it is long and repeats what it was asked, unless it
  is a person whose name is given; and so does whoever else is speaking when the question names one
  of the speakers;
- a message gets a part of its conversation's best: what is asked about is seldom said in one place.

Equals are put in the order of time, the latest first. All weights stand in `Weights`, with what
they are worth; they were chosen on talk between two people and on chats with an assistant together
(docs/benchmarks.md), and none of them is sharp.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.core.types import Role
from recollect.language.normalize import plain_words
from recollect.llm.protocols import LOCAL_RELATED_COSINE

_NEAR = LOCAL_RELATED_COSINE
"""A cosine that hardly any two sentences have that are about different things."""
_NEAR_WITH_WORDS, _SHARED_WORDS = 0.2, 6.0
"""A lower one will do where rare words are shared: a BM25 that one of them alone does not have."""
_NEAR_WITH_NAME = 0.1
_WORDS_ALONE = 2.5
"""Where there are no vectors: a BM25 that takes a word which is in few messages."""
_SMALLEST_SPREAD = 0.1
"""Of closeness: where all are nearly as close, the differences mean little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    lexical: float = 0.4
    """What the words count; the vectors count the rest."""
    neighbour: float = 0.2
    assistant: float = 0.7
    other_speaker: float = 0.7
    conversation: float = 0.5
    closeness: float = 0.3
    """What the best of the candidates can gain by a closer look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCandidate:
    id: str
    conversation_id: str
    seq: int
    turn: int
    role: Role
    speaker: str | None
    said_at: datetime
    created_at: datetime
    lexical: float = 0.0
    """BM25; 0 where no word matches."""
    similarity: float | None = None
    """Cosine; None where it has no vector."""
    closeness: float | None = None
    """How near it comes to each word of the question; None where nobody has looked."""
    shares_name: bool = False
    """Whether it has a name or a number that the question asks about."""


@dataclass(frozen=True, slots=True)
class RankedMessage:
    """A candidate with its score, which is between 0 and 1 and compares within one search."""

    candidate: MessageCandidate
    score: float


def rank(
    candidates: Sequence[MessageCandidate], question: str, *, weights: Weights
) -> list[RankedMessage]:
    """Best first."""
    own = blend(
        {one.id: one.lexical for one in candidates},
        {one.id: one.similarity for one in candidates if one.similarity is not None},
        weight=weights.lexical,
    )
    for id, closeness in _spread(candidates).items():
        own[id] += weights.closeness * closeness
    asked_about = _speaker_asked_about(candidates, question)
    by_place = {(one.conversation_id, one.seq): own[one.id] for one in candidates}
    scores: dict[str, float] = {}
    best: defaultdict[str, float] = defaultdict(float)
    for one in candidates:
        score = own[one.id] + weights.neighbour * sum(
            by_place.get((one.conversation_id, one.seq + step), 0.0) for step in (-1, 1)
        )
        if asked_about is not None and one.speaker != asked_about:
            score *= weights.other_speaker
        elif one.speaker is None and one.role != "user":
            score *= weights.assistant
        scores[one.id] = score
        best[one.conversation_id] = max(best[one.conversation_id], score)
    most = (1 + weights.closeness) * (1 + 2 * weights.neighbour) * (1 + weights.conversation)
    ranked = [
        RankedMessage(
            one, (scores[one.id] + weights.conversation * best[one.conversation_id]) / most
        )
        for one in candidates
    ]
    return sorted(ranked, key=_order, reverse=True)


def _order(ranked: RankedMessage) -> tuple[float, datetime, int, str]:
    one = ranked.candidate
    return round(ranked.score, 4), one.said_at, one.seq, one.id


def blend(
    lexical: Mapping[str, float], similarity: Mapping[str, float], *, weight: float
) -> dict[str, float]:
    """The two opinions in one, by id. What has no vector, since it has just been said perhaps, is
    judged by its words alone; and a best that is far from the question counts little."""
    by_words = max(lexical.values(), default=0.0)
    by_meaning = max(_NEAR, *similarity.values(), 0.0)
    blended = {}
    for id in {*lexical, *similarity}:
        words = _share(lexical.get(id, 0.0), by_words)
        meaning = similarity.get(id)
        blended[id] = (
            words
            if meaning is None
            else weight * words + (1 - weight) * _share(meaning, by_meaning)
        )
    return blended


def _spread(candidates: Sequence[MessageCandidate]) -> dict[str, float]:
    """Closeness from 0 to 1 among those that were looked at: it tells small differences."""
    close = {one.id: one.closeness for one in candidates if one.closeness is not None}
    least, most = min(close.values(), default=0.0), max(close.values(), default=0.0)
    spread = max(most - least, _SMALLEST_SPREAD)
    return {id: (closeness - least) / spread for id, closeness in close.items()}


def _share(score: float, best: float) -> float:
    return max(0.0, score) / best if best > 0 else 0.0


def _speaker_asked_about(candidates: Sequence[MessageCandidate], question: str) -> str | None:
    """The one speaker whose name is in the question, if it is one."""
    words = f" {plain_words(question)} "
    speakers = {one.speaker for one in candidates if one.speaker is not None}
    named = [name for name in speakers if f" {plain_words(name)} " in words]
    return named[0] if len(named) == 1 else None


def is_relevant(one: MessageCandidate) -> bool:
    """Whether it has to do with the question at all, and is not just the best of what there is."""
    shares_name = one.shares_name and (one.similarity or 0.0) >= _NEAR_WITH_NAME
    return shares_name or meets_relevance_floor(one.lexical, one.similarity)


def meets_relevance_floor(lexical: float, similarity: float | None) -> bool:
    """By what the two searches think alone."""
    if similarity is None:
        return lexical >= _WORDS_ALONE
    shares_words = lexical >= _SHARED_WORDS and similarity >= _NEAR_WITH_WORDS
    return shares_words or similarity >= _NEAR
