"""Our own export: lines, each of a kind.

A conversation is its line and those that follow it, up to the next; so is a memory with its
history. Each is stored whole or not at all, so it is gathered first. The last line says how many
stand before it: where it is missing, or says something else, the file is not whole, and neither
may be what was gathered last.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from recollect.core.errors import BrokenFile, InvalidInput, TooLarge
from recollect.core.memory_types import Memory
from recollect.core.types import Json
from recollect.recall.context.receipt import check_receipt
from recollect.transfer.importers import rows
from recollect.transfer.importers.fields import Fields
from recollect.transfer.importers.values import Failure, Loose, Remembered, Restored, Unit

KIND = "recollect"
VERSION = 1
END = "end"


_TOGETHER = 200
"""Rows that hang on nothing are stored so many at a time."""
_OWNERS = {
    "message": "conversation_id",
    "summary": "conversation_id",
    "receipt": "conversation_id",
    "feedback": "conversation_id",
    "memory_event": "memory_id",
}
"""What a line that is part of something names it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    user_id: str
    limit: int
    """Of a text, in bytes."""
    largest: int
    """Of all the lines of a conversation together, in bytes."""


def is_one(element: Mapping[str, Json]) -> bool:
    return element.get("kind") == KIND


def check_header(element: Mapping[str, Json]) -> None:
    if element.get("version") != VERSION:
        message = "The file was exported by another release, and cannot be read."
        raise InvalidInput(message, field="version")


class Lines:
    """Reads line by line, and gives back what is whole."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._open: _Conversation | _Memory | None = None
        self._owner: Json = None
        """The id of the one that is open, or that was given up: its parts are passed over."""
        self._where = ""
        self._size = 0
        self._first: int | None = None
        """Of the lines that have no end yet. Somebody may have put two files together."""
        self._last = 0
        self._loose: dict[str, list[dict[str, Any]]] = {"tombstones": [], "calls": []}

    def read(self, line: Mapping[str, Json], *, number: int, size: int) -> Iterator[Unit | Failure]:
        """Raises BrokenFile where lines are missing."""
        kind = line.get("kind")
        where = f"line {number:,}"
        if kind == KIND:
            self.finish()
        self._last = number
        if kind == END:
            yield from self._end(line)
            return
        part = kind if isinstance(kind, str) and kind in _OWNERS else None
        if part and not self._is_owned(part, line):
            yield Failure(where, "It belongs to nothing that stands before it.")
            return
        try:
            if part:
                self._add(part, line, size)
            else:
                yield from self._close()
                yield from self._begin(kind, line, where, size)
        except InvalidInput as error:
            self._open = None
            yield Failure(where, error.message)

    def finish(self) -> None:
        """Raises BrokenFile where there is no end to what has begun."""
        if self._first is not None:
            raise BrokenFile(f"The file is cut off after line {self._last:,}: its end is missing.")

    def _end(self, line: Mapping[str, Json]) -> Iterator[Unit | Failure]:
        yield from self._close()
        yield from self._set_down(at_least=1)
        first, self._first, self._owner = self._first, None, None
        before = 0 if first is None else self._last - first
        if line.get("lines") != before:
            raise BrokenFile(
                f"The file is not whole: {before:,} lines stand before line {self._last:,}, "
                "which ends it and says otherwise."
            )

    def _is_owned(self, kind: str, line: Mapping[str, Json]) -> bool:
        return isinstance(self._owner, str) and line.get(_OWNERS[kind]) == self._owner

    def _add(self, kind: str, line: Mapping[str, Json], size: int) -> None:
        if self._open is None:  # it was given up
            return
        self._size += size
        if self._size > self._rules.largest:
            raise TooLarge(f"It is larger than {self._rules.largest:,} bytes.")
        self._open.add(kind, Fields(line, limit=self._rules.limit), self._rules)

    def _begin(
        self, kind: Json, line: Mapping[str, Json], where: str, size: int
    ) -> Iterator[Unit | Failure]:
        if self._first is None and kind != KIND:
            raise InvalidInput("It stands after the end.")
        given = Fields(line, limit=self._rules.limit)
        self._where, self._size, self._owner = where, size, line.get("id")
        match kind:
            case "conversation":
                self._open = _Conversation(rows.conversation_row(given, limit=self._rules.limit))
            case "memory":
                sources = [rows.source_row(one) for one in given.objects("sources")]
                self._open = _Memory(rows.memory_of(given, user_id=self._rules.user_id), sources)
            case "tombstone":
                self._loose["tombstones"].append(rows.tombstone_row(given))
            case "model_call":
                self._loose["calls"].append(rows.call_row(given))
            case "recollect":
                check_header(line)
                self._first = self._last
            case _:
                raise InvalidInput(f"There is no kind {str(kind)[:40]!r}.", field="kind")
        yield from self._set_down(at_least=_TOGETHER)

    def _close(self) -> Iterator[Unit | Failure]:
        """What was open has all its parts."""
        whole, self._open = self._open, None
        if whole is None:
            return
        try:
            yield Unit(self._where, whole.content())
        except InvalidInput as error:
            yield Failure(self._where, error.message)

    def _set_down(self, *, at_least: int) -> Iterator[Unit]:
        if sum(map(len, self._loose.values())) >= at_least:
            yield Unit(self._where, Loose(**{name: [*of] for name, of in self._loose.items()}))
            for of in self._loose.values():
                of.clear()


@dataclass(slots=True)
class _Conversation:
    row: dict[str, Any]
    messages: list[dict[str, Any]] = field(default_factory=list)
    summaries: list[dict[str, Any]] = field(default_factory=list)
    receipts: list[dict[str, Any]] = field(default_factory=list)
    feedback: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, given: Fields, rules: Rules) -> None:
        match kind:
            case "message":
                self.messages.append(rows.message_columns(given, limit=rules.limit))
            case "summary":
                self.summaries.append(rows.summary_row(given))
            case "receipt":
                check_receipt(given.raw("receipt"))
                self.receipts.append(rows.receipt_row(given))
            case "feedback":
                self.feedback.append(rows.feedback_row(given))
            case _:
                raise InvalidInput(f"A conversation has no {kind}.", field="kind")

    def content(self) -> Restored:
        """Raises InvalidInput where the parts do not fit together."""
        _check_numbers(self.row, self.messages)
        _check_versions(self.row, self.summaries)
        ids = {message["id"] for message in self.messages}
        if len(ids) < len(self.messages):
            raise InvalidInput("Two of its messages have the same id.", field="id")
        for hanging in (self.receipts, self.feedback):
            of = {one["message_id"] for one in hanging}
            if len(of) < len(hanging) or not of <= ids:
                raise InvalidInput("A line is about no message of it, or about one twice.")
        return Restored(
            conversation=self.row,
            messages=self.messages,
            keeps_numbers=True,
            summaries=self.summaries,
            receipts=self.receipts,
            feedback=self.feedback,
        )


@dataclass(slots=True)
class _Memory:
    memory: Memory
    sources: list[dict[str, Any]]
    events: list[dict[str, Any]] = field(default_factory=list)

    def add(self, kind: str, given: Fields, rules: Rules) -> None:
        if kind != "memory_event":
            raise InvalidInput(f"A memory has no {kind}.", field="kind")
        self.events.append(rows.event_row(given))

    def content(self) -> Remembered:
        return Remembered(memory=self.memory, sources=self.sources, events=self.events)


def _check_numbers(row: Mapping[str, Any], messages: list[dict[str, Any]]) -> None:
    """Seqs rise, and so do the turns of what stands; none lies behind the last that was given."""
    standing = [message for message in messages if message["superseded_at"] is None]
    are_sound = (
        all(one["seq"] < other["seq"] for one, other in pairwise(messages))
        and all(one["turn"] <= other["turn"] for one, other in pairwise(standing))
        and max((one["seq"] for one in messages), default=0) <= row["last_seq"]
        and max((one["turn"] for one in messages), default=0) <= row["last_turn"]
    )
    if not are_sound:
        raise InvalidInput("Its messages are not numbered one after the other.", field="seq")
    if row["extracted_through_seq"] > row["last_seq"] or row["extracted_turn"] > row["last_turn"]:
        raise InvalidInput("It is said to be read beyond its end.", field="extracted_through_seq")


def _check_versions(row: Mapping[str, Any], summaries: list[dict[str, Any]]) -> None:
    versions = [0, *(summary["version"] for summary in summaries), row["last_summary_version"] + 1]
    if any(one >= other for one, other in pairwise(versions)):
        raise InvalidInput("Its summaries are not numbered one after the other.", field="version")
    if any(summary["through_seq"] > row["last_seq"] for summary in summaries):
        raise InvalidInput("A summary covers more than there is.", field="through_seq")
