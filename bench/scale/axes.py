"""The dimensions that grow: messages, conversations, users.

One user and one conversation are measured. The conversation is summarized up to its last turns, and
its messages are in the full-text and vector indexes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import Literal

from recollect.core.ids import new_id

AxisName = Literal["messages", "conversations", "users"]
MEASURED = "measured"
_DEFAULT_MESSAGES = 200
"""Size of the measured conversation on the other axes."""
_SHORT, _FEW = 2, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Messages to add to a conversation, starting at seq `first`."""

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
    """Describes the axis in the report."""
    largest: int

    def sizes(self, most: int) -> list[int]:
        powers = (10**power for power in count())
        return [*takewhile(lambda size: size <= min(self.largest, most), powers)]

    def messages_measured(self, size: int) -> int:
        """Return the size of the measured conversation."""
        return size if self.name == "messages" else _DEFAULT_MESSAGES

    def growth(self, chat: str, before: int, size: int) -> Iterator[Part]:
        """Yield the messages to add between two sizes; `before` is 0 for an empty database."""
        if self.name == "messages" or not before:
            first, last = (before + 1, size) if self.name == "messages" else (1, _DEFAULT_MESSAGES)
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
        "One user with one conversation",
        1_000_000,
    ),
    Axis(
        "conversations",
        "Conversations of one user",
        f"One user: a conversation of {_DEFAULT_MESSAGES} messages, the others of {_SHORT}",
        100_000,
    ),
    Axis(
        "users",
        "Users",
        f"The measured user has {_DEFAULT_MESSAGES} messages, the others {_FEW} each",
        10_000,
    ),
)
