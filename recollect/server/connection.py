"""One client's connection: strict framing, and limits of time and number.

uvicorn has a timeout only for idle connections after a request. Here every phase has one, so that
clients that are slow, or do nothing, cannot use up all connections:

    idle, before the first request     closed after HEAD_SECONDS, later after uvicorn's keep-alive
    a head that has begun              408 after HEAD_SECONDS
    a body                             408 if less than MIN_BODY_BYTES come in BODY_SECONDS
    the rest of a refused body         read for LINGER_SECONDS, so that the client sees the response
    a response that is not read        aborted after WRITE_SECONDS

New connections over the limit get a 503 and are closed, so open ones keep working. The limit leaves
file descriptors for the database and for models.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from recollect.server.errors import TITLES
from recollect.server.framing import BadFraming, RequestFraming

logger = logging.getLogger(__name__)

HEAD_SECONDS = 20.0
BODY_SECONDS = 20.0
MIN_BODY_BYTES = 20_000
LINGER_SECONDS = 5.0
WRITE_SECONDS = 60.0
_LOG_SECONDS = 60.0
_ACCEPTS_PER_TICK = 8
_MIN_RESERVED, _MAX_RESERVED = 64, 256
"""File descriptors that are not for connections; a quarter of all between these numbers."""


class ServerConfig(uvicorn.Config):
    """Options of the server. `max_connections` may be lowered by the limit of file descriptors."""

    def __init__(self, app: Any, *, max_connections: int, **options: Any) -> None:
        super().__init__(app, http=Connection, backlog=_ACCEPTS_PER_TICK, **options)
        self.max_connections = _within_descriptors(max_connections)
        self.refusals = LogThrottle()


class LogThrottle:
    """Limits a log line to one a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._count = 0
        self._next_at = float("-inf")

    def count(self) -> int:
        """Count an event; return the number since the last line if a line is due, else 0."""
        self._count += 1
        if self._clock() < self._next_at:
            return 0
        count, self._count = self._count, 0
        self._next_at = self._clock() + _LOG_SECONDS
        return count


class Connection(H11Protocol):
    config: ServerConfig

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._framing = RequestFraming()
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None
        self._received = 0
        """Bytes since the last check of a body's speed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limit = self.config.max_connections
        if len(self.connections) > limit:
            if count := self.config.refusals.count():
                logger.warning("connection.refused", extra={"count": count, "limit": limit})
            self._refuse(503, "Too many connections are open.")
        else:
            self._start_deadline(HEAD_SECONDS, self._end_head)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        self._stop_write_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        was_open = self._framing.has_open_body
        self._received += len(data)
        try:
            passed = self._framing.feed(data)
        except BadFraming as error:
            self._refuse(error.status, error.reason)
            return
        if self._framing.has_partial_head:
            self._unset_keepalive_if_required()
            if was_open or self._deadline is None:
                self._start_deadline(HEAD_SECONDS, self._end_head)
        elif not self._framing.has_open_body:
            self._stop_deadline()
        elif not was_open:
            self._received = 0
            self._start_deadline(BODY_SECONDS, self._check_body)
        if passed:
            super().data_received(passed)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._framing.has_open_body and not self.transport.is_closing():
            self._start_deadline(LINGER_SECONDS, self.transport.close)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_deadline = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_write_deadline()
        super().resume_writing()

    def _end_head(self) -> None:
        """Close an idle connection, or one whose request does not come."""
        self._deadline = None
        if self._is_answering():  # the request before is answered first
            self.cycle.keep_alive = False
        elif self._framing.has_partial_head:
            self._refuse(408, f"The request did not arrive within {HEAD_SECONDS:g} seconds.")
        else:
            self.transport.close()

    def _check_body(self) -> None:
        self._deadline = None
        is_ours_to_wait = self.flow.read_paused or self.cycle.waiting_for_100_continue
        if self._received < MIN_BODY_BYTES and not is_ours_to_wait:
            self._refuse(408, f"The body came slower than {MIN_BODY_BYTES / BODY_SECONDS:g} B/s.")
            return
        self._received = 0
        self._start_deadline(BODY_SECONDS, self._check_body)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: int, reason: str) -> None:
        """Send a problem and close; only close if a response has started."""
        self._stop_deadline()
        if not (self._is_answering() and self.cycle.response_started):
            body = {"type": "about:blank", "title": TITLES[status], "status": status}
            content = json.dumps({**body, "detail": reason}).encode()
            self.transport.write(
                b"HTTP/1.1 %d %s\r\ncontent-type: application/problem+json\r\n"
                b"content-length: %d\r\nconnection: close\r\n\r\n%s"
                % (status, TITLES[status].encode(), len(content), content)
            )
        self.transport.close()

    def _start_deadline(self, seconds: float, end: Callable[[], None]) -> None:
        self._stop_deadline()
        self._deadline = self.loop.call_later(seconds, end)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_write_deadline(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None


def _within_descriptors(max_connections: int) -> int:
    """Leave descriptors for the database, models and files."""
    try:
        import resource  # missing on Windows, which has no such limit
    except ImportError:
        return max_connections
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return max_connections
    reserved = min(max(limit // 4, _MIN_RESERVED), _MAX_RESERVED)
    return max(1, min(max_connections, limit - reserved))
