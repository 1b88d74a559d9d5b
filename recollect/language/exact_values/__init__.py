"""Finds exact values in a sentence: dates, amounts, names, identifiers, locations, quotations.

Each kind has a few patterns, the most specific first: a date inside a URL is part of the URL, and
the digits of a date are not an amount. A match is blanked out before the next pattern is tried, so
values never overlap; only a quotation may contain others. Every repetition in a pattern is bounded,
and none starts inside a word, so the time is linear in the sentence.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from recollect.core.types import ExactValueKind
from recollect.language.exact_values.amounts import amount_patterns
from recollect.language.exact_values.dates import date_patterns
from recollect.language.exact_values.identifiers import CERTAIN, LIKELY
from recollect.language.exact_values.locations import EMAILS, PATHS, URLS
from recollect.language.exact_values.names import find_names
from recollect.language.exact_values.pattern import ValuePattern
from recollect.language.normalize import plain

_IN_CODE = (*URLS, *EMAILS, *PATHS, *CERTAIN)
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
    """All values in their order; in code only locations and identifiers."""
    if in_code:
        return sorted(_matches(sentence, _IN_CODE), key=lambda value: value.start)
    spans = list(_matches(sentence, _prose_patterns(has_digits=bool(_DIGIT.search(sentence)))))
    spans += [
        ValueSpan("quote", *match.span(match.lastindex or 0))
        for match in _QUOTATION.finditer(sentence)
    ]
    spans += [ValueSpan("name", start, end) for start, end in find_names(_blanked(sentence, spans))]
    return sorted(spans, key=lambda value: (value.start, -value.end))


@cache
def _prose_patterns(*, has_digits: bool) -> tuple[ValuePattern, ...]:
    dates = date_patterns()
    if not has_digits:
        return (*_IN_CODE, *dates.weekdays)
    money, counts = amount_patterns()
    return (
        *(*_IN_CODE, *dates.certain, *money, *LIKELY),
        *(*dates.likely, *dates.weekdays, *counts),
    )


def _matches(sentence: str, patterns: tuple[ValuePattern, ...]) -> Iterator[ValueSpan]:
    letters, folded = sentence, plain(sentence)
    for pattern in patterns:
        hits = []
        for match in pattern.regex.finditer(folded if pattern.is_plain else letters):
            text = sentence[match.start() : match.end()]
            if pattern.kind in {"url", "path"}:
                text = text.rstrip(".,;:!?)*_")
            if any(map(str.isalnum, text)):
                hits.append(ValueSpan(pattern.kind, match.start(), match.start() + len(text)))
        if hits:
            yield from hits
            letters, folded = _blanked(letters, hits), _blanked(folded, hits)


def _blanked(text: str, spans: list[ValueSpan]) -> str:
    pieces, at = [], 0
    for _, start, end in sorted(spans, key=lambda value: value.start):
        if start >= at:
            pieces += [text[at:start], _BLANK * (end - start)]
            at = end
    return "".join([*pieces, text[at:]])
