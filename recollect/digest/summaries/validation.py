"""Why what a model proposes as a summary cannot be one.

It must repeat something of what it was given: a refusal or an "OK." would put an end to all that
was remembered. Few of its words are enough, since a summary says much in words of its own, and one
in another language repeats only names and numbers.

Its numbers must have been said, in whatever form: a number is compared by its value, and one that
is joined from several by - / or : (a date, a time, a range) by the values that it is made of. Those
of one may come apart and be put together otherwise, but two dates do not make a third.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

from recollect.core import tokens
from recollect.language.analyzer import analyze, content_words, query_terms
from recollect.llm.protocols import Reply

_MACHINE_TEXT = re.compile(
    r"</?think|</?tool|<\|\w+\|>|={3}\s*(END_)?(NEW_TURNS|EXISTING_SUMMARY)|^\s*\{.*\}\s*$",
    re.IGNORECASE | re.DOTALL,
)
_FRAME = re.compile(r"^(?:=== \w+ ===$|NONE$|Turn \d+:$|(?:System|User|Assistant): )", re.MULTILINE)
_DECLINED = re.compile(
    r"\W*(?:(?:I['\u2019]m|I am) (?:\w+ )?(?:sorry\b|afraid(?: that)? I\b)|sorry,|I apologi[sz]e\b"
    r"|I (?:can(?:no|['\u2019])t|can not|won['\u2019]t|am unable to|am not able to) (?:\w+ )?"
    r"(?:answer|assist|complete|comply|continue|create|discuss|do|engage|fulfil|generate|help|process"
    r"|provide|share|summari[sz]e)|as an AI (?:language )?(?:assistant|model)\b"
    r"|mi dispiace\b|lo siento\b|lamento\b|desculpe\b|(?:je suis )?d\u00e9sol\u00e9"
    r"|(?:es )?tut mir leid\b|paumanhin\b|(?:很)?抱歉|对不起|申し訳)",
    re.IGNORECASE,
)
"""How a model begins that declines. A summary does not speak for itself."""
_SPEAKERS = frozenset(
    query_terms("user utente usuario utilisateur Nutzer Benutzer assistant assistente asistente")
)
"""Whom every summary is about."""
_FEWEST_TERMS, _FEWEST_REPEATED, _ONE_IN = 3, 2, 5

_NUMBER = re.compile(r"\d[\d.,:/\-]*\d|\d")
_RANGE = re.compile(r"(?<=\d)[^\d]*-[^\d]*(?=\d)")
_JOINT = re.compile(r"[:/\-]+")
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,])(?:\d{2,3}\1)*\d{3}")
_DECIMAL = re.compile(r"(.+)([.,])(\d+)")
_DIGITS = re.compile(r"\d+")
_MOST_SMALL = 10
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_ARABIC_SIGNS = {"\u066b": ".", "\u066c": ","}


def find_fault(reply: Reply, given: str, *, cap: int) -> str | None:
    """None where it can be one."""
    text, said = reply.text.strip(), _FRAME.sub("", given)
    size = tokens.count(text)
    unsaid = _unsaid(text, said)
    faults = {
        "empty": not text,
        "a refusal": reply.is_refusal or _DECLINED.match(text) is not None,
        f"unfinished: {reply.finish}": reply.finish != "stop",
        "tool or reasoning text": bool(reply.tool_calls or _MACHINE_TEXT.search(text)),
        f"{size} tokens, over the cap of {cap}": size > cap,
        "no shorter than what it replaces": size >= tokens.count(given),
        f"numbers that nobody said: {', '.join(unsaid[:5])}": bool(unsaid),
        "nothing of what was said": not _repeats(text, said),
    }
    return next((fault for fault, is_there in faults.items() if is_there), None)


def _repeats(text: str, said: str) -> bool:
    heard = set(analyze(said)) - _SPEAKERS
    telling = {frozenset(query_terms(word)) for word in content_words(text)}
    repeated = sum(1 for stems in telling if not stems.isdisjoint(heard))
    is_enough = repeated >= _FEWEST_REPEATED or _ONE_IN * repeated >= len(telling)
    return is_enough and len(set(analyze(text))) >= _FEWEST_TERMS


def _unsaid(text: str, said: str) -> list[str]:
    """The numbers that stand in a text and in nothing that was said; small ones aside."""
    alone: set[Decimal] = set()
    joined: set[frozenset[Decimal]] = set()
    for number in _numbers(said):
        values = _values(number)
        alone.add(_joined_up(number) if len(values) > 1 else values[0])
        if len(values) > 1:
            joined.add(frozenset(values))
    apart = alone.union(*joined)

    def was_said(number: str) -> bool:
        values = _values(number)
        if len(values) == 1:
            return values[0] in apart or _is_small(values[0])
        others = frozenset(values) - alone
        return (
            _joined_up(number) in alone
            or others <= {Decimal(0)}  # 15:00, where 15 was said
            or any(others <= those for those in joined)
        )

    return [number for number in dict.fromkeys(_numbers(text)) if not was_said(number)]


def _numbers(text: str) -> Iterator[str]:
    """As they are written. From one time to another, and from one date, they are two."""
    if not text.isascii():
        text = _FOREIGN.sub(_as_ascii, text)
    for number in _NUMBER.findall(text):
        is_range = ":" in number or "/" in number
        yield from _RANGE.split(number) if is_range else [number]


def _as_ascii(sign: re.Match[str]) -> str:
    digit = unicodedata.decimal(sign[0], None)
    return _ARABIC_SIGNS.get(sign[0], sign[0]) if digit is None else str(digit)


def _values(number: str) -> list[Decimal]:
    return [value for side in _JOINT.split(number) for value in _values_in(side.strip(".,"))]


def _values_in(side: str) -> list[Decimal]:
    """One, or several where they are set apart by dots: dates, versions, addresses."""
    if _GROUPED.fullmatch(side):
        return [_joined_up(side)]
    if match := _DECIMAL.fullmatch(side):
        whole, sign, fraction = match.groups()
        if whole.isdecimal() or (sign not in whole and _GROUPED.fullmatch(whole)):
            return [Decimal(f"{_joined_up(whole)}.{fraction}")]
    return [Decimal(digits) for digits in _DIGITS.findall(side)]


def _joined_up(number: str) -> Decimal:
    return Decimal("".join(_DIGITS.findall(number)))


def _is_small(value: Decimal) -> bool:
    return value <= _MOST_SMALL and value.as_tuple().exponent == 0
