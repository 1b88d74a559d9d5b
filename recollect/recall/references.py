"""Resolving references: the turn that a phrase in a message points to.

By number, as `references` finds it, or by meaning: the turn of this conversation that is about the
subject the phrase names. One that is not about it is no answer. Where a text has both, the number
counts ("the first one, about the budget"), unless it is no more than an *earlier*: "what you said
earlier about the budget" is seldom what was said last.

A text that is stored already, and waits for its answer, does not refer to itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.core.errors import InvalidInput, NotFound, TooLarge
from recollect.core.ids import canonical_id
from recollect.core.turns import group_turns
from recollect.core.types import Message, Turn
from recollect.core.validation import check_text
from recollect.language.analyzer import analyze, content_words, query_terms
from recollect.language.references import Reference, find_reference
from recollect.language.subjects import Subject, find_subject
from recollect.recall.context.tool_pairs import find_current, pair_tool_calls
from recollect.recall.search.ranking import MessageCandidate, is_relevant
from recollect.recall.search.retriever import SearchResults, SearchService
from recollect.store import conversations, messages
from recollect.store.database import Run
from recollect.store.search_index import Filters

_LONGEST_TEXT = 100_000
_NEAR_SUBJECT = 0.12
"""A cosine that would say nothing of two sentences: but a word or two are far from any."""

ReferenceKind = Literal["ordinal", "recent", "semantic"]


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """`turn` is None where the phrase names none that there is; `phrase`, where there is none."""

    turn: Turn | None = None
    phrase: str | None = None
    kind: ReferenceKind | None = None


class References(SearchService):
    async def resolve_reference(
        self, text: str, *, conversation_id: str, user_id: str
    ) -> ResolvedReference:
        """The turn that `text` refers to, if it refers to one."""
        check_text(text, "text")
        if not text.strip():
            raise InvalidInput("text is empty.", field="text")
        if len(text) > _LONGEST_TEXT:
            message = f"text may have at most {_LONGEST_TEXT:,} characters."
            raise TooLarge(message, field="text")
        id = canonical_id(conversation_id)
        if id is None:
            raise NotFound("There is no such conversation.")
        subject = find_subject(text)
        ordinal = find_reference(text, careful=subject is not None)
        if subject is not None and (ordinal is None or ordinal.position == -1):
            about = await self._by_meaning(id, user_id, subject, text)
            if about.turn is not None or ordinal is None:
                return about

        def find(run: Run) -> Sequence[Message]:
            conversations.get(run, id)
            return read_referenced_turn(run, id, ordinal, asking=text) if ordinal else ()

        found = await self._read(find, user_id)
        if ordinal is None:
            return ResolvedReference()
        kind: ReferenceKind = "recent" if (ordinal.position or 1) < 0 else "ordinal"
        return ResolvedReference(_turn(found), ordinal.phrase, kind)

    async def _by_meaning(
        self, id: str, user_id: str, subject: Subject, text: str
    ) -> ResolvedReference:
        found = await self._retriever.find(
            subject.text,
            user_id,
            weights=self._weights,
            filters=Filters(conversation_id=id),
            across_languages=True,
        )

        def read(run: Run) -> Sequence[Message]:
            latest = messages.turn_at(run, id, -1)
            own = latest[0].turn if _asks(latest, text) else None
            about = next((one for one in _about(found) if one.turn != own), None)
            return messages.turn_of(run, id, seq=about.seq, turn=about.turn) if about else ()

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
    """Empty where the conversation has no such turn. One that is `asking` is not the latest, and
    what comes from `before_seq` on is not there."""
    if reference.turn is not None:
        return messages.turn_numbered(run, conversation_id, reference.turn, before_seq=before_seq)
    position = reference.position or 1
    if position < 0 and asking:
        latest = messages.turn_at(run, conversation_id, -1, before_seq=before_seq)
        position -= _asks(latest, asking)
    return messages.turn_at(run, conversation_id, position, before_seq=before_seq)


def _asks(turn: Sequence[Message], text: str) -> bool:
    """Whether a turn is that very text, and nobody has answered it yet."""
    entries, _ = pair_tool_calls(turn)
    place = find_current(entries)
    return place is not None and text.strip() in entries[place].text


def _about(found: SearchResults) -> Iterator[MessageCandidate]:
    """Best first. A subject is meant to be found, so less is enough than where anything may bear on
    a question. Without vectors that is half of its words."""
    by_meaning = found.question.vector is not None
    words = [{*query_terms(word)} for word in content_words(found.question.text)]
    for candidate in (one.candidate for one in found.ranked):
        if by_meaning:
            if is_relevant(candidate) or (candidate.similarity or 0.0) >= _NEAR_SUBJECT:
                yield candidate
        elif text := found.texts.get(candidate.id):
            said = {*analyze(text)}
            if 0 < sum(not said.isdisjoint(word) for word in words) >= len(words) / 2:
                yield candidate


def _turn(found: Sequence[Message]) -> Turn | None:
    turns = group_turns(found)
    return turns[0] if turns else None
