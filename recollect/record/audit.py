"""`memory.audit`: who read, changed, exported or deleted what. Entries have ids, no texts.

Entries are collected in memory and written together. Equal ones become one with a count, so that a
page that polls does not fill the log.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from recollect.core.errors import RecollectError
from recollect.core.ids import new_id
from recollect.core.pagination import check_page, decode_time, make_page
from recollect.core.types import AuditAction, AuditEntry, Page
from recollect.core.validation import check_user_id
from recollect.store import audit
from recollect.store.database import Database
from recollect.store.service_base import ServiceBase

logger = logging.getLogger(__name__)

_MAX_PENDING = 10_000
_MAX_TARGET_CHARS = 500

_Key = tuple[str, str, str, str, int]


class AuditLog(ServiceBase):
    def __init__(self, database: Database, *, days: int, clock: Callable[[], datetime]) -> None:
        """Entries are deleted after `days`; with 0 nothing is recorded."""
        super().__init__(database, clock=clock)
        self._days = days
        self._pending: dict[_Key, AuditEntry] = {}
        self._flushing = asyncio.Lock()

    async def record(
        self,
        *,
        user_id: str,
        actor: str,
        action: AuditAction,
        operation: str,
        target: str = "",
        status: int = 0,
    ) -> None:
        """Add an entry, which the next `flush` writes. `status` is that of an HTTP response."""
        if not self._days:
            return
        target = _storable(target[:_MAX_TARGET_CHARS])
        key = (user_id, actor, operation, target, status)
        if known := self._pending.get(key):
            self._pending[key] = replace(known, count=known.count + 1)
            return
        if len(self._pending) >= _MAX_PENDING:
            logger.error("audit.entry_dropped", extra={"operation": operation})
            return
        self._pending[key] = AuditEntry(
            user_id=user_id,
            id=new_id(),
            created_at=self._clock(),
            actor=actor,
            action=action,
            operation=operation,
            target=target,
            status=status,
            count=1,
        )

    async def flush(self) -> None:
        """Write the entries. Those that cannot be written are kept for the next flush."""
        async with self._flushing:  # whoever flushes also waits for a flush that has begun
            await self._flush()

    async def _flush(self) -> None:
        pending, self._pending = self._pending, {}
        if not pending:
            return
        try:
            await self._database.system(lambda run: audit.insert(run, pending.values()))
        except RecollectError as error:
            logger.warning("audit.flush_failed", extra={"reason": error.log_message})
            for key, entry in self._pending.items():
                if known := pending.get(key):
                    pending[key] = replace(known, count=known.count + entry.count)
                else:
                    pending[key] = entry
            self._pending = pending

    async def list_entries(
        self, limit: int = 50, *, user_id: str | None = None, cursor: str | None = None
    ) -> Page[AuditEntry]:
        """List the entries of a user, or of all users with None, newest first."""
        check_page(limit, 0, cursor)
        before = decode_time("audit", cursor)
        await self.flush()
        if user_id is None:
            found = await self._database.system(
                lambda run: audit.page_of_all(run, limit=limit + 1, before=before), read_only=True
            )
        else:
            check_user_id(user_id)
            found = await self._read(
                lambda run: audit.page(run, limit=limit + 1, before=before), user_id
            )
        return make_page(found, limit, "audit", lambda entry: (entry.created_at, entry.id))

    async def delete_expired(self) -> None:
        """Delete the entries that are older than the retention."""
        if self._days:
            before = self._clock() - timedelta(days=self._days)
            await self._database.system(lambda run: audit.delete_older(run, before=before))


def _storable(target: str) -> str:
    """Replace what PostgreSQL cannot store: one such entry would keep all others from being
    written."""
    return target.replace("\0", "\ufffd").encode(errors="replace").decode()
