"""Cuts text into sentences, whatever language it is in.

Lines come first: a line break always ends a sentence, list and heading marks before a line are left
out, and a fenced block of code stays in one piece, fences included. Within a line a sentence ends

- after the full stops of scripts that need no space behind them (。 । ؟ and their kind);
- after `!` and `?` before a space, unless a quotation ends there and its sentence goes on;
- after a single `.` before a space, unless it belongs to an abbreviation, an initial, an ordinal
  ("12. März") or a number; decimals, URLs and file names have no space, so they are safe anyway.

An ellipsis never ends a sentence, as it mostly stands for a pause. A lower-case letter may start
one: many people chat that way. Each sentence is a part of the text to the letter, and is cut no
further when it is given back. Stops are found by one pass that never looks back more than a word,
so the time is linear, whatever the text.
"""

import re
from collections.abc import Iterator

_ALWAYS = "。！？｡؟۔।॥։።។။"  # noqa: RUF001
_CLOSING = r"""(?:["'”’»›)\]}）」』】*_]|[ \u00a0\u202f]»)"""  # noqa: RUF001
_STOP = re.compile(rf"([.!?…{_ALWAYS}]+)({_CLOSING}*)")
_QUOTES = frozenset("\"'”’»›」』")  # noqa: RUF001
_MARKS = re.compile(r"\s*(?:(?:[-*+•‣◦▪·–—>]|#{1,6}|\(?\d{1,2}[.)])\s+)*+")  # noqa: RUF001
_NEXT_WORD = re.compile(r"\s*(\w{0,3})")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"'“«„]*\Z")
_LONGEST_ABBREVIATION = 12
_FENCE = re.compile(r"\s*(```|~~~)[^`]*\Z")

_SHORT = """
    mr mrs ms dr prof st mt rev gen col capt lt sgt hon vs approx fig vol pp ch cf al dept inc ltd
    sig sigg dott ing avv egr spett pag art ca es tel sr sra srta dna ud uds num mme mlle mgr av env
    bzw evtl ggf inkl exkl hr nr str vgl exmo exma engo gng bb kgg hal
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_MAY_END = frozenset({"etc", "ecc", "usw", "usf", "atbp", "jr", "co", "corp", "a.m", "p.m"})
_BEFORE_DIGIT = frozenset({"no", "nos", "n", "p", "nn"})
_MONTHS = frozenset(
    {"jan", "feb", "mär", "mar", "apr", "mai", "may", "jun", "jul", "aug", "sep", "okt", "oct"}
    | {"nov", "dez", "dec"}
)


def split_sentences(text: str) -> list[str]:
    """The sentences in their order. Code blocks are one each; blank lines give none."""
    return [piece for block in _blocks(text) for piece in _pieces(block) if piece]


def is_code(sentence: str) -> bool:
    """Whether it is a fenced block of code, which is not to be read as language."""
    return _FENCE.match(sentence.partition("\n")[0]) is not None


def _blocks(text: str) -> Iterator[str]:
    """Lines, and blocks of code whole."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        if not fence:
            if line.isspace():  # in which there is nothing, and of which there may be a million
                continue
            opening = _FENCE.match(line)
            if opening is None:
                yield line
                continue
            fence = opening[1]
            block = [line]
        else:
            block.append(line)
            bare = line.strip()
            if bare.startswith(fence) and not bare.strip(fence[0]):
                yield "".join(block)
                fence = ""
    if fence:
        yield "".join(block)


def _pieces(block: str) -> Iterator[str]:
    if is_code(block.lstrip()):
        yield block.strip()
        return
    start = 0
    for stop in _STOP.finditer(block):
        if _ends_sentence(block, stop):
            yield _unmarked(block[start : stop.end()])
            start = stop.end()
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
    return run == "." and not _is_short_for(line, stop.start(), next_word)


def _is_short_for(line: str, dot: int, next_word: str) -> bool:
    """Whether the full stop at `dot` belongs to the word before it."""
    found = _WORD_BEFORE.search(line[max(0, dot - _LONGEST_ABBREVIATION) : dot])
    word = found[0].lower() if found else ""
    if word in _MAY_END:
        return not next_word[:1].isupper()
    if word in _BEFORE_DIGIT:
        return next_word[:1].isdigit()
    if word.isdigit() and len(word) <= 2:
        return next_word[:1].islower() or next_word.lower() in _MONTHS
    is_initial = len(word) == 1 and word.isalpha()
    is_dotted = "." in word and all(1 <= len(part) <= 2 for part in word.split("."))
    return word in _ABBREVIATIONS or is_initial or (is_dotted and word[:1].isalpha())
