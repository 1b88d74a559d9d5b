"""A progress bar for the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_WIDTH = 30
_ERASE = "\r\x1b[K"


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows a label, and the share done of a total, if stderr is a terminal.

    The bar is erased at the end.
    """
    shown = ""

    def show(label: str, done: int, total: int) -> None:
        nonlocal shown
        share = min(done / total, 1.0) if total else 1.0
        line = f"{label:<28} [{'#' * int(share * _WIDTH):<{_WIDTH}}] {share:4.0%}"
        if sys.stderr.isatty() and line != shown:
            shown = line
            print(_ERASE + line, end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print(_ERASE, end="", file=sys.stderr, flush=True)
