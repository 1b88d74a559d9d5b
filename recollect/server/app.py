"""The FastAPI application: routes, middleware and background tasks over an open engine."""

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
    audit,
    chat,
    contexts,
    conversations,
    data,
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

_ROUTES = (  # most frequent first: a request is matched against one after the other
    messages,
    contexts,
    chat,
    conversations,
    health,
    identity,
    summaries,
    recall,
    memories,
    analytics,
    jobs,
    data,
    models,
    keys,
    audit,
    chats,
    threads,
    message,
    turns,
    openai,
)


def create_app(engine: Recollect) -> FastAPI:
    settings = engine.settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await engine.warm_up()  # without it the first searches would be lexical only
        sweeper = asyncio.create_task(engine.sweep_forever())
        if settings.worker:
            await engine.start_worker()
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
        generate_unique_id_function=openapi.operation_id,
    )
    app.state.engine = engine
    app.state.authenticator = Authenticator(engine)
    app.state.rate_limiter = RateLimiter(
        {"requests": settings.requests_per_minute, "answers": settings.answers_per_minute}
    )
    app.state.metrics = Metrics(engine)
    _add_middleware(app)
    errors.install(app)
    for module in _ROUTES:
        app.include_router(module.router)
    static.install(app)
    openapi.install(app)
    return app


def _add_middleware(app: FastAPI) -> None:
    """The middleware added last runs first."""
    settings = app.state.engine.settings
    app.add_middleware(
        BodyLimit,
        identify=app.state.authenticator.identify,
        max_bytes=settings.max_body_bytes,
        max_import_bytes=settings.max_import_bytes,
    )
    app.add_middleware(
        RequestMiddleware,
        metrics=app.state.metrics,
        logs_success=settings.log_format != "text",
    )
    if origins := settings.allowed_origins():
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_credentials=True,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["*"],
            expose_headers=["x-conversation-id", "x-thread-id", "x-request-id", "retry-after"],
        )


async def require_key_unless_loopback(engine: Recollect) -> None:
    """Raise Misconfigured if other machines could connect as the local user."""
    host = engine.settings.host
    if is_loopback(host) or engine.settings.accepts_jwt():
        return
    if not await engine.keys.has_keys():
        raise Misconfigured(
            f"Without an API key the server listens on this machine only, not on {host}. "
            "Create one first: recollect keys create --user NAME."
        )
