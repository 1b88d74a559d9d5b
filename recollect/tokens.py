"""How many tokens a text costs: the one counter used everywhere.

The estimate repeats the first half of what OpenAI's o200k does. That tokenizer cuts a text into
pieces with a regular expression and then splits each piece with a vocabulary of 200,000 entries.
The pieces here are nearly the same, and of many the cost is known: a run of blanks is one token, and
so are three digits. What a word falls into depends on the vocabulary, which we do not have; a word
costs the more, the less usual its letters are together. `_PAIRS` says how much for every two Latin
letters, `_SCRIPTS` how much for a letter of another script. All costs are hundredths of a token.

The figures were fitted to o200k on texts in forty languages, source code, logs and random
identifiers, where counting too little weighed four times as much as counting too much.

A `Counter` is exact where the model's tokenizer is installed. Elsewhere it is the estimate times a
scale, which a `Calibration` learns from the usage that providers report.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import pairwise
from math import ceil
from typing import Protocol

_TOKEN = 100
_ROUND_UP_FROM = 25

# A longer text is judged by samples, so that two megabytes cost no more than thirty-two kilobytes.
_SAMPLES = 64
_SAMPLE_LENGTH = 512

_UPPER = "A-ZÀ-ÖØ-Þ"
_LOWER = "a-zß-öø-ʯ\u0300-\u036f\u1e00-\u1eff"  # and what stays together with it: accents, rare capitals
_OTHER = "\u0370-\u1fff\u200c\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc"
_MARKS = r"!-/:-@\[-`{-~"
_LATIN_WORD = f"(?:[{_UPPER}]{{0,32}}+[{_LOWER}]{{1,32}}+|[{_UPPER}]{{1,32}}+)"
_CONTRACTION = f"(?:'(?:s|t|re|ve|m|ll|d)(?![{_UPPER}{_LOWER}]))?"

# Repetitions are bounded because the costs of pieces are remembered, by piece.
_PIECE = re.compile(
    "|".join(
        (
            f"[ {_MARKS}]?{_LATIN_WORD}{_CONTRACTION}",
            r" ?\d{1,3}",
            rf" ?[{_MARKS}]{{1,32}}[\r\n/]{{0,32}}",
            r"\s{0,32}[\r\n]{1,32}",
            r"[^\S\r\n]{1,32}(?=\s|\Z)|\t",
            f" ?[{_OTHER}]{{1,32}}",
            rf" ?[^\s!-~{_UPPER}{_LOWER}{_OTHER}]{{1,32}}",
        )
    )
)
_WORD = re.compile(f"([ {_MARKS}]?)({_LATIN_WORD}){_CONTRACTION}")

_WORD_COST = 28
_CAPITAL_COST = 20
_MARK_BEFORE_COST = 40
_NEXT_MARK_COST = 9

# The tenths of a token that the second letter (column) adds after the first (row). ^ is the
# beginning of a word, ~ any letter of Latin-1 that is not ASCII, # any other.
_PAIR_TABLE = """
    abcdefghijklmnopqrstuvwxyz~#
  ^ 4242443343453433722133170777
  a 9000920509500141900012500709
  b 2967199451698800920209992915
  c 2589089139001205204019970719
  d 3370298920922424934649960866
  e 1200111754730140010121000749
  f 0954229909939019904029990909
  g 3955058069998369902525890695
  h 1099099849800009928069992930
  i 2000110693841002210092956007
  j 6999199999999409490937999678
  k 3958071049997095992659299990
  l 2590002009737402912211190895
  m 3066096929900540992349994946
  n 3900211045392030970000991959
  o 1100004914221020501002000125
  p 3953165069803910403024990979
  q 9999994999919999998909999999
  r 3102122949420020300252290969
  s 5636179039446342240139272958
  t 5506145009112230900739090659
  u 2000042919821190900199900904
  v 4735099929979939969999999975
  w 0999099009949019900489397979
  x 0329399919463990795098910694
  y 8999799929954063902379392994
  z 4944093989979499795008235969
  ~ 0100144397961107174409579875
  # 3503939999100060977409990150
"""
_COLUMNS, *_ROWS = _PAIR_TABLE.split("\n")[1:-1]
_PAIRS = {
    (row[2], column): int(tenths) * _TOKEN // 10
    for row in _ROWS
    for column, tenths in zip(_COLUMNS[4:], row[4:], strict=True)
}
_ACCENTED = {code: "~" if code < 0x100 else "#" for code in range(0x80, 0x1F00)}


# What characters that are not Latin letters cost: to begin a run of them, and each. The first row
# that has a character counts.
_SCRIPTS = {
    range(0x0080, 0x00C0): (0, 100),  # signs of Latin-1
    range(0x0370, 0x0400): (126, 22),  # Greek
    range(0x0410, 0x044A): (86, 17),  # Cyrillic: what Russian uses
    range(0x044B, 0x0452): (86, 17),
    range(0x0400, 0x0530): (86, 90),  # and what it does not, or hardly
    range(0x0530, 0x0590): (139, 18),  # Armenian
    range(0x0590, 0x0600): (-75, 62),  # Hebrew
    range(0x0600, 0x0700): (35, 31),  # Arabic
    range(0x0900, 0x0980): (-75, 54),  # Devanagari
    range(0x0980, 0x0A00): (38, 35),  # Bengali
    range(0x0A00, 0x0B80): (7, 44),  # Gurmukhi, Gujarati, Oriya
    range(0x0B80, 0x0C00): (86, 27),  # Tamil
    range(0x0C00, 0x0E00): (54, 42),  # Telugu, Kannada, Malayalam, Sinhala
    range(0x0E00, 0x0E80): (0, 44),  # Thai
    range(0x0E80, 0x1000): (0, 190),  # Lao, Tibetan
    range(0x1000, 0x10A0): (0, 55),  # Burmese
    range(0x10A0, 0x1100): (35, 33),  # Georgian
    range(0x1200, 0x13A0): (0, 190),  # Ethiopic
    range(0x1780, 0x1800): (0, 70),  # Khmer
    range(0x2000, 0x2100): (0, 100),  # punctuation, currencies
    range(0x2100, 0x2C00): (0, 133),  # arrows, frames, pictograms
    range(0x3000, 0x3040): (0, 100),  # Chinese and Japanese punctuation
    range(0x3040, 0x30A0): (0, 61),  # Hiragana
    range(0x30A0, 0x3100): (0, 73),  # Katakana
    range(0xAC00, 0xD7B0): (126, 35),  # Hangul
    range(0xFE00, 0xFFF0): (0, 100),  # variation selectors, full width
    range(0x1F1E6, 0x1F3C0): (0, 200),  # emoji: the older ones are two tokens
    range(0x1F440, 0x1F540): (0, 200),
    range(0x1F600, 0x1F6C0): (0, 200),
    range(0x1F900, 0x1F940): (0, 200),
    range(0x1F3C0, 0x1FB00): (0, 300),  # and the others three
}
_HAN = range(0x4E00, 0xA000)
_HAN_COST, _RARE_HAN_COST = 77, 137
_FAVOURITE_EMOJI = frozenset("👍👉😂😀😉😊🙂✅")


def count(text: str) -> int:
    """An estimate, never 0 for a text that is not empty."""
    if not text:
        return 0
    length = _SAMPLES * _SAMPLE_LENGTH
    if len(text) <= length:
        cost = _cost(text)
    else:
        last = len(text) - _SAMPLE_LENGTH
        starts = [last * sample // (_SAMPLES - 1) for sample in range(_SAMPLES)]
        cost = sum(_cost(text[start : start + _SAMPLE_LENGTH]) for start in starts)
        cost = cost * len(text) // length
    return max(1, (cost + _TOKEN - _ROUND_UP_FROM) // _TOKEN)


def _cost(text: str) -> int:
    return sum(map(_piece_cost, _PIECE.findall(text)))


@lru_cache(maxsize=2**14)
def _piece_cost(piece: str) -> int:
    if word := _WORD.fullmatch(piece):
        return _word_cost(*word.groups())
    body = piece.strip()
    if not body:
        return _TOKEN
    if body.isdecimal():
        return _TOKEN if body == piece else 2 * _TOKEN
    if body.isascii():
        return _TOKEN + _NEXT_MARK_COST * (len(set(body)) - 1)
    begin, _ = _script(body[0])
    return max(_TOKEN, begin + sum(each for _, each in map(_script, body)))


def _word_cost(before: str, letters: str) -> int:
    cost = _WORD_COST
    if before not in {"", " "}:
        cost += _MARK_BEFORE_COST
    if not letters.islower():
        cost += _CAPITAL_COST
    if not letters.isascii():
        letters = letters.translate(_ACCENTED)
    return max(_TOKEN, cost + sum(map(_PAIRS.__getitem__, pairwise("^" + letters.lower()))))


@lru_cache(maxsize=2**14)
def _script(character: str) -> tuple[int, int]:
    """Without a row, a token for each byte."""
    code = ord(character)
    if code in _HAN:
        return 0, _HAN_COST if _in_gb2312(character) else _RARE_HAN_COST
    if character in _FAVOURITE_EMOJI:
        return 0, _TOKEN
    for codes, costs in _SCRIPTS.items():
        if code in codes:
            return costs
    return 0, _TOKEN * len(character.encode(errors="surrogatepass"))


def _in_gb2312(character: str) -> bool:
    """Whether it is among the 6,763 of the old Chinese standard: the simplified and usual ones."""
    return bool(character.encode("gb2312", errors="ignore"))


# The tokenizer of these is o200k. A name may come with a provider or as a fine-tuned model's.
_O200K_MODEL = re.compile(r"(?:.*/)?(?:ft:)?(?:gpt-(?:4o|4\.[15]|5|oss)|chatgpt-|o[134](?![^-:]))")


class Tokenizer(Protocol):
    def count(self, text: str, /) -> int: ...


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts for one model: with its tokenizer, or else by the estimate times the scale."""

    scale: float = 1.0
    tokenizer: Tokenizer | None = None

    def count(self, text: str) -> int:
        if self.tokenizer is None:
            return ceil(count(text) * self.scale - 1e-9)  # 100 * 1.1 is a little more than 110
        try:
            return self.tokenizer.count(text)
        except UnicodeEncodeError:  # half a surrogate pair
            return self.tokenizer.count(text.encode(errors="replace").decode())


def counter_for(model: str | None, scale: float = 1.0) -> Counter:
    if model and _O200K_MODEL.match(model.lower()) and (tokenizer := _o200k()):
        return Counter(tokenizer=tokenizer)
    return Counter(scale)


@cache
def _o200k() -> Tokenizer | None:
    """None without the extra `tokenizer`.

    The bindings are taken without the wrapper around them, which lists the tokens it counts and
    refuses texts of a million characters.
    """
    try:
        bindings = import_module("bpe_openai._bindings")
    except ImportError:
        return None
    tokenizer: Tokenizer = bindings.tokenizer_for_encoding("o200k_base")
    return tokenizer


class Calibration:
    """Learns what a provider counts where we estimate one token.

    For every model it keeps how much was estimated and how much was reported for it. Both begin with
    `_DOUBT` tokens, so that the first reports move the scale only part of the way, and a single one
    weighs no more than that however long its prompt was; and both shrink together to `_MEMORY`, so
    that what was reported long ago fades.
    """

    _DOUBT = 4_000.0
    _MEMORY = 200_000.0
    _LOWEST, _HIGHEST = 0.5, 3.0

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, float]] = {}

    @classmethod
    def from_totals(cls, totals: Mapping[str, tuple[int, int]]) -> "Calibration":
        """From the sums, per model, of all that was estimated and all that was reported."""
        calibration = cls()
        for model, (estimated, reported) in totals.items():
            calibration._add(model, estimated, reported, weight=estimated)
        return calibration

    def observe(self, model: str, *, estimated: int, reported: int) -> None:
        """`estimated` is what `count` gave, before any scale."""
        self._add(model, estimated, reported, weight=min(estimated, self._DOUBT))

    def scale(self, model: str) -> float:
        estimated, reported = self._sums.get(model, (self._DOUBT, self._DOUBT))
        return reported / estimated

    def _add(self, model: str, estimated: int, reported: int, *, weight: float) -> None:
        if estimated <= 0 or reported <= 0:
            return
        ratio = min(max(reported / estimated, self._LOWEST), self._HIGHEST)
        known_estimated, known_reported = self._sums.get(model, (self._DOUBT, self._DOUBT))
        known_estimated += weight
        known_reported += weight * ratio
        fading = min(1.0, self._MEMORY / known_estimated)
        self._sums[model] = (known_estimated * fading, known_reported * fading)
