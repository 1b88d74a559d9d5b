"""The base class of the services that write messages, and the dependencies they share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from recollect.core.ids import new_id
from recollect.core.instrumentation import Events
from recollect.core.offload import rough_size, run_off_loop
from recollect.core.policy import RecallScope
from recollect.core.ports import InlineCompaction
from recollect.core.types import Conversation, Json, MessageIn
from recollect.core.validation import (
    check_choice,
    check_external_id,
    check_project_id,
    check_recall_scope,
    check_title,
    metadata_text,
)
from recollect.record.append import MAX_BATCH_MESSAGES, AfterCommit, Batch
from recollect.record.enqueue import JobEnqueuer
from recollect.store import summaries
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDependencies:
    database: Database
    enqueuer: JobEnqueuer
    default_policy: str
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
        self._default_policy = dependencies.default_policy
        self._max_bytes = dependencies.max_message_bytes
        self._compactor = dependencies.compactor

    async def _write_messages(self, fn: Callable[[Run], tuple[T, AfterCommit]], user_id: str) -> T:
        """Run a transaction; then count the stored messages, and compact if that is due."""
        result, after = await self._write(fn, user_id)
        if after.stored:
            self._events.count("messages_stored", after.stored)
        if after.needs_inline_compaction:
            await self._compactor.compact_now(
                conversation_id=after.conversation_id, user_id=user_id
            )
        return result

    async def _prepare_batch(
        self,
        drafts: Sequence[MessageIn],
        *,
        now: datetime,
        max_messages: int = MAX_BATCH_MESSAGES,
    ) -> Batch:
        """Return the validated messages. All but short ones are prepared in a thread."""
        prepare = partial(
            Batch.of, drafts, limit=self._max_bytes, now=now, max_messages=max_messages
        )
        return await run_off_loop(prepare, size=rough_size(drafts))

    def _enqueue_digest(self, run: Run, conversation_id: str, now: datetime) -> AfterCommit:
        """Enqueue a digest if the backlog is due."""
        state = summaries.get_state(run, conversation_id)
        is_inline = self._enqueuer.enqueue_digest(
            run, conversation_id, state.policy, state.backlog, now=now
        )
        return AfterCommit(conversation_id, needs_inline_compaction=is_inline)

    def _new_conversation(
        self,
        user_id: str,
        *,
        title: str | None = None,
        policy: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        remember: bool = True,
        external_id: str | None = None,
        project_id: str | None = None,
        recall_scope: RecallScope | None = None,
    ) -> Conversation:
        """Return a validated conversation that is not stored yet."""
        metadata_text(metadata or {}, limit=self._max_bytes)
        return Conversation.new(
            id=new_id(),
            user_id=user_id,
            title=check_title(title),
            policy=self._check_policy(policy or self._default_policy),
            metadata=dict(metadata or {}),
            remember=remember,
            external_id=None if external_id is None else check_external_id(external_id),
            project_id=check_project_id(project_id),
            recall_scope=check_recall_scope(recall_scope),
            now=self._clock(),
        )

    def _check_policy(self, name: str) -> str:
        """Return the name, or raise InvalidInput if there is no such policy."""
        check_choice(name, "policy", sorted(self._policies))
        return name
