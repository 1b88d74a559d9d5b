"""Raw bytes to a server, and the responses that it sends back."""

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass

import httpx


@dataclass(frozen=True, slots=True)
class Exchange:
    """The bytes received, and whether the server closed the connection before all responses."""

    received: bytes
    is_closed: bool

    @property
    def statuses(self) -> list[int]:
        return [int(response.split(b" ", 2)[1]) for response in _complete(self.received)]


def connect(url: str, *, timeout: float = 60) -> socket.socket:
    address = httpx.URL(url)
    return socket.create_connection((address.host, address.port or 80), timeout=timeout)


def exchange(url: str, *pieces: bytes, responses: int = 1) -> Exchange:
    """Send pieces, each in a packet of its own; receive so many responses, or until the end."""
    with connect(url) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        received = b""
        try:
            for piece in pieces:
                connection.sendall(piece)
            while len(_complete(received)) < responses:
                if not (data := connection.recv(65_536)):
                    return Exchange(received, True)
                received += data
            return Exchange(received, False)
        except (ConnectionResetError, BrokenPipeError):
            return Exchange(received, True)


def _complete(received: bytes) -> Sequence[bytes]:
    """The responses that have all of their body."""
    found = []
    while (end := received.find(b"\r\n\r\n")) >= 0:
        head = received[:end].lower()
        length = re.search(rb"content-length: (\d+)", head)
        size = end + 4 + (int(length[1]) if length else 0)
        if len(received) < size:
            break
        if not head.startswith(b"http/1.1 100 "):
            found.append(received[:size])
        received = received[size:]
    return found
