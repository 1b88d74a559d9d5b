"""Text normalization for comparison: case, accents, punctuation."""

import hashlib
import unicodedata


def fold(text: str) -> str:
    """Without case and accents, so that "Citta" finds "Città"."""
    if text.isascii():
        return text.lower()
    # Marks go before decomposing as well, because NFKD sorts a run of them in quadratic time, and
    # case is folded after it, because it turns signs such as the trade mark into capitals.
    return _without_marks(unicodedata.normalize("NFKD", _without_marks(text))).casefold()


def plain_words(text: str) -> str:
    """Its words folded, with nothing but a blank between any two."""
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


def _without_marks(text: str) -> str:
    return "".join([c for c in text if unicodedata.category(c)[0] != "M"])


def like_pattern(fragment: str) -> str:
    """A LIKE pattern (escape character: backslash) for folded text that contains `fragment`."""
    escaped = fold(fragment).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


def content_hash(text: str) -> str:
    """The same for texts that differ in case, accents and punctuation only."""
    words = plain_words(text) or fold(text).strip()
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()


def tombstone_hash(user_id: str, *words: str) -> str:
    """By which something deleted is known again. It is the user's own, so that nobody can look up
    in it what others have deleted too."""
    text = "\0".join([user_id, *(plain_words(word) or fold(word).strip() for word in words)])
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"tombstone").hexdigest()
