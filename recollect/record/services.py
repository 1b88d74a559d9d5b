"""The base class of the services that write messages, and the dependencies they share."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from recollect.core.instrumentation import Events
from recollect.core.ports import InlineCompaction
from recollect.record.append import Appended
from recollect.record.conversation_target import ConversationFactory
from recollect.record.enqueue import JobEnqueuer
from recollect.store import summaries
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDependencies:
    database: Database
    enqueuer: JobEnqueuer
    factory: ConversationFactory
    max_message_bytes: int
    compactor: InlineCompaction
    events: Events
    clock: Callable[[], datetime]


class WriteService(ServiceBase):
    def __init__(self, dependencies: ServiceDependencies) -> None:
        super().__init__(dependencies.database, clock=dependencies.clock)
        self._events = dependencies.events
        self._enqueuer = dependencies.enqueuer
        self._policies = dependencies.enqueuer.policies
        self._factory = dependencies.factory
        self._max_bytes = dependencies.max_message_bytes
        self._compactor = dependencies.compactor

    def _count_stored(self, messages: int) -> None:
        """Count messages as stored. Call it after the commit: a transaction may be retried."""
        if messages:
            self._events.count("messages_stored", messages)

    async def _after_append(self, appended: Appended, user_id: str) -> None:
        """Count the stored messages, and compact if an eager policy is due, after the commit."""
        self._count_stored(appended.stored)
        if appended.needs_inline_compaction:
            await self._compact_now(appended.conversation_id, user_id)

    async def _compact_now(self, conversation_id: str, user_id: str) -> None:
        await self._compactor.compact_now(conversation_id=conversation_id, user_id=user_id)

    def _enqueue_digest(self, run: Run, conversation_id: str, now: datetime) -> bool:
        """Enqueue a digest if the backlog is due; return whether to compact inline instead."""
        state = summaries.get_state(run, conversation_id)
        return self._enqueuer.enqueue_digest(
            run, conversation_id, state.policy, state.backlog, now=now
        )
