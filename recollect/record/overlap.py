"""Which part of a message list is new: those who send everything each time store nothing twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model import Message, MessageIn


@dataclass(frozen=True, slots=True)
class Overlap:
    """`new` is what comes after the stored part. Where all of it was stored and answered before,
    it is a request for another answer."""

    new: Sequence[MessageIn]
    is_repeated: bool = False


def find_overlap(given: Sequence[MessageIn], stored: Sequence[Message]) -> Overlap:
    """`stored` are the newest messages, oldest first, one more than are given at least.

    The longest beginning of the list that the stored part ends with is known already. A client may
    have trimmed its list, or changed what it shows of an answer: then all up to its last answer is
    known, since we have answered it. One that sends only what is new has no answer in its list.
    """
    said = [(message.role, message.content) for message in stored]
    heard = [(message.role, message.content) for message in given]
    for length in range(min(len(said), len(heard)), 0, -1):
        if heard[:length] == said[-length:]:
            return Overlap(given[length:])
    answers = [place for place, message in enumerate(given) if message.role == "assistant"]
    if not stored or not answers:
        return Overlap(given)
    size = len(heard) + 1
    if said[-size:-1] == heard and stored[-1].role == "assistant":
        return Overlap((), is_repeated=True)
    return Overlap(given[answers[-1] + 1 :])


def find_edited(given: Sequence[MessageIn], stored: Sequence[Message]) -> Message | None:
    """The user message that the last one given is to stand for: what is given before it is what is
    stored before that."""
    before = [(message.role, message.content) for message in given[:-1]]
    for place, message in enumerate(stored):
        said = [(one.role, one.content) for one in stored[max(0, place - len(before)) : place]]
        if message.role == "user" and said == before and len(said) == len(before):
            return message
    return None
