"""Files that are there when they are whole, and not before."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.core.errors import Conflict, Misconfigured


@contextmanager
def written_whole(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A new file beside `path`, to be written by whoever asked: it takes that name when all is on
    disk. Where something fails, it is gone again, and what had the name before still has it.

    Only its owner can read it. Raises Conflict where there is a file already, unless it may be
    replaced by `force`, and Misconfigured where it cannot be written.
    """
    try:
        _check_free(path, force=force)
        descriptor, name = tempfile.mkstemp(
            prefix=f"{path.name}.", suffix=".part", dir=path.absolute().parent
        )
        os.close(descriptor)
        unfinished = Path(name)
        try:
            yield unfinished
            _sync(unfinished)
            _check_free(path, force=force)  # writing may have taken a while
            unfinished.replace(path)
            _sync(unfinished.parent)  # else a crash could take the new name away again
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Misconfigured(f"{path} cannot be written: {reason}.") from error


def _check_free(path: Path, *, force: bool) -> None:
    if os.path.lexists(path):
        if not force:
            raise Conflict(f"{path} exists already: choose another name, or use --force.")
        if not path.is_file():
            raise Misconfigured(f"{path} is no file that could be replaced.")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
