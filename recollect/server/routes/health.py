"""For those who watch over the server. No identity is needed."""

import asyncio

from fastapi import APIRouter

from recollect.errors import Unavailable
from recollect.server.auth import Memory
from recollect.server.schemas import Health

_PATIENCE_SECONDS = 2.0  # those who probe give up soon

router = APIRouter(tags=["operations"])


@router.get("/healthz")
async def healthz() -> Health:
    """The process is up."""
    return Health()


@router.get("/readyz")
async def readyz(memory: Memory) -> Health:
    """The database answers, and its migrations are applied."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await memory.check()
    except TimeoutError as error:
        raise Unavailable from error
    return Health()
