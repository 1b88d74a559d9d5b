"""`memory.jobs`: list, count and retry background jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from recollect.core.errors import Conflict
from recollect.core.pagination import check_page, decode_id, make_page
from recollect.core.types import Job, JobKind, JobState, Page
from recollect.store import jobs
from recollect.store.database import Run
from recollect.store.service_base import ServiceBase


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCounts:
    """The number of all users' unfinished jobs."""

    by_kind: Mapping[tuple[JobKind, JobState], int]
    lag: timedelta
    """How long the oldest job has been due."""


class Jobs(ServiceBase):
    async def list_jobs(
        self,
        limit: int = 50,
        *,
        user_id: str,
        cursor: str | None = None,
        state: JobState | None = None,
    ) -> Page[Job]:
        """Return the jobs, newest first. Finished ones are listed for a day."""
        check_page(limit, 0, cursor)
        before = decode_id("jobs", cursor)
        rows = await self._read(
            lambda run: jobs.page(run, limit=limit + 1, state=state, before_id=before), user_id
        )
        return make_page(rows, limit, "jobs", lambda job: (job.id,))

    async def retry_job(self, *, job_id: str, user_id: str) -> Job:
        """Enqueue a failed job again; a no-op if the same job is already pending."""
        now = self._clock()

        def retry(run: Run) -> Job:
            job = jobs.get(run, job_id)
            if job.state != "failed":
                raise Conflict(f"Only a failed job can be retried; this one is {job.state}.")
            jobs.retry(run, job.id, now=now)
            return jobs.get(run, job.id)

        return await self._write(retry, user_id)

    async def count_jobs(self) -> JobCounts:
        """Count all users' jobs by kind and state."""

        def count(run: Run) -> JobCounts:
            next_at = jobs.next_run_at(run)
            late = timedelta() if next_at is None else self._clock() - next_at
            return JobCounts(by_kind=jobs.count(run), lag=max(late, timedelta()))

        return await self._database.system(count, read_only=True)
