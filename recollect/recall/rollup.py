"""From messages to conversations: each is as good as its best message and its topic together."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model import Conversation
from recollect.recall.find import Question, find_messages, opinions
from recollect.recall.rank import Candidate, Weights, blend, rank
from recollect.store import conversations, documents, messages
from recollect.store.database import Run
from recollect.store.documents import Filters, Scope


@dataclass(frozen=True, slots=True)
class Found:
    """A conversation, and the message that speaks for it; None if only its topic does."""

    id: str
    score: float
    best: Candidate | None


@dataclass(frozen=True, slots=True)
class Passage:
    conversation: Conversation
    text: str


def find_conversations(
    run: Run,
    question: Question,
    scope: Scope,
    *,
    filters: Filters,
    topic: float,
    weights: Weights,
) -> list[Found]:
    """Best first. `topic` is its share of the score. A topic has neither a speaker nor a time."""
    candidates = find_messages(run, question, scope, filters=filters)
    ranked = rank(candidates, question.text, weights=weights)
    best: dict[str, Candidate] = {}
    by_message: dict[str, float] = {}
    for one in ranked:
        if one.candidate.conversation_id not in best:
            best[one.candidate.conversation_id] = one.candidate
            by_message[one.candidate.conversation_id] = one.score
    by_topic: dict[str, float] = {}
    if filters.role is None and filters.after is None and filters.before is None:
        found = opinions(run, "topic", question, filters=filters, among=scope.conversations)
        by_topic = blend(found.lexical, found.similarity, weight=weights.lexical)
    share = topic if by_topic else 0.0
    scored = [
        Found(
            id,
            (1 - share) * by_message.get(id, 0.0) + share * by_topic.get(id, 0.0),
            best.get(id),
        )
        for id in {*by_message, *by_topic}
    ]
    return sorted(scored, key=lambda one: (round(one.score, 3), one.id), reverse=True)


def passages_of(run: Run, found: Sequence[Found]) -> dict[str, Passage]:
    """By conversation."""
    said = messages.texts(run, [one.best.id for one in found if one.best is not None])
    passages = {}
    for one in found:
        conversation = conversations.get(run, one.id)
        topic = documents.topic_text(conversation.title, conversation.topic)
        passages[one.id] = Passage(conversation, said[one.best.id] if one.best else topic)
    return passages
