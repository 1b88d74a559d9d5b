"""Turns: what the memory works on, so that a question is never parted from its answer.

A turn starts at a user message that does not follow another user message. Answers, tool messages
and system messages belong to the turn they follow; what comes before the first user message is
turn 0. Numbers are assigned when a message is recorded and never change.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from recollect.core.types import Message, Role, Turn


def starts_turn(role: Role, previous: Role | None) -> bool:
    return role == "user" and previous != "user"


def turns_back(roles: Sequence[Role]) -> list[int]:
    """How many turns before the last one of a batch each of its messages lies.

    Whether the first one starts a turn of its own depends on what is stored before the batch, so
    numbers are counted from its end.
    """
    back = [0]
    for before, role in pairwise(reversed(roles)):
        back.append(back[-1] + starts_turn(before, role))
    return back[::-1]


def group_turns(messages: Iterable[Message]) -> list[Turn]:
    """Messages in order, as turns."""
    return [
        Turn(number, tuple(members))
        for number, members in groupby(messages, key=lambda message: message.turn)
    ]
