"""What is made larger, decade by decade, while all else stays as it is.

Along each axis there is one user who is measured, with one conversation that is. The conversation
is digested up to its last turns, and everything in it is indexed, by its words and by vectors.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import Literal

from recollect.core.ids import new_id

AxisName = Literal["messages", "conversations", "users"]
MEASURED = "measured"
_USUAL = 200
"""How many messages the measured conversation has where it is not what grows."""
_SHORT, _FEW = 2, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Messages that a conversation is to have, from number `first` on."""

    user_id: str
    conversation_id: str
    first: int
    count: int
    is_measured: bool = False

    @property
    def is_new(self) -> bool:
        return self.first == 1

    @property
    def last(self) -> int:
        return self.first + self.count - 1


@dataclass(frozen=True, slots=True)
class Axis:
    name: AxisName
    title: str
    varied: str
    """What the sizes are sizes of, as a sentence for those who read the figures."""
    largest: int

    def sizes(self, most: int) -> list[int]:
        powers = (10**power for power in count())
        return [*takewhile(lambda size: size <= min(self.largest, most), powers)]

    def messages_measured(self, size: int) -> int:
        """In the measured conversation."""
        return size if self.name == "messages" else _USUAL

    def growth(self, chat: str, before: int, size: int) -> Iterator[Part]:
        """What is added between two sizes; `before` is 0 in an empty database."""
        if self.name == "messages" or not before:
            first, last = (before + 1, size) if self.name == "messages" else (1, _USUAL)
            yield replace(_part(MEASURED, chat, first, last), is_measured=True)
        if self.name == "conversations":
            for _ in range(max(before, 1), size):
                yield _part(MEASURED, new_id(), 1, _SHORT)
        if self.name == "users":
            for number in range(max(before, 1), size):
                yield _part(f"user-{number}", new_id(), 1, _FEW)


def _part(user_id: str, chat: str, first: int, last: int) -> Part:
    return Part(user_id=user_id, conversation_id=chat, first=first, count=last - first + 1)


AXES = (
    Axis(
        "messages",
        "Messages in one conversation",
        "One user, one conversation, and that many messages in it",
        1_000_000,
    ),
    Axis(
        "conversations",
        "Conversations of one user",
        f"One user with a conversation of {_USUAL} messages and others of {_SHORT}, so many in all",
        100_000,
    ),
    Axis(
        "users",
        "Users",
        f"A user with a conversation of {_USUAL} messages, and others with one of {_FEW}",
        10_000,
    ),
)
