"""The server as a separate process, called over loopback."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO

import httpx

from recollect.settings import VARIABLES

_TIMEOUT_SECONDS = 60.0
_ADDRESS = re.compile(r"Recollect is at (http://\S+)")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "recollect", *arguments]


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without Recollect's settings, so that a developer's own do not affect tests.

    Where a test does not ask for an embedder, there is none: it would only take time. Nor is
    anything read for memories by itself: what is owed would never be all that a test is about.
    Tests may ask as often as they like.
    """
    ours = {name: value for name, value in os.environ.items() if name not in VARIABLES.values()}
    quiet = {"RECOLLECT_EMBEDDER": "none", "RECOLLECT_EXTRACTION": "manual"}
    unhurried = {"RECOLLECT_REQUESTS_PER_MINUTE": "0", "RECOLLECT_ANSWERS_PER_MINUTE": "0"}
    return ours | quiet | unhurried | dict(changes or {})


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"Waited in vain until {what}.")
        time.sleep(0.02)


class Server:
    """A running server. `log` holds its output."""

    def __init__(self, process: "subprocess.Popen[str]", database_url: str) -> None:
        self._process = process
        self._lines: list[str] = []
        self._started = threading.Event()
        self._is_killed = False
        self.database_url = database_url
        self.url = ""
        assert process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(process.stdout,))
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        return "".join(self._lines)

    def client(self, *, key: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(
            base_url=self.url,
            headers=headers,
            timeout=60,
            trust_env=False,
            verify=False,  # certificates take 20 ms to load, and this is loopback
        )

    def wait_until_ready(self) -> None:
        self._started.wait(_TIMEOUT_SECONDS)
        assert self.url, f"The server did not start:\n{self.log}"
        with self.client() as client:
            wait_until(lambda: _is_ready(client), "the server is ready")

    def send(self, sent: signal.Signals) -> None:
        self._process.send_signal(sent)

    def kill(self) -> None:
        """Kill the process, as a crash would."""
        self._is_killed = True
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def stop(self) -> None:
        """Stop by SIGTERM; the process must end cleanly."""
        if not self._is_killed:
            self.send(signal.SIGTERM)
            self.join()

    def join(self) -> None:
        """Wait until the process has ended cleanly."""
        try:
            status = self._process.wait(_TIMEOUT_SECONDS)
        finally:
            self._process.kill()
            self._reader.join()
        assert status == 0, f"The server ended with status {status}:\n{self.log}"

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._lines.append(line)
                if not self.url and (found := _ADDRESS.search(line)):
                    self.url = found[1]
                    self._started.set()
        self._started.set()


def _is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.ConnectError:
        return False


@contextmanager
def running(
    database_url: str, *arguments: str, variables: Mapping[str, str] | None = None
) -> Iterator[Server]:
    process = subprocess.Popen(
        command("serve", "--port", "0", "--database", database_url, *arguments),
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    server = Server(process, database_url)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.stop()
