"""Opening an end of a move by its address."""

from pathlib import Path

from recollect.core.errors import Misconfigured
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url
from recollect.transfer.copy.port import End
from recollect.transfer.copy.sqlite import SqliteEnd


def check_end(url: str, *, exists: bool) -> None:
    """Before anything is opened, and thereby made: a mistyped source must not become a new file."""
    dialect, path = parse_database_url(url)
    if dialect != "sqlite":
        return
    if path == MEMORY:
        raise Misconfigured("A database in memory cannot be moved: it ends with its process.")
    if exists and not Path(path).is_file():
        raise Misconfigured(f"There is no database at {path}.")


def open_end(url: str) -> End:
    """One that is there, and migrated."""
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        return SqliteEnd(address)
    from recollect.transfer.copy.postgres import PostgresEnd

    return PostgresEnd(address)
