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
from recollect.recall.context.receipt import without_titles
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
    page = _conversations(run)
    return ExportPage([header, *page.lines], page.next)


def last_line(count: int) -> str:
    """Return the end line of a file with `count` other lines."""
    return _line(END, {"lines": count})


def _next_batch(sizes: Sequence[Row], *, limit: int) -> tuple[Json, bool]:
    """Return the last id or number to read next, and whether more rows may follow."""
    size = 0
    for count, row in enumerate(sizes, 1):
        size += row["size"]
        if size > _MAX_PAGE_BYTES or count == len(sizes):
            return row["position"], count == limit or count < len(sizes)
    return None, False


@dataclass(frozen=True, slots=True)
class _Position:
    """The last message and the last summary of a conversation that were read."""

    seq: int = 0
    version: int = 0


def _conversations(
    run: Run, *, after_id: str = MIN_ID, begun: tuple[Row, _Position] | None = None
) -> ExportPage:
    """Read as many conversations as fit on a page. A long one continues on the next page."""
    lines: list[str] = []
    if begun is not None:
        pending = [begun]
    else:
        limit = _PAGE_CONVERSATIONS
        sizes = run("export_conversation_sizes", after_id=after_id, limit=limit)
        if not sizes:
            return _memories(run)
        through_id, _ = _next_batch(sizes, limit=limit)
        rows = run("export_conversations", after_id=after_id, through_id=through_id)
        pending = [(row, _Position()) for row in rows]
    for row, position in pending:
        if position == _Position():
            kind = {"conversation_kind": row["kind"]}
            lines.append(_line("conversation", {"id": row["id"], **kind, **_plain(row)}))
        more, next_position = _conversation_parts(run, row, position)
        lines += more
        if next_position is not None:
            return ExportPage(lines, partial(_conversations, begun=(row, next_position)))
        after_id = row["id"]
        if len(lines) >= _PAGE_ROWS or sum(map(len, lines)) > _MAX_PAGE_BYTES:
            break
    return ExportPage(lines, partial(_conversations, after_id=after_id))


def _conversation_parts(
    run: Run, row: Row, position: _Position
) -> tuple[list[str], _Position | None]:
    """Read messages, then summaries. The position is where to continue, or None at the end."""
    last_seq, last_version = row["last_seq"], row["last_summary_version"]
    lines: list[str] = []
    after: dict[str, Json] = {"conversation_id": row["id"], "after_seq": position.seq}
    sizes = run("export_message_sizes", **after, through_seq=last_seq, limit=_PAGE_ROWS)
    if sizes:
        through, has_more = _next_batch(sizes, limit=_PAGE_ROWS)
        lines += _message_lines(run, run("export_messages", **after, through_seq=through))
        if has_more:
            return lines, replace(position, seq=through)
    after = {"conversation_id": row["id"], "after_version": position.version}
    sizes = run("export_summary_sizes", **after, through_version=last_version, limit=_PAGE_ROWS)
    if sizes:
        through, has_more = _next_batch(sizes, limit=_PAGE_ROWS)
        summaries = run("export_summaries", **after, through_version=through)
        lines += [_line("summary", _plain(summary)) for summary in summaries]
        if has_more:
            return lines, _Position(last_seq, through)
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


def _memories(
    run: Run, *, after_id: str = MIN_ID, begun: tuple[str, str] | None = None
) -> ExportPage:
    """Read memories, each with its history. A long history, (memory, last event), is continued."""
    lines: list[str] = []
    if begun is not None:
        after_id, last_event = begun
        lines, next_event = _memory_events(run, after_id, last_event)
        if next_event is not None:
            return ExportPage(lines, partial(_memories, begun=(after_id, next_event)))
    for row in run("export_memories", after_id=after_id, limit=_PAGE_ROWS):
        sources = [_plain(source) for source in run("export_memory_sources", memory_id=row["id"])]
        fields = {name: value for name, value in _plain(row).items() if name != "user_id"}
        lines.append(_line("memory", {**fields, "sources": sources}))
        more, last = _memory_events(run, row["id"], MIN_ID)
        lines += more
        if last is not None:
            return ExportPage(lines, partial(_memories, begun=(row["id"], last)))
        after_id = row["id"]
        if len(lines) >= _PAGE_ROWS:
            break
    if lines:
        return ExportPage(lines, partial(_memories, after_id=after_id))
    return _tombstones(run)


def _memory_events(run: Run, memory_id: str, after_id: str) -> tuple[list[str], str | None]:
    """Return lines, and the id after which to continue, or None at the end."""
    rows = run("export_memory_events", memory_id=memory_id, after_id=after_id, limit=_PAGE_ROWS)
    lines = [_line("memory_event", _plain(row)) for row in rows]
    return lines, rows[-1]["id"] if len(rows) == _PAGE_ROWS else None


def _tombstones(run: Run, *, after_id: str = MIN_ID) -> ExportPage:
    rows = run("export_tombstones", after_id=after_id, limit=_PAGE_ROWS)
    if not rows:
        return _conversation_tombstones(run)
    lines = [_line("tombstone", _plain(row)) for row in rows]
    return ExportPage(lines, partial(_tombstones, after_id=rows[-1]["id"]))


def _conversation_tombstones(run: Run, *, after_id: str = MIN_ID) -> ExportPage:
    rows = run("export_conversation_tombstones", after_id=after_id, limit=_PAGE_ROWS)
    if not rows:
        return _model_calls(run)
    lines = [_line("conversation_tombstone", _plain(row)) for row in rows]
    return ExportPage(lines, partial(_conversation_tombstones, after_id=rows[-1]["id"]))


def _model_calls(run: Run, *, after_id: str = MIN_ID) -> ExportPage:
    sizes = run("export_model_call_sizes", after_id=after_id, limit=_PAGE_ROWS)
    through_id, has_more = _next_batch(sizes, limit=_PAGE_ROWS)
    rows = run("export_model_calls", after_id=after_id, through_id=through_id)
    lines = [_line("model_call", _plain(row)) for row in rows]
    return ExportPage(lines, partial(_model_calls, after_id=through_id) if has_more else None)


def _plain(row: Row) -> dict[str, Json]:
    """Return the same values for the rows of both databases."""
    return {name: _value(name, value) for name, value in row.items() if name != "kind"}


def _value(name: str, value: Json) -> Json:
    if value is None:
        return None
    if name in _FLAGS:
        return bool(value)
    if name in _JSON:
        stored = json.loads(value)
        return without_titles(stored) if name == "receipt" else stored
    if name.endswith("_at") or name in ("valid_from", "valid_to"):
        return utc_text(datetime.fromisoformat(value))
    return value


def _line(kind: str, fields: Mapping[str, Json]) -> str:
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    for end in _LINE_ENDS:
        text = text.replace(end, f"\\u{ord(end):04x}")
    return text + "\n"
