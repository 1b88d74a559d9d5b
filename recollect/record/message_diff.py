"""Which part of a message list is new: those who send everything each time store nothing twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from recollect.core.types import Message, MessageIn, Role

Said = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class KnownPrefix:
    """What a client has from us, by the id of the last answer in its list: the first `messages` of
    the list, whatever the client has made of them."""

    answer_id: str
    messages: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """`new` is what comes after the stored part. Where all of it was stored and answered before,
    it is a request for another answer."""

    new: Sequence[MessageIn]
    is_repeated: bool = False


def find_overlap(
    given: Sequence[MessageIn], stored: Sequence[Message], known: KnownPrefix | None = None
) -> Overlap:
    """`stored` are the newest messages, oldest first, one more than are given at least.

    What a client knows by our id is known. Without that, the longest beginning of the list that the
    stored part ends with is known already. A client may have trimmed its list, or changed what it
    shows of an answer: then all up to its last answer is known, since we have answered it. One that
    sends only what is new has no answer in its list: the same question again, after an answer that
    did not come to its end, is the same one. Of an answer that failed before its first word no
    client has anything.
    """
    if known and (later := _after(known.answer_id, stored)) is not None:
        return _overlap_after(given[known.messages :], later)
    said = [(message.role, message.content) for message in stored if not _is_void(message)]
    heard = [(message.role, message.content) for message in given]
    for length in range(min(len(said), len(heard)), 0, -1):
        if heard[:length] == said[-length:]:
            new = given[length:]
            return Overlap(new, is_repeated=not new and _is_void(stored[-1]))
    answers = [place for place, message in enumerate(given) if message.role == "assistant"]
    if not stored:
        return Overlap(given)
    size, last = len(heard) + 1, stored[-1]
    has_words = last.role == "assistant" and not _is_void(last)
    is_answered = has_words and said[-size:-1] == heard
    if is_answered and (answers or last.status != "complete"):
        return Overlap((), is_repeated=True)
    return Overlap(given[answers[-1] + 1 :] if answers else given)


def find_edited(
    given: Sequence[MessageIn], stored: Sequence[Message], known: KnownPrefix | None = None
) -> Message | None:
    """The user message that the last one given is to stand for: what is given before it is what is
    stored before that. Of several it is the newest with the same words: a client may have sent
    nothing but that."""
    if known and (later := _after(known.answer_id, stored)) is not None:
        asked = [message for message in later if message.role == "user"]
        place = len(given) - known.messages - 1
        return asked[place] if place < len(asked) else None
    heard = [message for message in stored if not _is_void(message)]
    said = [(message.role, message.content) for message in heard]
    before = [(message.role, message.content) for message in given[:-1]]
    found = [
        message
        for place, message in enumerate(heard)
        if message.role == "user" and said[max(0, place - len(before)) : place] == before
    ]
    same = [message for message in found if message.content == given[-1].content]
    return same[-1] if same else found[0] if found else None


def _after(answer_id: str, stored: Sequence[Message]) -> Sequence[Message] | None:
    for place, message in enumerate(stored):
        if message.id == answer_id:
            return stored[place + 1 :]
    return None


def _overlap_after(given: Sequence[MessageIn], stored: Sequence[Message]) -> Overlap:
    """What follows an answer. Questions that a client has heard nothing on are stored already."""
    asked = [message.content for message in stored if message.role == "user"]
    pairs = zip(given, asked, strict=False)
    same = len(list(takewhile(lambda pair: pair[0].content == pair[1], pairs)))
    if same < len(given):
        return Overlap(given[same:])
    if same < len(asked):  # something else was said since: so this is said again
        return Overlap(given)
    return Overlap((), is_repeated=stored[-1].role == "assistant")


def _is_void(message: Message) -> bool:
    is_silent = not message.content.strip() and not message.tool_calls
    return message.role == "assistant" and is_silent
