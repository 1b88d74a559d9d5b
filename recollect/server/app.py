"""The HTTP service over an open engine: its routes, and what keeps time in the background."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from recollect.core.errors import Misconfigured
from recollect.engine import Recollect
from recollect.server import errors, openapi, static
from recollect.server.auth import Authenticator
from recollect.server.body_limit import BodyLimit
from recollect.server.metrics import Metrics
from recollect.server.middleware import RequestMiddleware
from recollect.server.origins import is_loopback
from recollect.server.rate_limit import RateLimiter
from recollect.server.routes import (
    analytics,
    chat,
    contexts,
    conversations,
    data,
    export,
    health,
    identity,
    jobs,
    keys,
    memories,
    messages,
    models,
    openai,
    recall,
    summaries,
)
from recollect.server.routes.compat import chats, message, threads, turns
from recollect.settings import Settings


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
    )
    app.state.memory = memory
    app.state.gate = Authenticator(memory)
    app.state.rates = RateLimiter.of(memory.settings)
    app.state.metrics = Metrics(memory)
    _add_middleware(app, memory.settings, app.state.gate, app.state.metrics)
    errors.install(app)
    for module in (  # what is asked most often first: a request tries them one after the other
        messages,
        contexts,
        chat,
        conversations,
        health,
        identity,
        export,
        summaries,
        recall,
        memories,
        analytics,
        jobs,
        data,
        models,
        keys,
        chats,
        threads,
        message,
        turns,
        openai,
    ):
        app.include_router(module.router)
    static.install(app)
    openapi.install(app)
    return app


def _add_middleware(
    app: FastAPI, settings: Settings, gate: Authenticator, metrics: Metrics
) -> None:
    """The last that is added is the first that a request meets."""
    app.add_middleware(
        BodyLimit,
        identify=gate.identify,
        max_bytes=settings.max_body_bytes,
        max_import_bytes=settings.max_import_bytes,
    )
    app.add_middleware(RequestMiddleware, metrics=metrics, calm=settings.log_format == "text")
    if origins := settings.allowed_origins():
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_credentials=True,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["*"],
            expose_headers=["x-conversation-id", "x-thread-id", "x-request-id", "retry-after"],
        )


async def refuse_open_doors(memory: Recollect) -> None:
    """Without a key everyone who can connect is the local user: so nobody else may connect."""
    host = memory.settings.host
    if is_loopback(host) or memory.settings.takes_tokens():
        return
    if not await memory.keys.any_keys():
        raise Misconfigured(
            f"Without an API key the server listens on this machine only, not on {host}. "
            "Create one first: recollect keys create --user NAME."
        )
