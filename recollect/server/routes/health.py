"""Health checks and metrics, without authentication."""

import asyncio
from typing import Literal

from fastapi import Request
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from recollect.core.errors import Unavailable
from recollect.server.auth import Engine
from recollect.server.metrics import Metrics
from recollect.server.schema_base import ResponseModel
from recollect.server.schemas import Router

_TIMEOUT_SECONDS = 2.0  # shorter than that of usual probes

router = Router(tags=["operations"])


class Health(ResponseModel):
    status: Literal["ok"] = "ok"


@router.get("/healthz")
async def get_health() -> Health:
    """The process is up."""
    return Health()


@router.get("/readyz")
async def get_readiness(engine: Engine) -> Health:
    """The database is reachable and its migrations are applied."""
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await engine.check()
    except TimeoutError as error:
        raise Unavailable from error
    return Health()


@router.get("/metrics", response_class=PlainTextResponse)
async def get_metrics(request: Request) -> PlainTextResponse:
    """Metrics in Prometheus' text format, without user data."""
    metrics: Metrics = request.app.state.metrics
    return PlainTextResponse(await metrics.expose(), media_type=CONTENT_TYPE_PLAIN_0_0_4)
