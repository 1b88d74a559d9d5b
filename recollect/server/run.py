"""Starting the server from the command line, and its end.

Told to stop, it takes no more connections and no more questions, and gives what it is at some time:
requests to be answered, and answers to be written to their end, whether anybody reads them or not.
What has not ended by then is marked as interrupted, and its readers are told so. Told a second
time, it does that at once.
"""

import asyncio
import errno
import logging
import signal
import socket
import sys
from types import FrameType

import uvicorn

from recollect.core.errors import Misconfigured
from recollect.engine import Recollect
from recollect.server.app import create_app, refuse_open_doors
from recollect.settings import Settings
from recollect.store.url import without_password

logger = logging.getLogger(__name__)

_LAST_WORDS_SECONDS = 5
"""For answers that were stopped to be written down, and their readers to hear of it."""
_LOOK_SECONDS = 0.1
_BACKLOG = 2048


def serve(settings: Settings) -> int:
    """Serves until it is told to stop, then finishes what is running and closes the database."""
    with _bind(settings.host, settings.port) as listener:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        asyncio.run(_serve(settings, listener))
    return 0


async def _serve(settings: Settings, listener: socket.socket) -> None:
    async with Recollect.open(settings=settings) as memory:
        await refuse_open_doors(memory)
        config = uvicorn.Config(
            create_app(memory),
            log_config=None,  # its lines are written like ours
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=settings.shutdown_seconds + _LAST_WORDS_SECONDS,
        )
        await _Server(config, memory).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """One whose end waits for running answers too."""

    def __init__(self, config: uvicorn.Config, memory: Recollect) -> None:
        super().__init__(config)
        self._memory = memory

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The signal has been obeyed when `serve` returns, so it is not raised again after that."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            database = without_password(self._memory.settings.database_url)
            logger.info(
                "Recollect is at http://%s:%d with %s (stop with Ctrl-C).", shown, port, database
            )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answers end while connections are waited for: the readers' hang on the answers."""
        if running := self._memory.chat.running:
            answers = "an answer" if running == 1 else f"{running:,} answers"
            logger.info("Waiting for %s to end; stop once more to interrupt.", answers)
        draining = asyncio.create_task(self._memory.drain(self._memory.settings.shutdown_seconds))
        await super().shutdown(sockets)
        while not (draining.done() or self.force_exit):
            await asyncio.wait({draining}, timeout=_LOOK_SECONDS)
        if self.force_exit:
            await self._memory.drain(0)
            await self.lifespan.shutdown()  # which is left out where nothing is waited for


def _bind(host: str, port: int) -> socket.socket:
    """Bound before anything else is done, so that a taken port is said plainly."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets that name their protocol; without it every answer on
    # a kept connection waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)  # so that nobody else can, and who comes early waits
    except (OSError, OverflowError) as error:
        listener.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "the port is in use; set PORT to another" if taken else str(error)
        raise Misconfigured(f"Cannot listen on {host}:{port}: {reason}.") from error
    return listener
