"""/api/jobs: background jobs, waiting, running, done and failed."""

from recollect.core.types import Job, JobState, Page
from recollect.server.auth import Caller, Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import Limit
from recollect.server.schemas import Router

router = Router(prefix="/api/jobs", tags=["jobs"])


@router.get("")
async def list_jobs(
    caller: Caller,
    engine: Engine,
    limit: Limit = 50,
    cursor: str | None = None,
    state: JobState | None = None,
) -> Page[Job]:
    """Newest first."""
    return await engine.jobs.list_jobs(limit, user_id=caller.user_id, cursor=cursor, state=state)


@router.post("/{job_id}/retry")
async def retry_job(job_id: str, caller: AnswerCaller, engine: Engine) -> Job:
    """Enqueue a failed job again."""
    return await engine.jobs.retry_job(job_id=job_id, user_id=caller.user_id)
