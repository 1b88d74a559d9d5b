"""Text as it is compared, not as it is shown."""

import unicodedata


def fold(text: str) -> str:
    """Without case and accents, so that "Citta" finds "Città"."""
    if text.isascii():
        return text.lower()
    # Marks go before decomposing as well, because NFKD sorts a run of them in quadratic time, and
    # case is folded after it, because it turns signs such as the trade mark into capitals.
    return _without_marks(unicodedata.normalize("NFKD", _without_marks(text))).casefold()


def _without_marks(text: str) -> str:
    return "".join([c for c in text if unicodedata.category(c)[0] != "M"])


def like_pattern(fragment: str) -> str:
    """A LIKE pattern (escape character: backslash) for folded text that contains `fragment`."""
    escaped = fold(fragment).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"
