"""Where a question is asked."""

from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id
from recollect.core.types import Conversation
from recollect.record.turn_history import history_of
from recollect.store import conversations
from recollect.store.database import Run

Place = Conversation | str | None
"""Where something is said: in a conversation that is made if it is not there yet, in one that is
named, or in the user's turn history."""


def lock_place(run: Run, place: Place, now: datetime) -> None:
    """The conversation; and the user, where one may have to be made."""
    match place:
        case None:
            id = conversations.find_history(run)
        case str():
            id = canonical_id(place)
        case Conversation():
            id = place.id
    if id is not None:
        conversations.lock(run, id)
    if not isinstance(place, str) and (id is None or conversations.find(run, id) is None):
        conversations.lock_user(run, now=now)


def find_place(run: Run, place: Place, user_id: str, now: datetime) -> str:
    match place:
        case None:
            return history_of(run, user_id, now=now)
        case str():
            id = canonical_id(place)
            if id is None:
                raise NotFound("There is no such conversation.")
            return id
        case Conversation():
            if conversations.find(run, place.id) is None:
                conversations.insert(run, place, kind="chat")
            return place.id
