"""Commands that run until they are stopped: serve, worker."""

import argparse
import asyncio
import signal
from contextlib import suppress

from recollect.cli.shared import Commands, add_command
from recollect.core.errors import Misconfigured
from recollect.core.wording import install_hint
from recollect.engine import Recollect
from recollect.settings import Settings


def add_commands(commands: Commands) -> None:
    serve = add_command(commands, "serve", _serve, "serve the API and the web app")
    serve.add_argument("--host", help="the address to listen on")
    serve.add_argument("--port", type=int, help="the port to listen on")
    add_command(commands, "worker", _work, "run background jobs")


def _serve(settings: Settings, options: argparse.Namespace) -> int:
    try:
        from recollect.server.run import serve
    except ImportError as error:
        raise Misconfigured(f"The server is not installed, {install_hint('server')}.") from error
    return serve(settings)


def _work(settings: Settings, options: argparse.Namespace) -> None:
    """Run jobs until Ctrl-C or SIGTERM. An interrupted job runs again when its lease expires."""

    async def work() -> None:
        async with Recollect.open(settings=settings) as engine:
            worker = asyncio.create_task(engine.run_worker())
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.cancel)
            print("Running background jobs (stop with Ctrl-C).", flush=True)
            with suppress(asyncio.CancelledError):
                await worker

    asyncio.run(work())
