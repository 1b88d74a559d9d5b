"""Turns: a question is never separated from its answer.

A turn starts at a user message that does not follow another user message. Answers, tool messages
and system messages belong to the turn they follow; messages before the first user message are
turn 0. Numbers are assigned when a message is recorded and never change.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from recollect.core.types import Message, Role, Turn


def starts_turn(role: Role, previous: Role | None) -> bool:
    return role == "user" and previous != "user"


def turns_back(roles: Sequence[Role]) -> list[int]:
    """Return for each message of a batch how many turns it is before the last turn.

    Numbers are counted from the end, because the messages stored before the batch decide whether
    its first message starts a turn.
    """
    back = [0]
    for before, role in pairwise(reversed(roles)):
        back.append(back[-1] + starts_turn(before, role))
    return back[::-1]


def group_turns(messages: Iterable[Message]) -> list[Turn]:
    """Group ordered messages into turns."""
    return [
        Turn(number, tuple(members))
        for number, members in groupby(messages, key=lambda message: message.turn)
    ]
