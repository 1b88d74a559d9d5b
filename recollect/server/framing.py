"""Strict framing of HTTP/1.1 requests, in front of the server's own parser.

Parsers accept more than the standard allows: Content-Length together with Transfer-Encoding, folded
headers, lines that end in a bare LF, an Upgrade before a body. If a proxy reads such bytes
differently, one of the two sees a request inside the body of another (request smuggling). So a
`RequestFraming` follows every request by the strict grammar of RFC 9112, and passes on only bytes
that have one meaning:

    head ──no body──▶ head          head ──Content-Length──▶ length ──▶ head
    head ──chunked──▶ size ⇄ data, crlf          size ──0──▶ final ──▶ head

After a request that closes the connection the phase is `closed`, and further bytes are dropped.
Some legal rarities are refused too: targets with a host, a repeated Content-Length, trailers.

Chunks are merged: those that arrive together are passed on as one without extensions, since the
parser needs as long for a chunk of one byte as for a large one.
"""

import re
from typing import Literal

MAX_HEAD_BYTES = 65_536
_MAX_HEADERS = 100
_MAX_SIZE_LINE = 200
_MAX_TINY_CHUNKS, _TINY_CHUNK = 2_000, 64
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_HEAD = re.compile(
    rb"%(token)s (?:/[!-~]*|\*) HTTP/1\.([01])\r\n((?:%(token)s:[\t -~\x80-\xff]*\r\n)*)\r\n"
    % {b"token": _TOKEN}
)
_LENGTH = re.compile(rb"[0-9]{1,15}")
_SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,12})(?:;[\t -~]*)?\r\n")
_BARE_LF = re.compile(rb"(?<!\r)\n")
_SPACES = b" \t"

Phase = Literal["head", "length", "size", "data", "crlf", "final", "closed"]


class BadFraming(Exception):
    """The request is malformed. The status is 431 if its head is too large, else 400."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


class RequestFraming:
    """Splits the bytes of a connection into requests."""

    def __init__(self) -> None:
        self.phase: Phase = "head"
        self._line = bytearray()
        """The part that has arrived of a head, or of a line in a chunked body."""
        self._remaining = 0
        self._is_last = False
        self._tiny_chunks = 0

    @property
    def has_partial_head(self) -> bool:
        return self.phase == "head" and bool(self._line)

    @property
    def has_open_body(self) -> bool:
        return self.phase not in ("head", "closed")

    def feed(self, data: bytes) -> bytes:
        """Return the bytes to pass on. Raises BadFraming."""
        passed: list[bytes] = []
        chunks: list[bytes] = []
        rest = memoryview(data)
        while rest and self.phase != "closed":
            if self.phase in ("length", "data"):
                piece, rest = rest[: self._remaining], rest[self._remaining :]
                (chunks if self.phase == "data" else passed).append(bytes(piece))
                self._remaining -= len(piece)
                if self._remaining == 0:
                    self._end_data()
                continue
            is_head = self.phase == "head"
            line, rest = self._take_line(rest)
            if line is None:
                break
            self._read_line(line)
            if is_head:
                passed.append(line)
            elif self.phase in ("head", "closed"):
                passed += [*_merge(chunks), b"0\r\n\r\n"]
                chunks = []
        return b"".join([*passed, *_merge(chunks)])

    def _take_line(self, data: memoryview) -> tuple[bytes | None, memoryview]:
        """Return a head or a line of a chunked body, and the rest; None if it is incomplete."""
        end, limit = (b"\r\n\r\n", MAX_HEAD_BYTES) if self.phase == "head" else _LINE
        before = len(self._line)
        self._line += data[: limit - before]
        found = self._line.find(end, max(0, before - len(end)))
        size = len(self._line) if found < 0 else found + len(end)
        if self._line[0] < ord("!") and self.phase in ("head", "size"):
            raise BadFraming("A line is missing.")
        if _BARE_LF.search(self._line, max(0, before - 1), size):
            raise BadFraming("Lines must end in CRLF.")
        if found < 0:
            if size == limit:
                raise BadFraming(f"The head or line is over {limit:,} bytes.", 431)
            return None, data[:0]
        line, rest = bytes(self._line[:size]), data[size - before :]
        self._line.clear()
        return line, rest

    def _read_line(self, line: bytes) -> None:
        match self.phase:
            case "head":
                self._start_request(line)
            case "size":
                self._start_chunk(line)
            case _ if line != b"\r\n":
                raise BadFraming("A chunk is longer than its size, or there are trailers.")
            case "crlf":
                self.phase = "size"
            case _:
                self._end_request()

    def _start_request(self, head: bytes) -> None:
        match = _HEAD.fullmatch(head)
        if match is None:
            raise BadFraming("The request is malformed.")
        is_old, lines = match[1] == b"0", match[2].split(b"\r\n")[:-1]
        if len(lines) > _MAX_HEADERS:
            raise BadFraming(f"The request has over {_MAX_HEADERS} headers.", 431)
        found: dict[bytes, list[bytes]] = {}
        for line in lines:
            name, _, value = line.partition(b":")
            found.setdefault(name.lower(), []).append(value.strip(_SPACES))
        hosts = found.get(b"host", [])
        if len(hosts) > 1 or not (hosts or is_old):
            raise BadFraming("A request must have one Host.")
        options = b",".join(found.get(b"connection", [])).lower().split(b",")
        connection = {option.strip(_SPACES) for option in options}
        self._is_last = b"close" in connection or (is_old and b"keep-alive" not in connection)
        self._start_body(found.get(b"content-length"), found.get(b"transfer-encoding"), is_old)

    def _start_body(
        self, lengths: list[bytes] | None, codings: list[bytes] | None, is_old: bool
    ) -> None:
        if codings:
            if lengths:
                raise BadFraming("Content-Length and Transfer-Encoding exclude each other.")
            if is_old or [coding.lower() for coding in codings] != [b"chunked"]:
                raise BadFraming("The only Transfer-Encoding is chunked, in HTTP/1.1.")
            self.phase = "size"
            self._tiny_chunks = 0
            return
        if lengths and (len(lengths) > 1 or not _LENGTH.fullmatch(lengths[0])):
            raise BadFraming("Content-Length must be one number.")
        self._remaining = int(lengths[0]) if lengths else 0
        if self._remaining:
            self.phase = "length"
        else:
            self._end_request()

    def _start_chunk(self, line: bytes) -> None:
        match = _SIZE_LINE.fullmatch(line)
        if match is None:
            raise BadFraming("The size of a chunk is malformed.")
        self._remaining = int(match[1], 16)
        self.phase = "data" if self._remaining else "final"
        self._tiny_chunks += self._remaining < _TINY_CHUNK
        if self._tiny_chunks > _MAX_TINY_CHUNKS:
            raise BadFraming(f"Over {_MAX_TINY_CHUNKS:,} chunks have under {_TINY_CHUNK} bytes.")

    def _end_data(self) -> None:
        if self.phase == "data":
            self.phase = "crlf"
        else:
            self._end_request()

    def _end_request(self) -> None:
        self.phase = "closed" if self._is_last else "head"


def _merge(chunks: list[bytes]) -> list[bytes]:
    """Return one chunk, or nothing."""
    size = sum(map(len, chunks))
    return [b"%x\r\n" % size, *chunks, b"\r\n"] if size else []


_LINE = (b"\r\n", _MAX_SIZE_LINE)
