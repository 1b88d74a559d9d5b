"""Slow, idle and too many connections. Timeouts are shortened; tests wait for conditions."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from recollect.server import connection
from recollect.server.connection import LogThrottle, _within_descriptors
from tests.faults.server_thread import run_in_thread
from tests.server.conftest import Start
from tests.server.process import Server, wait_until
from tests.server.raw_http import connect

HALF = b"POST /api/conversations HTTP/1.1\r\nHost: localhost\r\n"
HEAD = HALF + b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with run_in_thread(f"sqlite:///{tmp_path}/recollect.db", {}) as served:
        yield served


def received(open_connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    data = b""
    try:
        while more := open_connection.recv(65_536):
            data += more
    except ConnectionResetError:
        pass
    return data


def test_idle_connection_is_closed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    with connect(url) as idle:
        assert received(idle) == b""


def test_slow_head_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    with connect(url) as slow:
        slow.sendall(HALF)
        assert received(slow).startswith(b"HTTP/1.1 408 ")


def test_slow_second_head_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with connect(url) as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(65_536).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
        slow.sendall(HALF)
        assert b"HTTP/1.1 408 " in received(slow)


def test_slow_body_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.2)
    with connect(url) as slow:
        slow.sendall(HEAD + b"{")
        assert received(slow).startswith(b"HTTP/1.1 408 ")


def test_steady_body_is_accepted(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take as many periods as it needs; here each ends after a byte."""
    monkeypatch.setattr(connection, "MIN_BODY_BYTES", 1)
    made: list[connection.Connection] = []
    start = connection.Connection.connection_made

    def record(self: connection.Connection, transport: asyncio.Transport) -> None:
        made.append(self)
        start(self, transport)

    monkeypatch.setattr(connection.Connection, "connection_made", record)
    body = b'{"title": "x"}'
    with connect(url) as steady:
        steady.sendall(HEAD.replace(b"1000", b"%d" % len(body)))
        wait_until(lambda: bool(made) and made[0]._framing.has_open_body, "the head arrives")
        for byte in body[:-1]:
            steady.sendall(bytes([byte]))
            wait_until(lambda: made[0]._received > 0, "the byte arrives")
            made[0].loop.call_soon_threadsafe(made[0]._check_body)
            wait_until(lambda: made[0]._received == 0, "the period ends")
        steady.sendall(body[-1:])
        assert steady.recv(65_536).startswith(b"HTTP/1.1 201 ")


def test_refused_body_is_not_read_forever(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINGER_SECONDS", 0.2)
    with connect(url) as slow:
        slow.sendall(HEAD.replace(b"1000", b"999999999"))
        assert received(slow).startswith(b"HTTP/1.1 413 ")


def test_response_that_is_not_read_is_aborted(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.2)
    with httpx.Client(base_url=url) as client:
        large = {"role": "user", "content": "hi", "custom_payload": "x" * 1_900_000}
        chat = client.post("/api/conversations", json={"messages": [large, large]}).json()["id"]
    aborted = []
    lost = connection.Connection.connection_lost

    def record(self: connection.Connection, exc: Exception | None) -> None:
        aborted.append(self)
        lost(self, exc)

    monkeypatch.setattr(connection.Connection, "connection_lost", record)
    with connect(url) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        get = f"GET /api/conversations/{chat}/messages HTTP/1.1\r\nHost: localhost\r\n\r\n"
        deaf.sendall(get.encode())
        wait_until(lambda: bool(aborted), "the connection is aborted")


@contextmanager
def descriptor_limit(limit: int) -> Iterator[None]:
    """A limit for the processes that are started meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connection_lines(server: Server) -> list[str]:
    return [line for line in server.log.splitlines() if "connection." in line]


def test_half_sent_requests_leave_open_connections_served(start: Start, tmp_path: Path) -> None:
    with descriptor_limit(160):
        server = start(f"sqlite:///{tmp_path}/recollect.db")
        allowed = _within_descriptors(2_000)
    assert allowed == 96
    with server.client() as client, ExitStack() as stack:
        assert client.get("/healthz").status_code == 200
        attackers = [stack.enter_context(connect(server.url)) for _ in range(400)]
        for attacker in attackers:
            with suppress(ConnectionResetError, BrokenPipeError):
                attacker.sendall(HALF)
        assert client.post("/api/conversations", json={}).status_code == 201
        refused = attackers[-1]
        assert received(refused).startswith((b"HTTP/1.1 503 ", b""))
    assert "connection.refused" in server.log
    assert len(connection_lines(server)) <= 2
    with server.client() as client:
        wait_until(lambda: is_served(client), "new connections are accepted")


def test_exhausted_descriptors_are_logged_once(start: Start, tmp_path: Path) -> None:
    """By something else than connections, so that their limit does not help."""
    server = start(f"sqlite:///{tmp_path}/recollect.db")
    with server.client() as client, ExitStack() as stack:
        assert client.get("/healthz").status_code == 200
        soft, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        used = len([*Path(f"/proc/{server.pid}/fd").iterdir()])
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (used + 1, hard))
        for _ in range(200):
            stack.enter_context(connect(server.url))
        wait_until(lambda: "connection.not_accepted" in server.log, "it runs out")
        for _ in range(20):
            assert client.get("/healthz").status_code == 200
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert len(connection_lines(server)) == 1
    assert "Traceback" not in server.log
    with server.client() as client:
        wait_until(lambda: is_served(client), "new connections are accepted")


def is_served(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_log_lines_are_throttled() -> None:
    now = 0.0
    throttle = LogThrottle(lambda: now)
    counts = []
    for second in range(150):
        now = float(second)
        counts.append(throttle.count())
    assert [count for count in counts if count] == [1, 60, 60]


@pytest.mark.torture
def test_ten_thousand_idle_connections(start: Start, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        server = start(f"sqlite:///{tmp_path}/recollect.db")
        with server.client() as client, ExitStack() as stack:
            assert client.get("/healthz").status_code == 200
            for number in range(10_000):
                stack.enter_context(connect(server.url))
                if number % 500 == 0:
                    assert client.get("/api/me").status_code == 200
            assert client.post("/api/conversations", json={}).status_code == 201
            with server.client() as another:  # as soon as the idle ones are closed
                wait_until(lambda: is_served(another), "idle connections are closed")
            used = len([*Path(f"/proc/{server.pid}/fd").iterdir()])
            assert used < 3_000
        assert len(connection_lines(server)) <= 2
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
