"""The outermost middleware: request id, default headers, log line and metrics of every request.

It is one plain ASGI wrapper because each wrapper slows down every request. Unexpected exceptions
become problems here, so that these have the id and the headers too.
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

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_NO_ROUTE = "other"
_SECURITY_HEADERS: Headers = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    # Applies only to requests without CORS, so it does not restrict the allowed origins.
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_PRIVATE_PATHS = ("/api", "/v1", "/chat")
_PRIVATE_HEADERS: Headers = ((b"cache-control", b"no-store"),)
_HTTPS_HEADERS: Headers = ((b"strict-transport-security", b"max-age=31536000"),)


class RequestMiddleware:
    """Without `logs_success`, successful requests are logged at the level DEBUG only."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, logs_success: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._success_level = logging.INFO if logs_success else logging.DEBUG

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        id = _request_id(scope)
        defaults = _default_headers(scope, id)
        status: int | None = None

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_missing(message, defaults)
            await send(message)

        token = request_id.set(id)
        try:
            await self._app(scope, receive, send_with_headers)
        except ClientDisconnect:  # nobody to answer
            pass
        except Exception as error:
            logger.error("request.failed", extra=_labels(scope), exc_info=error)
            if status is not None:
                raise  # the response has started: it can only be cut off
            problem = Problem(500, "Something went wrong on the server.")
            await problem(scope, receive, send_with_headers)
        finally:
            self._record(scope, status, time.perf_counter() - started)
            request_id.reset(token)

    def _record(self, scope: Scope, status: int | None, seconds: float) -> None:
        labels = _labels(scope)
        self._metrics.record_request(labels["method"], labels["route"], status, seconds)
        is_success = status is not None and status < 400
        level = self._success_level if is_success else logging.INFO
        if logger.isEnabledFor(level):
            duration = round(seconds * 1000, 1)
            logger.log(
                level, "request", extra={**labels, "status": status, "duration_ms": duration}
            )


def _request_id(scope: Scope) -> str:
    """The caller's id if it is well-formed, or a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            return str(value, "ascii")
    return new_id()


def _default_headers(scope: Scope, id: str) -> Headers:
    headers = ((b"x-request-id", id.encode()), *_SECURITY_HEADERS)
    if scope["path"].startswith(_PRIVATE_PATHS):
        headers += _PRIVATE_HEADERS
    if scope["scheme"] == "https":
        headers += _HTTPS_HEADERS
    return headers


def _add_missing(message: Message, defaults: Headers) -> None:
    headers = list(message.get("headers", ()))
    names = {name for name, _ in headers}
    message["headers"] = headers + [header for header in defaults if header[0] not in names]


def _labels(scope: Scope) -> dict[str, Any]:
    """Method and route template: paths contain ids, and anything that a client makes up."""
    route = getattr(scope.get("route"), "path", None) or _NO_ROUTE
    return {"method": scope["method"], "route": route}
