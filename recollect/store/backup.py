"""A copy of a SQLite database, made while others write to it.

SQLite's backup goes page by page. It reads from one snapshot, which the write-ahead log keeps for
as long as it is needed: so it never has to begin again because somebody has written, and nobody
waits for it. The copy gets its name when it is whole, checked and on disk, and not before.
"""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from recollect.errors import Conflict, CorruptStore, Misconfigured
from recollect.store.sqlite import translated

_PAGES_AT_ONCE = 1_000
_BUSY_TIMEOUT_MS = 30_000

Report = Callable[[int, int], None]
"""Pages done, and all of them."""


def back_up(path: Path, copy: Path, *, force: bool = False, report: Report | None = None) -> None:
    """Only its owner may read the copy, as with the database itself.

    Raises Conflict where there is a file already, unless it may be replaced by `force`.
    """
    if not path.is_file():
        raise Misconfigured(f"There is no database at {path}.")
    if copy.exists():
        if not force:
            raise Conflict(f"{copy} exists already: choose another name, or use --force.")
        if not copy.is_file() or copy.samefile(path):
            raise Misconfigured(f"{copy} cannot be replaced by a copy of {path}.")
    unfinished = copy.with_name(f"{copy.name}.{os.getpid()}.part")
    try:
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            _copy(path, unfinished, report)
            _check(unfinished)
            os.replace(unfinished, copy)
            _sync_folder(copy.parent)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise Misconfigured(f"{copy} cannot be written: {error.strerror}.") from error


def _copy(path: Path, unfinished: Path, report: Report | None) -> None:
    try:
        with (
            closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as source,
            closing(apsw.Connection(str(unfinished))) as target,
        ):
            source.set_busy_timeout(_BUSY_TIMEOUT_MS)
            source.execute("begin")
            source.execute("select 1 from sqlite_schema").fetchall()  # from here on, one snapshot
            with target.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(_PAGES_AT_ONCE)
                    if report is not None:
                        report(backup.page_count - backup.remaining, backup.page_count)
            target.pragma("journal_mode", "delete")  # one file, whole by itself
    except apsw.Error as error:
        raise translated(error, str(path)) from error


def _check(copy: Path) -> None:
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            found = str(connection.pragma("integrity_check"))
    except apsw.Error as error:
        raise translated(error, str(copy)) from error
    if found != "ok":
        raise CorruptStore(f"The database is damaged, and was not copied: {found}.")


def _sync_folder(folder: Path) -> None:
    """Else a crash could take the new name away again."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
