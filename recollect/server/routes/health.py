"""For those who watch over the server. No identity is needed."""

from fastapi import APIRouter

from recollect.server.auth import Memory
from recollect.server.schemas import Health

router = APIRouter(tags=["operations"])


@router.get("/healthz")
async def healthz() -> Health:
    """The process is up."""
    return Health()


@router.get("/readyz")
async def readyz(memory: Memory) -> Health:
    """The database answers, and its migrations are applied."""
    await memory.check()
    return Health()
