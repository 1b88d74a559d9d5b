"""Leave out the middle of a long message.

The beginning and the end stay, cut at the borders of lines and sentences; a code block or a table
stays whole or goes whole. A note says how many tokens of which message are missing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recollect.core.sanitize import truncate_middle

_BLOCK = re.compile(
    r"(?:^|(?<=\n))(?:```[^\n]*\n(?:(?!```)[^\n]*\n)*+(?:```[^\n]*(?:\n|\Z))?"  # a code block
    r"|(?:[ \t]*\|[^\n]*(?:\n|\Z))++)"  # the rows of a table
    r"|[^\n]*(?:\n|\Z)"
)
_SENTENCE = re.compile(r"[^.!?。！？]*+[.!?。！？]++\s*|[^.!?。！？]++\s*")  # noqa: RUF001
_WORDS = re.compile(r"(?s:.){1,200}(?:\s+|\Z)|(?s:.){200}")
_MAX_SENTENCE_CHARS = 300
_BEGINNING_SHARE = 0.6
_LINE_ENDS = 2


@dataclass(frozen=True, slots=True)
class Shortened:
    """A text without the part from `start` to `end`."""

    text: str
    start: int
    end: int


def shorten(text: str, max_tokens: int, *, count: Callable[[str], int], seq: int) -> Shortened:
    """Return the beginning and the end of a text within `max_tokens`, "" if nothing fits."""
    size = count(text)
    if size <= max_tokens:
        return Shortened(text, 0, 0)
    room = max_tokens - count(_note(size, seq)) - _LINE_ENDS
    units = _units(text)
    beginning = _take(units, int(room * _BEGINNING_SHARE), count) or _take(units[:1], room, count)
    rest = units[len(beginning) :]
    end = _take(rest[::-1], room - count("".join(beginning)), count)[::-1]
    head, tail = "".join(beginning), "".join(end)
    note = _note(size - count(head) - count(tail), seq)
    shortened = "\n".join(part for part in (head.rstrip(), note, tail.strip("\n")) if part)
    if (not head and not tail) or count(shortened) > max_tokens:
        return Shortened(truncate_middle(text, max_tokens, count=count), 0, 0)
    return Shortened(shortened, len(head), len(text) - len(tail))


def _note(omitted: int, seq: int) -> str:
    return f"[… {omitted:,} tokens of message {seq} left out …]"


def _units(text: str) -> list[str]:
    """Split a text into code blocks, tables, and the sentences of the other lines."""
    units: list[str] = []
    for block in _BLOCK.findall(text):
        if block.count("\n") > 1 or block.lstrip().startswith(("|", "```")):
            units.append(block)
            continue
        for sentence in _SENTENCE.findall(block):
            units += _WORDS.findall(sentence) if len(sentence) > _MAX_SENTENCE_CHARS else [sentence]
    return units


def _take(units: Sequence[str], room: int, count: Callable[[str], int]) -> list[str]:
    taken: list[str] = []
    for unit in units:
        room -= count(unit)
        if room < 0:
            break
        taken.append(unit)
    return taken
