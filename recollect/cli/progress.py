"""How far something long has come, on one line of the terminal."""

import sys
from types import TracebackType
from typing import Self

_WIDTH = 30
_ERASE = "\r\x1b[K"


class Bar:
    """Shown while it is entered, and gone afterwards; nothing where nobody is looking."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._is_seen = self._stream.isatty()
        self._line = ""

    def show(self, what: str, done: int, total: int) -> None:
        part = min(done / total, 1.0) if total else 1.0
        line = f"{what:<28} [{'#' * int(part * _WIDTH):<{_WIDTH}}] {part:4.0%}"
        if self._is_seen and line != self._line:
            self._line = line
            self._stream.write(_ERASE + line)
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._line:
            self._stream.write(_ERASE)
            self._stream.flush()
