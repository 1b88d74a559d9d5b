"""Validates the summaries that models write.

A summary must repeat some words of its input: a refusal or an "OK." would erase the memory. A few
are enough, because a summary paraphrases, and one in another language repeats only names and
numbers.

Its numbers must occur in the input or in the days that it is about, in any format: a number is
compared by its value, and a number joined by - / or : (a date, a time, a range) by its parts. The
parts of one may be separated or reordered, but the parts of two dates do not make a third.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from recollect.core import tokens
from recollect.language.analyzer import analyze, content_words, query_terms
from recollect.language.patterns import alternatives
from recollect.language.registry import merged
from recollect.llm.protocols import Reply

_MACHINE_TEXT = re.compile(
    r"</?think|</?tool|<\|\w+\|>|={3}\s*(END_)?(NEW_TURNS|EXISTING_SUMMARY)|^\s*\{.*\}\s*$",
    re.IGNORECASE | re.DOTALL,
)
_INPUT_MARKERS = re.compile(
    r"^(?:=== \w+ ===$|NONE$|Turn \d+:$|(?:System|User|Assistant): )", re.MULTILINE
)
_PHRASES = merged("summaries")
_REFUSAL = re.compile(rf"\W*{alternatives(_PHRASES['refusals'])}", re.IGNORECASE)
"""How refusals start. A summary is not written in the first person."""
_SPEAKER_TERMS = frozenset(query_terms(_PHRASES["speakers"]))
_MIN_TERMS, _MIN_REPEATED, _MIN_REPEATED_DIVISOR = 3, 2, 5

_NUMBER = re.compile(r"\d[\d.,:/\-]*\d|\d")
_RANGE = re.compile(r"(?<=\d)[^\d]*-[^\d]*(?=\d)")
_JOINER = re.compile(r"[:/\-]+")
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,])(?:\d{2,3}\1)*\d{3}")
_DECIMAL = re.compile(r"(.+)([.,])(\d+)")
_DIGITS = re.compile(r"\d+")
_MAX_SMALL_NUMBER = 10
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_ARABIC_SEPARATORS = {"\u066b": ".", "\u066c": ","}


def find_fault(reply: Reply, input: str, *, cap: int, days: Iterable[date] = ()) -> str | None:
    """Return why a reply is not a valid summary of the input, None if it is.

    It may name the `days` on which the messages were said and those that they mean.
    """
    text, source = reply.text.strip(), _INPUT_MARKERS.sub("", input)
    size = tokens.count(text)
    invented = _invented_numbers(text, "\n".join([source, *map(str, days)]))
    faults = {
        "empty": not text,
        "a refusal": reply.is_refusal or _REFUSAL.match(text) is not None,
        f"unfinished: {reply.finish}": reply.finish != "stop",
        "tool or reasoning text": bool(reply.tool_calls or _MACHINE_TEXT.search(text)),
        f"{size} tokens, over the cap of {cap}": size > cap,
        "not shorter than the input": size >= tokens.count(input),
        f"invented numbers: {', '.join(invented[:5])}": bool(invented),
        "nothing of the input": not _repeats(text, source),
    }
    return next((fault for fault, is_present in faults.items() if is_present), None)


def _repeats(text: str, source: str) -> bool:
    terms = set(analyze(source)) - _SPEAKER_TERMS
    telling = {frozenset(query_terms(word)) for word in content_words(text)}
    repeated = sum(1 for stems in telling if not stems.isdisjoint(terms))
    is_enough = repeated >= _MIN_REPEATED or _MIN_REPEATED_DIVISOR * repeated >= len(telling)
    return is_enough and len(set(analyze(text))) >= _MIN_TERMS


def _invented_numbers(text: str, source: str) -> list[str]:
    """Return the numbers of a text that are not in the source, except small ones."""
    single: set[Decimal] = set()
    joined: set[frozenset[Decimal]] = set()
    for number in _numbers(source):
        values = _values(number)
        single.add(_digits_value(number) if len(values) > 1 else values[0])
        if len(values) > 1:
            joined.add(frozenset(values))
    parts = single.union(*joined)

    def is_in_source(number: str) -> bool:
        values = _values(number)
        if len(values) == 1:
            return values[0] in parts or _is_small(values[0])
        others = frozenset(values) - single
        return (
            _digits_value(number) in single
            or others <= {Decimal(0)}  # 15:00 for 15
            or any(others <= values for values in joined)
        )

    return [number for number in dict.fromkeys(_numbers(text)) if not is_in_source(number)]


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers as written; a range of times or dates gives two."""
    if not text.isascii():
        text = _NON_ASCII.sub(_as_ascii, text)
    for number in _NUMBER.findall(text):
        is_range = ":" in number or "/" in number
        yield from _RANGE.split(number) if is_range else [number]


def _as_ascii(sign: re.Match[str]) -> str:
    digit = unicodedata.decimal(sign[0], None)
    return _ARABIC_SEPARATORS.get(sign[0], sign[0]) if digit is None else str(digit)


def _values(number: str) -> list[Decimal]:
    return [value for side in _JOINER.split(number) for value in _values_in(side.strip(".,"))]


def _values_in(side: str) -> list[Decimal]:
    """Return one value, or several that are separated by dots: dates, versions, addresses."""
    if _GROUPED.fullmatch(side):
        return [_digits_value(side)]
    if match := _DECIMAL.fullmatch(side):
        whole, sign, fraction = match.groups()
        if whole.isdecimal() or (sign not in whole and _GROUPED.fullmatch(whole)):
            return [Decimal(f"{_digits_value(whole)}.{fraction}")]
    return [Decimal(digits) for digits in _DIGITS.findall(side)]


def _digits_value(number: str) -> Decimal:
    return Decimal("".join(_DIGITS.findall(number)))


def _is_small(value: Decimal) -> bool:
    return value <= _MAX_SMALL_NUMBER and value.as_tuple().exponent == 0
