"""Rank conversations by their best messages and their topic."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.types import Conversation
from recollect.recall.search.ranking import MessageCandidate
from recollect.recall.search.retriever import SearchResults
from recollect.store import conversations, messages, search_index
from recollect.store.database import Run

_SECOND_WEIGHT = 0.5
"""Of the second best message: a single one may match by chance."""


@dataclass(frozen=True, slots=True)
class RankedConversation:
    """`best` is the message that matches best; None if only the topic matches."""

    id: str
    score: float
    best: MessageCandidate | None


@dataclass(frozen=True, slots=True)
class ConversationMatch:
    """A conversation with the text that matches best: of the message `seq`, or its topic."""

    conversation: Conversation
    seq: int | None
    text: str
    score: float


def rank_conversations(
    results: SearchResults, topics: Mapping[str, float], *, topic_share: float
) -> list[RankedConversation]:
    """Return the conversations, best first. `topics` has the blended scores of the topics."""
    best: dict[str, MessageCandidate] = {}
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for ranked in results.ranked:
        id = ranked.candidate.conversation_id
        best.setdefault(id, ranked.candidate)
        scores[id].append(ranked.score)
    by_message = {
        id: (ordered[0] + _SECOND_WEIGHT * sum(ordered[1:2])) / (1 + _SECOND_WEIGHT)
        for id, ordered in scores.items()
    }
    share = topic_share if topics else 0.0
    scored = [
        RankedConversation(
            id,
            (1 - share) * by_message.get(id, 0.0) + share * topics.get(id, 0.0),
            best.get(id),
        )
        for id in {*by_message, *topics}
    ]
    return sorted(scored, key=lambda ranked: (round(ranked.score, 3), ranked.id), reverse=True)


def read_matches(run: Run, ranked: Sequence[RankedConversation]) -> list[ConversationMatch]:
    """Read the conversations in the same order, without those deleted since."""
    texts = messages.texts(run, [r.best.id for r in ranked if r.best is not None])
    matches = []
    for r in ranked:
        conversation = conversations.find(run, r.id)
        if conversation is None:
            continue
        text = texts.get(r.best.id) if r.best else None
        seq = r.best.seq if r.best and text is not None else None
        topic = search_index.topic_text(conversation.title, conversation.topic)
        matches.append(
            ConversationMatch(conversation, seq, topic if text is None else text, r.score)
        )
    return matches
