"""Select older turns for a context: relevant to the current message, and not shown anyway."""

from collections.abc import Sequence

from recollect.core.turns import group_turns
from recollect.core.types import Message, Turn
from recollect.language.references import Reference, find_reference
from recollect.language.subjects import find_subject
from recollect.recall.context.assemble import TailPlan
from recollect.recall.context.types import ContextSources
from recollect.recall.search.ranking import PassageCandidate, is_relevant

_MAX_REFERENCE_CHARS = 2_000
"""At both ends of a message, where a reference is looked for."""


def select_turns(
    sources: ContextSources, ranked: Sequence[PassageCandidate], plan: TailPlan
) -> list[PassageCandidate]:
    """Return the best candidate of each turn to retrieve: at most `retrieved_turns` turns that are
    not shown, and any displaceable turn, which the others may displace."""
    selected: dict[int, PassageCandidate] = {}
    own_turn = sources.question.turn if sources.question else None
    remaining = sources.policy.retrieved_turns
    for candidate in ranked:
        turn = candidate.turn
        # The current turn may have many steps, and the summary covers them.
        if turn == own_turn or turn in selected or not is_relevant(candidate):
            continue
        if candidate.message_id not in plan.displaceable:
            if candidate.message_id in plan.shown:
                continue
            if remaining == 0:
                break
            remaining -= 1
        selected[turn] = candidate
    return [*selected.values()]


def find_numbered_reference(question: str) -> Reference | None:
    """Return a reference by number; one by subject is left to the search."""
    ends = _ends(question)
    return None if find_subject(ends) is not None else find_reference(ends, careful=True)


def find_shown_reference(backlog: Sequence[Message], question: str) -> list[Turn]:
    """Return the user's messages of the answered turn that the question refers to."""
    reference = find_reference(_ends(question), careful=True)
    turns = [turn for turn in group_turns(backlog) if turn.is_answered]
    index = reference.index_in([turn.number for turn in turns]) if reference else None
    if index is None:
        return []
    by_user = tuple(message for message in turns[index].messages if message.role == "user")
    return [Turn(turns[index].number, by_user)]


def _ends(text: str) -> str:
    limit = _MAX_REFERENCE_CHARS
    return text if len(text) <= 2 * limit else f"{text[:limit]}\n{text[-limit:]}"
