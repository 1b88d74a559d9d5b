"""Request smuggling: bytes that a proxy may read as other requests than the server does.

Each malformed request carries a hidden one that would create a conversation. The real server must
answer once, with 400 or 431, close the connection and not execute anything.
"""

from collections.abc import Iterator
from itertools import pairwise
from uuid import uuid4

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.server.framing import BadFraming, RequestFraming
from tests.server.conftest import Keyed
from tests.server.process import Server
from tests.server.raw_http import exchange

HIDDEN = "smuggled"


class Sender:
    """A user's connection details."""

    def __init__(self, server: Server, key: str) -> None:
        self.url = server.url
        self._head = f"Host: localhost\r\nAuthorization: Bearer {key}\r\n"

    def request(self, headers: str = "", body: str = "", *, line: str = "") -> bytes:
        """A request with the user's key; `headers` end in CRLF, or whatever is tried."""
        line = line or "POST /api/conversations HTTP/1.1\r\n"
        kind = "Content-Type: application/json\r\n"
        return f"{line}{self._head}{kind}{headers}\r\n{body}".encode("latin-1")

    def hidden(self) -> str:
        body = f'{{"title":"{HIDDEN}"}}'
        return self.request(f"Content-Length: {len(body)}\r\n", body).decode()


@pytest.fixture
def sender(sqlite_keyed: Keyed) -> Iterator[Sender]:
    key = sqlite_keyed.memory.keys.create_key(user_id=f"user-{uuid4()}")
    with sqlite_keyed.server.client(key=key) as client:
        yield Sender(sqlite_keyed.server, key)
        assert titles(client).count(HIDDEN) == 0
        assert client.get("/healthz").status_code == 200


def titles(client: httpx.Client) -> list[str]:
    return [item["title"] for item in client.get("/api/conversations").json()["items"]]


CHUNKED = "Transfer-Encoding: chunked\r\n"
EMPTY = "0\r\n\r\n"

HEADERS = {
    "content-length and chunked": f"Content-Length: 5\r\n{CHUNKED}",
    "chunked and content-length": f"{CHUNKED}Content-Length: 5\r\n",
    "content-length twice": "Content-Length: 5\r\nContent-Length: 5\r\n",
    "two content-lengths": "Content-Length: 5\r\nContent-Length: 0\r\n",
    "list of content-lengths": "Content-Length: 5, 5\r\n",
    "content-length with a sign": "Content-Length: +5\r\n",
    "negative content-length": "Content-Length: -1\r\n",
    "hexadecimal content-length": "Content-Length: 0x5\r\n",
    "content-length with underscore": "Content-Length: 0_5\r\n",
    "empty content-length": "Content-Length:\r\n",
    "huge content-length": f"Content-Length: {'9' * 30}\r\n",
    "space before the colon": "Content-Length : 5\r\n",
    "space before the colon of chunked": "Transfer-Encoding : chunked\r\n",
    "tab before the colon": "Transfer-Encoding\t: chunked\r\n",
    "chunked twice": f"{CHUNKED}{CHUNKED}",
    "chunked, identity": "Transfer-Encoding: chunked, identity\r\n",
    "identity": "Transfer-Encoding: identity\r\n",
    "gzip, chunked": "Transfer-Encoding: gzip, chunked\r\n",
    "xchunked": "Transfer-Encoding: xchunked\r\n",
    "quoted chunked": 'Transfer-Encoding: "chunked"\r\n',
    "chunked with a parameter": "Transfer-Encoding: chunked;q=1\r\n",
    "chunked after a vertical tab": "Transfer-Encoding: \x0bchunked\r\n",
    "chunked with NUL": "Transfer-Encoding: chunked\0\r\n",
    "folded chunked": "Transfer-Encoding:\r\n chunked\r\n",
    "folded header": "X-A: a\r\n b: c\r\n",
    "header folded with a tab": "X-A: a\r\n\tb\r\n",
    "bare LF after a header": "X-A: a\nTransfer-Encoding: chunked\r\n",
    "bare LF at the end": "Content-Length: 5\n",
    "bare CR in a header": "X-A: a\rTransfer-Encoding: chunked\r\n",
    "two CRs": "X-A: a\r\r\n",
    "NUL in a header": "X-A: a\0b\r\n",
    "no colon": "X-A\r\n",
    "empty name": ": a\r\n",
    "name with brackets": "X[]: a\r\n",
    "name with a non-ASCII letter": "X-\xe9: a\r\n",
    "second Host": "Host: evil.example\r\n",
    "many headers": "X-A: a\r\n" * 300,
    "long header": f"X-A: {'a' * 100_000}\r\n",
}
LINES = {
    "bare LF after the request line": "POST /api/conversations HTTP/1.1\n",
    "bare CR after the request line": "POST /api/conversations HTTP/1.1\r",
    "leading space": " POST /api/conversations HTTP/1.1\r\n",
    "tabs": "POST\t/api/conversations\tHTTP/1.1\r\n",
    "space in the target": "POST /api/conversations x HTTP/1.1\r\n",
    "NUL in the target": "POST /api/\0conversations HTTP/1.1\r\n",
    "another host in the target": "POST http://evil.example/api/conversations HTTP/1.1\r\n",
    "no version": "POST /api/conversations\r\n",
    "version 0.9": "POST /api/conversations HTTP/0.9\r\n",
    "version 1.2": "POST /api/conversations HTTP/1.2\r\n",
    "version 2.0": "POST /api/conversations HTTP/2.0\r\n",
    "version without a dot": "POST /api/conversations HTTP/11\r\n",
    "lower-case version": "POST /api/conversations http/1.1\r\n",
    "CONNECT": "CONNECT localhost:80 HTTP/1.1\r\n",
    "folded request line": "POST /api/conversations HTTP/1.1\r\n x: y\r\n",
    "preface of HTTP/2": "PRI * HTTP/2.0\r\n",
    "long target": f"POST /{'a' * 100_000} HTTP/1.1\r\n",
}
CHUNKS = {
    "bare LF after the size": "5\nhello\r\n0\r\n\r\n",
    "bare LF after the data": "5\r\nhello\n0\r\n\r\n",
    "bare LF in an extension": "5;a\nhello\r\n0\r\n\r\n",
    "data longer than its size": "5\r\nhello!\r\n0\r\n\r\n",
    "no line end after the data": "5\r\nhelloXX0\r\n\r\n",
    "negative size": "-5\r\nhello\r\n0\r\n\r\n",
    "size with 0x": "0x5\r\nhello\r\n0\r\n\r\n",
    "size with underscore": "0_5\r\nhello\r\n0\r\n\r\n",
    "size with a space": "5 \r\nhello\r\n0\r\n\r\n",
    "size with a leading space": " 5\r\nhello\r\n0\r\n\r\n",
    "size beyond 64 bits": f"{'f' * 17}\r\nhello\r\n0\r\n\r\n",
    "empty size": "\r\nhello\r\n0\r\n\r\n",
    "content-length in a trailer": "0\r\nContent-Length: 5\r\n\r\n",
    "chunked in a trailer": "0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "bare LF in a trailer": "0\r\nX: y\n\r\n",
    "endless extension": f"5;{'a' * 100_000}\r\nhello\r\n0\r\n\r\n",
    "twenty thousand chunks of one byte": "1\r\n \r\n" * 20_000 + EMPTY,
}


def refuse(sender: Sender, raw: bytes) -> None:
    answer = exchange(sender.url, raw, responses=2)
    assert answer.is_closed
    assert len(answer.statuses) <= 1
    assert set(answer.statuses) <= {400, 431}, answer.received[:200]
    assert answer.statuses or len(raw) > 65_536  # else it closed while we were still sending


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS.keys())
def test_ambiguous_headers_are_refused(sender: Sender, headers: str) -> None:
    for body in (EMPTY, ""):
        refuse(sender, sender.request(headers, body + sender.hidden()))


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_malformed_request_line_is_refused(sender: Sender, line: str) -> None:
    refuse(sender, sender.request(line=line, body=sender.hidden()))


@pytest.mark.parametrize("body", CHUNKS.values(), ids=CHUNKS.keys())
def test_malformed_chunks_are_refused(sender: Sender, body: str) -> None:
    refuse(sender, sender.request(CHUNKED, body + sender.hidden()))


def test_missing_host_is_refused(sender: Sender) -> None:
    refuse(sender, b"GET /healthz HTTP/1.1\r\n\r\n" + sender.hidden().encode())


def test_nothing_after_connection_close_is_executed(sender: Sender) -> None:
    raw = sender.request("Connection: close\r\nContent-Length: 0\r\n", sender.hidden())
    answer = exchange(sender.url, raw, responses=2)
    assert answer.is_closed
    assert answer.statuses == [201]


def test_refusal_is_a_problem(sender: Sender) -> None:
    raw = sender.request(f"Content-Length: 5\r\n{CHUNKED}", EMPTY)
    head, _, body = exchange(sender.url, raw).received.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    assert httpx.Response(400, content=body).json()["status"] == 400


TITLED = '{"title":"legal"}'
SIZE = f"{len(TITLED):x}"
LEGAL = {
    "content-length": f"Content-Length: {len(TITLED)}\r\n\r\n{TITLED}",
    "chunked": f"{CHUNKED}\r\n{SIZE}\r\n{TITLED}\r\n{EMPTY}",
    "chunked in capitals": f"TRANSFER-ENCODING: CHUNKED\r\n\r\n{SIZE}\r\n{TITLED}\r\n{EMPTY}",
    "extension": f"{CHUNKED}\r\n{SIZE};name=value\r\n{TITLED}\r\n{EMPTY}",
    "several chunks": f"{CHUNKED}\r\n1\r\n{{\r\n{len(TITLED) - 1:x}\r\n{TITLED[1:]}\r\n{EMPTY}",
    "expects 100": f"Expect: 100-continue\r\nContent-Length: {len(TITLED)}\r\n\r\n{TITLED}",
    "offers HTTP/2": (
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
        f"Content-Length: {len(TITLED)}\r\n\r\n{TITLED}"
    ),
}


@pytest.mark.parametrize("rest", LEGAL.values(), ids=LEGAL.keys())
@pytest.mark.parametrize("split", [False, True])
def test_legal_framing_is_accepted(sqlite_keyed: Keyed, rest: str, split: bool) -> None:
    key = sqlite_keyed.memory.keys.create_key(user_id=f"user-{uuid4()}")
    raw = Sender(sqlite_keyed.server, key).request(rest)[: -len("\r\n")]
    pieces = [raw[i : i + 1] for i in range(len(raw))] if split else [raw]
    answer = exchange(sqlite_keyed.server.url, *pieces)
    assert answer.statuses[-1] == 201, answer.received
    with sqlite_keyed.server.client(key=key) as client:
        assert titles(client) == ["legal"]


def test_pipelined_requests_are_answered_in_order(sender: Sender) -> None:
    get = [f"GET /api/{name} HTTP/1.1\r\n" for name in ("nowhere", "me", "elsewhere", "models")]
    raw = b"".join(sender.request(line=line) for line in get)
    assert exchange(sender.url, raw, responses=4).statuses == [404, 200, 404, 200]


def test_old_clients_are_served(sender: Sender) -> None:
    answer = exchange(sender.url, b"GET /healthz HTTP/1.0\r\n\r\n", responses=2)
    assert (answer.statuses, answer.is_closed) == ([200], True)


def framed(pieces: list[bytes]) -> bytes | int:
    """The bytes that are passed on, without the sizes of chunks, or the status of the refusal."""
    framing = RequestFraming()
    passed = b""
    try:
        for piece in pieces:
            passed += framing.feed(piece)
    except BadFraming as error:
        return error.status
    head, end, body = passed.partition(b"\r\n\r\n")
    if b"chunked" in head.lower():
        body = b"".join(body.split(b"\r\n")[1::2])
    return head + end + body


HEAD = "POST / HTTP/1.1\r\nHost: x\r\n"
EXAMPLES = [
    *(f"{HEAD}{headers}\r\n{EMPTY}" for headers in HEADERS.values() if len(headers) < 100),
    *(f"{line}Host: x\r\n\r\n" for line in LINES.values() if len(line) < 100),
    *(f"{HEAD}{CHUNKED}\r\n{body}" for body in CHUNKS.values() if len(body) < 100),
    *(f"{HEAD}{rest}" for rest in LEGAL.values()),
]


@given(st.sampled_from(EXAMPLES), st.lists(st.integers(0, 200), max_size=8))
def test_packets_do_not_matter(example: str, cuts: list[int]) -> None:
    raw = example.encode("latin-1")
    ends = sorted({0, *cuts, len(raw)})
    pieces = [raw[start:end] for start, end in pairwise(ends)]
    assert framed([piece for piece in pieces if piece]) == framed([raw])
