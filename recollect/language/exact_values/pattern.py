"""A shape that values of one kind have."""

import re
from typing import NamedTuple

from recollect.core.types import ExactValueKind


class Pattern(NamedTuple):
    kind: ExactValueKind
    shape: re.Pattern[str]
    folds: bool
    """Whether it is matched against the plain form of a sentence rather than its letters."""


def as_written(kind: ExactValueKind, *shapes: str) -> tuple[Pattern, ...]:
    """Case and accents matter, as in paths and codes."""
    return tuple(Pattern(kind, re.compile(shape, re.VERBOSE), False) for shape in shapes)


def as_spoken(kind: ExactValueKind, *shapes: str) -> tuple[Pattern, ...]:
    """Written in lower case and without accents, as in the names of months and units."""
    return tuple(Pattern(kind, re.compile(shape, re.VERBOSE), True) for shape in shapes)


def any_of(words: str) -> str:
    """An alternative of space-separated words, none of which may go on."""
    return f"(?:{'|'.join(words.split())})(?!\\w)"
