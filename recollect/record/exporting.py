"""All that a user has as JSON lines, a page at a time.

A position says where the next page begins, and each page is read in one transaction: so a user with
a million messages is exported in as little memory as one with ten. Whatever is derived, and can be
derived again, is not exported: what search needs, and the jobs. The same data gives the same lines,
in whichever database it is kept.

What is written meanwhile may be missed, but a conversation is never exported in part: its messages
and summaries are those up to the numbers that its own line names.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect.model import Json, Row, utc_text
from recollect.record.importers.ours import KIND, VERSION
from recollect.store import transfer
from recollect.store.database import Run
from recollect.store.transfer import FIRST

_PAGE = 200
_FEW = 20
"""Conversations at a time: most have several messages."""
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


def _conversations(run: Run, *, after_id: str) -> Page:
    """Whole ones, as many as make a page. A long one goes on in the next."""
    lines: list[str] = []
    for row in transfer.conversations_after(run, after_id, limit=_FEW):
        kind = {"conversation_kind": row["kind"]}
        lines.append(_line("conversation", {"id": row["id"], **kind, **_plain(row)}))
        more, place = _parts(run, row, _Place())
        lines += more
        if place is not None:
            return Page(lines, partial(_rest_of_conversation, row=row, place=place))
        after_id = row["id"]
        if len(lines) >= _PAGE:
            break
    if lines:
        return Page(lines, partial(_conversations, after_id=after_id))
    return _memories(run, after_id=FIRST)


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
    found = transfer.messages_after(
        run, row["id"], place.seq, through_seq=row["last_seq"], limit=_PAGE
    )
    lines = [*_with_hanging(run, found)]
    if len(found) == _PAGE:
        return lines, replace(place, seq=found[-1]["seq"])
    versions = transfer.summaries_after(
        run,
        row["id"],
        place.version,
        through_version=row["last_summary_version"],
        limit=_PAGE,
    )
    lines += [_line("summary", _plain(summary)) for summary in versions]
    if len(versions) == _PAGE:
        return lines, _Place(row["last_seq"], versions[-1]["version"])
    return lines, None


def _with_hanging(run: Run, found: Sequence[Row]) -> Iterator[str]:
    if not found:
        return
    span = (found[0]["conversation_id"], found[0]["seq"], found[-1]["seq"])
    receipts = {row["message_id"]: row for row in transfer.receipts_between(run, *span)}
    feedback = {row["message_id"]: row for row in transfer.feedback_between(run, *span)}
    for message in found:
        yield _line("message", _plain(message))
        for kind, hanging in (("receipt", receipts), ("feedback", feedback)):
            if row := hanging.get(message["id"]):
                yield _line(kind, _plain(row))


def _memories(run: Run, *, after_id: str) -> Page:
    lines: list[str] = []
    for row in transfer.memories_after(run, after_id, limit=_PAGE):
        sources = [_plain(source) for source in transfer.sources_of(run, row["id"])]
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
    found = transfer.events_after(run, memory_id, after_id, limit=_PAGE)
    lines = [_line("memory_event", _plain(row)) for row in found]
    return lines, found[-1]["id"] if len(found) == _PAGE else None


def _tombstones(run: Run, *, after_id: str) -> Page:
    found = transfer.tombstones_after(run, after_id, limit=_PAGE)
    lines = [_line("tombstone", _plain(row)) for row in found]
    if found:
        return Page(lines, partial(_tombstones, after_id=found[-1]["id"]))
    return _calls(run, after_id=FIRST)


def _calls(run: Run, *, after_id: str) -> Page:
    found = transfer.calls_after(run, after_id, limit=_PAGE)
    lines = [_line("model_call", _plain(row)) for row in found]
    following = partial(_calls, after_id=found[-1]["id"]) if len(found) == _PAGE else None
    return Page(lines, following)


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
