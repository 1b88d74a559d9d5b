"""For those who watch over the server. No identity is needed."""

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from recollect.core.errors import Unavailable
from recollect.server.auth import Memory
from recollect.server.metrics import Metrics
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


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request) -> PlainTextResponse:
    """What happens here, in Prometheus' text format. Nothing in it is anybody's."""
    found: Metrics = request.app.state.metrics
    return PlainTextResponse(await found.expose(), media_type=CONTENT_TYPE_PLAIN_0_0_4)
