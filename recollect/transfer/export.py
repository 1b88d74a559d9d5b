"""All of a user's data as JSON lines, page by page.

Each page is read in one transaction, and a continuation reads the next one: the memory needed does
not depend on the amount of data. Rows may be large, so their sizes are queried first, and a page
ends before it gets too large.

Derived data (search index, embeddings, jobs) is not exported. The same data gives the same lines on
both databases.

Rows that are written during an export may be missing, but a conversation is never exported in part:
its messages and summaries go up to the numbers in its own line. The last line counts the lines
before it, so that a truncated file is detected.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect.core.types import Json, Row, utc_text
from recollect.store.database import MIN_ID, Run
from recollect.transfer.importers.native import END, HEADER, VERSION

_PAGE_ROWS = 200
_PAGE_CONVERSATIONS = 20
_MAX_PAGE_BYTES = 4_000_000
"""A single row may be larger."""
_FLAGS = frozenset({"remember", "is_archived", "is_pinned"})
_JSON = frozenset(
    {
        "metadata",
        "tool_calls",
        "suggested_values",
        "suggested_actions",
        "custom_payload",
        "ledger",
        "receipt",
        "before",
        "after",
    }
)
_LINE_ENDS = "\x85\u2028\u2029"
"""Some readers take these for the end of a line."""

Continuation = Callable[[Run], "ExportPage"]


@dataclass(frozen=True, slots=True)
class ExportPage:
    lines: Sequence[str]
    next: Continuation | None
    """Reads the next page; None at the end."""


def first_page(run: Run, *, user_id: str) -> ExportPage:
    header = _line(HEADER, {"version": VERSION, "user_id": user_id})
    page = _conversations(run, after_id=MIN_ID)
    return ExportPage([header, *page.lines], page.next)


def last_line(count: int) -> str:
    """Return the end line of a file with `count` other lines."""
    return _line(END, {"lines": count})


@dataclass(frozen=True, slots=True)
class _Batch:
    """The rows to read next: through this id or number."""

    through: Json
    is_last: bool


def _next_batch(sizes: Sequence[Row], *, limit: int) -> _Batch | None:
    """Return None if there are no more rows."""
    size = 0
    for count, row in enumerate(sizes, 1):
        size += row["size"]
        if size > _MAX_PAGE_BYTES or count == len(sizes):
            return _Batch(row["position"], is_last=count < limit and count == len(sizes))
    return None


def _conversations(run: Run, *, after_id: str) -> ExportPage:
    """Read as many conversations as fit on a page. A long one continues on the next page."""
    limit = _PAGE_CONVERSATIONS
    batch = _next_batch(
        run("export_conversation_sizes", after_id=after_id, limit=limit), limit=limit
    )
    if batch is None:
        return _memories(run, after_id=MIN_ID)
    lines: list[str] = []
    for row in run("export_conversations", after_id=after_id, through_id=batch.through):
        kind = {"conversation_kind": row["kind"]}
        lines.append(_line("conversation", {"id": row["id"], **kind, **_plain(row)}))
        more, position = _conversation_parts(run, row, _Position())
        lines += more
        if position is not None:
            return ExportPage(lines, partial(_rest_of_conversation, row=row, position=position))
        if len(lines) >= _PAGE_ROWS or sum(map(len, lines)) > _MAX_PAGE_BYTES:
            return ExportPage(lines, partial(_conversations, after_id=row["id"]))
    return ExportPage(lines, partial(_conversations, after_id=batch.through))


@dataclass(frozen=True, slots=True)
class _Position:
    """The last message and the last summary of a conversation that were read."""

    seq: int = 0
    version: int = 0


def _rest_of_conversation(run: Run, *, row: Row, position: _Position) -> ExportPage:
    lines, next_position = _conversation_parts(run, row, position)
    if next_position is None:
        return ExportPage(lines, partial(_conversations, after_id=row["id"]))
    return ExportPage(lines, partial(_rest_of_conversation, row=row, position=next_position))


def _conversation_parts(
    run: Run, row: Row, position: _Position
) -> tuple[list[str], _Position | None]:
    """Read messages, then summaries. The position is where to continue, or None at the end."""
    last_seq, last_version = row["last_seq"], row["last_summary_version"]
    lines: list[str] = []
    after: dict[str, Json] = {"conversation_id": row["id"], "after_seq": position.seq}
    sizes = run("export_message_sizes", **after, through_seq=last_seq, limit=_PAGE_ROWS)
    if batch := _next_batch(sizes, limit=_PAGE_ROWS):
        lines += _message_lines(run, run("export_messages", **after, through_seq=batch.through))
        if not batch.is_last:
            return lines, replace(position, seq=batch.through)
    after = {"conversation_id": row["id"], "after_version": position.version}
    sizes = run("export_summary_sizes", **after, through_version=last_version, limit=_PAGE_ROWS)
    if batch := _next_batch(sizes, limit=_PAGE_ROWS):
        summaries = run("export_summaries", **after, through_version=batch.through)
        lines += [_line("summary", _plain(summary)) for summary in summaries]
        if not batch.is_last:
            return lines, _Position(last_seq, batch.through)
    return lines, None


def _message_lines(run: Run, messages: Sequence[Row]) -> Iterator[str]:
    """Each message is followed by its receipt and its feedback."""
    if not messages:
        return
    span = {
        "conversation_id": messages[0]["conversation_id"],
        "first_seq": messages[0]["seq"],
        "last_seq": messages[-1]["seq"],
    }
    receipts = {row["message_id"]: row for row in run("export_receipts", **span)}
    feedback = {row["message_id"]: row for row in run("export_feedback", **span)}
    for message in messages:
        yield _line("message", _plain(message))
        for kind, rows in (("receipt", receipts), ("feedback", feedback)):
            if row := rows.get(message["id"]):
                yield _line(kind, _plain(row))


def _memories(run: Run, *, after_id: str) -> ExportPage:
    lines: list[str] = []
    for row in run("export_memories", after_id=after_id, limit=_PAGE_ROWS):
        sources = [_plain(source) for source in run("export_memory_sources", memory_id=row["id"])]
        fields = {name: value for name, value in _plain(row).items() if name != "user_id"}
        lines.append(_line("memory", {**fields, "sources": sources}))
        more, last = _memory_events(run, row["id"], MIN_ID)
        lines += more
        if last is not None:
            return ExportPage(lines, partial(_rest_of_memory, id=row["id"], after_id=last))
        after_id = row["id"]
        if len(lines) >= _PAGE_ROWS:
            break
    if lines:
        return ExportPage(lines, partial(_memories, after_id=after_id))
    return _tombstones(run, after_id=MIN_ID)


def _rest_of_memory(run: Run, *, id: str, after_id: str) -> ExportPage:
    lines, last = _memory_events(run, id, after_id)
    if last is None:
        return ExportPage(lines, partial(_memories, after_id=id))
    return ExportPage(lines, partial(_rest_of_memory, id=id, after_id=last))


def _memory_events(run: Run, memory_id: str, after_id: str) -> tuple[list[str], str | None]:
    """Return lines, and the id after which to continue, or None at the end."""
    rows = run("export_memory_events", memory_id=memory_id, after_id=after_id, limit=_PAGE_ROWS)
    lines = [_line("memory_event", _plain(row)) for row in rows]
    return lines, rows[-1]["id"] if len(rows) == _PAGE_ROWS else None


def _tombstones(run: Run, *, after_id: str) -> ExportPage:
    rows = run("export_tombstones", after_id=after_id, limit=_PAGE_ROWS)
    lines = [_line("tombstone", _plain(row)) for row in rows]
    if rows:
        return ExportPage(lines, partial(_tombstones, after_id=rows[-1]["id"]))
    return _model_calls(run, after_id=MIN_ID)


def _model_calls(run: Run, *, after_id: str) -> ExportPage:
    sizes = run("export_model_call_sizes", after_id=after_id, limit=_PAGE_ROWS)
    batch = _next_batch(sizes, limit=_PAGE_ROWS)
    if batch is None:
        return ExportPage([], None)
    rows = run("export_model_calls", after_id=after_id, through_id=batch.through)
    lines = [_line("model_call", _plain(row)) for row in rows]
    next_page = None if batch.is_last else partial(_model_calls, after_id=batch.through)
    return ExportPage(lines, next_page)


def _plain(row: Row) -> dict[str, Json]:
    """Return the same values for the rows of both databases."""
    return {name: _value(name, value) for name, value in row.items() if name != "kind"}


def _value(name: str, value: Json) -> Json:
    if value is None:
        return None
    if name in _FLAGS:
        return bool(value)
    if name in _JSON:
        return json.loads(value)
    if name.endswith("_at") or name in ("valid_from", "valid_to"):
        return utc_text(datetime.fromisoformat(value))
    return value


def _line(kind: str, fields: Mapping[str, Json]) -> str:
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    for end in _LINE_ENDS:
        text = text.replace(end, f"\\u{ord(end):04x}")
    return text + "\n"
