"""Splits text of any language into sentences.

A line break always ends a sentence, list and heading marks before a line are left out, and a fenced
code block stays whole, fences included. Within a line a sentence ends

- after the full stops of scripts that need no space behind them (。 । ؟ and their kind);
- after `!` and `?` before a space, unless a quotation ends there and its sentence goes on;
- after a single `.` before a space, unless it belongs to an abbreviation, an initial, an ordinal
  ("12. März") or a number; decimals, URLs and file names have no space, so they are safe anyway.

An ellipsis never ends a sentence, as it mostly stands for a pause. A lower-case letter may start
one: many people chat that way. Each sentence is a substring of the text, and splitting it again
gives itself. One pass that never looks back more than a word finds the stops, in linear time.
"""

import re
from collections.abc import Iterator

from recollect.language.patterns import words
from recollect.language.registry import merged

_ALWAYS = "。！？｡؟۔।॥։።។။"  # noqa: RUF001
_CLOSING = r"""(?:["'”’»›)\]}）」』】*_]|[ \u00a0\u202f]»)"""  # noqa: RUF001
_STOP = re.compile(rf"([.!?…{_ALWAYS}]+)({_CLOSING}*)")
_QUOTES = frozenset("\"'”’»›」』")  # noqa: RUF001
_MARKS = re.compile(r"\s*(?:(?:[-*+•‣◦▪·–—>]|#{1,6}|\(?\d{1,2}[.)])\s+)*+")  # noqa: RUF001
_NEXT_WORD = re.compile(r"\s*(\w{0,3})")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“«„]*\Z")
_MAX_ABBREVIATION_CHARS = 12
FENCE = re.compile(r"\s*(```|~~~)[^`]*\Z")
"""The first line of a code block."""

_ABBREVIATIONS = merged("abbreviations")
_ALWAYS_ABBREVIATED = words(_ABBREVIATIONS["always"])
_UNLESS_CAPITAL = words(_ABBREVIATIONS["unless_capital"])
_BEFORE_DIGIT = words(_ABBREVIATIONS["before_digit"])
_MONTHS = words(_ABBREVIATIONS["months"])


def split_sentences(text: str) -> list[str]:
    """The sentences in their order; a code block is one sentence."""
    return [piece for block in _blocks(text) for piece in _pieces(block) if piece]


def sentence_ends(line: str) -> Iterator[int]:
    """The offsets behind the sentences of a line, the last one excepted if it has no stop."""
    for stop in _STOP.finditer(line):
        if _ends_sentence(line, stop):
            yield stop.end()


def closes_fence(line: str, fence: str) -> bool:
    """Whether the line ends a code block that `fence` started."""
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def is_code(sentence: str) -> bool:
    """Whether the sentence is a fenced code block."""
    return FENCE.match(sentence.partition("\n")[0]) is not None


def _blocks(text: str) -> Iterator[str]:
    """Lines, and whole code blocks."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        if not fence:
            if line.isspace():  # there may be a million of them
                continue
            opening = FENCE.match(line)
            if opening is None:
                yield line
                continue
            fence = opening[1]
            block = [line]
        else:
            block.append(line)
            if closes_fence(line, fence):
                yield "".join(block)
                fence = ""
    if fence:
        yield "".join(block)


def _pieces(block: str) -> Iterator[str]:
    if is_code(block.lstrip()):
        yield block.strip()
        return
    start = 0
    for end in sentence_ends(block):
        yield _unmarked(block[start:end])
        start = end
    yield _unmarked(block[start:])


def _unmarked(piece: str) -> str:
    marks = _MARKS.match(piece)
    return piece[marks.end() if marks else 0 :].strip()


def _ends_sentence(line: str, stop: re.Match[str]) -> bool:
    run, closing = stop[1], stop[2]
    if run[-1] in _ALWAYS:
        return True
    if not line[stop.end() : stop.end() + 1].isspace():
        return False
    following = _NEXT_WORD.match(line, stop.end())
    next_word = following[1] if following else ""
    if "!" in run or "?" in run:
        return not (next_word[:1].islower() and not _QUOTES.isdisjoint(closing))
    return run == "." and not _is_abbreviation(line, stop.start(), next_word)


def _is_abbreviation(line: str, dot: int, next_word: str) -> bool:
    """Whether the full stop at `dot` belongs to the word before it."""
    found = _WORD_BEFORE.search(line[max(0, dot - _MAX_ABBREVIATION_CHARS) : dot])
    word = found[0].lower() if found else ""
    if word in _UNLESS_CAPITAL:
        return not next_word[:1].isupper()
    if word in _BEFORE_DIGIT:
        return next_word[:1].isdigit()
    if word.isdigit() and len(word) <= 2:
        return next_word[:1].islower() or next_word.lower() in _MONTHS
    is_initial = len(word) == 1 and word.isalpha()
    is_dotted = "." in word and all(1 <= len(part) <= 2 for part in word.split("."))
    return word in _ALWAYS_ABBREVIATED or is_initial or (is_dotted and word[:1].isalpha())
