"""Sanitizing, escaping, quoting and truncating of text that goes into prompts and the database."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import isfinite
from string import ascii_letters, digits

from recollect.core import tokens
from recollect.core.days import format_day
from recollect.core.types import ExactValue, ExactValueKind, Json

TOOL_INTERACTION = "[Tool interaction]"
"""Replaces a message without text."""

_HEADINGS: dict[ExactValueKind, str] = {
    "decision": "Decisions",
    "constraint": "Constraints",
    "preference": "Preferences",
    "name": "Names",
    "date": "Dates",
    "amount": "Amounts",
    "identifier": "Identifiers",
    "path": "Paths",
    "url": "URLs",
    "quote": "Quotes",
}


def sanitized(text: str) -> str:
    """Remove NUL characters and replace lone surrogates, which the databases cannot store.

    For output of models. Input of users is rejected instead.
    """
    if text.isascii():
        return text.replace("\0", "")
    valid = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return valid.replace("\0", "")


def sanitized_json(value: Json) -> Json:
    """Sanitize all texts in a JSON value. NaN and infinity become null."""
    match value:
        case str():
            return sanitized(value)
        case float() if not isfinite(value):
            return None
        case Mapping():
            return {sanitized(str(name)): sanitized_json(item) for name, item in value.items()}
        case list() | tuple():
            return [sanitized_json(item) for item in value]
        case _:
            return value


INVISIBLE_CHARACTERS = frozenset(
    {
        *(code for code in range(0x20000) if unicodedata.category(chr(code)) == "Cf"),
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),  # joiner, fillers
        *range(0x180B, 0x1810),  # variation selectors
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFF9),  # unassigned
        *range(0xE0000, 0xE1000),  # tags and variation selectors
    }
)
"""Code points without a glyph: format characters, and others that renderers ignore."""
_INVISIBLE = "\u200b"
"""Replaces all of them before matching."""
_LOOKALIKES = {
    **dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000), " "),
    **{ord(c) + 0xFEE0: c for c in f"{ascii_letters}{digits}=#:</_"},  # full-width forms
    **{0xFE55: ":", 0xFE5F: "#", 0xFE64: "<", 0xFE66: "="},  # small forms
    **dict.fromkeys((0x85, 0x2028, 0x2029), "\r"),
    **dict.fromkeys(INVISIBLE_CHARACTERS, _INVISIBLE),
}
"""Maps characters to the ASCII character, space or line end they look like, one to one."""


def _character_class(codes: Iterable[int]) -> str:
    """Return a regex class made of ranges, which match faster than single characters."""
    ranges: list[tuple[int, int]] = []
    for code in sorted(codes):
        first = ranges.pop()[0] if ranges and ranges[-1][1] == code - 1 else code
        ranges.append((first, code))
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]"


_LOOKALIKE = re.compile(_character_class(_LOOKALIKES))


def _pattern(words: str) -> str:
    """Return a regex for words that may have invisible characters among them or for a space."""
    gap = f"(?:[ \\t]|(?<={_INVISIBLE}))"
    return "".join(f"{gap if c == ' ' else re.escape(c)}{_INVISIBLE}*+" for c in words)


def _any_pattern(*phrases: str) -> str:
    return "(?:" + "|".join(map(_pattern, phrases)) + ")"


_WORD_END = rf"(?:(?!\w)|(?<={_INVISIBLE}))"
"""Invisible characters count as a space here."""
# Possessive quantifiers (`*+`) prevent quadratic backtracking, as for `<` before many spaces.
_MARKER = re.compile(
    r"[\n\r\v\f\x1c-\x1e]"  # a line end is found faster than a line start
    rf"(?=[ \t{_INVISIBLE}]*+(?:"
    rf"(?:{_pattern('=')}){{3,}}+[\s{_INVISIBLE}]*+(?:{_pattern('END_')})?"
    rf"{_any_pattern('EXISTING_SUMMARY', 'NEW_TURNS')}{_WORD_END}"
    rf"|(?:{_any_pattern('User', 'Assistant', 'AI', 'System', 'Tool')}"
    rf"|{_pattern('Turn ')}(?:\d{_INVISIBLE}*+)++)[ \t{_INVISIBLE}]*+:"
    rf"|{_pattern('BACKGROUND')}{_WORD_END}(?:.{_INVISIBLE}*+){{0,3}}"
    rf"{_pattern('PRIOR CONVERSATION SUMMARY')}"
    rf"|(?:{_pattern('#')}){{1,6}}+(?!\u20e3){_pattern(' ')}"  # `#` with U+20E3 is a keycap emoji
    rf"|{_any_pattern('Previous conversation:', 'User is referring to:', 'Exact values:')}"
    r"))",
    re.IGNORECASE,
)
_TAG = re.compile(
    rf"<(?=[\s{_INVISIBLE}]*+/?+[\s{_INVISIBLE}]*+{_any_pattern('recalled', 'said')}{_WORD_END})",
    re.IGNORECASE,
)


def has_markers(text: str) -> bool:
    """Return whether a line looks like a heading, a speaker or a delimiter of a prompt."""
    plain = _without_lookalikes(text)
    return bool(_TAG.search(plain) or _MARKER.search(f"\n{plain}"))


def _without_lookalikes(text: str) -> str:
    if text.isascii():
        return text
    return _LOOKALIKE.sub(lambda found: _LOOKALIKES[ord(found[0])], text)


def escape_markers(text: str) -> str:
    """Escape lines that could end a block of the prompt or start another one.

    Lines that look like our headings, speakers or delimiters get a bar in front, also if they use
    full-width letters or invisible characters. All other text is unchanged.
    """
    plain = _without_lookalikes(text)
    tags = [tag.start() for tag in _TAG.finditer(plain)]
    markers = [before.start() for before in _MARKER.finditer(f"\n{plain}")]
    if not tags and not markers:
        return text
    characters = list(text)  # `plain` has the same length, so the offsets are valid here
    for offset in tags:
        characters[offset] = "&lt;"
    for offset in markers:
        characters[offset] = f"| {characters[offset]}"
    return "".join(characters)


def quote(text: str, **attributes: str | int) -> str:
    """Put recalled text between tags that it cannot forge."""
    listed = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<recalled{listed}>\n{escape_markers(text)}\n</recalled>"


def truncate_middle(
    text: str, max_tokens: int, *, count: Callable[[str], int] = tokens.count
) -> str:
    """Shorten a text to its beginning and end, with a note of the omitted tokens."""
    size = count(text)
    if size <= max_tokens:
        return text
    room = max_tokens - count(f" [… {size:,} tokens left out …] ")
    half, step = int(len(text) * room / size / 2), 0.01
    while half > 0:
        start, end = text[:half].rstrip(), text[len(text) - half :].lstrip()
        omitted = size - count(start) - count(end)
        shorter = f"{start} [… {omitted:,} tokens left out …] {end}"
        if count(shorter) <= max_tokens:
            return shorter
        half, step = int(half * (1 - step)), min(2 * step, 0.5)
    return ""


def render_ledger(values: Iterable[ExactValue]) -> str:
    """Format exact values for a prompt, in the given order.

    Those of one day have a line per kind, those of several days a line per day. Values in old
    summaries have no day.
    """
    listed = list(values)
    days = sorted({value.day for value in listed if value.day})
    if len(days) > 1:
        return "\n".join(
            [
                *_lines_by_kind([value for value in listed if not value.day]),
                *_lines_by_day(days, listed),
            ]
        )
    said = [f"{format_day(date.fromisoformat(day))}:" for day in days]
    is_complete = all(value.day for value in listed)
    return "\n".join([*(said if is_complete else ()), *_lines_by_kind(listed)])


def _lines_by_kind(values: Sequence[ExactValue]) -> Iterator[str]:
    for kind, heading in _HEADINGS.items():
        if entries := [render_exact_value(value) for value in values if value.kind == kind]:
            yield f"{heading}: {'; '.join(entries)}"


def _lines_by_day(days: Iterable[str], values: Sequence[ExactValue]) -> Iterator[str]:
    """Yield a line for each day; the year is written where it changes."""
    year = 0
    for each in days:
        day = date.fromisoformat(each)
        entries = [render_exact_value(value) for value in values if value.day == each]
        yield f"{format_day(day).removesuffix(f' {year}')}: {'; '.join(entries)}"
        year = day.year


def render_exact_value(value: ExactValue) -> str:
    """Format an exact value without its day."""
    return f"{value.value} ({value.label})" if value.label else value.value
