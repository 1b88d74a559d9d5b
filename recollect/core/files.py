"""Atomic creation of files."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.core.errors import Conflict, Misconfigured


@contextmanager
def atomic_write(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary file beside `path`, which replaces `path` when it is written and synced.

    On an exception the temporary file is deleted and `path` is unchanged. Only the owner can read
    the file. Raises Conflict if `path` exists, unless `force`, and Misconfigured if it cannot be
    written.
    """
    try:
        _check_replaceable(path, force=force)
        descriptor, name = tempfile.mkstemp(
            prefix=f"{path.name}.", suffix=".part", dir=path.absolute().parent
        )
        os.close(descriptor)
        temporary = Path(name)
        try:
            yield temporary
            _sync(temporary)
            _check_replaceable(path, force=force)  # writing may have taken a while
            temporary.replace(path)
            _sync(temporary.parent)  # else a crash could undo the rename
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Misconfigured(f"{path} cannot be written: {reason}.") from error


def _check_replaceable(path: Path, *, force: bool) -> None:
    if os.path.lexists(path):
        if not force:
            raise Conflict(f"{path} exists already: choose another name, or use --force.")
        if not path.is_file():
            raise Misconfigured(f"{path} is not a regular file and cannot be replaced.")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
