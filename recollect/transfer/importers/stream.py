"""Cutting a stream of JSON into its top-level objects, without holding more than one of them.

A file is a list of objects, or objects one after the other (JSON lines). Only brackets and strings
have to be understood for that: where an object ends, and not what it says. What is inside is read
by `json.loads`, one object at a time. State is kept from chunk to chunk, so a file may be cut
anywhere, and every byte is looked at once.
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
"""Up to the next bracket outside of strings, or to a string that ends in a later chunk."""
_TO_QUOTE = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SLICE = 1 << 16
"""What a pattern is let loose on at a time."""


class _At(Enum):
    START = auto()
    OBJECT = auto()
    """Inside of one."""
    AFTER_BRACKET = auto()
    AFTER_OBJECT = auto()
    AFTER_COMMA = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Element:
    """The `number`th object; without its text when that is over the limit."""

    number: int
    text: bytes | None


class Splitter:
    def __init__(self, *, limit: int) -> None:
        """`limit` is in bytes, for each object."""
        self._limit = limit
        self._at = _At.START
        self._is_list = False
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._parts: list[bytes] = []
        self._size = 0
        self._head = b""
        self._read = 0
        self.count = 0
        """How many objects have begun."""

    def feed(self, chunk: bytes) -> Iterator[Element]:
        """The objects that end in this chunk. Raises BrokenFile where it cannot go on."""
        if self._at is _At.START:  # the mark may be cut as well
            chunk = self._head + chunk
            self._head = b""
            if len(chunk) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(chunk):
                self._head = chunk
                return
            if chunk.startswith(_BYTE_ORDER_MARK):
                self._read = len(_BYTE_ORDER_MARK)
                chunk = chunk[self._read :]
        for start in range(0, len(chunk), _SLICE):
            yield from self._scan(chunk[start : start + _SLICE])

    def finish(self) -> None:
        """Raises BrokenFile where the file ends too early."""
        is_whole_list = self._at is _At.END
        is_whole_row = self._at is _At.AFTER_OBJECT and not self._is_list
        if not is_whole_list and not is_whole_row:
            raise BrokenFile(f"The file is cut off after {self._read:,} bytes.")

    def _scan(self, chunk: bytes) -> Iterator[Element]:
        place = 0
        while place < len(chunk):
            if self._at is _At.OBJECT:
                start, place = place, self._scan_object(chunk, place)
                self._keep(chunk[start:place])
                if self._at is not _At.OBJECT:
                    yield self._element()
            else:
                place = self._scan_between(chunk, place)
        self._read += len(chunk)

    def _scan_object(self, chunk: bytes, place: int) -> int:
        """Where the object ends, or the chunk."""
        while place < len(chunk):
            if self._in_string:
                place = self._scan_string(chunk, place)
                continue
            place = _end(_TO_BRACKET, chunk, place)
            if place == len(chunk):
                break
            match chunk[place : place + 1]:
                case b'"':
                    self._in_string = True
                case b"{" | b"[":
                    self._depth += 1
                case _:
                    self._depth -= 1
            place += 1
            if self._depth == 0:
                self._at = _At.AFTER_OBJECT
                break
        return place

    def _scan_string(self, chunk: bytes, place: int) -> int:
        if self._escaped:
            self._escaped = False
            place += 1
        place = _end(_TO_QUOTE, chunk, place)
        if place < len(chunk):  # at its end, or at a backslash that ends the chunk
            self._escaped = chunk[place : place + 1] == b"\\"
            self._in_string = self._escaped
            place += 1
        return place

    def _scan_between(self, chunk: bytes, place: int) -> int:
        place = _end(_BLANK, chunk, place)
        if place == len(chunk):
            return place
        match self._at, chunk[place : place + 1]:
            case _At.START, b"[":
                self._is_list = True
                self._at = _At.AFTER_BRACKET
            case _At.AFTER_BRACKET | _At.AFTER_OBJECT, b"]" if self._is_list:
                self._at = _At.END
            case _At.AFTER_OBJECT, b"," if self._is_list:
                self._at = _At.AFTER_COMMA
            case _At.AFTER_OBJECT, b"{" if not self._is_list:
                self._begin()
            case _At.START | _At.AFTER_BRACKET | _At.AFTER_COMMA, b"{":
                self._begin()
            case _:
                where = self._read + place
                raise BrokenFile(f"The file is not valid JSON from byte {where + 1:,} on.")
        return place if self._at is _At.OBJECT else place + 1

    def _begin(self) -> None:
        self._at = _At.OBJECT
        self._size = 0
        self.count += 1

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)
        else:
            self._parts.clear()

    def _element(self) -> Element:
        text = b"".join(self._parts) if self._size <= self._limit else None
        self._parts.clear()
        return Element(self.count, text)


def _end(pattern: re.Pattern[bytes], chunk: bytes, place: int) -> int:
    """Where the match ends; each of the patterns matches at least nothing."""
    found = pattern.match(chunk, place)
    return found.end() if found else place
