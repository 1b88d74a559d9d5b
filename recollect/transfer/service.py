"""`memory.data`: export and import of all of a user's data."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import groupby

from recollect.core.errors import (
    BrokenFile,
    Conflict,
    InvalidInput,
    NotFound,
    Overloaded,
    RecollectError,
)
from recollect.core.instrumentation import Events
from recollect.core.types import utc_text
from recollect.core.validation import check_user_id
from recollect.core.wording import format_count
from recollect.record.enqueue import JobEnqueuer
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase
from recollect.transfer.export import Continuation, first_page, last_line
from recollect.transfer.importers.reader import FileReader
from recollect.transfer.restore_conversations import restore_conversation
from recollect.transfer.restore_memories import restore_memory, restore_standalone
from recollect.transfer.types import (
    ConversationRows,
    Imported,
    ImportFailure,
    ImportOptions,
    ImportUnit,
    MemoryRows,
    StandaloneRows,
)

logger = logging.getLogger(__name__)

OnProgress = Callable[[int], None]
"""Called with the number of bytes that were read and stored."""
_Restore = Callable[..., Imported]
"""Called with `run` and the `unit` to store."""

MAX_CONCURRENT_IMPORTS = 4
"""Per process: each import may hold a conversation of the maximum size in memory."""
MAX_CONCURRENT_IMPORTS_PER_USER = 2
_CONCURRENT_WRITES = 8
_RETRY_SECONDS = (0.5, 1, 2, 4, 8)
"""Transactions that can share a commit, while other writers still get their turn."""


class DataTransfer(ServiceBase):
    def __init__(
        self,
        database: Database,
        *,
        enqueuer: JobEnqueuer,
        default_policy: str,
        max_message_bytes: int,
        pinned_memory_tokens: int,
        events: Events,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._enqueuer = enqueuer
        self._default_policy = default_policy
        self._max_message_bytes = max_message_bytes
        self._pinned_memory_tokens = pinned_memory_tokens
        self._events = events
        self._running: Counter[str] = Counter()

    async def export_lines(self, *, user_id: str) -> AsyncIterator[str]:
        """Yield all of a user's data as JSON lines, several complete lines at a time.

        The same data gives the same lines. Derived data is not exported.
        """
        next_page: Continuation | None = partial(first_page, user_id=user_id)
        count = 0
        while next_page is not None:
            page = await self._read(next_page, user_id)
            next_page = page.next
            count += len(page.lines)
            if page.lines:
                yield "".join(page.lines)
        yield last_line(count)

    async def import_file(
        self,
        chunks: AsyncIterable[bytes],
        *,
        user_id: str,
        progress: OnProgress | None = None,
        restore_deleted: bool = False,
    ) -> Imported:
        """Store an export of Recollect, ChatGPT or Claude as data of this user.

        Each conversation is stored completely or not at all, and existing data is not duplicated.
        A conversation that was deleted after its last change in the file is skipped, unless
        `restore_deleted`.
        Raises InvalidInput for an unknown format, and BrokenFile for a file that is invalid or cut
        off: the part before that stays, and importing the file again continues from there. Raises
        Overloaded while too many imports are running.
        """
        check_user_id(user_id)
        if (
            self._running.total() >= MAX_CONCURRENT_IMPORTS
            or self._running[user_id] >= MAX_CONCURRENT_IMPORTS_PER_USER
        ):
            raise Overloaded("Too many files are being imported; try again later.")
        self._running[user_id] += 1
        try:
            restore = partial(self._restore, restore_deleted=restore_deleted)
            return await self._import(user_id, chunks, progress, restore)
        finally:
            self._running -= Counter({user_id: 1})  # also drops users at zero

    async def _import(
        self,
        user_id: str,
        chunks: AsyncIterable[bytes],
        progress: OnProgress | None,
        restore: _Restore,
    ) -> Imported:
        reader = FileReader(
            ImportOptions(
                user_id=user_id,
                default_policy=self._default_policy,
                max_message_bytes=self._max_message_bytes,
                now=self._clock(),
            )
        )
        total = Imported()
        size = 0
        async for chunk in chunks:
            results = await asyncio.to_thread(reader.feed, chunk)
            total = await self._store_all(results, user_id, total, restore)
            _check_not_broken(reader, total)
            size += len(chunk)
            if progress:
                progress(size)
        reader.finish()
        _check_not_broken(reader, total)
        return total

    async def _store_all(
        self,
        results: Sequence[ImportUnit | ImportFailure],
        user_id: str,
        total: Imported,
        restore: _Restore,
    ) -> Imported:
        """Store one kind after the other: memories refer to messages."""
        for _, same_kind in groupby(results, key=_kind):
            pending = list(same_kind)
            for start in range(0, len(pending), _CONCURRENT_WRITES):
                batch = pending[start : start + _CONCURRENT_WRITES]
                stored = await asyncio.gather(
                    *(self._store(result, user_id, restore) for result in batch)
                )
                total = sum(stored, start=total)
        return total

    async def _store(
        self, result: ImportUnit | ImportFailure, user_id: str, restore: _Restore
    ) -> Imported:
        if isinstance(result, ImportFailure):
            return _failed(result.where, result.reason)
        try:
            stored = await self._write_patiently(partial(restore, unit=result), user_id)
        except (InvalidInput, NotFound, Conflict) as error:
            return _failed(result.where, error.message)
        except RecollectError as error:
            if type(error) is not RecollectError:
                raise
            logger.warning("import.unit_failed", extra={"reason": error.log_message})
            return _failed(result.where, "It cannot be stored.")
        self._events.count("messages_stored", stored.imported.messages)
        return stored

    async def _write_patiently(self, fn: Callable[[Run], Imported], user_id: str) -> Imported:
        """Try again while the database is overloaded: half an import is of no use."""
        for seconds in _RETRY_SECONDS:
            with suppress(Overloaded):
                return await self._write(fn, user_id)
            await asyncio.sleep(seconds)
        return await self._write(fn, user_id)

    def _restore(self, run: Run, *, unit: ImportUnit, restore_deleted: bool) -> Imported:
        now = self._clock()
        run("insert_user", now=utc_text(now))
        match unit.content:
            case ConversationRows() as conversation:
                return restore_conversation(
                    run,
                    conversation,
                    enqueuer=self._enqueuer,
                    restore_deleted=restore_deleted,
                    now=now,
                )
            case MemoryRows() as memory:
                return restore_memory(
                    run,
                    memory,
                    enqueuer=self._enqueuer,
                    pinned_tokens=self._pinned_memory_tokens,
                    now=now,
                )
            case StandaloneRows() as rows:
                return restore_standalone(run, rows)


def _kind(result: ImportUnit | ImportFailure) -> type:
    return type(result) if isinstance(result, ImportFailure) else type(result.content)


def _failed(where: str, reason: str) -> Imported:
    return Imported(failed=[ImportFailure(where, reason)], failures=1)


def _check_not_broken(reader: FileReader, total: Imported) -> None:
    if reader.broken is not None:
        new = total.imported
        raise BrokenFile(
            f"{reader.broken.message} Imported before that: "
            f"{format_count(new.conversations, 'conversations')}, "
            f"{format_count(new.messages, 'messages')}, {format_count(new.memories, 'memories')}."
        ) from reader.broken
