"""The job that makes a conversation findable anew, and the rebuild that owes it everywhere.

What search needs is written with every message. This is for what was recorded before there was a
search, and for whoever wants all that is derived to be derived again.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from recollect.core.errors import NotFound
from recollect.core.memory_types import MemoryFilters
from recollect.store import conversations, jobs, memories, messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob

_BATCH = 256
_OWED_AT_ONCE = 500


class Indexing:
    def __init__(self, database: Database, *, embeds: bool, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._embeds = embeds
        self._clock = clock

    async def run_job(self, claim: ClaimedJob) -> None:
        if claim.conversation_id is None:
            await self._index_memories(claim.user_id)
        else:
            await self._index_conversation(claim.user_id, claim.conversation_id)

    async def _index_conversation(self, user_id: str, id: str) -> None:
        await self._database.write(lambda run: search_index.delete_strays(run, id), user_id=user_id)
        seq: int | None = 0
        while seq is not None:
            index = partial(_index_batch, id=id, beyond_seq=seq, user_id=user_id)
            seq = await self._database.write(index, user_id=user_id)
        await self._database.write(partial(self._index_topic, id=id), user_id=user_id)

    async def _index_memories(self, user_id: str) -> None:
        last: str | None = None
        while True:
            index = partial(self._index_some_memories, before_id=last)
            last = await self._database.write(index, user_id=user_id)
            if last is None:
                return

    async def enqueue_due(self) -> int:
        """Owes every conversation's index, and that of what is known about each user; and their
        vectors after that. How many conversations they are."""
        owed: int = 0
        after: tuple[str, str] | None = None
        while found := await self._database.system(
            partial(conversations.page_of_all, after=after, limit=_OWED_AT_ONCE), read_only=True
        ):
            for user_id, id in found:
                enqueue = partial(self._owe, id=id)
                with suppress(NotFound):  # deleted meanwhile
                    await self._database.write(enqueue, user_id=user_id)
            owed, after = owed + len(found), found[-1]
        for user_id in await self._database.system(memories.users, read_only=True):
            await self._database.write(partial(self._owe, id=None), user_id=user_id)
        return owed

    async def unfinished(self) -> int:
        """How many jobs search still waits for."""
        return await self._database.system(jobs.count_unfinished, read_only=True)

    def _owe(self, run: Run, id: str | None) -> None:
        now = self._clock()
        jobs.enqueue(run, "index", id, run_at=now, now=now)

    def _index_some_memories(self, run: Run, before_id: str | None) -> str | None:
        """The id to go on from; None at the end."""
        now = self._clock()
        memories.lock(run, now=now)
        found = memories.page(run, MemoryFilters(), limit=_BATCH, before_id=before_id)
        for memory in found:
            memories.index(run, memory)
        if self._embeds:
            jobs.enqueue(run, "embed", None, run_at=now, now=now)
        return found[-1].id if len(found) == _BATCH else None

    def _index_topic(self, run: Run, id: str) -> None:
        now = self._clock()
        conversation = conversations.get(run, id)
        search_index.put_topic(run, conversation)
        vectors.rewind(run, id, through_seq=0)
        if conversation.topic is None and conversation.message_count:
            jobs.enqueue(run, "topic", id, run_at=now, now=now)
        if self._embeds:
            jobs.enqueue(run, "embed", id, run_at=now, now=now)


def _index_batch(run: Run, id: str, beyond_seq: int, user_id: str) -> int | None:
    """The seq to go on from; None at the end. Nothing is deleted meanwhile."""
    conversations.lock(run, id)
    found = messages.page(run, id, order="asc", limit=_BATCH, beyond_seq=beyond_seq)
    search_index.put_messages(run, found, user_id=user_id)
    return found[-1].seq if len(found) == _BATCH else None
