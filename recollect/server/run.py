"""Starting the server from the command line."""

import asyncio
import errno
import logging
import signal
import socket
import sys

import uvicorn

from recollect.engine import Recollect
from recollect.errors import Misconfigured
from recollect.server.app import create_app, refuse_open_doors
from recollect.settings import Settings

logger = logging.getLogger(__name__)


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
            create_app(memory), log_level="warning", access_log=False, server_header=False
        )
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        logger.info("Recollect is at http://%s:%d (stop with Ctrl-C).", shown, port)
        await uvicorn.Server(config).serve(sockets=[listener])


def _bind(host: str, port: int) -> socket.socket:
    """Bound before anything else is done, so that a taken port is said plainly."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets that name their protocol; without it every answer on
    # a kept connection waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "the port is in use; set PORT to another" if taken else str(error)
        raise Misconfigured(f"Cannot listen on {host}:{port}: {reason}.") from error
    return listener
