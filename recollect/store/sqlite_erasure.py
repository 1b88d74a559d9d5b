"""Removes what a deletion leaves in the files of a SQLite database.

`secure_delete` overwrites deleted rows with zeros. Two things are left. The words of deleted
documents are still in the word index; they are removed in small transactions. The write-ahead log
has older pages; it is copied into the file and truncated. A reader of an older snapshot prevents
the truncation, which is then tried again every second.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
_TRUNCATE_SHARE = 0.1
"""The share of the writer's time for truncations."""
_BUSY_TIMEOUT_MS = 20
_DOCUMENTS = 50
"""Deleted documents whose words are removed in one transaction: about 50 milliseconds."""

_LIST_DELETED = "select doc from deleted_documents order by doc desc limit ?"
_ERASE = """
delete from document_terms where rowid = :doc;
delete from document_words where doc = :doc;
delete from deleted_documents where doc = :doc
"""


class Eraser:
    """Works in steps on the write connection, between the transactions of its owner."""

    def __init__(self, connection: apsw.Connection, *, busy_timeout_ms: int) -> None:
        self._connection = connection
        self._busy_timeout_ms = busy_timeout_ms
        self._next_step = 0.0
        self.is_needed = True
        """Set by each deletion, and at the start: the previous process may have been killed."""

    @property
    def pause(self) -> float:
        """Seconds until the next step."""
        return max(0.0, self._next_step - time.monotonic())

    def step(self) -> bool:
        """Do a part of the work. Return whether to go on at once."""
        if not self.is_needed or self.pause:
            return False
        start, pause = time.monotonic(), _RETRY_SECONDS
        try:
            with self._short_busy_timeout():
                if self._erase_words():
                    return True
                self.is_needed = not self._truncate_log()
        except apsw.BusyError:
            pass  # another process is writing
        except apsw.Error as error:  # the deletion itself is committed
            logger.warning("sqlite.erase_failed", extra={"reason": str(error)})
        if not self.is_needed:
            pause = min(pause, (time.monotonic() - start) / _TRUNCATE_SHARE)
        self._next_step = time.monotonic() + pause
        return False

    def finish(self) -> None:
        """Do all steps that are possible now."""
        self._next_step = 0.0
        while self.step():
            pass

    @contextmanager
    def _short_busy_timeout(self) -> Iterator[None]:
        """Callers wait for their results meanwhile."""
        self._connection.set_busy_timeout(_BUSY_TIMEOUT_MS)
        try:
            yield
        finally:
            self._connection.set_busy_timeout(self._busy_timeout_ms)

    def _erase_words(self) -> bool:
        """Remove the words of some deleted documents. Return whether there may be more."""
        connection = self._connection
        connection.execute("begin immediate")
        try:
            found = connection.execute(_LIST_DELETED, (_DOCUMENTS,)).fetchall()
            for (doc,) in found:
                connection.execute(_ERASE, {"doc": doc})
            connection.execute("commit")
        finally:
            if connection.in_transaction:
                connection.execute("rollback")
        return len(found) == _DOCUMENTS

    def _truncate_log(self) -> bool:
        """Return False if a reader still needs the log. A database in memory has none."""
        ((is_busy, _, _),) = self._connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        return not is_busy
