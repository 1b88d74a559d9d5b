"""What every request goes through, once and outermost: its id, its headers, its line in the log.

One plain ASGI wrapper does all of it, because each one costs every request. What nobody foresaw
becomes a problem here, so that it has the id and the headers too.
"""

import logging
import re
import time
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.core.ids import new_id
from recollect.core.logging import request_id
from recollect.server.errors import Problem
from recollect.server.metrics import Metrics

logger = logging.getLogger(__name__)

Headers = tuple[tuple[bytes, bytes], ...]

_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_NOWHERE = "other"
_SAFETY: Headers = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    # Pages elsewhere that CORS lets in are not bound by this: it is for what asks without CORS.
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_PRIVATE: Headers = ((b"cache-control", b"no-store"),)
_PRIVATE_PATHS = ("/api", "/v1", "/chat")
_ENCRYPTED: Headers = ((b"strict-transport-security", b"max-age=31536000"),)


class RequestMiddleware:
    """`calm` leaves requests that went well out of the log, unless it is for debugging."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, calm: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._level_of_success = logging.DEBUG if calm else logging.INFO

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        id = _request_id(scope)
        defaults = _default_headers(scope, id)
        status: int | None = None

        async def framed_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_missing(message, defaults)
            await send(message)

        token = request_id.set(id)
        try:
            await self._app(scope, receive, framed_send)
        except ClientDisconnect:  # nobody is there to be answered
            pass
        except Exception as error:
            logger.error("request_failed", extra=_named(scope), exc_info=error)
            if status is not None:
                raise  # the answer has begun: all that is left is to break it off
            await Problem(500, "Something went wrong on the server.")(scope, receive, framed_send)
        finally:
            self._note(scope, status, time.perf_counter() - started)
            request_id.reset(token)

    def _note(self, scope: Scope, status: int | None, seconds: float) -> None:
        named = _named(scope)
        self._metrics.note_request(named["method"], named["route"], status, seconds)
        went_well = status is not None and status < 400
        level = self._level_of_success if went_well else logging.INFO
        if logger.isEnabledFor(level):
            took = round(seconds * 1000, 1)
            logger.log(level, "request", extra={**named, "status": status, "duration_ms": took})


def _request_id(scope: Scope) -> str:
    """The caller's own, if it is a sane one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE_ID.fullmatch(value):
            return str(value, "ascii")
    return new_id()


def _default_headers(scope: Scope, id: str) -> Headers:
    headers = ((b"x-request-id", id.encode()), *_SAFETY)
    if scope["path"].startswith(_PRIVATE_PATHS):
        headers += _PRIVATE
    if scope["scheme"] == "https":
        headers += _ENCRYPTED
    return headers


def _add_missing(message: Message, defaults: Headers) -> None:
    """What an answer says itself stands."""
    given = list(message.get("headers", ()))
    names = {name for name, _ in given}
    message["headers"] = given + [header for header in defaults if header[0] not in names]


def _named(scope: Scope) -> dict[str, Any]:
    """The route as it was written, since paths hold ids, and anything that somebody makes up."""
    route = getattr(scope.get("route"), "path", None) or _NOWHERE
    return {"method": scope["method"], "route": route}
