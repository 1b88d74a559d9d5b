"""A file, chunk by chunk: told by its first object what it is, and read object by object."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import BrokenFile, InvalidInput
from recollect.core.types import Json
from recollect.transfer.importers import chatgpt, claude, native
from recollect.transfer.importers.adopt import adopt
from recollect.transfer.importers.native import Lines, Rules
from recollect.transfer.importers.stream import Element, Splitter
from recollect.transfer.importers.values import Failure, Foreign, Unit

LARGEST_OBJECT = 64 * 1024 * 1024
"""In bytes: of a conversation, which has to be in memory as a whole."""

_ZIP = b"PK\x03\x04"
_ZIPPED = "This is a ZIP archive: what is wanted is the conversations.json in it."
_UNKNOWN = (
    "This is no file that can be imported: neither an export of Recollect, nor the "
    "conversations.json of ChatGPT or Claude."
)
_LONGEST_TITLE = 60

Found = Unit | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    user_id: str
    policy: str
    """Of conversations from elsewhere."""
    max_message_bytes: int
    now: datetime


class FileReader:
    def __init__(self, options: Options) -> None:
        self._options = options
        self._splitter = Splitter(limit=LARGEST_OBJECT)
        self._lines: Lines | None = None
        self._is_known = False
        self._is_first_chunk = True
        self.broken: BrokenFile | None = None
        """Why it cannot be read on. What came before that is sound."""

    def feed(self, chunk: bytes) -> list[Found]:
        """What is whole with this chunk. Raises InvalidInput for a file of no known kind."""
        if self._is_first_chunk and chunk:
            self._is_first_chunk = False
            if chunk.startswith(_ZIP):
                raise InvalidInput(_ZIPPED, field="file")
        found: list[Found] = []
        with self._break_noted():
            found.extend(self._read_all(self._splitter.feed(chunk)))
        return found

    def finish(self) -> None:
        """There are no more chunks."""
        with self._break_noted():
            self._splitter.finish()
            if self._lines is not None:
                self._lines.finish()

    @contextmanager
    def _break_noted(self) -> Iterator[None]:
        try:
            yield
        except BrokenFile as error:
            if self._splitter.count == 0:
                raise InvalidInput(_UNKNOWN, field="file") from error
            self.broken = error

    def _read_all(self, elements: Iterator[Element]) -> Iterator[Found]:
        for element in elements:
            if element.text is None:
                reason = f"It is larger than {LARGEST_OBJECT:,} bytes."
                yield Failure(self._place(element), reason)
            else:
                yield from self._read(element, element.text)

    def _read(self, element: Element, text: bytes) -> Iterator[Found]:
        try:
            line: Mapping[str, Json] = json.loads(text.decode())
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            place = self._place(element)
            raise BrokenFile(f"The file is not valid JSON in {place}: {error}.") from error
        except (ValueError, RecursionError):  # what Python does not read, in sound JSON
            yield Failure(self._place(element), "It is nested too deeply, or a number is too long.")
            return
        if not self._is_known:
            self._learn(line)
        if self._lines is not None:
            yield from self._lines.read(line, number=element.number, size=len(text))
        else:
            yield self._adopted(line, element)

    def _learn(self, first: Mapping[str, Json]) -> None:
        if native.is_one(first):
            native.check_header(first)
            options = self._options
            self._lines = Lines(
                Rules(
                    user_id=options.user_id,
                    limit=options.max_message_bytes,
                    largest=LARGEST_OBJECT,
                )
            )
        elif not chatgpt.is_one(first) and not claude.is_one(first):
            raise InvalidInput(_UNKNOWN, field="file")
        self._is_known = True

    def _adopted(self, element: Mapping[str, Json], at: Element) -> Found:
        where = self._place(at)
        for name in ("title", "name"):
            if isinstance(title := element.get(name), str) and title.strip():
                where += f", {title.strip()[:_LONGEST_TITLE]!r}"
        try:
            options = self._options
            content = adopt(
                self._foreign(element),
                policy=options.policy,
                limit=options.max_message_bytes,
                now=options.now,
            )
        except InvalidInput as error:
            return Failure(where, error.message)
        return Unit(where, content)

    def _foreign(self, element: Mapping[str, Json]) -> Foreign:
        if chatgpt.is_one(element):
            return chatgpt.read(element, now=self._options.now)
        if claude.is_one(element):
            return claude.read(element, now=self._options.now)
        raise InvalidInput("It is no conversation.")

    def _place(self, element: Element) -> str:
        return f"{'line' if self._lines is not None else 'conversation'} {element.number:,}"
