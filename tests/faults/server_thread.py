"""A server in a thread of the test process: starts faster than `tests.server.process`."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvicorn

from recollect import Recollect
from recollect.server.app import create_app
from recollect.server.connection import ServerConfig
from recollect.settings import Settings
from tests.server.process import environment, wait_until


@contextmanager
def run_in_thread(database_url: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Run a server in a thread; yield its URL."""
    given = environment({**variables, "DATABASE_URL": database_url})
    settings = Settings.from_environment(given)
    servers: list[uvicorn.Server] = []

    async def serve() -> None:
        async with Recollect.open(settings=settings) as memory:
            app = create_app(memory)
            config = ServerConfig(
                app, max_connections=settings.max_connections, port=0, log_level="warning"
            )
            servers.append(uvicorn.Server(config))
            await servers[0].serve()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        wait_until(
            lambda: not thread.is_alive() or any(one.started for one in servers), "it serves"
        )
        (server,) = servers
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        for server in servers:
            server.should_exit = True
        thread.join()
