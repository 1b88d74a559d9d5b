"""Splits a message into passages: the units that are indexed, embedded, ranked and quoted.

A short text is one passage. A longer one is first cut into units: headings, sentences, code blocks
and tables. Units are then collected into passages of 100 to 200 tokens. When the next unit does not
fit, the passage ends at the strongest border behind its first 100 tokens, the latest if there are
several: before a heading, between paragraphs, between lines (list items), between sentences. It
does not end between a heading and its text, unless there is no other border. A unit that is too
long is cut itself: code and tables between lines, a sentence between words, a word between
characters.

Sizes are not counted by `core.tokens`: offsets are stored, so the same text must give the same
passages whether or not a tokenizer is installed. A message has at most 400 passages: those of a
very long message are larger.

Each step passes the text once, and a passage that ends early leaves at most its own units to be
collected again, so the time is linear in the length of the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from recollect.language.sentences import FENCE, closes_fence, sentence_ends

MAX_PASSAGES = 400
_MIN_TOKENS = 100
_MAX_TOKENS = 2 * _MIN_TOKENS
_MAX_WHOLE_TOKENS = 250
"""A code block, a table and the rest of a text stay whole up to this size."""
_MAX_HEADING_CHARS = 200

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]++(?=\S)")
_LIST_MARK = re.compile(r"\s*+(?:[-*+•]|\(?\d{1,3}[.)])\s")
# Scripts with blanks between words have several letters per token; other characters are one each.
_TOKEN = re.compile(
    r"[A-Za-z\u00c0-\u024f]{1,8}|\d{1,3}|[\u0370-\u1fff]{1,3}"
    r"|[!-/:-@\[-`{-~]{1,3}|[\ud800-\udbff][\udc00-\udfff]|\S"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """The part `[start:end]` of a text, in code points."""

    start: int
    end: int
    heading: str
    """The nearest Markdown heading above, as plain text; empty if the passage starts with it."""


class _Border(IntEnum):
    """What is before a unit. A passage best ends at the highest."""

    BELOW_HEADING = 0
    WORD = 1
    SENTENCE = 2
    LINE = 3
    PARAGRAPH = 4
    HEADING = 5


class _Unit(NamedTuple):
    start: int
    end: int
    tokens: int
    border: _Border
    heading: str = ""
    """The text of a heading, if the unit is one."""


class _Block(NamedTuple):
    """A line, or the lines of a code block or a table."""

    start: int
    lines: Sequence[str]
    border: _Border
    is_whole: bool = False


def split_passages(text: str) -> list[Passage]:
    """Return the passages of a text, in order; they cover all that is not blank."""
    tokens = _count(text)
    if 0 < tokens <= _MAX_TOKENS and not text[0].isspace():  # most messages
        return [Passage(0, len(text.rstrip()), "")]
    growth = max(1.0, tokens / _MIN_TOKENS / (MAX_PASSAGES - 2))
    units = list(_units(text, growth))
    passages = []
    heading = ""
    for first, end in _groups(units, growth):
        above = "" if units[first].heading else heading
        passages.append(Passage(units[first].start, units[end - 1].end, above))
        heading = next((u.heading for u in reversed(units[first:end]) if u.heading), heading)
    return passages


def _count(text: str) -> int:
    return len(_TOKEN.findall(text))


def _groups(units: Sequence[_Unit], growth: float) -> Iterator[tuple[int, int]]:
    """Yield the range of the units of each passage.

    Each passage has the minimum of tokens, or it has more than the maximum together with the next
    one, which bounds their number.
    """
    min_tokens, max_tokens = _MIN_TOKENS * growth, _MAX_TOKENS * growth
    left = sum(unit.tokens for unit in units)
    first, tokens = 0, 0
    for index, unit in enumerate(units):
        while first < index and tokens + unit.tokens > max_tokens:
            if left <= _MAX_WHOLE_TOKENS * growth:
                break
            end, size = _best_end(units, first, index, min_tokens)
            yield first, end
            first, tokens, left = end, tokens - size, left - size
        tokens += unit.tokens
    if units:
        yield first, len(units)


def _best_end(units: Sequence[_Unit], first: int, last: int, min_tokens: float) -> tuple[int, int]:
    """Return where a passage from `first` to `last` at most should end, and its tokens then."""
    tokens, end, size = 0, last, 0
    for candidate in range(first + 1, last + 1):
        tokens += units[candidate - 1].tokens
        is_better = not size or units[candidate].border >= units[end].border
        if is_better and (tokens >= min_tokens or candidate == last):
            end, size = candidate, tokens
    return end, size


def _units(text: str, growth: float) -> Iterator[_Unit]:
    """Yield the units of a text, without the blanks around them."""
    max_tokens, max_whole_tokens = int(_MAX_TOKENS * growth), int(_MAX_WHOLE_TOKENS * growth)
    is_below_heading = False
    for block in _blocks(text):
        heading = "" if block.is_whole else _heading(block.lines[0])
        limit = max_whole_tokens if block.is_whole else max_tokens
        for start, end, border in _ranges(block, heading, max_whole_tokens):
            before = _Border.BELOW_HEADING if is_below_heading and not heading else border
            for cut_start, cut_end, tokens in _cut(text, start, end, limit):
                unit_start, unit_end = _stripped(text, cut_start, cut_end, block.is_whole)
                yield _Unit(unit_start, unit_end, tokens, before, heading)
                before, is_below_heading = _Border.WORD, bool(heading)


def _blocks(text: str) -> Iterator[_Block]:
    block: list[str] = []
    fence = ""
    offset = start = 0
    border = _Border.PARAGRAPH
    for line in text.splitlines(keepends=True):
        is_row = not fence and line.lstrip().startswith("|")
        if block and not fence and not is_row:  # a table ends
            yield _Block(start, block, _Border.PARAGRAPH, is_whole=True)
            block, border = [], _Border.PARAGRAPH
        if not block:
            start = offset
        offset += len(line)
        if fence:
            block.append(line)
            if closes_fence(line, fence):
                yield _Block(start, block, _Border.PARAGRAPH, is_whole=True)
                block, fence, border = [], "", _Border.PARAGRAPH
        elif is_row:
            block.append(line)
        elif line.isspace():
            border = _Border.PARAGRAPH
        elif opening := FENCE.match(line):
            block, fence = [line], opening[1]
        else:
            yield _Block(start, [line], border)
            border = _Border.LINE
    if block:
        yield _Block(start, block, _Border.PARAGRAPH, is_whole=True)


def _heading(line: str) -> str:
    """Return the plain text of a heading; empty if the line is none."""
    mark = _HEADING.match(line)
    if mark is None or len(line) > _MAX_HEADING_CHARS:
        return ""
    return line[mark.end() :].strip().strip("#*_ \t")


def _ranges(
    block: _Block, heading: str, max_whole_tokens: int
) -> Iterator[tuple[int, int, _Border]]:
    """Yield the parts of a block that should not be cut, and the border before each."""
    start, border = block.start, block.border
    if heading:
        yield start, start + len(block.lines[0]), _Border.HEADING
    elif not block.is_whole:
        line = block.lines[0]
        mark = _LIST_MARK.match(line)
        marks_end = mark.end() if mark else 0
        for end in (*(end for end in sentence_ends(line) if end > marks_end), len(line)):
            if block.start + end > start:
                yield start, block.start + end, border
            start, border = block.start + end, _Border.SENTENCE
    elif sum(map(_count, block.lines)) <= max_whole_tokens:
        yield start, start + sum(map(len, block.lines)), border
    else:
        for line in block.lines:
            yield start, start + len(line), border
            start += len(line)
            border = _Border.PARAGRAPH if line.isspace() else _Border.LINE


def _cut(text: str, start: int, end: int, max_tokens: int) -> Iterator[tuple[int, int, int]]:
    """Yield a range in parts of at most `max_tokens`, cut between words if possible, with the
    tokens of each."""
    tokens = len(_TOKEN.findall(text, start, end))
    if tokens <= max_tokens:
        if tokens:
            yield start, end, tokens
        return
    tokens = tokens_before_word = 0
    word = start
    for token in _TOKEN.finditer(text, start, end):
        if token.start() > start and text[token.start() - 1].isspace():
            word, tokens_before_word = token.start(), tokens
        if tokens == max_tokens:
            border, size = (
                (word, tokens_before_word) if tokens_before_word else (token.start(), tokens)
            )
            yield start, border, size
            start, tokens, tokens_before_word = border, tokens - size, 0
        tokens += 1
    if tokens:
        yield start, end, tokens


def _stripped(text: str, start: int, end: int, is_code: bool) -> tuple[int, int]:
    """Leave out the blanks around a part of a text, but not the indentation of code."""
    part = text[start:end].rstrip()
    indentation = 0 if is_code else len(part) - len(part.lstrip())
    return start + indentation, start + len(part)
