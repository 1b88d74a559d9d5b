"""`memory.jobs`: what is owed, what failed, and trying again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from recollect.core.errors import Conflict
from recollect.core.pagination import check_page, decode_job_cursor, job_cursor, make_page
from recollect.core.types import Job, JobKind, JobState, Page
from recollect.store import jobs
from recollect.store.base_service import Service
from recollect.store.database import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCounts:
    """What all users' jobs come to, but for those that are done."""

    by_kind: Mapping[tuple[JobKind, JobState], int]
    lag: timedelta
    """For how long the oldest one has been due."""


class Jobs(Service):
    async def list_jobs(
        self,
        limit: int = 50,
        *,
        user_id: str,
        cursor: str | None = None,
        state: JobState | None = None,
    ) -> Page[Job]:
        """Newest first. What is done is listed for a day."""
        check_page(limit, 0, cursor)
        before = decode_job_cursor(cursor) if cursor is not None else None
        found = await self._read(
            lambda run: jobs.page(run, limit=limit + 1, state=state, before_id=before), user_id
        )
        return make_page(found, limit, job_cursor)

    async def retry_job(self, *, job_id: str, user_id: str) -> Job:
        """A failed one waits again; where the same work is waiting already, nothing changes."""
        now = self._clock()

        def retry(run: Run) -> Job:
            job = jobs.get(run, job_id)
            if job.state != "failed":
                raise Conflict(f"Only a failed job can be retried; this one is {job.state}.")
            jobs.retry(run, job.id, now=now)
            return jobs.get(run, job.id)

        return await self._write(retry, user_id)

    async def count_jobs(self) -> JobCounts:
        """How many there are of each kind and state, for all users, and how late they are."""

        def count(run: Run) -> JobCounts:
            next_at = jobs.next_at(run)
            late = timedelta() if next_at is None else self._clock() - next_at
            return JobCounts(by_kind=jobs.count(run), lag=max(late, timedelta()))

        return await self._database.system(count, read_only=True)
