"""Vacuum of a SQLite database: writes its rows anew, so that nothing of deleted rows is left.

`secure_delete` overwrites deleted rows, but not the copies that SQLite leaves in unused parts of a
page when it moves rows to another one, and nothing that was deleted before this release. The word
index is rebuilt as well: its upper levels keep the first letters of words. Other processes can use
the database; their writes wait.
"""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from apsw import Error

from recollect.core.errors import Misconfigured
from recollect.store.sqlite import connect, map_error

_REBUILD = """
begin immediate;
delete from document_words where doc in (select doc from deleted_documents);
delete from deleted_documents;
insert into document_terms (document_terms) values ('rebuild');
commit
"""


@dataclass(frozen=True, slots=True)
class Vacuumed:
    bytes_before: int
    bytes_after: int
    is_log_empty: bool
    """False if a process still reads a snapshot from before."""


def vacuum(path: Path) -> Vacuumed:
    if not path.is_file():
        raise Misconfigured(f"There is no database at {path}.")
    before = path.stat().st_size
    try:
        with closing(connect(str(path))) as connection:
            connection.execute(_REBUILD)
            connection.execute("vacuum")
            ((is_busy, _, _),) = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
    except Error as error:
        raise map_error(error, str(path)) from error
    return Vacuumed(before, path.stat().st_size, not is_busy)
