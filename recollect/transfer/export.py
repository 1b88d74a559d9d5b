"""All that a user has as JSON lines, a page at a time.

A position says where the next page begins, and each page is read in one transaction: so a user with
a million messages is exported in as little memory as one with ten. Things may be large, and then a
page holds fewer of them: what they take is asked before they are read.

Whatever is derived, and can be derived again, is not exported: what search needs, and the jobs. The
same data gives the same lines, in whichever database it is kept.

What is written meanwhile may be missed, but a conversation is never exported in part: its messages
and summaries are those up to the numbers that its own line names. The last line says how many
stand before it, so that a file that was cut off can be told from a whole one.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect.core.types import Json, Row, utc_text
from recollect.store.database import Run
from recollect.transfer import rows
from recollect.transfer.importers.native import END, KIND, VERSION
from recollect.transfer.rows import FIRST

_PAGE = 200
_FEW = 20
"""Conversations at a time: most have several messages."""
_MOST_BYTES = 4_000_000
"""Of one kind, at a time; or a single one that is larger."""
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
"""Other readers may take these for the end of a line."""

Following = Callable[[Run], "Page"]


@dataclass(frozen=True, slots=True)
class Page:
    """Lines, and how to read those that follow; None at the end."""

    lines: Sequence[str]
    following: Following | None


def first_page(run: Run, *, user_id: str) -> Page:
    header = _line(KIND, {"version": VERSION, "user_id": user_id})
    page = _conversations(run, after_id=FIRST)
    return Page([header, *page.lines], page.following)


def last_line(count: int) -> str:
    """After so many others."""
    return _line(END, {"lines": count})


@dataclass(frozen=True, slots=True)
class _Reach:
    """How far to read: up to this id or number, after which there may be more."""

    through: Json
    is_end: bool


def _reach(sizes: Sequence[Row], *, limit: int) -> _Reach | None:
    """None where there is nothing to read."""
    read = 0
    for count, row in enumerate(sizes, 1):
        read += row["size"]
        if read > _MOST_BYTES or count == len(sizes):
            return _Reach(row["place"], is_end=count < limit and count == len(sizes))
    return None


def _conversations(run: Run, *, after_id: str) -> Page:
    """Whole ones, as many as make a page. A long one goes on in the next."""
    reach = _reach(rows.conversation_sizes(run, after_id, limit=_FEW), limit=_FEW)
    if reach is None:
        return _memories(run, after_id=FIRST)
    lines: list[str] = []
    for row in rows.conversations_between(run, after_id, reach.through):
        kind = {"conversation_kind": row["kind"]}
        lines.append(_line("conversation", {"id": row["id"], **kind, **_plain(row)}))
        more, place = _parts(run, row, _Place())
        lines += more
        if place is not None:
            return Page(lines, partial(_rest_of_conversation, row=row, place=place))
        after_id = row["id"]
        if len(lines) >= _PAGE or sum(map(len, lines)) > _MOST_BYTES:
            return Page(lines, partial(_conversations, after_id=after_id))
    return Page(lines, partial(_conversations, after_id=reach.through))


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a conversation is read."""

    seq: int = 0
    version: int = 0


def _rest_of_conversation(run: Run, *, row: Row, place: _Place) -> Page:
    lines, next_place = _parts(run, row, place)
    if next_place is None:
        return Page(lines, partial(_conversations, after_id=row["id"]))
    return Page(lines, partial(_rest_of_conversation, row=row, place=next_place))


def _parts(run: Run, row: Row, place: _Place) -> tuple[list[str], _Place | None]:
    """Messages, each with what hangs on it, then summaries; and where to go on, if need be."""
    id, last_seq, last_version = row["id"], row["last_seq"], row["last_summary_version"]
    lines: list[str] = []
    sizes = rows.message_sizes(run, id, place.seq, through_seq=last_seq, limit=_PAGE)
    if reach := _reach(sizes, limit=_PAGE):
        found = rows.messages_between(run, id, place.seq, reach.through)
        lines += _with_hanging(run, found)
        if not reach.is_end:
            return lines, replace(place, seq=reach.through)
    sizes = rows.summary_sizes(run, id, place.version, through_version=last_version, limit=_PAGE)
    if reach := _reach(sizes, limit=_PAGE):
        versions = rows.summaries_between(run, id, place.version, reach.through)
        lines += [_line("summary", _plain(summary)) for summary in versions]
        if not reach.is_end:
            return lines, _Place(last_seq, reach.through)
    return lines, None


def _with_hanging(run: Run, found: Sequence[Row]) -> Iterator[str]:
    if not found:
        return
    span = (found[0]["conversation_id"], found[0]["seq"], found[-1]["seq"])
    receipts = {row["message_id"]: row for row in rows.receipts_between(run, *span)}
    feedback = {row["message_id"]: row for row in rows.feedback_between(run, *span)}
    for message in found:
        yield _line("message", _plain(message))
        for kind, hanging in (("receipt", receipts), ("feedback", feedback)):
            if row := hanging.get(message["id"]):
                yield _line(kind, _plain(row))


def _memories(run: Run, *, after_id: str) -> Page:
    lines: list[str] = []
    for row in rows.memories_after(run, after_id, limit=_PAGE):
        sources = [_plain(source) for source in rows.sources_of(run, row["id"])]
        known = {name: value for name, value in _plain(row).items() if name != "user_id"}
        lines.append(_line("memory", {**known, "sources": sources}))
        more, last = _events(run, row["id"], FIRST)
        lines += more
        if last is not None:
            return Page(lines, partial(_rest_of_memory, id=row["id"], after_id=last))
        after_id = row["id"]
        if len(lines) >= _PAGE:
            break
    if lines:
        return Page(lines, partial(_memories, after_id=after_id))
    return _tombstones(run, after_id=FIRST)


def _rest_of_memory(run: Run, *, id: str, after_id: str) -> Page:
    lines, last = _events(run, id, after_id)
    if last is None:
        return Page(lines, partial(_memories, after_id=id))
    return Page(lines, partial(_rest_of_memory, id=id, after_id=last))


def _events(run: Run, memory_id: str, after_id: str) -> tuple[list[str], str | None]:
    found = rows.events_after(run, memory_id, after_id, limit=_PAGE)
    lines = [_line("memory_event", _plain(row)) for row in found]
    return lines, found[-1]["id"] if len(found) == _PAGE else None


def _tombstones(run: Run, *, after_id: str) -> Page:
    found = rows.tombstones_after(run, after_id, limit=_PAGE)
    lines = [_line("tombstone", _plain(row)) for row in found]
    if found:
        return Page(lines, partial(_tombstones, after_id=found[-1]["id"]))
    return _calls(run, after_id=FIRST)


def _calls(run: Run, *, after_id: str) -> Page:
    reach = _reach(rows.call_sizes(run, after_id, limit=_PAGE), limit=_PAGE)
    if reach is None:
        return Page([], None)
    found = rows.calls_between(run, after_id, reach.through)
    lines = [_line("model_call", _plain(row)) for row in found]
    return Page(lines, None if reach.is_end else partial(_calls, after_id=reach.through))


def _plain(row: Row) -> dict[str, Json]:
    """The same from both databases."""
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
