"""Language data of the conversations: phrasings of facts, filler, and words for slots."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from bench.fidelity.small_talk import SmallTalk

FactKind = Literal[
    "amount", "date", "name", "identifier", "path", "preference", "constraint", "decision"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasings:
    """Phrasings per kind of fact; the value that must survive is in brackets."""

    amount: Sequence[str]
    date: Sequence[str]
    name: Sequence[str]
    identifier: Sequence[str]
    path: Sequence[str]
    preference: Sequence[str]
    constraint: Sequence[str]
    decision: Sequence[str]

    def of(self, kind: FactKind) -> Sequence[str]:
        phrasings: Sequence[str] = getattr(self, kind)
        return phrasings


KINDS: tuple[FactKind, ...] = tuple(field.name for field in fields(Phrasings))  # type: ignore[misc]


@dataclass(frozen=True, slots=True, init=False)
class Exchange:
    """Filler by the user, and sentences to build the answer from."""

    question: str
    answers: tuple[str, ...]

    def __init__(self, question: str, *answers: str) -> None:
        object.__setattr__(self, "question", question)
        object.__setattr__(self, "answers", answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Word lists are separated by blanks."""

    name: str
    tuned: Phrasings
    held_out: Phrasings
    openers: Sequence[str]
    followers: Sequence[str]
    acknowledgements: Sequence[str]
    filler: Sequence[Exchange]
    talk: SmallTalk
    amounts: Sequence[str]
    prices: Sequence[str]
    thousands: str
    months: str
    weekdays: str
    dates: Sequence[str]
    times: Sequence[str]
    first_names: str
    last_names: str
    cities: str
    likings: Sequence[str]
    foods: Sequence[str]
    tools: Sequence[str]
    choices: Sequence[str]
