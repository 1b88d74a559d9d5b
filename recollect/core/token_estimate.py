"""The token estimate, for where the tokenizer is not installed.

It imitates the first half of OpenAI's o200k. That tokenizer splits a text into pieces with a
regular expression, then each piece with a vocabulary of 200,000 entries. The pieces here are nearly
the same, and the cost of many is known: three digits are one token, and so is a run of spaces. For
the others the estimate is rather too high than too low:

- A Latin word costs more the rarer its pairs of letters are, because frequent words are one token.
  `_PAIRS` was fitted to texts in forty languages, source code, logs and random identifiers.
- A word of another script has a cost per letter, which is high enough for all languages that were
  tried. Random letters of these scripts may be underestimated.
- In a run of ASCII marks, each change from one mark to another has a cost.
- All other characters cost a token per byte, which is the maximum, apart from a few blocks that
  occur in ordinary chats.

Costs are in hundredths of a token.
"""

import re
from functools import lru_cache
from itertools import pairwise

_TOKEN = 100

# Character classes. Accents and rare capitals count as lower case.
_UPPER = "A-ZÀ-ÖØ-Þ"
_LOWER = "a-zß-öø-\u017f\u1e00-\u1eff"
_MARKS = r"!-/:-@\[-`{-~"
_LATIN_WORD = f"(?:[{_UPPER}]{{0,32}}+[{_LOWER}]{{1,32}}+|[{_UPPER}]{{1,32}}+)"
_CONTRACTION = f"(?:'(?:s|t|re|ve|m|ll|d)(?![{_UPPER}{_LOWER}]))?"

# Repetitions are bounded because the costs of pieces are cached.
_PIECE = re.compile(
    "|".join(
        (
            f"[ {_MARKS}]?{_LATIN_WORD}{_CONTRACTION}",
            r" ?[0-9]{1,3}",
            rf" ?[{_MARKS}]{{1,64}}[\r\n]{{0,32}}",
            r"\s{0,64}[\r\n]{1,64}",
            r"[^\S\r\n]{1,128}(?=\s|\Z)",
            rf" ?[^\s!-~{_UPPER}{_LOWER}]{{1,32}}",
            r"\s",
        )
    )
)

_WORD = re.compile(f"([ {_MARKS}]?)({_LATIN_WORD})({_CONTRACTION})")
_WORD_COST = 39
_PAIR_PERCENT, _CAPITALS_PERCENT = 140, 150  # more in words with capitals after the first letter
_MARK_BEFORE_COST = 60  # of a word after a punctuation mark
_CONTRACTION_COST = 60
_ACCENT_COST = 40  # of each letter that is not ASCII
_LONG_WORD, _LONG_WORD_COST = 8, 10  # of each further letter

# The cost of a letter (column) after another one (row), in tenths of a token. ^ is the start of a
# word, ~ a letter of Latin-1 that is not ASCII, # any other letter.
_PAIR_TABLE = """
    abcdefghijklmnopqrstuvwxyz~#
  ^ 3232332243342332612032160666
  a 8000920509500141901011500609
  b 2966199651698700920209990914
  c 1587079139003215103009990809
  d 3560298920922524943649980366
  e 1200111854730240010121000749
  f 0954228919939019904029990909
  g 4946078169889269902626992596
  h 1099099839800009917079992920
  i 2000110792731002110091947005
  j 6899199999699209390928999676
  k 3978063049998096992659399994
  l 2690002009436502912105190885
  m 3085096939900540991339994937
  n 3900210045392030970010891949
  o 2110103914221020502002000124
  p 3953184069803910602024990979
  q 9999996999929999995909999999
  r 2211121949420120300252290969
  s 5636169039546232140139293955
  t 5406146019112330900639090749
  u 2000042919821190900199901904
  v 3745099919979939959999999976
  w 0996099009939009900489397969
  x 0529399919462990696099910894
  y 6999798929943064922469492996
  z 4955095989989599998009346959
  ~ 0200044498961108164409488774
  # 3603979999300070980309990350
"""
_COLUMNS, *_ROWS = _PAIR_TABLE.split("\n")[1:-1]
_PAIRS = {
    (row[2], column): int(tenths) * _TOKEN // 10
    for row in _ROWS
    for column, tenths in zip(_COLUMNS[4:], row[4:], strict=True)
}
_ACCENTED = {code: "~" if code < 0x100 else "#" for code in range(0x80, 0x1F00)}

# Marks of source code are often in the vocabulary in pairs, those that draw lines in long runs.
_CODE_MARKS = frozenset("()[]{}\"',.;:")
_LINE_MARKS = frozenset("-=*#_~.+/%")
_LINE_RUN, _MARK_RUN = 16, 2  # as many of a kind are one token
_NEXT_CODE_MARK_COST, _NEXT_MARK_COST = 58, 80
_FIRST_PAIR_REBATE = 40  # if both are marks of source code

_BLANKS = re.compile(r"(?:\r\n)+|(.)\1*", re.DOTALL)
_BLANK_RUNS = {" ": 64, "\t": 16, "\n": 16, "\r": 8, "\u00a0": 2, "\u3000": 2}

# Common Chinese and Korean characters are in the first parts of the old national standards.
_STANDARDS = {
    "gb2312": range(0xB0A1, 0xD7FA),
    "big5": range(0xA440, 0xC67F),
    "shift_jis": range(0x889F, 0x9873),
    "euc_kr": range(0xB0A1, 0xC8FF),
}
_HAN_AND_HANGUL = frozenset(map(chr, (*range(0x4E00, 0xA000), *range(0xAC00, 0xD7A4))))
_COMMON = frozenset(
    character
    for character in _HAN_AND_HANGUL
    for charset, codes in _STANDARDS.items()
    if int.from_bytes(character.encode(charset, "ignore")) in codes
)

# Characters other than Latin letters: the costs of a word with them, and of each.
_KNOWN = {
    "\u00a0-\u00ff": (0, 100),  # signs of Latin-1
    "\u0370-\u045f": (100, 28),  # Greek, Cyrillic of Slavic languages
    "\u0460-\u052f": (100, 130),  # Cyrillic of other languages
    "\u0530-\u06ff": (100, 48),  # Armenian, Hebrew, Arabic
    "\u0a00-\u0a7f\u0d80-\u0dff": (100, 50),  # Gurmukhi, Sinhala
    "\u0b00-\u0b7f": (100, 120),  # Oriya
    "\u0900-\u09ff\u0a80-\u0aff\u0b80-\u0d7f": (100, 40),  # other scripts of India
    "\u0e00-\u0e7f": (0, 58),  # Thai
    "\u1000-\u109f\u1780-\u17ff": (0, 75),  # Burmese, Khmer
    "\u10a0-\u10ff": (100, 30),  # Georgian
    "\u200c\u200d\ufe0f": (0, 100),  # joiners, variant of an emoji
    "\u2010-\u2027\u3000-\u301f\uff00-\uff0f": (0, 100),  # dashes, quotes, Chinese punctuation
    "\u2500-\u259f": (0, 200),  # frames
    "\u3040-\u30ff": (0, 90),  # Hiragana, Katakana
    "".join(_COMMON): (0, 110),
    "".join(_HAN_AND_HANGUL - _COMMON): (0, 250),
    "\U0001f000-\U0001faff": (0, 300),  # emoji
}
_KNOWN_RUN = re.compile("|".join(f"([{characters}]+)" for characters in _KNOWN))
_KNOWN_COSTS = dict(enumerate(_KNOWN.values(), start=1))


def estimate(text: str) -> int:
    """Estimate the tokens of a text: 0 if it is empty, else at least 1."""
    return -(-sum(map(_piece_cost, _PIECE.findall(text))) // _TOKEN)


@lru_cache(maxsize=2**14)
def _piece_cost(piece: str) -> int:
    if word := _WORD.fullmatch(piece):
        return _word_cost(*word.groups())
    body = piece.strip()
    if not body:
        return _blank_cost(piece)
    if not (body.isascii() and body.isprintable()):
        return _other_cost(body, is_after_space=body != piece)
    if body.isdigit():
        return _TOKEN if body == piece else 2 * _TOKEN  # a space is not merged with digits
    line_ends = piece[len(piece.rstrip()) :]
    return _marks_cost(body) + _blank_cost(line_ends[1:])


def _word_cost(before: str, letters: str, contraction: str) -> int:
    cost = _WORD_COST + _LONG_WORD_COST * max(0, len(letters) - _LONG_WORD)
    if before not in {"", " "}:
        cost += _MARK_BEFORE_COST
    if contraction:
        cost += _CONTRACTION_COST
    percent = _PAIR_PERCENT if letters.islower() or letters.istitle() else _CAPITALS_PERCENT
    if not letters.isascii():
        cost += _ACCENT_COST * sum(map("\x7f".__lt__, letters))
        letters = letters.translate(_ACCENTED)
    pairs = sum(map(_PAIRS.__getitem__, pairwise("^" + letters.lower())))
    return max(_TOKEN, cost + pairs * percent // 100)


def _marks_cost(marks: str) -> int:
    cost = _TOKEN
    length = 1
    is_first_change = True
    for mark, following in pairwise(marks):
        if mark == following:
            length += 1
            if length % (_LINE_RUN if mark in _LINE_MARKS else _MARK_RUN) == 1:
                cost += _TOKEN
        else:
            is_code = mark in _CODE_MARKS and following in _CODE_MARKS
            cost += _NEXT_CODE_MARK_COST if is_code else _NEXT_MARK_COST
            if is_first_change and is_code:
                cost -= _FIRST_PAIR_REBATE
            length = 1
            is_first_change = False
    return cost


def _blank_cost(blanks: str) -> int:
    cost = 0
    for run in _BLANKS.finditer(blanks):
        longest = _BLANK_RUNS.get(run[0][0])
        cost += _TOKEN * -(-len(run[0]) // longest) if longest else _bytes_cost(run[0])
    return cost


def _other_cost(characters: str, *, is_after_space: bool) -> int:
    cost = _bytes_cost(characters)
    word_cost = 0
    for run in _KNOWN_RUN.finditer(characters):
        of_word, of_each = _KNOWN_COSTS[run.lastindex or 0]
        cost += of_each * len(run[0]) - _bytes_cost(run[0])
        word_cost = max(word_cost, of_word)
    if is_after_space and not _KNOWN_RUN.match(characters):
        cost += _TOKEN
    return max(_TOKEN, cost + word_cost)


def _bytes_cost(characters: str) -> int:
    return _TOKEN * len(characters.encode(errors="surrogatepass"))
