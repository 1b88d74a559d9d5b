"""Resolving references: the turn that a phrase in a message points to.

First by number, as `references` finds it; where no ordinal is meant, by meaning: the turn of this
conversation that is about the subject the phrase names. One that is not about it is no answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.checks import check_text
from recollect.errors import InvalidInput, NotFound
from recollect.ids import canonical_id
from recollect.model import Message, Turn
from recollect.recall.find import Finding, Question, find_messages
from recollect.recall.rank import Weights, bears_on, rank
from recollect.recall.references import Reference, find_reference
from recollect.recall.subjects import Subject, find_subject
from recollect.store import conversations, messages
from recollect.store.database import Run
from recollect.store.documents import Filters, Scope
from recollect.turns import group_turns

ReferenceKind = Literal["ordinal", "recent", "semantic"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """`turn` is None where the phrase names none that there is; `phrase`, where there is none."""

    turn: Turn | None = None
    phrase: str | None = None
    kind: ReferenceKind | None = None


class References(Finding):
    async def resolve_reference(self, conversation_id: str, user_id: str, text: str) -> Resolved:
        """The turn that `text` refers to, if it refers to one."""
        check_text(text, "text")
        if not text.strip():
            raise InvalidInput("text is empty.", field="text")
        id = canonical_id(conversation_id)
        if id is None:
            raise NotFound("There is no such conversation.")
        subject = find_subject(text)
        ordinal = find_reference(text, careful=subject is not None)
        if ordinal is None and subject is not None:
            return await self._by_meaning(id, user_id, subject)

        def find(run: Run) -> Sequence[Message]:
            conversations.get(run, id)
            return named_turn(run, id, ordinal) if ordinal else ()

        found = await self._read(find, user_id)
        if ordinal is None:
            return Resolved()
        kind: ReferenceKind = "recent" if (ordinal.position or 1) < 0 else "ordinal"
        return Resolved(_turn(found), ordinal.phrase, kind)

    async def _by_meaning(self, id: str, user_id: str, subject: Subject) -> Resolved:
        found, _ = await self._finder.ask(
            subject.text,
            user_id,
            lambda run, question, scope: _turn_about(run, question, scope, id),
            conversation_id=id,
        )
        return Resolved(_turn(found), subject.phrase, "semantic")


def named_turn(run: Run, conversation_id: str, reference: Reference) -> list[Message]:
    """Empty where the conversation has no such turn."""
    if reference.turn is not None:
        return messages.turn_numbered(run, conversation_id, reference.turn)
    return messages.turn_at(run, conversation_id, reference.position or 1)


def _turn_about(run: Run, question: Question, scope: Scope, id: str) -> list[Message]:
    candidates = find_messages(run, question, scope, filters=Filters(conversation_id=id))
    for one in rank(candidates, question.text, weights=Weights()):
        if bears_on(one.candidate):
            return messages.turn_of(run, id, seq=one.candidate.seq, turn=one.candidate.turn)
    return []


def _turn(found: Sequence[Message]) -> Turn | None:
    turns = group_turns(found)
    return turns[0] if turns else None
