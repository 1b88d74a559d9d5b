"""Finds where clauses begin, which is where a fact may be stated.

A clause begins at the start of a sentence, after punctuation or an emoji, and after a conjunction;
greetings and phrases such as "remember that" may come first. "That" alone does not begin one, since
what follows may be denied: "I don't think that I'm allergic to cats".
"""

import re
from collections.abc import Iterator
from functools import cache

from recollect.language.patterns import any_of
from recollect.language.registry import merged

_MAX_OPENINGS = 4
_CLAUSE_END = re.compile(r"[,;:()!?\u2013\u2014…]|\.(?= |\Z)| - |\Z")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A boundary between clauses, and an opening phrase."""
    phrases = merged("facts.hedges")
    return (
        re.compile(
            r"\A|[,;:()!?\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf] ?|\.{2,} ?| - |"
            rf"{any_of(phrases['conjunctions'])} (?=\w)"
        ),
        re.compile(any_of(phrases["openings"]) + r"(?:[,:;!.…-]{1,3} ?-? ?| )"),
    )


def clause_starts(text: str) -> list[int]:
    boundary, _ = _patterns()
    return [match.end() for match in boundary.finditer(text)]


def statement_starts(text: str, start: int) -> Iterator[int]:
    """Where the clause at `start` may state something: at once, or after its opening phrases."""
    yield start
    _, opening = _patterns()
    for _ in range(_MAX_OPENINGS):
        match = opening.match(text, start)
        if match is None:
            return
        start = match.end()
        yield start


def clause_end(text: str, at: int) -> int:
    match = _CLAUSE_END.search(text, at)
    return match.start() if match else len(text)
