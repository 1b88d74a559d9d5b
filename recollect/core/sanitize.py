"""Text as it is compared, and text as it is quoted."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from string import ascii_letters, digits

from recollect.core import tokens
from recollect.core.types import ExactValue, ExactValueKind, Json

TOOL_INTERACTION = "[Tool interaction]"
"""What stands for a message without text."""

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
    """Text as a database can keep it: without NUL characters, and with no half of a surrogate pair.

    What people send is refused instead; what a model says cannot be sent back.
    """
    if text.isascii():
        return text.replace("\0", "")
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "")


def sanitized_json(value: Json) -> Json:
    """The same for what is in JSON. Numbers that JSON does not have become null."""
    match value:
        case str():
            return sanitized(value)
        case float() if not isfinite(value):
            return None
        case Mapping():
            return {sanitized(str(name)): sanitized_json(one) for name, one in value.items()}
        case list() | tuple():
            return [sanitized_json(one) for one in value]
        case _:
            return value


UNSEEN = frozenset(
    {
        *(code for code in range(0x20000) if unicodedata.category(chr(code)) == "Cf"),
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),  # joiner, fillers
        *range(0x180B, 0x1810),  # selectors of variants
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFF9),  # nothing yet
        *range(0xE0000, 0xE1000),  # tags, and more selectors: the only ones past the second plane
    }
)
"""What takes no room on a line, and may stand anywhere in it: format characters, and the others
that Unicode lets a reader pass over."""
_NOTHING = "\u200b"
"""One of them, that stands for all."""
_PLAIN = {
    **dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000), " "),
    **{ord(c) + 0xFEE0: c for c in f"{ascii_letters}{digits}=#:</_"},  # wide ones
    **{0xFE55: ":", 0xFE5F: "#", 0xFE64: "<", 0xFE66: "="},  # small ones
    **dict.fromkeys((0x85, 0x2028, 0x2029), "\r"),
    **dict.fromkeys(UNSEEN, _NOTHING),
}
"""What a reader takes for something plainer that is in our words, or for a blank or a line's end;
one character for one."""


def _any_of(codes: Iterable[int]) -> str:
    """A pattern for one of them. It is of ranges, since single ones would be tried one by one."""
    ranges: list[tuple[int, int]] = []
    for code in sorted(codes):
        first = ranges.pop()[0] if ranges and ranges[-1][1] == code - 1 else code
        ranges.append((first, code))
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]"


_NOT_PLAIN = re.compile(_any_of(_PLAIN))


def _spelt(words: str) -> str:
    """A pattern for words of ours, also with something unseen among them, or for a blank."""
    gap = f"(?:[ \\t]|(?<={_NOTHING}))"
    return "".join(f"{gap if c == ' ' else re.escape(c)}{_NOTHING}*+" for c in words)


def _any_spelt(*phrases: str) -> str:
    return "(?:" + "|".join(map(_spelt, phrases)) + ")"


_END = rf"(?:(?!\w)|(?<={_NOTHING}))"
"""Of a word; what is unseen may pass for a blank here, too."""
# Nothing here is tried twice (`*+`): one `<` before a million blanks would take for ever.
_MARKER = re.compile(
    r"[\n\r\v\f\x1c-\x1e]"  # what ends the line before: it is found faster than a beginning
    rf"(?=[ \t{_NOTHING}]*+(?:"
    rf"(?:{_spelt('=')}){{3,}}+[\s{_NOTHING}]*+(?:{_spelt('END_')})?"
    rf"{_any_spelt('EXISTING_SUMMARY', 'NEW_TURNS')}{_END}"
    rf"|(?:{_any_spelt('User', 'Assistant', 'AI', 'System', 'Tool')}"
    rf"|{_spelt('Turn ')}(?:\d{_NOTHING}*+)++)[ \t{_NOTHING}]*+:"
    rf"|{_spelt('BACKGROUND')}{_END}(?:.{_NOTHING}*+){{0,3}}{_spelt('PRIOR CONVERSATION SUMMARY')}"
    rf"|(?:{_spelt('#')}){{1,6}}+(?!\u20e3){_spelt(' ')}"  # with that, it is a telephone's key
    rf"|{_any_spelt('Previous conversation:', 'User is referring to:', 'Exact values:')}"
    r"))",
    re.IGNORECASE,
)
_TAG = re.compile(
    rf"<(?=[\s{_NOTHING}]*+/?+[\s{_NOTHING}]*+{_spelt('recalled')}{_END})", re.IGNORECASE
)


def escape_markers(text: str) -> str:
    """Text that can stand in a block of ours without ending it or opening another.

    Lines that look like one of our headings, speakers or delimiters are set apart by a bar, in wide
    letters and with unseen characters among them too; all else stays to the letter.
    """
    plain = text if text.isascii() else _NOT_PLAIN.sub(lambda odd: _PLAIN[ord(odd[0])], text)
    tags = [tag.start() for tag in _TAG.finditer(plain)]
    markers = [before.start() for before in _MARKER.finditer(f"\n{plain}")]
    if not tags and not markers:
        return text
    characters = list(text)  # what is plain is of the same length: both have the same places
    for at in tags:
        characters[at] = "&lt;"
    for at in markers:
        characters[at] = f"| {characters[at]}"
    return "".join(characters)


def quote(text: str, **about: str | int) -> str:
    """Recalled text as data, between tags that it cannot forge."""
    attributes = "".join(f' {name}="{value}"' for name, value in about.items())
    return f"<recalled{attributes}>\n{escape_markers(text)}\n</recalled>"


def truncate_middle(
    text: str, max_tokens: int, *, count: Callable[[str], int] = tokens.count
) -> str:
    """The beginning and the end of a text that is too long, with a note of what is left out."""
    size = count(text)
    if size <= max_tokens:
        return text
    half = int(len(text) * max_tokens / size / 2)
    while half > 0:
        start, end = text[:half].rstrip(), text[len(text) - half :].lstrip()
        left_out = size - count(start) - count(end)
        shorter = f"{start} [… {left_out:,} tokens left out …] {end}"
        if count(shorter) <= max_tokens:
            return shorter
        half = int(half * 0.9)
    return ""


def render_ledger(atoms: Iterable[ExactValue]) -> str:
    """What a model reads: a line per kind, values in the order in which they came up."""
    entries: dict[ExactValueKind, list[str]] = {kind: [] for kind in _HEADINGS}
    for atom in atoms:
        entries[atom.kind].append(render_exact_value(atom))
    return "\n".join(
        f"{heading}: {'; '.join(entries[kind])}"
        for kind, heading in _HEADINGS.items()
        if entries[kind]
    )


def render_exact_value(atom: ExactValue) -> str:
    return f"{atom.value} ({atom.label})" if atom.label else atom.value
