"""Switch conversations: find the one that a sentence like "back to the trip to Lisbon" asks for.

The words that only ask for the change are stripped. Conversations are scored by their topic, their
best message and the title that the user gave, less a penalty for inactivity. The best is the match
if it is clearly ahead of the others and not far from the query; otherwise the user has to confirm.
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
from recollect.recall.search.retriever import Scores, SearchResults, SearchService
from recollect.recall.search.service import check_query
from recollect.store import answers
from recollect.store.database import Run

_TOPIC_SHARE = 0.2
_WEIGHTS = Weights(lexical=0.15, other_role=1.0, closeness=0.0)
"""Few words: people ask for a conversation in other words, or in another language."""
_MAX_CANDIDATES = 5
_MAX_PENALTY = 0.02
"""For inactivity: enough to decide between equals."""
_FULL_PENALTY_DAYS = 30
_MIN_TITLE_COSINE = 0.65
"""From here on, a query paraphrases the title that the user gave."""
_MIN_COSINE = 0.2
"""Below this, the user has to confirm even the only candidate."""


@dataclass(frozen=True, slots=True)
class SwitchResult:
    """`match` is None if nothing fits, or if the user has to choose a candidate."""

    match: Conversation | None
    candidates: tuple[ConversationMatch, ...]
    needs_confirmation: bool


class Switch(SearchService):
    async def switch(self, query: str, *, user_id: str) -> SwitchResult:
        """Return the conversation that a sentence asks for, or candidates."""
        check_query(query)
        text = strip_request_phrases(query)
        results = await self._retriever.find(
            text, user_id, weights=_WEIGHTS, topics=True, across_languages=True
        )
        topics = results.topic_scores.blended(_WEIGHTS)
        ranked = rank_conversations(results, topics, topic_share=_TOPIC_SHARE)
        by_title = {*sorted(topics, key=lambda id: topics[id], reverse=True)[:_MAX_CANDIDATES]}
        titled_first = sorted(ranked, key=lambda r: r.id not in by_title)
        now = self._clock()
        matches = await self._read(lambda run: _read_active(run, titled_first, now), user_id)
        scored = [replace(match, score=_score(match, query, results, now)) for match in matches]
        candidates = sorted(scored, key=lambda match: match.score, reverse=True)[:_MAX_CANDIDATES]
        if not candidates:
            return SwitchResult(None, (), needs_confirmation=False)
        best = candidates[0]
        has_rival = len(candidates) > 1 and best.score - candidates[1].score < self._margin
        is_match = not has_rival and (
            _title_score(query, best.conversation) > 0 or _is_related(best, results.topic_scores)
        )
        match = best.conversation if is_match else None
        return SwitchResult(match, tuple(candidates), needs_confirmation=not is_match)


def inactivity_penalty(conversation: Conversation, now: datetime) -> float:
    days = (now - conversation.last_activity_at) / timedelta(days=1)
    return _MAX_PENALTY * min(1.0, max(0.0, days) / _FULL_PENALTY_DAYS)


def _score(match: ConversationMatch, query: str, results: SearchResults, now: datetime) -> float:
    conversation = match.conversation
    cosine = results.topic_scores.similarity.get(conversation.id, 0.0)
    is_paraphrase = conversation.title_source == "user" and cosine >= _MIN_TITLE_COSINE
    score = max(match.score, _title_score(query, conversation), cosine if is_paraphrase else 0.0)
    return max(0.0, score - inactivity_penalty(conversation, now))


def _title_score(query: str, conversation: Conversation) -> float:
    """Return how much of the title that the user gave is in the query: 1 for all of it in order,
    0 for less than half of its words."""
    title = plain_words(conversation.title or "")
    if conversation.title_source != "user" or not title:
        return 0.0
    if f" {title} " in f" {plain_words(query)} ":
        return 1.0
    words = {fold(word) for word in content_words(conversation.title or "")}
    share = len(words.intersection(folded_words(query))) / len(words) if words else 0.0
    return 0.8 * share if share >= 0.5 else 0.0


def _is_related(match: ConversationMatch, topics: Scores) -> bool:
    """Return whether the best is near enough: there is a best also among unrelated ones."""
    best, id = match.best, match.conversation.id
    by_message = best is not None and (best.similarity is None or best.similarity >= _MIN_COSINE)
    return by_message or topics.similarity.get(id, 0.0) >= _MIN_COSINE or id in topics.lexical


def _read_active(
    run: Run, ranked: Sequence[RankedConversation], now: datetime
) -> list[ConversationMatch]:
    """Read the best that are not archived; more than are shown, since the penalty reorders them."""
    enough = 2 * _MAX_CANDIDATES
    matches: list[ConversationMatch] = []
    for start in range(0, len(ranked), enough):
        batch = read_matches(run, ranked[start : start + enough])
        matches += [match for match in batch if not match.conversation.is_archived]
        if len(matches) >= enough:
            break
    marked = answers.mark_answering(run, [match.conversation for match in matches], now=now)
    return [
        replace(match, conversation=conversation)
        for match, conversation in zip(matches, marked, strict=True)
    ]
