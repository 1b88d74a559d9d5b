"""Several servers on one database that can be killed."""

from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from recollect import Settings
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.scripted_model import ScriptedModel
from tests.server.process import Server, environment, running

_DIMENSIONS = 8
_AN_HOUR = 1.0


class ServerGroup:
    """`urls` are the running servers. A new server always has a new port."""

    def __init__(self, database_url: str, model: ScriptedModel, *, size: int) -> None:
        self._database_url = database_url
        self._variables = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_EMBEDDING_MODEL": "scripted",
            "RECOLLECT_EMBEDDING_DIMENSIONS": str(_DIMENSIONS),
            "RECOLLECT_EXTRACTION": "automatic",
            "RECOLLECT_JOB_ATTEMPTS": "100",
            "RECOLLECT_LEASE_SECONDS": "2",
            "RECOLLECT_SWEEP_SECONDS": "2",
        }
        self._size = size
        self._stack = ExitStack()
        self._servers: dict[str, Server] = {}
        self.urls: list[str] = []

    def __enter__(self) -> Self:
        with ExitStack() as unless_all_start:
            unless_all_start.push(self._stack)
            for _ in range(self._size):
                self.add()
            unless_all_start.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        if error is None:
            for server in self._servers.values():
                assert "Traceback" not in server.log, server.log

    def add(self, variables: Mapping[str, str] | None = None) -> str:
        """Start a server; return its URL."""
        starting = running(self._database_url, variables={**self._variables, **(variables or {})})
        server = self._stack.enter_context(starting)
        self._servers[server.url] = server
        self.urls.append(server.url)
        return server.url

    def kill(self, url: str) -> None:
        self._servers[url].kill()
        self.urls.remove(url)

    def stop(self, url: str) -> None:
        """Stop a server gracefully."""
        self.urls.remove(url)
        self._servers[url].stop()

    def finish_jobs(self) -> None:
        """Run all pending jobs, retries included, after the servers have stopped."""
        clock = Clock()
        clock.advance(hours=_AN_HOUR)
        given = environment({**self._variables, "DATABASE_URL": self._database_url})
        settings = Settings.from_environment(given)
        with Recollect.open(settings=settings, clock=clock) as memory:
            memory.sweep()
            while memory.work():
                clock.advance(hours=_AN_HOUR)
                memory.sweep()
