"""A raw HTTP client for event streams that can disconnect at any byte.

Requests are HTTP/1.0, so the body ends with the connection.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

_EVENT = re.compile(rb"(?:id: (?P<id>[^\r\n]+)\n)?data: (?P<data>[^\r\n]+)", re.DOTALL)
_KEEP_ALIVE = b": still here"
_DONE = "[DONE]"
WHOLE = ["start", "data-receipt", "text-start", "text-delta", "text-end", "finish", _DONE]
STOPPED = ["start", "data-receipt", "text-start", "text-delta", "text-end", "abort", _DONE]
"""Event types of a complete answer, in order."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event with the id to resume from."""

    id: str
    part: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.part["type"])


@dataclass(frozen=True, slots=True)
class Received:
    """The received part of a response. Incomplete events are ignored."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def events(self) -> Sequence[Event]:
        return list(_events(self.body))

    @property
    def kinds(self) -> list[str]:
        """Event types in order; consecutive text deltas count once."""
        kinds: list[str] = []
        for event in self.events:
            if event.kind != "text-delta" or kinds[-1:] != ["text-delta"]:
                kinds.append(event.kind)
        return kinds

    @property
    def text(self) -> str:
        return "".join(e.part["delta"] for e in self.events if e.kind == "text-delta")

    @property
    def last_id(self) -> str | None:
        ids = [event.id for event in self.events if event.id]
        return ids[-1] if ids else None

    @property
    def message_id(self) -> str:
        return str(self.events[0].part["messageId"])

    @property
    def conversation_id(self) -> str:
        return self.headers["x-conversation-id"]

    def json(self) -> Any:
        return json.loads(self.body)


class StreamExchange:
    """One request and its response, read step by step."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._received = b""

    async def read_bytes(self, count: int) -> None:
        """Read up to `count` bytes."""
        while count > 0 and (more := await self._reader.read(count)):
            self._received += more
            count -= len(more)

    async def read_until(self, text: str) -> None:
        """Read until the answer contains the text."""
        while text not in self.received.text:
            more = await self._reader.read(65_536)
            assert more, f"It ended before {text!r}: {self._received!r}"
            self._received += more

    async def read_all(self) -> Received:
        self._received += await self._reader.read()
        self._writer.close()
        return self.received

    def abort(self) -> Received:
        """Abort the connection, like a killed client."""
        self._writer.transport.abort()
        return self.received

    @property
    def received(self) -> Received:
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end:
            return Received()
        line, *lines = head.decode("ascii").split("\r\n")
        pairs = (one.partition(": ") for one in lines)
        return Received(
            int(line.split()[1]), {name.lower(): value for name, _, value in pairs}, body
        )


async def send(
    url: str, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> StreamExchange:
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    content = b"" if body is None else json.dumps(body).encode()
    lines = {
        "Host": address.netloc,
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    writer.write(f"{method} {path} HTTP/1.0\r\n{head}\r\n".encode() + content)
    await writer.drain()
    return StreamExchange(reader, writer)


async def ask(url: str, message: str, *, key: str | None = None, **body: Any) -> StreamExchange:
    headers = {"Idempotency-Key": key} if key else {}
    return await send(url, "POST", "/api/chat", {"message": message, **body}, headers)


async def resume(url: str, id: str, last_id: str | None = None) -> StreamExchange:
    """Resume by message id or conversation id."""
    headers = {"Last-Event-ID": last_id} if last_id else {}
    return await send(url, "GET", f"/api/chat/{id}/stream", headers=headers)


async def get(url: str, path: str) -> Any:
    received = await (await send(url, "GET", path)).read_all()
    assert received.status == 200, received
    return received.json()


async def post(url: str, path: str, body: Any = None) -> Received:
    return await (await send(url, "POST", path, body)).read_all()


async def refuses_connections(url: str) -> bool:
    address = urlsplit(url)
    try:
        _, writer = await asyncio.open_connection(address.hostname, address.port)
    except ConnectionError:  # refused, or dropped from the backlog
        return True
    with closing(writer):
        return False


def _events(body: bytes) -> Iterator[Event]:
    *blocks, _ = body.split(b"\n\n")
    for block in blocks:
        if block == _KEEP_ALIVE:
            continue
        found = _EVENT.fullmatch(block)
        assert found, f"This is no event: {block!r}"
        data = found["data"].decode()
        if data == _DONE:
            yield Event("", {"type": _DONE})
        else:
            yield Event(found["id"].decode("ascii"), json.loads(data))
