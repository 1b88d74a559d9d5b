"""Switching: from "let's go back to the trip to Lisbon" to the conversation that is meant.

What a sentence is about is what is left when the words that only ask for the change are taken away.
Conversations are judged by their topic and by their best message; of two that are nearly as good,
the one with the later activity comes first. One that is clearly ahead of the next is the match;
otherwise those within the margin are named, and the user is to be asked.
"""

from dataclasses import dataclass
from datetime import timedelta

from recollect.model import Conversation
from recollect.recall.carriers import without_carrier
from recollect.recall.find import Finding, Question
from recollect.recall.rollup import find_conversations, passages_of
from recollect.recall.search import check_query
from recollect.store.database import Run
from recollect.store.documents import Filters, Scope

_TOPIC = 0.5
_MOST_CANDIDATES = 5
_RECENCY = 0.02
"""What a month without activity costs: enough to decide between equals, and no more."""
_DAYS_TO_FADE = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    conversation: Conversation
    passage: str
    score: float


@dataclass(frozen=True, slots=True)
class Switched:
    """`match` is None where nothing fits, or where the user has to say which one is meant."""

    match: Conversation | None
    candidates: tuple[Candidate, ...]
    needs_confirmation: bool


class Switch(Finding):
    async def switch(self, user_id: str, query: str) -> Switched:
        """The conversation that a sentence asks for, or those it may ask for."""
        check_query(query)
        candidates, _ = await self._finder.ask(without_carrier(query), user_id, self._look)
        if not candidates:
            return Switched(None, (), needs_confirmation=False)
        best = candidates[0]
        rivals = [one for one in candidates[1:] if best.score - one.score < self._margin]
        if not rivals:
            return Switched(best.conversation, tuple(candidates), needs_confirmation=False)
        return Switched(None, tuple(candidates), needs_confirmation=True)

    def _look(self, run: Run, question: Question, scope: Scope) -> list[Candidate]:
        found = find_conversations(
            run, question, scope, filters=Filters(), topic=_TOPIC, weights=self._weights
        )
        found = found[: 2 * _MOST_CANDIDATES]
        passages = passages_of(run, found)
        now = self._clock()
        candidates = []
        for one in found:
            passage = passages[one.id]
            if passage.conversation.is_archived:
                continue
            days = (now - passage.conversation.last_activity_at) / timedelta(days=1)
            score = one.score - _RECENCY * min(1.0, max(0.0, days) / _DAYS_TO_FADE)
            candidates.append(Candidate(passage.conversation, passage.text, max(0.0, score)))
        candidates.sort(key=lambda one: one.score, reverse=True)
        return candidates[:_MOST_CANDIDATES]
