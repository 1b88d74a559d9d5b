"""Online backup of a SQLite database.

`vacuum into` writes the rows of one snapshot into a new file, so that the copy has no free pages
and nothing of deleted rows. The write-ahead log keeps the snapshot: writers do not wait. The copy
gets its name after it is complete, checked and on disk.
"""

import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw

from recollect.core.errors import Conflict, CorruptStore, Misconfigured
from recollect.core.files import atomic_write
from recollect.store.sqlite import map_error

_STEPS = 10_000
"""Steps of SQLite's virtual machine between two reports."""
_BUSY_TIMEOUT_MS = 30_000

OnBackupProgress = Callable[[int, int], None]
"""Called with the number of written bytes and of all bytes, which is an estimate."""


def back_up(
    path: Path, copy: Path, *, force: bool = False, report: OnBackupProgress | None = None
) -> None:
    """Copy the database. Only its owner can read the copy.

    Raises Conflict if the copy or one of its log files exists, unless `force`.
    """
    if not path.is_file():
        raise Misconfigured(f"There is no database at {path}.")
    if _files(path) & _files(copy):
        raise Misconfigured(f"{copy} cannot be a copy of {path}: they are the same database.")
    if not force:
        _check_no_logs(copy)
    with atomic_write(copy, force=force) as temporary:
        try:
            _copy(path, temporary, report)
            _check(temporary)
        finally:
            _remove_logs(temporary)
        if force:  # before the rename: after a crash an old log would be applied to the copy
            _remove_logs(copy)
        _check_no_logs(copy)
    _check_no_logs(copy)  # a process that uses an earlier copy may have created one


def _logs(path: Path) -> list[Path]:
    """Return the log files that SQLite reads with a database of this name."""
    return [Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal")]


def _files(path: Path) -> set[Path]:
    """Return the database and its log files, with links resolved."""
    real = path.resolve()
    return {real, *_logs(real), *(log.resolve() for log in _logs(path))}


def _check_no_logs(copy: Path) -> None:
    """Raises Conflict if SQLite would apply a log file to the copy."""
    for log in _logs(copy):
        if os.path.lexists(log):
            raise Conflict(
                f"{log} exists, and SQLite would read it as a part of {copy}: choose another "
                "name, or stop the process that uses it and use --force."
            )


def _remove_logs(path: Path) -> None:
    for log in _logs(path):
        log.unlink(missing_ok=True)


def _copy(path: Path, temporary: Path, report: OnBackupProgress | None) -> None:
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as source:
            source.set_busy_timeout(_BUSY_TIMEOUT_MS)
            if report is not None:
                watch = partial(_report, report, temporary, _used_bytes(source))
                source.set_progress_handler(watch, _STEPS)
            source.execute("vacuum into ?", (str(temporary),))
    except apsw.Error as error:
        raise map_error(error, str(path)) from error


def _used_bytes(connection: apsw.Connection) -> int:
    """Return the size of the database without its free pages."""
    pages, free, size = (
        int(str(connection.pragma(name))) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _report(report: OnBackupProgress, temporary: Path, total: int) -> bool:
    """Called by SQLite during the copy. A true result would interrupt it."""
    report(temporary.stat().st_size, total)
    return False


def _check(copy: Path) -> None:
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            result = str(connection.pragma("integrity_check"))
    except apsw.Error as error:
        raise map_error(error, str(copy)) from error
    if result != "ok":
        raise CorruptStore(f"The database is damaged, and was not copied: {result}.")
