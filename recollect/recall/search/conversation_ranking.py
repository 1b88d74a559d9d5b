"""Rank conversations by their best messages and their topic."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.types import Conversation
from recollect.recall.search.ranking import PassageCandidate
from recollect.recall.search.retriever import SearchResults, read_texts
from recollect.store import conversations, search_index
from recollect.store.database import Run

_SECOND_WEIGHT = 0.5
"""Of the second best message: a single one may match by chance."""


@dataclass(frozen=True, slots=True)
class RankedConversation:
    """`best` is the passage that matches best; None if only the topic matches."""

    id: str
    score: float
    best: PassageCandidate | None


@dataclass(frozen=True, slots=True)
class ConversationMatch:
    """A conversation with the text that matches best: the passage `best`, or the topic."""

    conversation: Conversation
    passage: str
    score: float
    best: PassageCandidate | None


def rank_conversations(
    results: SearchResults, topics: Mapping[str, float], *, topic_share: float
) -> list[RankedConversation]:
    """Return the conversations, best first. `topics` has the blended scores of the topics."""
    best: dict[str, PassageCandidate] = {}
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for candidate in results.ranked:
        best.setdefault(candidate.conversation_id, candidate)
        scores[candidate.conversation_id].setdefault(candidate.message_id, candidate.score)
    by_message = {
        id: (first + _SECOND_WEIGHT * sum(others[:1])) / (1 + _SECOND_WEIGHT)
        for id, (first, *others) in ((id, scored.values()) for id, scored in scores.items())
    }
    share = topic_share if topics else 0.0
    scored = []
    for id in {*by_message, *topics}:
        score = (1 - share) * by_message.get(id, 0.0) + share * topics.get(id, 0.0)
        scored.append(RankedConversation(id, score, best.get(id)))
    return sorted(scored, key=lambda ranked: (round(ranked.score, 3), ranked.id), reverse=True)


def read_matches(run: Run, ranked: Sequence[RankedConversation]) -> list[ConversationMatch]:
    """Read the conversations in the same order, without those deleted since."""
    texts = read_texts(run, [r.best for r in ranked if r.best])
    matches = []
    for r in ranked:
        conversation = conversations.find(run, r.id)
        if conversation is None:
            continue
        best = r.best if r.best and r.best.key in texts else None
        topic = search_index.topic_text(conversation.title, conversation.topic)
        passage = texts[best.key] if best else topic
        matches.append(ConversationMatch(conversation, passage, r.score, best))
    return matches
