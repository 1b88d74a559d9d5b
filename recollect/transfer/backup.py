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

from recollect.core.errors import Conflict, CorruptStore, Misconfigured
from recollect.core.files import written_whole
from recollect.store.sqlite import map_error

_PAGES_AT_ONCE = 1_000
_BUSY_TIMEOUT_MS = 30_000

Report = Callable[[int, int], None]
"""Pages done, and all of them."""


def back_up(path: Path, copy: Path, *, force: bool = False, report: Report | None = None) -> None:
    """Only its owner may read the copy, as with the database itself.

    Raises Conflict where there is a file already, or the log of one that was, unless it may be
    replaced by `force`.
    """
    if not path.is_file():
        raise Misconfigured(f"There is no database at {path}.")
    if _family(path) & _family(copy):
        raise Misconfigured(f"{copy} cannot be a copy of {path}: they are the same database.")
    if not force:
        _check_alone(copy)
    with written_whole(copy, force=force) as unfinished:
        try:
            _copy(path, unfinished, report)
            _check(unfinished)
        finally:
            _remove_logs(unfinished)
        if force:  # before it has the name: else, after a crash, the log would be taken for its own
            _remove_logs(copy)
        _check_alone(copy)
    _check_alone(copy)  # whoever uses an earlier copy may have made a new one


def _logs(path: Path) -> list[Path]:
    """What SQLite reads together with a database of this name, whoever left it there."""
    return [Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal")]


def _family(path: Path) -> set[Path]:
    """All that is read or written with it, a link or not."""
    real = path.resolve()
    return {real, *_logs(real), *(log.resolve() for log in _logs(path))}


def _check_alone(copy: Path) -> None:
    """What was checked is what will be read under this name."""
    for log in _logs(copy):
        if os.path.lexists(log):
            raise Conflict(
                f"{log} is there, which SQLite would take for a part of {copy}: choose another "
                "name, or stop whoever uses it and use --force."
            )


def _remove_logs(path: Path) -> None:
    for log in _logs(path):
        log.unlink(missing_ok=True)


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
        raise map_error(error, str(path)) from error


def _check(copy: Path) -> None:
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            found = str(connection.pragma("integrity_check"))
    except apsw.Error as error:
        raise map_error(error, str(copy)) from error
    if found != "ok":
        raise CorruptStore(f"The database is damaged, and was not copied: {found}.")
