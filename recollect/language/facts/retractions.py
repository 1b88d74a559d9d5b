"""Retractions: what a user says does not hold any more, in the words of what held.

"I don't live in Rome anymore" is read as "I live in Rome" is, once it is turned round. Only what
says outright that it *was* so counts ("anymore", "no longer", "più", "na"): a plain "not" denies
what may never have held. It ends with its clause: the next one may say what holds instead.
"""

import re

from recollect.language.facts.matcher import extract_facts
from recollect.language.facts.own_words import own_words
from recollect.language.facts.statement import Fact
from recollect.language.salience import plain

_ANYMORE = r"(?:anymore|any more|any longer)"
_END = (  # a comma may also stand before one more word of a value: "Rome, Italy"
    r"(?:[;!?()\u2013\u2014…]|,(?!\d| [\w-]+(?:[,;:.!]|\Z))|:(?!\d)|\.(?!\w)| - "
    r"| (?:but|because|since|so|and (?:im?|now)|ma|pero|perche|quindi|e (?:ora|adesso)|kasi|dahil"
    r"|kaya|at ngayon)(?!\w))"
)
_REST = rf"(?:(?!{_END}).){{1,80}}"
_TURNS = tuple(
    (re.compile(form), turned)
    for form, turned in (
        (rf"\b(i am|i'm|im|my (?:\w+ ){{1,2}}is) not ({_REST}?) {_ANYMORE}\b", (1, 2)),
        (rf"\b(i) (?:do not|don't|dont) ({_REST}?) {_ANYMORE}\b", (1, 2)),
        (rf"\b(i am|i'm|im) no longer ({_REST})", (1, 2)),
        (rf"\b(i) no longer ({_REST})", (1, 2)),
        (
            r"\bnon (sono|ho|mi|vivo|abito|lavoro|studio|uso|mangio|bevo|faccio|gioco|suono|guido)"
            rf" piu ({_REST})",
            (1, 2),
        ),
        (rf"\bnon (mi \w+|\w+o) piu ({_REST})", (1, 2)),
        (rf"\bhindi na (ako) (\w+)(?!\w)({_REST}|)", (2, 1, 3)),
    )
)


def extract_retractions(text: str) -> list[Fact]:
    """The statements that hold no more."""
    return [
        statement
        for _, letters in own_words(text)
        for turned in [_turned(letters)]
        if turned is not None
        for statement in extract_facts(turned)
    ]


def _turned(letters: str) -> str | None:
    """As it was when it held."""
    heard = plain(letters)
    for form, order in _TURNS:
        if match := form.search(heard):
            parts = [letters[slice(*match.span(group))].strip() for group in order]
            return " ".join(parts).strip()
    return None
