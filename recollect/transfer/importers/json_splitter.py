"""Splits a stream of JSON into its top-level objects. At most one of them is in memory.

A file is a list of objects or a sequence of objects (JSON lines). Finding the end of an object
needs only brackets and strings, so the content is left to `json.loads`. State is kept between
chunks: a chunk may end anywhere, and every byte is scanned once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from recollect.core.errors import BrokenFile

_BLANK = re.compile(rb"[ \t\r\n]*")
_TO_BRACKET = re.compile(
    rb'[^"{}\[\]]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"{}\[\]]*)*',
    re.DOTALL,
)
"""Up to the next bracket outside of strings, or to a string that the chunk cuts."""
_TO_QUOTE = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SLICE_BYTES = 1 << 16


class _State(Enum):
    START = auto()
    IN_OBJECT = auto()
    AFTER_BRACKET = auto()
    AFTER_OBJECT = auto()
    AFTER_COMMA = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class JsonElement:
    number: int
    text: bytes | None
    """None if it is over the size limit."""


class JsonSplitter:
    def __init__(self, *, limit: int) -> None:
        """`limit` is the maximum size of an object in bytes."""
        self._limit = limit
        self._state = _State.START
        self._is_list = False
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._parts: list[bytes] = []
        self._size = 0
        self._start = b""
        self._read_bytes = 0
        self.count = 0
        """The number of objects that have started."""

    def feed(self, chunk: bytes) -> Iterator[JsonElement]:
        """Yield the objects that end in this chunk. Raises BrokenFile for invalid JSON."""
        if self._state is _State.START:  # a chunk may cut the byte order mark
            chunk = self._start + chunk
            self._start = b""
            if len(chunk) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(chunk):
                self._start = chunk
                return
            if chunk.startswith(_BYTE_ORDER_MARK):
                self._read_bytes = len(_BYTE_ORDER_MARK)
                chunk = chunk[self._read_bytes :]
        for start in range(0, len(chunk), _SLICE_BYTES):
            yield from self._scan(chunk[start : start + _SLICE_BYTES])

    def finish(self) -> None:
        """Raises BrokenFile if the file is cut off."""
        is_complete_list = self._state is _State.END
        is_complete_sequence = self._state is _State.AFTER_OBJECT and not self._is_list
        if not is_complete_list and not is_complete_sequence:
            raise BrokenFile(f"The file is cut off after {self._read_bytes:,} bytes.")

    def _scan(self, chunk: bytes) -> Iterator[JsonElement]:
        offset = 0
        while offset < len(chunk):
            if self._state is _State.IN_OBJECT:
                start, offset = offset, self._scan_object(chunk, offset)
                self._append(chunk[start:offset])
                if self._state is not _State.IN_OBJECT:
                    yield self._element()
            else:
                offset = self._scan_between(chunk, offset)
        self._read_bytes += len(chunk)

    def _scan_object(self, chunk: bytes, offset: int) -> int:
        """Return the offset of the end of the object or of the chunk."""
        while offset < len(chunk):
            if self._in_string:
                offset = self._scan_string(chunk, offset)
                continue
            offset = _match_end(_TO_BRACKET, chunk, offset)
            if offset == len(chunk):
                break
            match chunk[offset : offset + 1]:
                case b'"':
                    self._in_string = True
                case b"{" | b"[":
                    self._depth += 1
                case _:
                    self._depth -= 1
            offset += 1
            if self._depth == 0:
                self._state = _State.AFTER_OBJECT
                break
        return offset

    def _scan_string(self, chunk: bytes, offset: int) -> int:
        if self._escaped:
            self._escaped = False
            offset += 1
        offset = _match_end(_TO_QUOTE, chunk, offset)
        if offset < len(chunk):  # at the closing quote, or at a backslash that ends the chunk
            self._escaped = chunk[offset : offset + 1] == b"\\"
            self._in_string = self._escaped
            offset += 1
        return offset

    def _scan_between(self, chunk: bytes, offset: int) -> int:
        offset = _match_end(_BLANK, chunk, offset)
        if offset == len(chunk):
            return offset
        match self._state, chunk[offset : offset + 1]:
            case _State.START, b"[":
                self._is_list = True
                self._state = _State.AFTER_BRACKET
            case _State.AFTER_BRACKET | _State.AFTER_OBJECT, b"]" if self._is_list:
                self._state = _State.END
            case _State.AFTER_OBJECT, b"," if self._is_list:
                self._state = _State.AFTER_COMMA
            case _State.AFTER_OBJECT, b"{" if not self._is_list:
                self._start_object()
            case _State.START | _State.AFTER_BRACKET | _State.AFTER_COMMA, b"{":
                self._start_object()
            case _:
                byte = self._read_bytes + offset + 1
                raise BrokenFile(f"The file is not valid JSON from byte {byte:,} on.")
        return offset if self._state is _State.IN_OBJECT else offset + 1

    def _start_object(self) -> None:
        self._state = _State.IN_OBJECT
        self._size = 0
        self.count += 1

    def _append(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)
        else:
            self._parts.clear()

    def _element(self) -> JsonElement:
        text = b"".join(self._parts) if self._size <= self._limit else None
        self._parts.clear()
        return JsonElement(self.count, text)


def _match_end(pattern: re.Pattern[bytes], chunk: bytes, offset: int) -> int:
    match = pattern.match(chunk, offset)
    return match.end() if match else offset
