"""Where exact values stand in a sentence.

Each kind has a few shapes, tried in an order in which the more telling comes first: a date inside a
URL is part of the URL, and the digits of a date are no amount. What was found is blanked out before
the next shape is tried, so values never overlap; only a quotation may hold others. Every repetition
in a shape is bounded, and none starts inside a word, so the time is linear in the sentence.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.core.types import ExactValueKind
from recollect.language.exact_values import amounts, dates, identifiers, names, places
from recollect.language.exact_values.pattern import Pattern
from recollect.language.salience import plain

_IN_CODE = (*places.URLS, *places.EMAILS, *places.PATHS, *identifiers.CERTAIN)
_WITHOUT_DIGITS = (*_IN_CODE, *dates.WEEKDAYS)
_IN_PROSE = (
    *_IN_CODE,
    *dates.CERTAIN,
    *amounts.MONEY,
    *identifiers.LIKELY,
    *dates.LIKELY,
    *dates.WEEKDAYS,
    *amounts.COUNTS,
)
_DIGIT = re.compile(r"\d")
_QUOTATION = re.compile(
    r'"([^"\n]{2,120})"|“([^”\n]{2,120})”|«([^»\n]{2,120})»|„([^“”\n]{2,120})[“”]|「([^」\n]{2,120})」'
)
_BLANK = "\0"


class ValueSpan(NamedTuple):
    kind: ExactValueKind
    start: int
    end: int


def find_values(sentence: str, *, in_code: bool = False) -> list[ValueSpan]:
    """All of them, in the order of their places; in code only places and identifiers."""
    if in_code:
        return sorted(_shaped(sentence, _IN_CODE), key=lambda value: value.start)
    found = list(_shaped(sentence, _IN_PROSE if _DIGIT.search(sentence) else _WITHOUT_DIGITS))
    found += [
        ValueSpan("quote", *match.span(match.lastindex or 0))
        for match in _QUOTATION.finditer(sentence)
    ]
    found += [
        ValueSpan("name", start, end) for start, end in names.find_names(_blanked(sentence, found))
    ]
    return sorted(found, key=lambda value: (value.start, -value.end))


def _shaped(sentence: str, patterns: tuple[Pattern, ...]) -> Iterator[ValueSpan]:
    letters, folded = sentence, plain(sentence)
    for pattern in patterns:
        hits = []
        for match in pattern.shape.finditer(folded if pattern.folds else letters):
            text = sentence[match.start() : match.end()]
            if pattern.kind in {"url", "path"}:
                text = text.rstrip(".,;:!?)*_")
            if any(map(str.isalnum, text)):
                hits.append(ValueSpan(pattern.kind, match.start(), match.start() + len(text)))
        if hits:
            yield from hits
            letters, folded = _blanked(letters, hits), _blanked(folded, hits)


def _blanked(text: str, found: list[ValueSpan]) -> str:
    pieces, at = [], 0
    for _, start, end in sorted(found, key=lambda value: value.start):
        if start >= at:
            pieces += [text[at:start], _BLANK * (end - start)]
            at = end
    return "".join([*pieces, text[at:]])
