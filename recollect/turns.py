"""Turns: what the memory works on, so that a question is never parted from its answer.

A turn starts at a user message that does not follow another user message. Answers, tool messages
and system messages belong to the turn they follow; what comes before the first user message is
turn 0. Numbers are assigned when a message is recorded and never change.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from recollect.model import Message, Role, Turn


def starts_turn(role: Role, previous: Role | None) -> bool:
    return role == "user" and previous != "user"


def count_inner_starts(roles: Sequence[Role]) -> int:
    """How many turns start within a batch, not counting its first message.

    Whether the first one starts a turn depends on what is stored before it.
    """
    return sum(starts_turn(role, before) for before, role in pairwise(roles))


def number_turns(roles: Sequence[Role], last_turn: int) -> list[int]:
    """The turn of each message of a batch whose last one belongs to `last_turn`."""
    turn = last_turn - count_inner_starts(roles)
    numbers = [turn]
    for before, role in pairwise(roles):
        turn += starts_turn(role, before)
        numbers.append(turn)
    return numbers


def group_turns(messages: Iterable[Message]) -> list[Turn]:
    """Messages in order, as turns."""
    return [
        Turn(number, tuple(members))
        for number, members in groupby(messages, key=lambda message: message.turn)
    ]
