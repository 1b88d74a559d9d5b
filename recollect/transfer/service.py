"""`memory.data`: all that a user has, out and in again."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
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
from recollect.core.validation import check_user_id
from recollect.core.wording import format_count
from recollect.record.enqueue import JobEnqueuer
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase
from recollect.transfer import rows
from recollect.transfer.export import Following, first_page, last_line
from recollect.transfer.importers.reading import FileReader, Found, Options
from recollect.transfer.importers.values import (
    Failure,
    Imported,
    Loose,
    Remembered,
    Restored,
    Stored,
    Unit,
)
from recollect.transfer.restore import restore
from recollect.transfer.restore_memories import restore_loose, restore_memory

logger = logging.getLogger(__name__)

Progress = Callable[[int], None]
"""Is told how many bytes have been read, and stored."""

MOST_IMPORTS = 4
"""At once, in a process: each may have to hold a conversation of the largest size."""
MOST_IMPORTS_OF_ONE = 2
"""So that nobody keeps all others out with files that never end."""
_AT_ONCE = 8
"""So many transactions share a commit, and the others who write still get their turn."""


class Data(ServiceBase):
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
        self._max_bytes = max_message_bytes
        self._pinned_memory_tokens = pinned_memory_tokens
        self._events = events
        self._running: Counter[str] = Counter()

    async def export_lines(self, *, user_id: str) -> AsyncIterator[str]:
        """All that a user has, as JSON lines: whole ones, some at a time.

        The same data gives the same lines. What can be derived again is not among them.
        """
        following: Following | None = partial(first_page, user_id=user_id)
        count = 0
        while following is not None:
            page = await self._read(following, user_id)
            following = page.following
            count += len(page.lines)
            if page.lines:
                yield "".join(page.lines)
        yield last_line(count)

    async def import_file(
        self, chunks: AsyncIterable[bytes], *, user_id: str, progress: Progress | None = None
    ) -> Imported:
        """Stores what is in an export of ours, of ChatGPT's or of Claude's, as this user's own.

        Each conversation is stored whole or not at all, and what is there already is not stored
        twice. Raises InvalidInput for a file of no known kind, and BrokenFile where one cannot be
        read on, or has no end: what came before that stays, and a second attempt goes on from
        there. Raises Overloaded while as many are being read as memory is meant for.
        """
        check_user_id(user_id)
        if self._running.total() >= MOST_IMPORTS or self._running[user_id] >= MOST_IMPORTS_OF_ONE:
            raise Overloaded("As many files as may be at once are being imported; try again later.")
        self._running[user_id] += 1
        try:
            return await self._import(user_id, chunks, progress)
        finally:
            self._running -= Counter({user_id: 1})  # which forgets those who are done

    async def _import(
        self, user_id: str, chunks: AsyncIterable[bytes], progress: Progress | None
    ) -> Imported:
        reader = FileReader(
            Options(
                user_id=user_id,
                policy=self._default_policy,
                max_message_bytes=self._max_bytes,
                now=self._clock(),
            )
        )
        done = Imported()
        size = 0
        async for chunk in chunks:
            found = await asyncio.to_thread(reader.feed, chunk)
            done = await self._store_all(found, user_id, done)
            _check_whole(reader, done)
            size += len(chunk)
            if progress:
                progress(size)
        reader.finish()
        _check_whole(reader, done)
        return done

    async def _store_all(self, found: Sequence[Found], user_id: str, done: Imported) -> Imported:
        """Memories stand on messages, so what is of one kind is stored before the next begins."""
        for _, same in groupby(found, key=_kind):
            waiting = list(same)
            for start in range(0, len(waiting), _AT_ONCE):
                group = waiting[start : start + _AT_ONCE]
                for one in await asyncio.gather(*(self._store(one, user_id) for one in group)):
                    done += one
        return done

    async def _store(self, found: Found, user_id: str) -> Imported:
        if isinstance(found, Failure):
            return _failed(found.where, found.reason)
        try:
            stored = await self._write(partial(self._restore, unit=found), user_id)
        except (InvalidInput, NotFound, Conflict) as error:
            return _failed(found.where, error.message)
        except RecollectError as error:
            if type(error) is not RecollectError:
                raise
            logger.warning("unit_not_imported", extra={"reason": error.unquoted})
            return _failed(found.where, "It cannot be stored.")
        self._events.count("messages_stored", stored.imported.messages)
        return Imported(imported=stored.imported, skipped=stored.skipped)

    def _restore(self, run: Run, unit: Unit) -> Stored:
        now = self._clock()
        rows.know_user(run, now=now)
        match unit.content:
            case Restored() as conversation:
                return restore(run, conversation, enqueuer=self._enqueuer, now=now)
            case Remembered() as memory:
                return restore_memory(
                    run,
                    memory,
                    enqueuer=self._enqueuer,
                    pinned_tokens=self._pinned_memory_tokens,
                    now=now,
                )
            case Loose() as loose:
                return restore_loose(run, loose)


def _kind(found: Found) -> type:
    return type(found) if isinstance(found, Failure) else type(found.content)


def _failed(where: str, reason: str) -> Imported:
    return Imported(failed=[Failure(where, reason)], failures=1)


def _check_whole(reader: FileReader, done: Imported) -> None:
    if reader.broken is not None:
        new = done.imported
        raise BrokenFile(
            f"{reader.broken.message} Imported before that: "
            f"{format_count(new.conversations, 'conversations')}, {format_count(new.messages, 'messages')}, "
            f"{format_count(new.memories, 'memories')}."
        ) from reader.broken
