"""Estimates how many tokens a text will cost, without a tokenizer.

Latin text runs at about four characters to a token; scripts written without spaces, and emoji,
cost about one token a character; other alphabets lie between. How many bytes a character takes in
UTF-8 tells these apart, and lengths are all that has to be looked at.
"""


def count(text: str) -> int:
    if text.isascii():
        return (len(text) + 3) // 4
    latin = len(text.encode("ascii", "ignore"))
    emoji = len(text.encode("utf-16-le")) // 2 - len(text)  # and whatever else needs four bytes
    rest = len(text) - latin - emoji
    dense = len(text.encode()) - latin - 4 * emoji - 2 * rest  # three bytes instead of two
    return emoji + dense + (rest - dense + 1) // 2 + (latin + 3) // 4


class Counter:
    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale

    def count(self, text: str) -> int:
        return -int(-count(text) * self._scale // 1)


def counter_for(model: str | None, scale: float = 1.0) -> Counter:
    return Counter(scale)


class Calibration:
    @classmethod
    def from_totals(cls, totals: dict[str, tuple[int, int]]) -> "Calibration":
        return cls()

    def scale(self, model: str) -> float:
        return 1.0

    def observe(self, model: str, *, estimated: int, reported: int) -> None: ...
