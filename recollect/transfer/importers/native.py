"""Our own export: JSON lines, each with a `kind`.

A conversation is its line and the lines of its parts that follow; so is a memory with its history.
Each is stored completely or not at all, so its lines are collected first. The last line has the
number of lines before it: if it is missing or wrong, the file is incomplete.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from recollect.core.errors import BrokenFile, InvalidInput, TooLarge
from recollect.core.memory_types import Memory
from recollect.core.types import Json
from recollect.recall.context.receipt import check_receipt
from recollect.transfer.importers import native_rows
from recollect.transfer.importers.native_rows import Fields
from recollect.transfer.types import (
    MAX_OBJECT_BYTES,
    Columns,
    ConversationRows,
    ImportFailure,
    ImportOptions,
    ImportUnit,
    MemoryRows,
    StandaloneRows,
)

HEADER = "recollect"
VERSION = 1
END = "end"

_STANDALONE_BATCH = 200
_OWNER_FIELDS = {
    "message": "conversation_id",
    "summary": "conversation_id",
    "receipt": "conversation_id",
    "feedback": "conversation_id",
    "memory_event": "memory_id",
}
"""The field that names the owner, for each kind of line that is a part of something."""


def matches(element: Mapping[str, Json]) -> bool:
    return element.get("kind") == HEADER


def check_header(element: Mapping[str, Json]) -> None:
    if element.get("version") != VERSION:
        message = "The file was exported by another release, and cannot be read."
        raise InvalidInput(message, field="version")


class NativeReader:
    """Collects lines, and yields a unit when its lines are complete."""

    def __init__(self, options: ImportOptions) -> None:
        self._options = options
        self._open: _Conversation | _Memory | None = None
        self._owner: Json = None
        """The id of the open unit, or of the last one that failed: its parts are skipped."""
        self._where = ""
        self._size = 0
        self._header_line: int | None = None
        """The header without an end so far. A file may be several exports joined together."""
        self._last_line = 0
        self._tombstones: list[Columns] = []
        self._conversation_tombstones: list[Columns] = []
        self._calls: list[Columns] = []

    def read(
        self, line: Mapping[str, Json], *, number: int, size: int
    ) -> Iterator[ImportUnit | ImportFailure]:
        """Raises BrokenFile if lines are missing."""
        kind = line.get("kind")
        where = f"line {number:,}"
        if kind == HEADER:
            self.finish()
        self._last_line = number
        if kind == END:
            yield from self._end(line)
            return
        part = kind if isinstance(kind, str) and kind in _OWNER_FIELDS else None
        if part and not self._belongs_to_owner(part, line):
            yield ImportFailure(where, "It belongs to nothing that stands before it.")
            return
        try:
            if part:
                self._add_part(part, line, size)
            else:
                yield from self._close()
                yield from self._begin(kind, line, where, size)
        except InvalidInput as error:
            self._open = None
            yield ImportFailure(where, error.message)

    def finish(self) -> None:
        """Raises BrokenFile if the end line is missing."""
        if self._header_line is not None:
            raise BrokenFile(
                f"The file is cut off after line {self._last_line:,}: its end is missing."
            )

    def _end(self, line: Mapping[str, Json]) -> Iterator[ImportUnit | ImportFailure]:
        yield from self._close()
        yield from self._flush_standalone(at_least=1)
        header, self._header_line, self._owner = self._header_line, None, None
        before = 0 if header is None else self._last_line - header
        if line.get("lines") != before:
            raise BrokenFile(
                f"The file is not whole: {before:,} lines stand before line {self._last_line:,}, "
                "which ends it and says otherwise."
            )

    def _belongs_to_owner(self, kind: str, line: Mapping[str, Json]) -> bool:
        return isinstance(self._owner, str) and line.get(_OWNER_FIELDS[kind]) == self._owner

    def _add_part(self, kind: str, line: Mapping[str, Json], size: int) -> None:
        if self._open is None:  # its owner failed
            return
        self._size += size
        if self._size > MAX_OBJECT_BYTES:
            raise TooLarge(f"It is larger than {MAX_OBJECT_BYTES:,} bytes.")
        self._open.add(kind, Fields(line, limit=self._options.max_message_bytes))

    def _begin(
        self, kind: Json, line: Mapping[str, Json], where: str, size: int
    ) -> Iterator[ImportUnit | ImportFailure]:
        if self._header_line is None and kind != HEADER:
            raise InvalidInput("It stands after the end.")
        fields = Fields(line, limit=self._options.max_message_bytes)
        self._where, self._size, self._owner = where, size, line.get("id")
        match kind:
            case "conversation":
                self._open = _Conversation(native_rows.conversation_row(fields))
            case "memory":
                sources = [native_rows.source_row(source) for source in fields.objects("sources")]
                memory = native_rows.parse_memory(fields, user_id=self._options.user_id)
                self._open = _Memory(memory, sources)
            case "tombstone":
                self._tombstones.append(native_rows.tombstone_row(fields))
            case "conversation_tombstone":
                self._conversation_tombstones.append(native_rows.conversation_tombstone_row(fields))
            case "model_call":
                self._calls.append(native_rows.call_row(fields))
            case "recollect":
                check_header(line)
                self._header_line = self._last_line
            case _:
                raise InvalidInput(f"There is no kind {str(kind)[:40]!r}.", field="kind")
        yield from self._flush_standalone(at_least=_STANDALONE_BATCH)

    def _close(self) -> Iterator[ImportUnit | ImportFailure]:
        unit, self._open = self._open, None
        if unit is None:
            return
        try:
            yield ImportUnit(self._where, unit.rows())
        except InvalidInput as error:
            yield ImportFailure(self._where, error.message)

    def _flush_standalone(self, *, at_least: int) -> Iterator[ImportUnit]:
        rows = StandaloneRows(
            tombstones=self._tombstones,
            conversation_tombstones=self._conversation_tombstones,
            calls=self._calls,
        )
        if len(rows) >= at_least:
            self._tombstones, self._conversation_tombstones, self._calls = [], [], []
            yield ImportUnit(self._where, rows)


@dataclass(slots=True)
class _Conversation:
    row: dict[str, Any]
    messages: list[dict[str, Any]] = field(default_factory=list)
    summaries: list[dict[str, Any]] = field(default_factory=list)
    receipts: list[dict[str, Any]] = field(default_factory=list)
    feedback: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, fields: Fields) -> None:
        match kind:
            case "message":
                self.messages.append(native_rows.message_columns(fields))
            case "summary":
                self.summaries.append(native_rows.summary_row(fields))
            case "receipt":
                check_receipt(fields.raw("receipt"))
                self.receipts.append(native_rows.receipt_row(fields))
            case "feedback":
                self.feedback.append(native_rows.feedback_row(fields))
            case _:
                raise InvalidInput(f"A conversation has no {kind}.", field="kind")

    def rows(self) -> ConversationRows:
        """Raises InvalidInput if the parts are inconsistent."""
        _check_numbers(self.row, self.messages)
        _check_versions(self.row, self.summaries)
        ids = {message["id"] for message in self.messages}
        if len(ids) < len(self.messages):
            raise InvalidInput("Two of its messages have the same id.", field="id")
        for rows in (self.receipts, self.feedback):
            message_ids = {row["message_id"] for row in rows}
            if len(message_ids) < len(rows) or not message_ids <= ids:
                raise InvalidInput("A line is about no message of it, or about one twice.")
        return ConversationRows(
            conversation=self.row,
            messages=self.messages,
            is_native=True,
            summaries=self.summaries,
            receipts=self.receipts,
            feedback=self.feedback,
        )


@dataclass(slots=True)
class _Memory:
    memory: Memory
    sources: list[dict[str, Any]]
    events: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, fields: Fields) -> None:
        if kind != "memory_event":
            raise InvalidInput(f"A memory has no {kind}.", field="kind")
        self.events.append(native_rows.event_row(fields))

    def rows(self) -> MemoryRows:
        return MemoryRows(memory=self.memory, sources=self.sources, events=self.events)


def _check_numbers(row: Columns, messages: Sequence[Columns]) -> None:
    """Seqs rise, and so do the turns of active messages. None is over the conversation's last."""
    active = [message for message in messages if message["superseded_at"] is None]
    are_valid = (
        all(before["seq"] < after["seq"] for before, after in pairwise(messages))
        and all(before["turn"] <= after["turn"] for before, after in pairwise(active))
        and max((message["seq"] for message in messages), default=0) <= row["last_seq"]
        and max((message["turn"] for message in messages), default=0) <= row["last_turn"]
    )
    if not are_valid:
        raise InvalidInput("Its messages are not numbered one after the other.", field="seq")
    if row["extracted_through_seq"] > row["last_seq"] or row["extracted_turn"] > row["last_turn"]:
        raise InvalidInput("It is said to be read beyond its end.", field="extracted_through_seq")


def _check_versions(row: Columns, summaries: Sequence[Columns]) -> None:
    versions = [0, *(summary["version"] for summary in summaries), row["last_summary_version"] + 1]
    if any(before >= after for before, after in pairwise(versions)):
        raise InvalidInput("Its summaries are not numbered one after the other.", field="version")
    if any(summary["through_seq"] > row["last_seq"] for summary in summaries):
        raise InvalidInput("A summary covers more than there is.", field="through_seq")
