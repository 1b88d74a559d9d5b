"""What an append owes: a digest when the backlog has outgrown its policy, a topic now and then, a
reading for memories when enough has come together, or else once it is quiet.

Jobs are written in the transaction that owes them. An eager digest is run by the caller right
after it; its job is the safety net, should that be cut short.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial

from recollect.core.errors import NotFound
from recollect.core.policy import Backlog, Policy, find_policy
from recollect.store import jobs
from recollect.store.database import Database, Run
from recollect.store.messages import ConversationProgress

_SWEEP_BATCH = 500
_DONE_IS_LISTED = timedelta(days=1)
_LOST_AFTER = timedelta(minutes=5)
"""A job is owed with what it is owed for; without one for so long, it was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnqueuer:
    policies: Mapping[str, Policy]
    digest_at: time
    """The hour (UTC) at which the digests of policies timed `scheduled` run."""
    eager_grace: timedelta
    """After which an eager digest that nobody finished is a job like any other."""
    embeds: bool = False
    """Whether there is an embedder that reads what is said."""
    extract_turns: int | None = None
    """After so many turns a conversation is read for memories; None where only on demand."""
    extract_idle: timedelta = timedelta()
    """Or after so long without any."""

    def enqueue_due(
        self,
        run: Run,
        conversation_id: str,
        numbers: ConversationProgress,
        *,
        first_turn: int,
        answered_turn: int | None,
        has_user: bool,
        now: datetime,
    ) -> bool:
        """What turns that were added to owe, from the first to the last that has an answer; and
        whether an eager digest is to be run by the caller."""
        if numbers.kind == "chat":
            self.enqueue_embedding(run, conversation_id, now=now)
            if numbers.unread_turns is not None and has_user:
                self.enqueue_extraction(
                    run, conversation_id, numbers.policy, numbers.unread_turns, now=now
                )
            if answered_turn is not None:
                self.enqueue_topic(
                    run, conversation_id, first_turn=first_turn, last_turn=answered_turn, now=now
                )
        return self.enqueue_digest(run, conversation_id, numbers.policy, numbers.backlog, now=now)

    def enqueue_digest(
        self, run: Run, conversation_id: str, policy_name: str, backlog: Backlog, *, now: datetime
    ) -> bool:
        """Whether an eager digest is to be run by the caller."""
        policy = find_policy(self.policies, policy_name)
        if not policy.is_due(backlog):
            return False
        jobs.enqueue(run, "digest", conversation_id, run_at=self.run_at(policy, now), now=now)
        return policy.timing == "eager" and policy.eager_at == "append"

    def enqueue_topic(
        self, run: Run, conversation_id: str, *, first_turn: int, last_turn: int, now: datetime
    ) -> None:
        """From the first answered turn on, then each time their number has doubled: where a power
        of two lies between the turns that were just added to, both included."""
        if last_turn.bit_length() > max(0, first_turn - 1).bit_length():
            jobs.enqueue(run, "topic", conversation_id, run_at=now, now=now)

    def enqueue_extraction(
        self, run: Run, conversation_id: str, policy_name: str, unread_turns: int, *, now: datetime
    ) -> None:
        if not self.reads(find_policy(self.policies, policy_name)):
            return
        jobs.enqueue(run, "extract", conversation_id, run_at=now + self.extract_idle, now=now)
        if self.extract_turns is not None and unread_turns >= self.extract_turns:
            jobs.expedite(run, "extract", conversation_id, now=now)

    def reads(self, policy: Policy) -> bool:
        """Whether conversations are read for memories of themselves; what is to be gone in a day
        is not."""
        return self.extract_turns is not None and policy.retention is None

    def enqueue_embedding(self, run: Run, conversation_id: str | None, *, now: datetime) -> None:
        """Of a conversation; or of the user's memories."""
        if self.embeds:
            jobs.enqueue(run, "embed", conversation_id, run_at=now, now=now)

    def run_at(self, policy: Policy, now: datetime) -> datetime:
        """When a digest that is owed now is to be run by a job."""
        if policy.timing == "eager":
            return now + self.eager_grace
        if policy.timing == "scheduled":
            at = datetime.combine(now.date(), self.digest_at, now.tzinfo)
            return at if at >= now else at + timedelta(days=1)
        return now


async def requeue_missing(database: Database, enqueuer: JobEnqueuer, *, now: datetime) -> None:
    """Owes once more what is due and has no job: it was lost, or the limits have changed."""
    await database.system(partial(jobs.reset_future_jobs, now=now))
    for policy in enqueuer.policies.values():
        if policy.timing == "never":
            continue
        owed = await database.system(
            partial(
                jobs.list_missing_digests,
                policy=policy.name,
                over_tokens=policy.digest_over_tokens,
                over_messages=policy.digest_over_messages,
                keep_turns=policy.keep_turns or 0,
                summary_is_entry=policy.summary_is_entry,
                limit=_SWEEP_BATCH,
            ),
            read_only=True,
        )
        for user_id, conversation_id in owed:
            enqueue = partial(
                jobs.enqueue,
                kind="digest",
                conversation_id=conversation_id,
                run_at=enqueuer.run_at(policy, now),
                now=now,
            )
            with suppress(NotFound):  # deleted meanwhile
                await database.write(enqueue, user_id=user_id)
    await _requeue_missing_extractions(database, enqueuer, now=now)
    await database.system(partial(jobs.delete_finished, before=now - _DONE_IS_LISTED))


async def _requeue_missing_extractions(
    database: Database, enqueuer: JobEnqueuer, *, now: datetime
) -> None:
    quiet_since = now - enqueuer.extract_idle - _LOST_AFTER
    for policy in enqueuer.policies.values():
        if not enqueuer.reads(policy):
            continue
        owed = await database.system(
            partial(
                jobs.list_missing_extractions,
                policy=policy.name,
                quiet_since=quiet_since,
                limit=_SWEEP_BATCH,
            ),
            read_only=True,
        )
        for user_id, id in owed:
            enqueue = partial(jobs.enqueue, kind="extract", conversation_id=id, run_at=now, now=now)
            with suppress(NotFound):  # deleted meanwhile
                await database.write(enqueue, user_id=user_id)
