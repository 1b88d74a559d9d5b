"""Text as it is compared, not as it is shown."""

import unicodedata


def fold(text: str) -> str:
    """Without case and accents, so that "Citta" finds "Città"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def like_pattern(fragment: str) -> str:
    """A LIKE pattern (escape character: backslash) for folded text that contains `fragment`."""
    escaped = fold(fragment).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"
