"""Text normalization for comparison: case, accents, punctuation."""

import hashlib
import re
import unicodedata

_PART_CHARS = 2**13
_MANY_MARKS = re.compile(r"(\W{8})\W+")
_APOSTROPHES = "\u2018\u2019\u201b\u2032\u00b4\u02bc"
_HYPHENS = "\u2010\u2011\u2212"
_TYPOGRAPHY = str.maketrans(dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_HYPHENS, "-"))


def fold(text: str) -> str:
    """Remove case and accents, so that "Citta" finds "Città". The length may change."""
    if text.isascii():
        return text.lower()
    # Marks go before decomposing as well, because NFKD sorts a run of them in quadratic time, and
    # case is folded after it, because it turns signs such as the trade mark into capitals.
    return _without_marks(unicodedata.normalize("NFKD", _without_marks(text))).casefold()


def normalized_length(text: str, *, limit: int) -> int:
    """The number of characters after NFKC, which makes up to 18 of one; counted up to the limit.

    Counted in parts, so that other threads can run, and without long runs of marks, because NFKC
    sorts these in quadratic time.
    """
    if text.isascii():
        return len(text)
    length = 0
    for start in range(0, len(text), _PART_CHARS):
        part = text[start : start + _PART_CHARS]
        few_marks = _MANY_MARKS.sub(r"\1", part)
        length += len(unicodedata.normalize("NFKC", few_marks)) + len(part) - len(few_marks)
        if length > limit:
            break
    return length


def plain(text: str) -> str:
    """Lower case without Latin accents, with plain apostrophes, hyphens and blanks.

    The length stays the same, so offsets are valid in both texts.
    """
    return text.translate(_PLAIN).lower()


def plain_typography(text: str) -> str:
    """Replace typographic apostrophes and hyphens by those of ASCII."""
    return text.translate(_TYPOGRAPHY)


def plain_words(text: str) -> str:
    """The folded words, joined by single blanks."""
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


def _without_marks(text: str) -> str:
    return "".join([c for c in text if unicodedata.category(c)[0] != "M"])


def _plain_table() -> dict[int, str]:
    latin_1 = "aaaaaaaceeeeiiiidnooooo*ouuuuyts"
    letters = {code: fold(chr(code)) for code in range(0x100, 0x250)}
    return {
        **{code: letter for code, letter in letters.items() if len(letter) == 1},
        **{code: latin_1[(code - 0xC0) % 32] for code in range(0xC0, 0x100)},
        **str.maketrans({"÷": "/", "ÿ": "y", "œ": "o", "Œ": "o", "`": "'"}),
        **str.maketrans(dict.fromkeys("\t\r\v\f\u00a0\u2009\u202f", " ")),
        **_TYPOGRAPHY,
    }


_PLAIN = _plain_table()


def like_pattern(fragment: str) -> str:
    """A LIKE pattern (escape character: backslash) for folded text that contains `fragment`."""
    escaped = fold(fragment).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


def content_hash(text: str) -> str:
    """A hash that ignores case, accents and punctuation."""
    words = plain_words(text) or fold(text).strip()
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()


def tombstone_hash(user_id: str, *words: str) -> str:
    """A hash that recognizes a deleted memory. It includes the user id, so that it cannot be
    compared between users."""
    text = "\0".join([user_id, *(plain_words(word) or fold(word).strip() for word in words)])
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"tombstone").hexdigest()
