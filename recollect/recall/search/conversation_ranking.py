"""From messages to conversations: each is as good as its best messages and its topic together."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.core.types import Conversation
from recollect.recall.search.ranking import MessageCandidate
from recollect.recall.search.retriever import SearchResults
from recollect.store import conversations, messages, search_index
from recollect.store.database import Run

_SECOND = 0.5
"""What the second best message adds: a single one may speak for a conversation by chance."""


@dataclass(frozen=True, slots=True)
class RankedConversation:
    """A conversation's id, and the message that speaks for it; None if only its topic does."""

    id: str
    score: float
    best: MessageCandidate | None


@dataclass(frozen=True, slots=True)
class ConversationMatch:
    """A conversation with the words that speak for it, and the message that they are from."""

    conversation: Conversation
    seq: int | None
    text: str
    score: float


def rank_conversations(found: SearchResults, *, topic: float) -> list[RankedConversation]:
    """Best first. `topic` is its share of the score."""
    best: dict[str, MessageCandidate] = {}
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for one in found.ranked:
        best.setdefault(one.candidate.conversation_id, one.candidate)
        scores[one.candidate.conversation_id].append(one.score)
    by_message = {
        id: (those[0] + _SECOND * sum(those[1:2])) / (1 + _SECOND) for id, those in scores.items()
    }
    by_topic = found.topics
    share = topic if by_topic else 0.0
    scored = [
        RankedConversation(
            id,
            (1 - share) * by_message.get(id, 0.0) + share * by_topic.get(id, 0.0),
            best.get(id),
        )
        for id in {*by_message, *by_topic}
    ]
    return sorted(scored, key=lambda one: (round(one.score, 3), one.id), reverse=True)


def read_matches(run: Run, rolled_up: Sequence[RankedConversation]) -> list[ConversationMatch]:
    """In the same order, without what has been deleted meanwhile."""
    said = messages.texts(run, [one.best.id for one in rolled_up if one.best is not None])
    passages = []
    for one in rolled_up:
        conversation = conversations.find(run, one.id)
        if conversation is None:
            continue
        text = said.get(one.best.id) if one.best else None
        seq = one.best.seq if one.best and text is not None else None
        topic = search_index.topic_text(conversation.title, conversation.topic)
        passages.append(
            ConversationMatch(conversation, seq, topic if text is None else text, one.score)
        )
    return passages
