"""The commands that run until they are stopped: serve, worker."""

import argparse
import asyncio
import signal
from contextlib import suppress

from recollect import engine
from recollect.cli.shared import Commands, add_command
from recollect.core.errors import Misconfigured
from recollect.core.extras import needed
from recollect.settings import Settings


def add_commands(commands: Commands, database: argparse.ArgumentParser) -> None:
    serve = add_command(commands, "serve", parents=[database], help="serve the API and the web app")
    serve.add_argument("--host", help="the address to listen on")
    serve.add_argument("--port", type=int, help="the port to listen on")
    serve.set_defaults(command=_serve)

    worker = add_command(
        commands,
        "worker",
        parents=[database],
        help="do what is owed, on as many machines as you like",
    )
    worker.set_defaults(command=_work)


def _serve(settings: Settings, options: argparse.Namespace) -> int:
    try:
        from recollect.server.run import serve
    except ImportError as error:
        raise Misconfigured(f"Serving needs more, {needed('server')}.") from error
    return serve(settings)


def _work(settings: Settings, options: argparse.Namespace) -> int:
    """Until Ctrl-C or a SIGTERM; what it was at is taken up by another when its lease lapses."""

    async def work() -> None:
        async with engine.Recollect.open(settings=settings) as memory:
            running = asyncio.create_task(memory.run_worker())
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
            print("Working on what is owed (stop with Ctrl-C).", flush=True)
            with suppress(asyncio.CancelledError):
                await running

    asyncio.run(work())
    return 0
