"""Retractions: what a user says does not hold any more, in the words of what held.

"I don't live in Rome anymore" is read as "I live in Rome" is, once it is turned round. Only what
says outright that it *was* so counts ("anymore", "no longer", "più", "na"): a plain "not" denies
what may never have held.
"""

import re

from recollect.cues import plain
from recollect.statements.reading import read_statements
from recollect.statements.statement import Statement
from recollect.statements.voice import own_words

_ANYMORE = r"(?:anymore|any more|any longer)"
_TURNS = tuple(
    (re.compile(form), turned)
    for form, turned in (
        (rf"\b(i am|i'm|im|my (?:\w+ ){{1,2}}is) not (.{{1,80}}?) {_ANYMORE}\b", (1, 2)),
        (rf"\b(i) (?:do not|don't|dont) (.{{1,80}}?) {_ANYMORE}\b", (1, 2)),
        (r"\b(i am|i'm|im) no longer (.{1,80})", (1, 2)),
        (r"\b(i) no longer (.{1,80})", (1, 2)),
        (
            r"\bnon (sono|ho|mi|vivo|abito|lavoro|studio|uso|mangio|bevo|faccio|gioco|suono|guido)"
            r" piu (.{1,80})",
            (1, 2),
        ),
        (r"\bnon (mi \w+|\w+o) piu (.{1,80})", (1, 2)),
        (r"\bhindi na (ako) (\w+)( .{1,80})", (2, 1, 3)),
    )
)


def read_retractions(text: str) -> list[Statement]:
    """The statements that hold no more."""
    return [
        statement
        for _, letters in own_words(text)
        for turned in [_turned(letters)]
        if turned is not None
        for statement in read_statements(turned)
    ]


def _turned(letters: str) -> str | None:
    """As it was when it held."""
    heard = plain(letters)
    for form, order in _TURNS:
        if match := form.search(heard):
            parts = [letters[slice(*match.span(group))].strip() for group in order]
            return " ".join(parts)
    return None
