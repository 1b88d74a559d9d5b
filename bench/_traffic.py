"""The load generator: a process of its own, on plain sockets, so that it takes little of a machine
that it shares with what it measures.

    {"do": "press", "host": …, "port": …, "requests": […], "seconds": …}
    {"do": "wait_for", "host": …, "port": …, "request": …, "marker": …}

One order per line, one answer per line. Requests are whole HTTP/1.1 requests. To `press` is to send
each over a connection of its own, again as soon as it is answered. To `wait_for` is to send one,
and to time how long it takes until the marker comes.
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

from bench._measure import Slice

_ROOT = Path(__file__).resolve().parent.parent
_LENGTH = b"content-length: "


def request(url: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> str:
    """A POST as it goes over the wire."""
    content = json.dumps(body)
    given = {
        "host": urlsplit(url).netloc,
        "content-type": "application/json",
        "content-length": str(len(content)),
        **(headers or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n{content}"


class Traffic:
    """The process, as the measuring side sees it."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench._traffic"],
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

    def press(self, url: str, requests: list[str], *, seconds: float) -> Slice:
        answer = self._order(url, do="press", requests=requests, seconds=seconds)
        return Slice(tuple(answer["times"]), answer["elapsed"], tuple(answer["failures"]))

    def wait_for(self, url: str, request: str, marker: str) -> float:
        """In seconds."""
        answer: float = self._order(url, do="wait_for", request=request, marker=marker)
        return answer

    def _order(self, url: str, **order: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        address = urlsplit(url)
        place = {"host": address.hostname, "port": address.port}
        self._process.stdin.write(json.dumps(order | place) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


class _Caller(asyncio.Protocol):
    """One connection. Answers must have a length."""

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


async def _press(host: str, port: int, requests: list[str], seconds: float) -> Any:
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    callers = [_Caller(request.encode(), started + seconds) for request in requests]
    for caller in callers:
        await loop.create_connection(lambda one=caller: one, host, port)  # type: ignore[misc]
    await asyncio.gather(*(caller.done for caller in callers))
    return {
        "times": [time for caller in callers for time in caller.times],
        "failures": [failure for caller in callers for failure in caller.failures],
        "elapsed": time.perf_counter() - started,
    }


async def _wait_for(host: str, port: int, request: str, marker: str) -> float:
    """Over a connection that is made before, and to the end of the answer, so that it is over."""
    reader, writer = await asyncio.open_connection(host, port)
    started = time.perf_counter()
    writer.write(request.encode())
    received = b""
    while marker.encode() not in received:
        more = await reader.read(65_536)
        if not more:
            raise ValueError(f"{marker!r} never came: {received!r}")
        received += more
    took = time.perf_counter() - started
    while not received.endswith(b"0\r\n\r\n"):
        received += await reader.read(65_536)
    writer.close()
    return took


def main() -> None:
    acts: Mapping[str, Callable[..., Coroutine[Any, Any, Any]]] = {
        "press": _press,
        "wait_for": _wait_for,
    }
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(asyncio.run(acts[order.pop("do")](**order))), flush=True)


if __name__ == "__main__":
    main()
