"""A progress bar for the terminal."""

import sys
from types import TracebackType
from typing import Self

_WIDTH = 30
_ERASE = "\r\x1b[K"


class ProgressBar:
    """Visible while its context is open, and only if stderr is a terminal."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._is_visible = self._stream.isatty()
        self._line = ""

    def show(self, label: str, done: int, total: int) -> None:
        share = min(done / total, 1.0) if total else 1.0
        line = f"{label:<28} [{'#' * int(share * _WIDTH):<{_WIDTH}}] {share:4.0%}"
        if self._is_visible and line != self._line:
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
