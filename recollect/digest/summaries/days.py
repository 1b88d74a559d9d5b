"""The days on which messages were said, the relative days in their texts, and who said them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date
from itertools import groupby

from recollect.core.days import format_day
from recollect.core.types import Message, Role, Turn
from recollect.language.relative_days import annotate_relative_days, find_relative_days
from recollect.store.search_index import speaker_of

_MAX_DESCRIBED_DAYS = 3
_DESCRIBED_ROLES: dict[Role, str] = {"user": "User", "assistant": "Assistant"}
_MAX_NAME_CHARS = 30
_PLAIN_NAME = re.compile(r"[^\W_][\w.'\u2019-]*(?: [\w.'\u2019-]+){0,3}")
"""Callers may take names from anywhere, so other texts do not get into a system prompt."""


def day_of(message: Message) -> date:
    """Return the day on which a message was said, in UTC."""
    return message.event_at.astimezone(UTC).date()


def annotate_days(message: Message) -> str:
    """Return the text of a message with a date behind each relative day.

    The text of systems and tools is not changed, because their "today" is not that of the message.
    """
    if message.role not in {"user", "assistant"}:
        return message.content
    return annotate_relative_days(message.content, day_of(message))


def annotate_turn(turn: Turn) -> Turn:
    return replace(
        turn,
        messages=tuple(
            replace(message, content=annotate_days(message)) for message in turn.messages
        ),
    )


def replace_relative_days(text: str, said_on: date) -> str:
    """Write dates for the relative days and months that do not include the day itself."""
    pieces, at = [], 0
    for found in find_relative_days(text, said_on):
        is_value = found.period.first == found.period.last or found.period.is_month
        if is_value and not found.period.first <= said_on <= found.period.last:
            pieces += [text[at : found.start], found.written]
            at = found.end
    return "".join([*pieces, text[at:]])


def days_in(turns: Iterable[Turn]) -> set[date]:
    """Return the days on which the messages were said, and those that their relative days mean."""
    messages = [message for turn in turns for message in turn.messages]
    days = {day_of(message) for message in messages}
    for message in messages:
        for found in find_relative_days(message.content, day_of(message)):
            days |= {*found.period}
    return days


def describe_turns(turns: Sequence[Turn]) -> str:
    """Return sentences that tell the days of numbered turns and the names of the speakers."""
    days = [day_of(turn.messages[0]) for turn in turns]
    runs = [
        (day, [number for number, _ in run])
        for day, run in groupby(enumerate(days, start=1), key=lambda each: each[1])
    ]
    if len(runs) > _MAX_DESCRIBED_DAYS:
        told = f"The turns were said from {format_day(min(days))} to {format_day(max(days))}."
    else:
        listed = (
            f"{numbers[0]}{f' to {numbers[-1]}' if len(numbers) > 1 else ''}: {format_day(day)}"
            for day, numbers in runs
        )
        told = f"Days of the turns: {'; '.join(listed)}."
    return " ".join([told, *_names(turns)])


def _names(turns: Iterable[Turn]) -> Iterable[str]:
    messages = [message for turn in turns for message in turn.messages]
    for role, title in _DESCRIBED_ROLES.items():
        spoken = [message for message in messages if message.role == role]
        names = {" ".join((speaker_of(message.metadata) or "").split()) for message in spoken}
        if len(names) != 1:
            continue
        (name,) = names
        if len(name) <= _MAX_NAME_CHARS and _PLAIN_NAME.fullmatch(name):
            yield f"{title} is {name}."
