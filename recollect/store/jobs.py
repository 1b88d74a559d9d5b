"""Job rows: work that is owed, written in the transaction that owes it.

A job waits, is claimed under a lease, and ends done or failed. A worker proves that it is alive by
extending the lease; when it lapses, another one claims the job. Who has lost the lease changes
nothing any more: every statement that ends a job names its owner and its attempt, since a worker
may take up what it has lost itself.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.types import Job, JobKind, JobState, Json, utc_text
from recollect.store.database import Run

REQUESTED = "asked"
"""The payload of a job that a user requested. It does not wait until the conversation is idle."""

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""Clock-skew tolerance for leases and heartbeats.

One process writes these times, another compares them with its own clock. A process whose clock ran
ahead leaves times that nobody reaches for hours, so times further in the future than this count as
expired. A smaller skew can at most expire another worker's lease early: the work is then done
twice, with the same result.
"""

_AFTER_ALL_IDS = "ffffffff-ffff-ffff-ffff-ffffffffffff"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job in the hands of a worker."""

    user_id: str
    id: str
    kind: JobKind
    conversation_id: str | None
    payload: Json
    attempts: int

    @property
    def conversation(self) -> str:
        """The conversation it is about; most jobs are about one."""
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
    """One of a kind waits for each conversation, however often it is owed.

    Without one, it is about the user's memories.
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
    """One that waits for a later time is due now. One that is tried again keeps its pause, unless
    it has a payload from here on."""
    run(
        "expedite_job",
        kind=kind,
        dedupe_key=conversation_id,
        payload=json.dumps(payload),
        at_once=payload is not None,
        now=utc_text(now),
    )


def get_waiting(run: Run, kind: JobKind, conversation_id: str) -> Job:
    """The one that was just owed."""
    (row,) = run("get_waiting_job", kind=kind, dedupe_key=conversation_id)
    return Job.from_row(row)


def cancel_pending(run: Run, kind: JobKind, conversation_id: str) -> None:
    """It is done already."""
    run("delete_waiting_job", kind=kind, dedupe_key=conversation_id)


def get(run: Run, job_id: str) -> Job:
    id = canonical_id(job_id)
    rows = run("get_job", id=id) if id else []
    if not rows:
        raise NotFound("There is no such job.")
    return Job.from_row(rows[0])


def page(
    run: Run, *, limit: int, state: JobState | None = None, before_id: str | None = None
) -> list[Job]:
    """Newest first."""
    rows = run("list_jobs", state=state or "", before_id=before_id or _AFTER_ALL_IDS, limit=limit)
    return [Job.from_row(row) for row in rows]


def retry(run: Run, job_id: str, *, now: datetime) -> None:
    """A failed one waits again, unless the same work is waiting already."""
    run("retry_job", id=job_id, now=utc_text(now))


def claim(
    run: Run, *, owner: str, kinds: Sequence[JobKind], now: datetime, lease_until: datetime
) -> ClaimedJob | None:
    """The next job: one whose worker is gone before one that is due."""
    for query in ("claim_expired_job", "claim_due_job"):
        rows = run(
            query,
            owner=owner,
            kinds=json.dumps(kinds),
            now=utc_text(now),
            lease_until=utc_text(lease_until),
        )
        if rows:
            return ClaimedJob(**{**rows[0], "payload": json.loads(rows[0]["payload"])})
    return None


def extend_lease(
    run: Run, claim: ClaimedJob, *, owner: str, now: datetime, lease_until: datetime
) -> bool:
    """False when the lease is lost."""
    return bool(
        run(
            "extend_lease",
            user_id=claim.user_id,
            id=claim.id,
            owner=owner,
            attempts=claim.attempts,
            now=utc_text(now),
            lease_until=utc_text(lease_until),
        )
    )


def finish(
    run: Run, claim: ClaimedJob, *, owner: str, state: JobState, error: str | None, now: datetime
) -> None:
    run(
        "finish_job",
        user_id=claim.user_id,
        id=claim.id,
        owner=owner,
        attempts=claim.attempts,
        state=state,
        last_error=error,
        now=utc_text(now),
    )


def reschedule(
    run: Run, claim: ClaimedJob, *, owner: str, error: str, run_at: datetime, now: datetime
) -> None:
    """Waits once more; where the same work is waiting already, that job does it."""
    waits = run(
        "reschedule_job",
        user_id=claim.user_id,
        id=claim.id,
        owner=owner,
        attempts=claim.attempts,
        last_error=error,
        run_at=utc_text(run_at),
        now=utc_text(now),
    )
    if not waits:
        finish(run, claim, owner=owner, state="done", error=error, now=now)


def release(run: Run, claim: ClaimedJob, *, owner: str, now: datetime) -> None:
    """Waits again at once, and the attempt does not count: its worker was told to stop."""
    run(
        "release_job",
        user_id=claim.user_id,
        id=claim.id,
        owner=owner,
        attempts=claim.attempts,
        now=utc_text(now),
    )


def reset_future_jobs(run: Run, *, now: datetime) -> None:
    """Those that a wrong clock has put off for too long."""
    for query in ("reset_future_run_times", "expire_future_leases"):
        run(query, now=utc_text(now), ahead=utc_text(now + MAX_CLOCK_SKEW))


def delete_finished(run: Run, *, before: datetime) -> None:
    run("delete_finished_jobs", before=utc_text(before))


def delete_failed_embeds(run: Run, *, before: datetime) -> None:
    run("delete_failed_embeds", before=utc_text(before))


def count_pending_index_jobs(run: Run) -> int:
    """What search still waits for."""
    (row,) = run("count_pending_index_jobs")
    count: int = row["count"]
    return count


def count(run: Run) -> dict[tuple[JobKind, JobState], int]:
    """Of each kind and state, of all users; those that are done are not counted."""
    return {(row["kind"], row["state"]): row["count"] for row in run("count_jobs")}


def next_run_at(run: Run) -> datetime | None:
    """When there is something to claim."""
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
    """(user, conversation) pairs whose backlog is over a limit, and nobody is at it."""
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
    """(user, conversation) pairs where turns have been left unread, and nobody is at it."""
    rows = run(
        "list_missing_extractions", policy=policy, quiet_since=utc_text(quiet_since), limit=limit
    )
    return [(row["user_id"], row["id"]) for row in rows]
