"""Resolve references: find the turn that a phrase in a text points to.

A reference is by number ("the second one") or by subject ("the one about the budget"). If a text
has both, the number decides, unless it is just an "earlier": "what you said earlier about the
budget" rarely means the last turn. A stored text that waits for its answer never refers to itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.core.turns import group_turns
from recollect.core.types import Message, Turn
from recollect.language.analyzer import analyze, content_words, query_terms
from recollect.language.references import Reference, find_reference
from recollect.language.subjects import Subject, find_subject
from recollect.recall.context.tool_pairs import unanswered_message
from recollect.recall.search.ranking import PassageCandidate, is_relevant
from recollect.recall.search.retriever import SearchResults, SearchService
from recollect.recall.search.service import check_query
from recollect.store import messages
from recollect.store.database import Run
from recollect.store.search_index import Filters

_MIN_SUBJECT_COSINE = 0.12
"""Low, because a subject of one or two words is far from any sentence."""

ReferenceKind = Literal["ordinal", "recent", "semantic"]


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """`phrase` is None if the text has no reference, `turn` if there is no such turn."""

    turn: Turn | None = None
    phrase: str | None = None
    kind: ReferenceKind | None = None


class References(SearchService):
    async def resolve_reference(
        self, text: str, *, conversation_id: str, user_id: str
    ) -> ResolvedReference:
        """Return the turn that `text` refers to, if any."""
        check_query(text, "text")
        id = await self._conversation_id(conversation_id, user_id)
        subject = find_subject(text)
        ordinal = find_reference(text, careful=subject is not None)
        if subject is not None and (ordinal is None or ordinal.position == -1):
            resolved = await self._by_subject(id, user_id, subject, text)
            if resolved.turn is not None or ordinal is None:
                return resolved
        if ordinal is None:
            return ResolvedReference()
        turn = await self._read(
            lambda run: read_referenced_turn(run, id, ordinal, asking=text), user_id
        )
        kind: ReferenceKind = "recent" if (ordinal.position or 1) < 0 else "ordinal"
        return ResolvedReference(_turn(turn), ordinal.phrase, kind)

    async def _by_subject(
        self, id: str, user_id: str, subject: Subject, text: str
    ) -> ResolvedReference:
        results = await self._retriever.find(
            subject.text,
            user_id,
            weights=self._weights,
            filters=Filters(conversation_id=id),
            across_languages=True,
        )

        def read(run: Run) -> Sequence[Message]:
            latest = messages.turn_at(run, id, -1)
            own_turn = latest[0].turn if _is_unanswered(latest, text) else None
            best = next((c for c in _about(results) if c.turn != own_turn), None)
            return messages.turn_of(run, id, seq=best.seq, turn=best.turn) if best else ()

        turn = await self._read(read, user_id)
        return ResolvedReference(_turn(turn), subject.phrase, "semantic")


def read_referenced_turn(
    run: Run,
    conversation_id: str,
    reference: Reference,
    *,
    asking: str = "",
    before_seq: int = messages.MAX_SEQ,
) -> list[Message]:
    """Return the messages of the turn, or none. The turn of the stored text `asking` does not count
    as the latest; messages from `before_seq` on are ignored."""
    if reference.turn is not None:
        return messages.turn_numbered(run, conversation_id, reference.turn, before_seq=before_seq)
    position = reference.position or 1
    if position < 0 and asking:
        latest = messages.turn_at(run, conversation_id, -1, before_seq=before_seq)
        position -= _is_unanswered(latest, asking)
    return messages.turn_at(run, conversation_id, position, before_seq=before_seq)


def _is_unanswered(turn: Sequence[Message], text: str) -> bool:
    """Return whether the turn has this text, and no answer yet."""
    question = unanswered_message(turn)
    return question is not None and text.strip() in question.content


def _about(results: SearchResults) -> Iterator[PassageCandidate]:
    """Yield the candidates about a subject, best first. The floor is lower than for retrieval,
    because the subject is known to exist; without vectors, half of its words must occur."""
    has_vector = results.query.vector is not None
    words = [{*query_terms(word)} for word in content_words(results.query.text)]
    for candidate in results.ranked:
        if has_vector:
            if is_relevant(candidate) or (candidate.similarity or 0.0) >= _MIN_SUBJECT_COSINE:
                yield candidate
        elif text := results.texts.get(candidate.key):
            terms = {*analyze(text)}
            if 0 < sum(not terms.isdisjoint(word) for word in words) >= len(words) / 2:
                yield candidate


def _turn(stored: Sequence[Message]) -> Turn | None:
    turns = group_turns(stored)
    return turns[0] if turns else None
