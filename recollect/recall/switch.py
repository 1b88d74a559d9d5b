"""Switching: from "let's go back to the trip to Lisbon" to the conversation that is meant.

What a sentence is about is what is left when the words that only ask for the change are taken away.
Conversations are judged by their topic and by their best message; of two that are nearly as good,
the one with the later activity comes first, and one that is called by its title before all. One
that is clearly ahead of the next is the match; otherwise, and where even the best is far from what
was asked for, the user is to be asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recollect.core.types import Conversation
from recollect.language.analyzer import content_words, folded_words
from recollect.language.normalize import fold, plain_words
from recollect.language.request_phrases import strip_request_phrases
from recollect.recall.search.conversation_ranking import (
    ConversationMatch,
    RankedConversation,
    rank_conversations,
    read_matches,
)
from recollect.recall.search.ranking import Weights
from recollect.recall.search.retriever import SearchResults, SearchService
from recollect.recall.search.service import check_query
from recollect.store import answers
from recollect.store.database import Run

_TOPIC = 0.2
_WEIGHTS = Weights(lexical=0.15, assistant=1.0, closeness=0.0)
"""People ask for a conversation in other words than were used in it, or in another language."""
_MOST_CANDIDATES = 5
_RECENCY = 0.02
"""What a month without activity costs: enough to decide between equals, and no more."""
_DAYS_TO_FADE = 30
_CALLED = 0.65
"""The cosine from which on a sentence says the title that a user gave, in other words or another
language: what was said under it need not say it again."""
_NEAR = 0.2
"""The cosine of the best message, below which a user is asked even where there is no rival."""


@dataclass(frozen=True, slots=True)
class SwitchCandidate:
    conversation: Conversation
    passage: str
    score: float


@dataclass(frozen=True, slots=True)
class SwitchResult:
    """`match` is None where nothing fits, or where the user has to say which one is meant."""

    match: Conversation | None
    candidates: tuple[SwitchCandidate, ...]
    needs_confirmation: bool


class Switch(SearchService):
    async def switch(self, query: str, *, user_id: str) -> SwitchResult:
        """The conversation that a sentence asks for, or those it may ask for."""
        check_query(query)
        found = await self._retriever.find(
            strip_request_phrases(query),
            user_id,
            weights=_WEIGHTS,
            topics=True,
            across_languages=True,
        )
        rolled_up = rank_conversations(found, topic=_TOPIC)
        fits = found.topics
        fitting = sorted(fits, key=lambda id: fits[id], reverse=True)
        called = {*fitting[:_MOST_CANDIDATES]}
        first = [one for one in rolled_up if one.id in called]  # for the sake of their titles
        by_fit = [*first, *(one for one in rolled_up if one.id not in called)]
        now = self._clock()
        likely = await self._read(
            lambda run: _marked(run, _not_archived(run, by_fit), now), user_id
        )
        candidates = sorted(
            (
                SwitchCandidate(one.conversation, one.text, self._score(one, query, found))
                for one in likely
            ),
            key=lambda one: one.score,
            reverse=True,
        )[:_MOST_CANDIDATES]
        if not candidates:
            return SwitchResult(None, (), needs_confirmation=False)
        best = candidates[0]
        has_rival = any(best.score - one.score < self._margin for one in candidates[1:])
        is_meant = _named(query, best.conversation) > 0 or _is_about(
            best.conversation.id, rolled_up, found
        )
        if has_rival or not is_meant:
            return SwitchResult(None, tuple(candidates), needs_confirmation=True)
        return SwitchResult(best.conversation, tuple(candidates), needs_confirmation=False)

    def _score(self, passage: ConversationMatch, query: str, found: SearchResults) -> float:
        """What it was found by or, if that is more, how far it is called by its title, in these or
        other words; less what the time without activity costs."""
        conversation = passage.conversation
        meant = found.about.similarity.get(conversation.id, 0.0)
        is_called = conversation.title_source == "user" and meant >= _CALLED
        score = max(passage.score, _named(query, conversation), meant if is_called else 0.0)
        days = (self._clock() - conversation.last_activity_at) / timedelta(days=1)
        return max(0.0, score - _RECENCY * min(1.0, max(0.0, days) / _DAYS_TO_FADE))


def _named(query: str, conversation: Conversation) -> float:
    """How much of the title that a user gave to a conversation is in a sentence: 1 for all of it
    as it stands, 0 for less than half of its words."""
    title = plain_words(conversation.title or "")
    if conversation.title_source != "user" or not title:
        return 0.0
    if f" {title} " in f" {plain_words(query)} ":
        return 1.0
    words = {fold(word) for word in content_words(conversation.title or "")}
    share = len(words & folded_words(query)) / len(words) if words else 0.0
    return 0.8 * share if share >= 0.5 else 0.0


def _is_about(
    conversation_id: str, rolled_up: Sequence[RankedConversation], found: SearchResults
) -> bool:
    """Whether it may be switched to unasked: one is always best, also of what is about nothing."""
    best = next(one.best for one in rolled_up if one.id == conversation_id)
    by_message = best is not None and (best.similarity is None or best.similarity >= _NEAR)
    by_topic = found.about.similarity.get(conversation_id, 0.0) >= _NEAR
    return by_message or by_topic or conversation_id in found.about.lexical


def _not_archived(run: Run, rolled_up: Sequence[RankedConversation]) -> list[ConversationMatch]:
    """The best; a few more than are shown, as they are yet to fade."""
    enough = 2 * _MOST_CANDIDATES
    passages: list[ConversationMatch] = []
    for start in range(0, len(rolled_up), enough):
        some = read_matches(run, rolled_up[start : start + enough])
        passages += [one for one in some if not one.conversation.is_archived]
        if len(passages) >= enough:
            break
    return passages


def _marked(
    run: Run, passages: Sequence[ConversationMatch], now: datetime
) -> list[ConversationMatch]:
    """With whether an answer is being written in each of their conversations."""
    marked = answers.mark_answering(run, [one.conversation for one in passages], now=now)
    return [
        replace(passage, conversation=conversation)
        for passage, conversation in zip(passages, marked, strict=True)
    ]
