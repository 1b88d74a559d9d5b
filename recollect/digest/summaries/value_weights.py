"""How hard an exact value is to guess: a code is, a weekday or a first name is not."""

import re

from recollect.core.types import ExactValueKind
from recollect.language.patterns import words
from recollect.language.registry import merged

_DAY_OF_THE_YEAR = re.compile(r"\d\D+\d|\d\s\D{3}|\D{3}\s\d|月")
_MONEY = re.compile(
    r"[€$£¥₱₹₩元円원]|\b[A-Z]{3}\b|\bP\d|\d[.,]\d{3}"
    rf"|(?i:{'|'.join(words(merged('amounts')['money']))})"
)


def exactness(kind: ExactValueKind, value: str) -> int:
    """Return 2 for a code, 1 or -1 for values of the other kinds, and 0 for quotes."""
    if kind in {"identifier", "path", "url"}:
        return 2
    if kind == "date":
        return 1 if _DAY_OF_THE_YEAR.search(value) else -1
    if kind == "amount":
        return 1 if _MONEY.search(value) else -1
    if kind == "name":
        return 1 if " " in value else -1
    return 0
