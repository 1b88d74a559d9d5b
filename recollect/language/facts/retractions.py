"""Extracts facts that a user takes back.

"I don't live in Rome anymore" is parsed like "I live in Rome". Only sentences that say that it
*was* so count ("anymore", "no longer", "più", "na"): a plain "not" may deny what never held. A
retraction ends with its clause: the next one may state the new fact.
"""

import re
from functools import cache

from recollect.language.facts.matcher import Fact, extract_facts
from recollect.language.facts.own_words import own_words
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives
from recollect.language.registry import merged


@cache
def _patterns() -> list[tuple[re.Pattern[str], tuple[int, ...]]]:
    phrases = merged("facts")
    conjunctions = alternatives(phrases["retraction_ends"])
    end = (  # a comma may also stand before one more word of a value: "Rome, Italy"
        r"(?:[;!?()\u2013\u2014…]|,(?!\d| [\w-]+(?:[,;:.!]|\Z))|:(?!\d)|\.(?!\w)| - "
        rf"| {conjunctions}(?!\w))"
    )
    rest = rf"(?:(?!{end}).){{1,80}}"
    return [
        (re.compile(pattern.replace("<rest>", rest)), tuple(map(int, order.split())))
        for line in phrases["retractions"].splitlines()
        for pattern, _, order in [line.rpartition(" > ")]
        if pattern
    ]


def extract_retractions(text: str) -> list[Fact]:
    """The facts that hold no longer."""
    statements = (_former_statement(visible) for _, visible in own_words(text))
    return [fact for statement in statements if statement for fact in extract_facts(statement)]


def _former_statement(sentence: str) -> str | None:
    """The sentence by which the retracted fact was stated."""
    text = plain(sentence)
    for pattern, order in _patterns():
        if match := pattern.search(text):
            parts = [sentence[slice(*match.span(group))].strip() for group in order]
            return " ".join(parts).strip()
    return None
