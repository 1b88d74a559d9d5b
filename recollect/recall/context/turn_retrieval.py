"""Older turns for a context: which bear on the current message, and are not shown anyway."""

from collections.abc import Sequence, Set

from recollect.core.turns import group_turns
from recollect.core.types import Message, Turn
from recollect.language.references import Reference, find_reference
from recollect.language.subjects import find_subject
from recollect.recall.context.types import Context, ContextSources
from recollect.recall.search.ranking import MessageCandidate, is_relevant
from recollect.store import messages

_LOOKED_AT = 2_000
"""Characters at both ends of a message in which a reference is looked for."""


def shows_everything(material: ContextSources, built: Context) -> bool:
    """Whether a context has the whole conversation in it."""
    starts = material.backlog[0].seq if material.backlog else messages.MAX_SEQ
    dropped = any(
        item.outcome == "dropped" for item in built.receipt.items if item.section == "tail"
    )
    return starts == 1 and not dropped


def select_turns(
    material: ContextSources,
    ranked: Sequence[MessageCandidate],
    *,
    shown: Set[str | None],
    loose: Set[str | None],
) -> list[MessageCandidate]:
    """The best places in as many turns as the policy retrieves, of what is not shown; and besides
    these, what is loose: pushed out by what is retrieved, it is to be retrieved itself."""
    places: dict[int, MessageCandidate] = {}
    own = material.question.turn if material.question else None
    missing = material.policy.retrieved_turns
    for one in ranked:
        if one.turn == own or one.turn in places or not is_relevant(one):
            continue  # the steps of its own turn may be many, and the summary has them
        if one.id not in loose:
            if one.id in shown:
                continue
            if missing == 0:
                break
            missing -= 1
        places[one.turn] = one
    return [*places.values()]


def displaceable(material: ContextSources, built: Context) -> set[str | None]:
    """What the tail shows only as long as nothing better needs the room."""
    keep = material.policy.keep_turns
    if keep is None:
        return set()
    turns = {message.id: message.turn for message in material.backlog}
    tail = [
        item.message_id
        for item in built.receipt.items
        if item.section == "tail" and item.outcome != "dropped" and item.message_id in turns
    ]
    kept = sorted({turns[id] for id in tail if id})[-keep:]
    return {id for id in tail if id and turns[id] not in kept}


def find_named(asked: str) -> Reference | None:
    """The turn that a message names by its number. One that it names by its subject is found by
    the search for whatever bears on it."""
    ends = _ends(asked)
    return None if find_subject(ends) is not None else find_reference(ends, careful=True)


def _ends(text: str) -> str:
    """Of a long text, where it may refer to something."""
    return text if len(text) <= 2 * _LOOKED_AT else f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT:]}"


def find_shown_reference(backlog: Sequence[Message], asked: str) -> list[Turn]:
    """What the user said in the turn that they refer to, among those that have an answer."""
    reference = find_reference(_ends(asked), careful=True)
    turns = [turn for turn in group_turns(backlog) if turn.is_answered]
    place = reference.index_in([turn.number for turn in turns]) if reference else None
    if place is None:
        return []
    said = tuple(one for one in turns[place].messages if one.role == "user")
    return [Turn(turns[place].number, said)]


def unseen(turns: Sequence[Turn], shown: Set[str | None]) -> list[Turn]:
    """Without what is sent anyway: the tail, and what is pinned."""
    left = [
        Turn(turn.number, tuple(one for one in turn.messages if one.id not in shown))
        for turn in turns
    ]
    return [turn for turn in left if turn.messages]
