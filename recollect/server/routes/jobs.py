"""What is owed and what failed."""

from fastapi import APIRouter

from recollect.core.types import JobState
from recollect.server import rate_limit
from recollect.server.auth import Caller, Memory
from recollect.server.routes.conversations import Limit
from recollect.server.schemas import Job, Page

router = APIRouter(prefix="/api/jobs", tags=["jobs"])


@router.get("")
async def list_all(
    caller: Caller,
    memory: Memory,
    limit: Limit = 50,
    cursor: str | None = None,
    state: JobState | None = None,
) -> Page[Job]:
    """Newest first."""
    page = await memory.jobs.list_jobs(limit, user_id=caller.user_id, cursor=cursor, state=state)
    return Page[Job].model_validate(page)


@router.post("/{job_id}/retry")
async def retry(job_id: str, caller: rate_limit.AnswerStream, memory: Memory) -> Job:
    """A failed job waits again."""
    return Job.model_validate(await memory.jobs.retry_job(job_id=job_id, user_id=caller.user_id))
