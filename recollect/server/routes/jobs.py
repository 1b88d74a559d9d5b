"""/api/jobs: background jobs, waiting, running, done and failed."""

from fastapi import APIRouter

from recollect.core.types import Job, JobState, Page
from recollect.server.auth import Caller, Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import Limit
from recollect.server.schemas import JobSchema, PageSchema

router = APIRouter(prefix="/api/jobs", tags=["jobs"])


@router.get("", response_model=PageSchema[JobSchema])
async def list_jobs(
    caller: Caller,
    engine: Engine,
    limit: Limit = 50,
    cursor: str | None = None,
    state: JobState | None = None,
) -> Page[Job]:
    """Newest first."""
    return await engine.jobs.list_jobs(limit, user_id=caller.user_id, cursor=cursor, state=state)


@router.post("/{job_id}/retry", response_model=JobSchema)
async def retry_job(job_id: str, caller: AnswerCaller, engine: Engine) -> Job:
    """Enqueue a failed job again."""
    return await engine.jobs.retry_job(job_id=job_id, user_id=caller.user_id)
