"""The files of an open SQLite database, and the check that their paths still name them.

A file that is deleted or replaced while it is open would take writes that nobody can ever read: the
connection writes to a file without a name. The same holds for the write-ahead log, which exists as
long as any connection is open.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from recollect.core.errors import Misconfigured, Unavailable

_FileId = tuple[int, int]


def create_file(path: Path) -> None:
    """Create the database file, readable by its owner only. Its log inherits the mode."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        parent = path.parent
        reason = error.strerror if parent.is_dir() else f"{parent} is not a directory"
        raise Misconfigured(f"The database {path} cannot be written: {reason}.") from error


class OpenFiles:
    """The identity of the database file and its log."""

    def __init__(self, ids: Mapping[str, _FileId]) -> None:
        self._ids = ids

    @classmethod
    def of(cls, path: str) -> "OpenFiles":
        """Remember the files of a database on which a connection is open."""
        found = {name: _file_id(name) for name in (path, f"{path}-wal")}
        return cls({name: id for name, id in found.items() if id is not None})

    def check(self) -> None:
        """Raise Unavailable if a path does not name the open file any more."""
        for name, id in self._ids.items():
            if _file_id(name) != id:
                raise Unavailable(
                    f"{name} was moved, deleted or replaced while it was open: put it back, or "
                    "restart every server and worker."
                )


def _file_id(name: str) -> _FileId | None:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino
