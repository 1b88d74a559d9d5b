"""The job that rebuilds the search index of a conversation, or of a user's memories.

Appends keep the index up to date. This job is for `rebuild`, which derives everything again, and
for messages that an earlier release indexed as a whole: a sweep enqueues it, and until it has run,
they are found as they were. Each message's documents are replaced in one transaction; its vectors
follow with the embed job.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from recollect.core.errors import NotFound
from recollect.core.memory_types import MemoryFilters
from recollect.core.types import Message
from recollect.store import conversations, jobs, memories, messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.search_index import DocumentPart
from recollect.store.service_base import ServiceBase

_BATCH = 64
_ENQUEUE_BATCH = 500
_SWEEP_BATCH = 500


class Reindexer(ServiceBase):
    def __init__(self, database: Database, *, embeds: bool, clock: Callable[[], datetime]) -> None:
        super().__init__(database, clock=clock)
        self._embeds = embeds

    async def run_job(self, claim: ClaimedJob) -> None:
        if claim.conversation_id is None:
            await self._index_memories(claim.user_id)
        else:
            await self._index_conversation(claim.user_id, claim.conversation_id)

    async def _index_conversation(self, user_id: str, id: str) -> None:
        await self._write(lambda run: search_index.delete_orphans(run, id), user_id)
        seq: int | None = 0
        while seq is not None:
            page = partial(_page, id=id, beyond_seq=seq)
            prepared = await asyncio.to_thread(_prepare, await self._read(page, user_id))
            index = partial(_index_batch, page=page, prepared=prepared, id=id, user_id=user_id)
            seq = await self._write(index, user_id)
        await self._write(partial(self._index_topic, id=id), user_id)

    async def _index_memories(self, user_id: str) -> None:
        index = partial(self._index_memory_batch, before_id=None)
        while last := await self._write(index, user_id):
            index = partial(self._index_memory_batch, before_id=last)

    async def enqueue_all(self) -> int:
        """Enqueue an index job for every conversation and every user's memories; each enqueues its
        embed job. Return the number of conversations."""
        count = 0
        after: tuple[str, str] | None = None
        while page := await self._database.system(
            partial(conversations.page_of_all, after=after, limit=_ENQUEUE_BATCH), read_only=True
        ):
            for user_id, id in page:
                with suppress(NotFound):  # deleted meanwhile
                    await self._write(partial(self._enqueue, id=id), user_id)
            count, after = count + len(page), page[-1]
        for user_id in await self._database.system(memories.list_users, read_only=True):
            await self._write(partial(self._enqueue, id=None), user_id)
        return count

    async def requeue_missing(self) -> None:
        """Enqueue jobs for conversations with messages that are indexed as a whole."""
        find = partial(search_index.list_unsplit_conversations, limit=_SWEEP_BATCH)
        for user_id, id in await self._database.system(find, read_only=True):
            with suppress(NotFound):  # deleted meanwhile
                await self._write(partial(self._enqueue, id=id), user_id)

    async def count_pending_index_jobs(self) -> int:
        """Return the number of unfinished index and embed jobs."""
        return await self._database.system(jobs.count_pending_index_jobs, read_only=True)

    def _enqueue(self, run: Run, id: str | None) -> None:
        now = self._clock()
        jobs.enqueue(run, "index", id, run_at=now, now=now)

    def _index_memory_batch(self, run: Run, before_id: str | None) -> str | None:
        """Index a batch. Return the id to continue from, None at the end."""
        now = self._clock()
        memories.lock(run, now=now)
        batch = memories.page(run, MemoryFilters(), limit=_BATCH, before_id=before_id)
        for memory in batch:
            memories.index(run, memory)
        if self._embeds:
            jobs.enqueue(run, "embed", None, run_at=now, now=now)
        return batch[-1].id if len(batch) == _BATCH else None

    def _index_topic(self, run: Run, id: str) -> None:
        now = self._clock()
        conversation = conversations.get(run, id)
        search_index.put_topic(run, conversation)
        vectors.rewind(run, id, through_seq=0)
        if conversation.topic is None and conversation.message_count:
            jobs.enqueue(run, "topic", id, run_at=now, now=now)
        if self._embeds:
            jobs.enqueue(run, "embed", id, run_at=now, now=now)


def _page(run: Run, *, id: str, beyond_seq: int) -> list[Message]:
    return messages.page(run, id, order="asc", limit=_BATCH, beyond_seq=beyond_seq)


def _prepare(batch: Sequence[Message]) -> dict[str, tuple[Message, list[DocumentPart]]]:
    return {message.id: (message, search_index.prepare_parts(message)) for message in batch}


def _index_batch(
    run: Run,
    *,
    page: Callable[[Run], list[Message]],
    prepared: Mapping[str, tuple[Message, list[DocumentPart]]],
    id: str,
    user_id: str,
) -> int | None:
    """Index a batch, under a lock. Return the seq to continue from, None at the end."""
    conversations.lock(run, id)
    batch = page(run)
    search_index.put_messages(run, batch, user_id=user_id, prepared=prepared)
    return batch[-1].seq if len(batch) == _BATCH else None
