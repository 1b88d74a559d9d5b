"""The job that makes a conversation findable anew, and the rebuild that owes it everywhere.

What search needs is written with every message. This is for what was recorded before there was a
search, and for whoever wants all that is derived to be derived again.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from recollect.errors import NotFound
from recollect.store import conversations, documents, jobs, messages, vectors
from recollect.store.database import Database, Run
from recollect.store.jobs import Claim

_BATCH = 256
_OWED_AT_ONCE = 500


class Indexing:
    def __init__(self, database: Database, *, embeds: bool, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._embeds = embeds
        self._clock = clock

    async def run_job(self, claim: Claim) -> None:
        user_id, id = claim.user_id, claim.conversation
        await self._database.write(lambda run: documents.delete_strays(run, id), user_id=user_id)
        seq: int | None = 0
        while seq is not None:
            index = partial(_index_batch, id=id, beyond_seq=seq, user_id=user_id)
            seq = await self._database.write(index, user_id=user_id)
        await self._database.write(partial(self._index_topic, id=id), user_id=user_id)

    async def owe_all(self) -> int:
        """Owes every conversation's index, and its vectors after that; how many they are."""
        owed: int = 0
        after: tuple[str, str] | None = None
        while found := await self._database.system(
            partial(conversations.page_of_all, after=after, limit=_OWED_AT_ONCE), read_only=True
        ):
            for user_id, id in found:
                owe = partial(self._owe, id=id)
                with suppress(NotFound):  # deleted meanwhile
                    await self._database.write(owe, user_id=user_id)
            owed, after = owed + len(found), found[-1]
        return owed

    async def unfinished(self) -> int:
        """How many jobs search still waits for."""
        return await self._database.system(jobs.count_unfinished, read_only=True)

    def _owe(self, run: Run, id: str) -> None:
        now = self._clock()
        jobs.owe(run, "index", id, run_at=now, now=now)

    def _index_topic(self, run: Run, id: str) -> None:
        now = self._clock()
        conversation = conversations.get(run, id)
        documents.put_topic(run, conversation)
        vectors.forget_progress(run, id)
        if conversation.topic is None and conversation.message_count:
            jobs.owe(run, "topic", id, run_at=now, now=now)
        if self._embeds:
            jobs.owe(run, "embed", id, run_at=now, now=now)


def _index_batch(run: Run, id: str, beyond_seq: int, user_id: str) -> int | None:
    """The seq to go on from; None at the end. Nothing is deleted meanwhile."""
    conversations.lock(run, id)
    found = messages.page(run, id, order="asc", limit=_BATCH, beyond_seq=beyond_seq)
    documents.put_messages(run, found, user_id=user_id)
    return found[-1].seq if len(found) == _BATCH else None
