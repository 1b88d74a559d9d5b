"""The pattern of one kind of value."""

import re
from typing import NamedTuple

from recollect.core.types import ExactValueKind


class ValuePattern(NamedTuple):
    kind: ExactValueKind
    regex: re.Pattern[str]
    is_plain: bool
    """Whether it is matched against the plain form of a sentence rather than its letters."""


def literal_patterns(kind: ExactValueKind, *patterns: str) -> tuple[ValuePattern, ...]:
    """Patterns in which case and accents matter, as in paths and codes."""
    return tuple(ValuePattern(kind, re.compile(p, re.VERBOSE), False) for p in patterns)


def plain_patterns(kind: ExactValueKind, *patterns: str) -> tuple[ValuePattern, ...]:
    """Patterns in lower case and without accents, as for the names of months and units."""
    return tuple(ValuePattern(kind, re.compile(p, re.VERBOSE), True) for p in patterns)


def any_word(words: str) -> str:
    """One of the words, where a word ends. It may begin after a digit: "30euros"."""
    return f"(?:{'|'.join(words.split()) or '(?!)'})(?!\\w)"
