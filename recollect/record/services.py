"""What the services that record have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from recollect.core.instrumentation import Events
from recollect.core.ports import InlineCompaction
from recollect.core.types import Row
from recollect.record.drafts import ConversationFactory
from recollect.record.enqueue import JobEnqueuer
from recollect.store import summaries
from recollect.store.base_service import Service
from recollect.store.database import Database, Run, Value

T = TypeVar("T")
_STORING = frozenset({"insert_message", "insert_answer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDependencies:
    """What a service needs to record something, and to see to what that owes."""

    database: Database
    enqueuer: JobEnqueuer
    drafts: ConversationFactory
    max_message_bytes: int
    compactor: InlineCompaction
    events: Events
    clock: Callable[[], datetime]


class WriteService(Service):
    def __init__(self, means: ServiceDependencies) -> None:
        super().__init__(means.database, clock=means.clock)
        self._events = means.events
        self._enqueuer = means.enqueuer
        self._policies = means.enqueuer.policies
        self._factory = means.drafts
        self._max_bytes = means.max_message_bytes
        self._compactor = means.compactor

    async def _write(self, fn: Callable[[Run], T], user_id: str) -> T:
        """Counts the messages that are stored, whoever stores them, once they are."""
        stored = 0

        def counted(run: Run) -> T:
            nonlocal stored
            stored = 0  # a lost race is run again

            def counting(query: str, /, **params: Value) -> list[Row]:
                nonlocal stored
                stored += query in _STORING
                return run(query, **params)

            return fn(counting)

        result = await super()._write(counted, user_id)
        if stored:
            self._events.count("messages_stored", stored)
        return result

    async def _settle(
        self, conversation_id: str, user_id: str, *, needs_inline_compaction: bool
    ) -> None:
        """Runs what an eager policy owes, after the commit."""
        if needs_inline_compaction:
            await self._compactor.compact_now(conversation_id=conversation_id, user_id=user_id)

    def _owe_digest(self, run: Run, conversation_id: str, now: datetime) -> bool:
        """Where something else than an append has made the backlog grow."""
        standing = summaries.standing(run, conversation_id)
        return self._enqueuer.owe_digest(
            run, conversation_id, standing.policy, standing.backlog, now=now
        )
