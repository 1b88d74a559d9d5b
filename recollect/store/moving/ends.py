"""Opening an end of a move by its address."""

from pathlib import Path

from recollect.errors import Misconfigured
from recollect.settings import parse_database_url
from recollect.store.moving.port import End
from recollect.store.moving.sqlite import SqliteEnd
from recollect.store.sqlite import MEMORY


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
    from recollect.store.moving.postgres import PostgresEnd

    return PostgresEnd(address)
