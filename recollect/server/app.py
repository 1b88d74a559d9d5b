"""The HTTP service over an open engine: its routes, and what keeps time in the background."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from recollect.engine import Recollect
from recollect.errors import Misconfigured
from recollect.server import page, problems
from recollect.server.auth import Gate, is_loopback
from recollect.server.limits import BodyLimit, SafetyHeaders
from recollect.server.routes import (
    analytics,
    contexts,
    conversations,
    export,
    health,
    identity,
    jobs,
    memories,
    messages,
    models,
    recall,
    summaries,
)
from recollect.server.schemas import ProblemBody


def create_app(memory: Recollect) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await memory.warm_up()  # else the first searches would go by words alone
        sweeper = asyncio.create_task(memory.sweep_forever())
        if memory.settings.worker:
            await memory.start_worker()
        yield
        sweeper.cancel()
        await asyncio.gather(sweeper, return_exceptions=True)

    app = FastAPI(
        title="Recollect",
        summary="Conversation memory for LLM applications.",
        version=version("recollect"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses={"default": {"model": ProblemBody, "description": "A problem."}},
    )
    app.state.memory = memory
    app.state.gate = Gate(memory)
    app.add_middleware(BodyLimit, max_bytes=memory.settings.max_body_bytes)
    app.add_middleware(SafetyHeaders)
    problems.install(app)
    for module in (
        health,
        identity,
        conversations,
        messages,
        export,
        summaries,
        contexts,
        recall,
        memories,
        analytics,
        jobs,
        models,
    ):
        app.include_router(module.router)
    page.install(app)
    return app


async def refuse_open_doors(memory: Recollect) -> None:
    """Without a key everyone who can connect is the local user: so nobody else may connect."""
    host = memory.settings.host
    if not is_loopback(host) and not await memory.keys.any_keys():
        raise Misconfigured(
            f"Without an API key the server listens on this machine only, not on {host}. "
            "Create one first: recollect keys create --user NAME."
        )
