"""Start and graceful shutdown of the server.

After the first signal it accepts no more connections and no more questions, and waits for running
requests and answers, also for answers that nobody reads. After the timeout the remaining answers
are marked as interrupted, and their readers are told. A second signal skips the waiting.
"""

import asyncio
import errno
import logging
import signal
import socket
import sys
from types import FrameType
from typing import Any

import uvicorn

from recollect.core.errors import Misconfigured
from recollect.engine import Recollect
from recollect.server.app import create_app, require_key_unless_loopback
from recollect.server.connection import LogThrottle, ServerConfig
from recollect.settings import Settings
from recollect.store.url import without_password

logger = logging.getLogger(__name__)

_INTERRUPT_SECONDS = 5
"""To store interrupted answers and tell their readers."""
_POLL_SECONDS = 0.1
_BACKLOG = 256
_NO_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


def serve(settings: Settings) -> int:
    """Serve until a signal, then finish running answers and close the database."""
    with _bind(settings.host, settings.port) as listener:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        asyncio.run(_serve(settings, listener))
    return 0


async def _serve(settings: Settings, listener: socket.socket) -> None:
    async with Recollect.open(settings=settings) as engine:
        await require_key_unless_loopback(engine)
        config = ServerConfig(
            create_app(engine),
            max_connections=settings.max_connections,
            log_config=None,  # use our log format
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=settings.shutdown_seconds + _INTERRUPT_SECONDS,
        )
        await _Server(config, engine).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """A uvicorn server whose shutdown also waits for running answers."""

    def __init__(self, config: uvicorn.Config, engine: Recollect) -> None:
        super().__init__(config)
        self._engine = engine

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Unlike uvicorn, do not raise the signal again after `serve` returns."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        _log_accept_errors_occasionally()
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)  # uvicorn's number is that of connections accepted at once
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            database = without_password(self._engine.settings.database_url)
            logger.info(
                "Recollect is at http://%s:%d with %s (stop with Ctrl-C).", shown, port, database
            )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain answers and connections together: a reader's connection lasts until its answer
        ends."""
        if running := self._engine.chat.active_count:
            answers = "an answer" if running == 1 else f"{running:,} answers"
            logger.info("Waiting for %s to end; stop once more to interrupt.", answers)
        draining = asyncio.create_task(self._engine.drain(self._engine.settings.shutdown_seconds))
        await super().shutdown(sockets)
        while not (draining.done() or self.force_exit):
            await asyncio.wait({draining}, timeout=_POLL_SECONDS)
        if self.force_exit:
            await self._engine.drain(0)
            await self.lifespan.shutdown()  # uvicorn skips it on a forced exit


def _log_accept_errors_occasionally() -> None:
    """asyncio logs each connection that it cannot accept, and tries again every second."""
    loop = asyncio.get_running_loop()
    throttle = LogThrottle()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "socket" in context and isinstance(error, OSError) and error.errno in _NO_DESCRIPTORS:
            if count := throttle.count():
                fields = {"count": count, "reason": str(error)}
                logger.warning("connection.not_accepted", extra=fields)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)


def _bind(host: str, port: int) -> socket.socket:
    """Bind before opening the database, so that a port in use is reported first."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets with an explicit protocol. Without it every response
    # on a kept-alive connection waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)  # early clients wait until the app is ready
    except (OSError, OverflowError) as error:
        listener.close()
        is_in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "the port is in use; set PORT to another" if is_in_use else str(error)
        raise Misconfigured(f"Cannot listen on {host}:{port}: {reason}.") from error
    return listener
