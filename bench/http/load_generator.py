"""HTTP load generator on plain sockets, in its own process to use little of the shared machine.

    {"do": "run_load", "host": …, "port": …, "requests": […], "seconds": …}
    {"do": "time_to_marker", "host": …, "port": …, "request": …, "marker": …}

One command and one answer per line. `run_load` sends each raw HTTP/1.1 request over its own
connection, again as soon as it is answered. `time_to_marker` sends one and measures the time until
the response contains the marker.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from bench.common.timing import Slice

_ROOT = Path(__file__).resolve().parents[2]
_LENGTH = b"content-length: "


def request(url: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> str:
    """Return a raw HTTP/1.1 POST request."""
    content = json.dumps(body)
    given = {
        "host": urlsplit(url).netloc,
        "content-type": "application/json",
        "content-length": str(len(content)),
        **(headers or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n{content}"


class LoadGenerator:
    """Starts and controls the load generator's process."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.http.load_generator"],
            cwd=_ROOT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=30)

    def run_load(self, url: str, requests: list[str], *, seconds: float) -> Slice:
        answer = self._send_command(url, do="run_load", requests=requests, seconds=seconds)
        return Slice(tuple(answer["times"]), answer["elapsed"], tuple(answer["failures"]))

    def time_to_marker(self, url: str, request: str, marker: str) -> float:
        """Return the seconds until the marker arrives."""
        answer: float = self._send_command(url, do="time_to_marker", request=request, marker=marker)
        return answer

    def _send_command(self, url: str, **order: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        address = urlsplit(url)
        place = {"host": address.hostname, "port": address.port}
        self._process.stdin.write(json.dumps(order | place) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


class _Connection(asyncio.Protocol):
    """One connection. Responses must have a Content-Length."""

    def __init__(self, request: bytes, deadline: float) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.times: list[float] = []
        self.failures: list[str] = []
        self._request = request
        self._deadline = deadline
        self._received = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank or len(body) < int(head.partition(_LENGTH)[2].partition(b"\r\n")[0]):
            return
        now = time.perf_counter()
        self.times.append(now - self._sent)
        status = head[9:12].decode()
        if not status.startswith("2"):
            self.failures.append(status)
        if now > self._deadline:
            self._transport.close()
        else:
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None or time.perf_counter() < self._deadline:
            self.failures.append("connection lost")
        self.done.set_result(None)

    def _send(self) -> None:
        self._received = b""
        self._sent = time.perf_counter()
        self._transport.write(self._request)


async def _run_load(host: str, port: int, requests: list[str], seconds: float) -> Any:
    loop = asyncio.get_running_loop()
    start_process = time.perf_counter()
    callers = [_Connection(request.encode(), start_process + seconds) for request in requests]
    for caller in callers:
        await loop.create_connection(lambda one=caller: one, host, port)  # type: ignore[misc]
    await asyncio.gather(*(caller.done for caller in callers))
    return {
        "times": [time for caller in callers for time in caller.times],
        "failures": [failure for caller in callers for failure in caller.failures],
        "elapsed": time.perf_counter() - start_process,
    }


async def _time_to_marker(host: str, port: int, request: str, marker: str) -> float:
    """Measure on an open connection and read the response to its end."""
    reader, writer = await asyncio.open_connection(host, port)
    start_process = time.perf_counter()
    writer.write(request.encode())
    received = b""
    while marker.encode() not in received:
        more = await reader.read(65_536)
        if not more:
            raise ValueError(f"{marker!r} never came: {received!r}")
        received += more
    took = time.perf_counter() - start_process
    while not received.endswith(b"0\r\n\r\n"):
        received += await reader.read(65_536)
    writer.close()
    return took


def main() -> None:
    acts: Mapping[str, Callable[..., Coroutine[Any, Any, Any]]] = {
        "run_load": _run_load,
        "time_to_marker": _time_to_marker,
    }
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(asyncio.run(acts[order.pop("do")](**order))), flush=True)


if __name__ == "__main__":
    main()
