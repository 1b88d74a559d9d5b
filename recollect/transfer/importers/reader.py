"""Reads a file chunk by chunk. The first object tells the format."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from recollect.core.errors import BrokenFile, InvalidInput
from recollect.core.types import Json
from recollect.transfer.importers import chatgpt, claude, native
from recollect.transfer.importers.foreign import to_rows
from recollect.transfer.importers.json_splitter import JsonElement, JsonSplitter
from recollect.transfer.types import (
    MAX_OBJECT_BYTES,
    ForeignConversation,
    ImportFailure,
    ImportOptions,
    ImportUnit,
)

_ZIP_MAGIC = b"PK\x03\x04"
_UNKNOWN_FORMAT = (
    "This file cannot be imported: it is neither an export of Recollect nor the "
    "conversations.json of ChatGPT or Claude."
)
_MAX_SHOWN_TITLE_CHARS = 60


class ForeignFormat(Protocol):
    """A module that parses the conversations of another application."""

    def matches(self, element: Mapping[str, Json]) -> bool: ...

    def parse(self, element: Mapping[str, Json], *, now: datetime) -> ForeignConversation: ...


FOREIGN_FORMATS: tuple[ForeignFormat, ...] = (chatgpt, claude)


class FileReader:
    def __init__(self, options: ImportOptions) -> None:
        self._options = options
        self._splitter = JsonSplitter(limit=MAX_OBJECT_BYTES)
        self._native: native.NativeReader | None = None
        self._is_format_known = False
        self._is_first_chunk = True
        self.broken: BrokenFile | None = None
        """Why the rest of the file cannot be read. The parts before that are valid."""

    def feed(self, chunk: bytes) -> list[ImportUnit | ImportFailure]:
        """Return the units that are complete now. Raises InvalidInput for an unknown format."""
        if self._is_first_chunk and chunk:
            self._is_first_chunk = False
            if chunk.startswith(_ZIP_MAGIC):
                message = "This is a ZIP archive: import the conversations.json inside it."
                raise InvalidInput(message, field="file")
        results: list[ImportUnit | ImportFailure] = []
        with self._record_break():
            results.extend(self._parse_all(self._splitter.feed(chunk)))
        return results

    def finish(self) -> None:
        """To be called after the last chunk."""
        with self._record_break():
            self._splitter.finish()
            if self._native is not None:
                self._native.finish()

    @contextmanager
    def _record_break(self) -> Iterator[None]:
        try:
            yield
        except BrokenFile as error:
            if self._splitter.count == 0:
                raise InvalidInput(_UNKNOWN_FORMAT, field="file") from error
            self.broken = error

    def _parse_all(self, elements: Iterator[JsonElement]) -> Iterator[ImportUnit | ImportFailure]:
        for element in elements:
            if element.text is None:
                reason = f"It is larger than {MAX_OBJECT_BYTES:,} bytes."
                yield ImportFailure(self._location(element), reason)
            else:
                yield from self._parse(element, element.text)

    def _parse(self, element: JsonElement, text: bytes) -> Iterator[ImportUnit | ImportFailure]:
        location = self._location(element)
        try:
            line: Mapping[str, Json] = json.loads(text.decode())
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise BrokenFile(f"The file is not valid JSON in {location}: {error}.") from error
        except (ValueError, RecursionError):  # valid JSON that Python does not read
            yield ImportFailure(location, "It is nested too deeply, or a number is too long.")
            return
        if not self._is_format_known:
            self._detect_format(line)
        if self._native is not None:
            yield from self._native.read(line, number=element.number, size=len(text))
        else:
            yield self._parse_foreign(line, self._location(element))

    def _detect_format(self, first: Mapping[str, Json]) -> None:
        if native.matches(first):
            native.check_header(first)
            self._native = native.NativeReader(self._options)
        elif not any(format.matches(first) for format in FOREIGN_FORMATS):
            raise InvalidInput(_UNKNOWN_FORMAT, field="file")
        self._is_format_known = True

    def _parse_foreign(
        self, element: Mapping[str, Json], location: str
    ) -> ImportUnit | ImportFailure:
        for name in ("title", "name"):
            if isinstance(title := element.get(name), str) and title.strip():
                location += f", {title.strip()[:_MAX_SHOWN_TITLE_CHARS]!r}"
        for format in FOREIGN_FORMATS:
            if format.matches(element):
                try:
                    conversation = format.parse(element, now=self._options.now)
                    return ImportUnit(location, to_rows(conversation, self._options))
                except InvalidInput as error:
                    return ImportFailure(location, error.message)
        return ImportFailure(location, "It is not a conversation.")

    def _location(self, element: JsonElement) -> str:
        return f"{'line' if self._native is not None else 'conversation'} {element.number:,}"
