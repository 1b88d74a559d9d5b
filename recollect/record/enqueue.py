"""Enqueue the jobs that new messages make due: digest, topic, extraction, embedding.

Jobs are enqueued in the transaction that stores the messages. An eager digest is run inline by the
caller after the commit; its job is a fallback, in case the process dies before.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial

from recollect.core.errors import NotFound
from recollect.core.policy import Backlog, Policy, find_policy
from recollect.core.types import JobKind
from recollect.store import jobs
from recollect.store.database import Database, Run
from recollect.store.messages import ConversationProgress

_SWEEP_BATCH = 500
_KEEP_FINISHED = timedelta(days=1)
_MISSING_AFTER = timedelta(minutes=5)
"""An extraction that is due for so long without a job has lost its job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnqueuer:
    policies: Mapping[str, Policy]
    digest_at: time
    """When the digests of policies timed `scheduled` run, in UTC."""
    eager_grace: timedelta
    """How long the job of an eager digest waits for the inline compaction."""
    embeds: bool = False
    """Whether an embedder is configured."""
    extract_turns: int | None = None
    """Number of new turns after which memories are extracted; None for only on request."""
    extract_idle: timedelta = timedelta()
    """Memories are also extracted after so long without new messages."""

    def enqueue_due(
        self,
        run: Run,
        conversation_id: str,
        progress: ConversationProgress,
        *,
        first_turn: int,
        answered_turn: int | None,
        has_user: bool,
        now: datetime,
    ) -> bool:
        """Enqueue what the turns from `first_turn` on make due; return whether to compact inline.

        `answered_turn` is the last of them that has an answer.
        """
        id = conversation_id
        policy = find_policy(self.policies, progress.policy)
        if progress.kind == "chat":
            self.enqueue_embedding(run, id, now=now)
            if progress.unread_turns is not None and has_user and self._extracts(policy):
                jobs.enqueue(run, "extract", id, run_at=now + self.extract_idle, now=now)
                if self.extract_turns is not None and progress.unread_turns >= self.extract_turns:
                    jobs.expedite(run, "extract", id, now=now)
            # A topic is due at turn 1, 2, 4, 8, …: if the new turns include a power of two.
            last_turn = answered_turn or 0
            if last_turn.bit_length() > max(0, first_turn - 1).bit_length():
                jobs.enqueue(run, "topic", id, run_at=now, now=now)
        return self.enqueue_digest(run, id, progress.policy, progress.backlog, now=now)

    def enqueue_digest(
        self, run: Run, conversation_id: str, policy_name: str, backlog: Backlog, *, now: datetime
    ) -> bool:
        """Enqueue a digest if it is due; return whether to compact inline."""
        policy = find_policy(self.policies, policy_name)
        if not policy.is_due(backlog):
            return False
        jobs.enqueue(run, "digest", conversation_id, run_at=self._run_at(policy, now), now=now)
        return policy.timing == "eager" and policy.eager_at == "append"

    def enqueue_embedding(self, run: Run, conversation_id: str | None, *, now: datetime) -> None:
        """Enqueue the embedding of a conversation, or with None of the user's memories."""
        if self.embeds:
            jobs.enqueue(run, "embed", conversation_id, run_at=now, now=now)

    async def requeue_missing(self, database: Database, *, now: datetime) -> None:
        """Enqueue the jobs of all users that are due but missing, and delete old finished ones.

        A job can be missing because it was lost, or because a limit was changed.
        """
        await database.system(partial(jobs.reset_future_jobs, now=now))
        for policy in self.policies.values():
            if policy.timing != "never":
                find = partial(
                    jobs.list_missing_digests,
                    policy=policy.name,
                    over_tokens=policy.digest_over_tokens,
                    over_messages=policy.digest_over_messages,
                    keep_turns=policy.keep_turns or 0,
                    summary_is_entry=policy.summary_is_entry,
                    limit=_SWEEP_BATCH,
                )
                await _enqueue_all(database, "digest", find, self._run_at(policy, now), now)
            if self._extracts(policy):
                find = partial(
                    jobs.list_missing_extractions,
                    policy=policy.name,
                    quiet_since=now - self.extract_idle - _MISSING_AFTER,
                    limit=_SWEEP_BATCH,
                )
                await _enqueue_all(database, "extract", find, now, now)
        await database.system(partial(jobs.delete_finished, before=now - _KEEP_FINISHED))

    def _extracts(self, policy: Policy) -> bool:
        """Whether memories are extracted without a request: not if messages are soon deleted."""
        return self.extract_turns is not None and policy.retention is None

    def _run_at(self, policy: Policy, now: datetime) -> datetime:
        """Return when the job of a digest that is due now is to run."""
        if policy.timing == "eager":
            return now + self.eager_grace
        if policy.timing == "scheduled":
            at = datetime.combine(now.date(), self.digest_at, now.tzinfo)
            return at if at >= now else at + timedelta(days=1)
        return now


async def _enqueue_all(
    database: Database,
    kind: JobKind,
    find: Callable[[Run], list[tuple[str, str]]],
    run_at: datetime,
    now: datetime,
) -> None:
    for user_id, id in await database.system(find, read_only=True):
        enqueue = partial(jobs.enqueue, kind=kind, conversation_id=id, run_at=run_at, now=now)
        with suppress(NotFound):  # deleted meanwhile
            await database.write(enqueue, user_id=user_id)
