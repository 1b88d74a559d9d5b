"""Job rows: background work, enqueued in the transaction of the change that needs it.

A job waits, is claimed under a lease, and ends done or failed. A worker extends its lease while it
works; when the lease expires, another worker claims the job. A worker that has lost its lease
changes nothing: every statement that ends a job checks the owner and the attempt, since a worker
may claim a job again that it has lost itself.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.types import Job, JobKind, JobState, Json, Stored, utc_text
from recollect.store.database import MAX_ID, Run, SqlValue, require_row

REQUESTED = "asked"
"""The payload of a job that a user requested. It does not wait until the conversation is idle."""

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""Clock-skew tolerance for leases and heartbeats.

One process writes these times, another compares them with its own clock. A process whose clock ran
ahead leaves times that nobody reaches for hours, so times further in the future than this count as
expired. A smaller skew can at most expire another worker's lease early: the work is then done
twice, with the same result.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob(Stored):
    user_id: str
    id: str
    kind: JobKind
    conversation_id: str | None
    payload: Json
    attempts: int

    @property
    def conversation(self) -> str:
        """The conversation's id. Raises NotFound for a job about a user's memories."""
        if self.conversation_id is None:
            raise NotFound("The job is about no conversation.")
        return self.conversation_id


def enqueue(
    run: Run,
    kind: JobKind,
    conversation_id: str | None,
    *,
    run_at: datetime,
    now: datetime,
    payload: Json = None,
) -> None:
    """Enqueue a job for a conversation, or for the user's memories if that is None.

    At most one waiting job per conversation and kind: enqueueing again is a no-op.
    """
    run(
        "enqueue_job",
        id=new_id(),
        kind=kind,
        conversation_id=conversation_id,
        dedupe_key=conversation_id or "memories",
        payload=json.dumps(payload),
        run_at=utc_text(run_at),
        now=utc_text(now),
    )


def expedite(
    run: Run, kind: JobKind, conversation_id: str, *, now: datetime, payload: Json = None
) -> None:
    """Make a waiting job due now. A retried job keeps its backoff unless a payload is given."""
    run(
        "expedite_job",
        kind=kind,
        dedupe_key=conversation_id,
        payload=json.dumps(payload),
        at_once=payload is not None,
        now=utc_text(now),
    )


def get_waiting(run: Run, kind: JobKind, conversation_id: str) -> Job:
    """Return the waiting job that was enqueued in this transaction."""
    (row,) = run("get_waiting_job", kind=kind, dedupe_key=conversation_id)
    return Job.from_row(row)


def cancel_pending(run: Run, kind: JobKind, conversation_id: str) -> None:
    """Delete the waiting job, because its work was just done."""
    run("delete_waiting_job", kind=kind, dedupe_key=conversation_id)


def get(run: Run, job_id: str) -> Job:
    return Job.from_row(require_row(run("get_job", id=canonical_id(job_id)), "job"))


def page(
    run: Run, *, limit: int, state: JobState | None = None, before_id: str | None = None
) -> list[Job]:
    """List jobs, newest first."""
    return Job.from_rows(
        run("list_jobs", state=state or "", before_id=before_id or MAX_ID, limit=limit)
    )


def retry(run: Run, job_id: str, *, now: datetime) -> None:
    """Make a failed job wait again, unless the same work is waiting already."""
    run("retry_job", id=job_id, now=utc_text(now))


def claim(
    run: Run, *, owner: str, kinds: Sequence[JobKind], now: datetime, lease_until: datetime
) -> ClaimedJob | None:
    """Claim a job whose lease has expired, or else the oldest due job."""
    for query in ("claim_expired_job", "claim_due_job"):
        rows = run(
            query,
            owner=owner,
            kinds=json.dumps(kinds),
            now=utc_text(now),
            lease_until=utc_text(lease_until),
        )
        if rows:
            return ClaimedJob.from_row(rows[0])
    return None


def extend_lease(
    run: Run, claim: ClaimedJob, *, owner: str, now: datetime, lease_until: datetime
) -> bool:
    """Return False if the lease is lost."""
    lease = _lease(claim, owner, now)
    return bool(run("extend_lease", **lease, lease_until=utc_text(lease_until)))


def finish(
    run: Run, claim: ClaimedJob, *, owner: str, state: JobState, error: str | None, now: datetime
) -> None:
    run("finish_job", **_lease(claim, owner, now), state=state, last_error=error)


def reschedule(
    run: Run, claim: ClaimedJob, *, owner: str, error: str, run_at: datetime, now: datetime
) -> None:
    """Make the job wait until `run_at`. If the same work is waiting already, the job is done."""
    lease = _lease(claim, owner, now)
    if not run("reschedule_job", **lease, last_error=error, run_at=utc_text(run_at)):
        finish(run, claim, owner=owner, state="done", error=error, now=now)


def release(run: Run, claim: ClaimedJob, *, owner: str, now: datetime) -> None:
    """Make the job wait again, without counting the attempt, because the worker is stopping."""
    run("release_job", **_lease(claim, owner, now))


def _lease(claim: ClaimedJob, owner: str, now: datetime) -> dict[str, SqlValue]:
    return {
        "user_id": claim.user_id,
        "id": claim.id,
        "owner": owner,
        "attempts": claim.attempts,
        "now": utc_text(now),
    }


def reset_future_jobs(run: Run, *, now: datetime) -> None:
    """Make jobs claimable whose times were written by a clock that ran ahead."""
    for query in ("reset_future_run_times", "expire_future_leases"):
        run(query, now=utc_text(now), ahead=utc_text(now + MAX_CLOCK_SKEW))


def delete_finished(run: Run, *, before: datetime) -> None:
    run("delete_finished_jobs", before=utc_text(before))


def delete_failed_embeds(run: Run, *, before: datetime) -> None:
    run("delete_failed_embeds", before=utc_text(before))


def count_pending_index_jobs(run: Run) -> int:
    """Count the jobs that search results still depend on."""
    (row,) = run("count_pending_index_jobs")
    return int(row["count"])


def count(run: Run) -> dict[tuple[JobKind, JobState], int]:
    """Count the jobs of all users by kind and state, without done ones."""
    return {(row["kind"], row["state"]): row["count"] for row in run("count_jobs")}


def next_run_at(run: Run) -> datetime | None:
    """Return the earliest time at which a job can be claimed."""
    (row,) = run("next_job_at")
    return None if row["at"] is None else datetime.fromisoformat(row["at"])


def list_missing_digests(
    run: Run,
    *,
    policy: str,
    over_tokens: int | None,
    over_messages: int | None,
    keep_turns: int,
    summary_is_entry: bool,
    limit: int,
) -> list[tuple[str, str]]:
    """List (user, conversation) pairs whose backlog is over a limit and that have no digest job."""
    rows = run(
        "list_missing_digests",
        policy=policy,
        over_tokens=-1 if over_tokens is None else over_tokens,
        over_messages=-1 if over_messages is None else over_messages,
        keep_turns=keep_turns,
        summary_is_entry=summary_is_entry,
        limit=limit,
    )
    return [(row["user_id"], row["id"]) for row in rows]


def list_missing_extractions(
    run: Run, *, policy: str, quiet_since: datetime, limit: int
) -> list[tuple[str, str]]:
    """List (user, conversation) pairs with unextracted turns and without an extraction job."""
    rows = run(
        "list_missing_extractions", policy=policy, quiet_since=utc_text(quiet_since), limit=limit
    )
    return [(row["user_id"], row["id"]) for row in rows]
