"""All that a user has, row by row: read for an export, and written back by an import.

What is read comes in a fixed order, a page at a time. What is written back has all its columns: its
numbers, its times and its ids are the file's, and whoever calls has checked them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.core.errors import NotFound
from recollect.core.memory_types import Memory
from recollect.core.types import Row, utc_text
from recollect.language.normalize import content_hash, fold
from recollect.store import search_index
from recollect.store.database import Run

FIRST = "00000000-0000-0000-0000-000000000000"
"""Comes before all ids."""

Columns = Mapping[str, Any]


def conversation_sizes(run: Run, after_id: str, *, limit: int) -> list[Row]:
    """Of each its `place` in the order, and its `size` in bytes: to know how many to read."""
    return run("export_conversation_sizes", after_id=after_id, limit=limit)


def conversations_between(run: Run, after_id: str, through_id: str) -> list[Row]:
    return run("export_conversations", after_id=after_id, through_id=through_id)


def message_sizes(
    run: Run, conversation_id: str, after_seq: int, *, through_seq: int, limit: int
) -> list[Row]:
    return run(
        "export_message_sizes",
        conversation_id=conversation_id,
        after_seq=after_seq,
        through_seq=through_seq,
        limit=limit,
    )


def messages_between(run: Run, conversation_id: str, after_seq: int, through_seq: int) -> list[Row]:
    return run(
        "export_messages",
        conversation_id=conversation_id,
        after_seq=after_seq,
        through_seq=through_seq,
    )


def receipts_between(run: Run, conversation_id: str, first_seq: int, last_seq: int) -> list[Row]:
    return run(
        "export_receipts",
        conversation_id=conversation_id,
        first_seq=first_seq,
        last_seq=last_seq,
    )


def feedback_between(run: Run, conversation_id: str, first_seq: int, last_seq: int) -> list[Row]:
    return run(
        "export_feedback",
        conversation_id=conversation_id,
        first_seq=first_seq,
        last_seq=last_seq,
    )


def summary_sizes(
    run: Run, conversation_id: str, after_version: int, *, through_version: int, limit: int
) -> list[Row]:
    return run(
        "export_summary_sizes",
        conversation_id=conversation_id,
        after_version=after_version,
        through_version=through_version,
        limit=limit,
    )


def summaries_between(
    run: Run, conversation_id: str, after_version: int, through_version: int
) -> list[Row]:
    return run(
        "export_summaries",
        conversation_id=conversation_id,
        after_version=after_version,
        through_version=through_version,
    )


def memories_after(run: Run, after_id: str, *, limit: int) -> list[Row]:
    return run("export_memories", after_id=after_id, limit=limit)


def sources_of(run: Run, memory_id: str) -> list[Row]:
    return run("export_memory_sources", memory_id=memory_id)


def events_after(run: Run, memory_id: str, after_id: str, *, limit: int) -> list[Row]:
    return run("export_memory_events", memory_id=memory_id, after_id=after_id, limit=limit)


def tombstones_after(run: Run, after_id: str, *, limit: int) -> list[Row]:
    return run("export_tombstones", after_id=after_id, limit=limit)


def call_sizes(run: Run, after_id: str, *, limit: int) -> list[Row]:
    return run("export_model_call_sizes", after_id=after_id, limit=limit)


def calls_between(run: Run, after_id: str, through_id: str) -> list[Row]:
    return run("export_model_calls", after_id=after_id, through_id=through_id)


def know_user(run: Run, *, now: datetime) -> None:
    run("insert_user", now=utc_text(now))


def restore_conversation(run: Run, row: Columns, messages: Sequence[Columns]) -> bool:
    """With its messages, and the counts of them; False where it is there already."""
    replaced = [message for message in messages if message["superseded_at"] is not None]
    columns = {name: value for name, value in row.items() if name != "summary_version"}
    added = run(
        "restore_conversation",
        **columns,
        search_text=fold(search_index.topic_text(row["title"], row["topic"])),
        message_count=len(messages),
        token_count=_tokens(messages),
        superseded_messages=len(replaced),
        superseded_tokens=_tokens(replaced),
    )
    if added:
        restore_messages(run, row["id"], messages)
    return bool(added)


def restore_messages(run: Run, conversation_id: str, messages: Sequence[Columns]) -> None:
    for message in messages:
        run("restore_message", conversation_id=conversation_id, **message)


def ends(run: Run, conversation_id: str) -> Row:
    """Where its numbering goes on."""
    rows = run("get_ends", id=conversation_id)
    if not rows:
        raise NotFound("The conversation was deleted meanwhile.")
    return rows[0]


def numbers(run: Run, conversation_id: str) -> list[Row]:
    """Which messages there are, under which numbers, and which of them stand."""
    return run("list_numbers", conversation_id=conversation_id)


def reinstate(run: Run, message_id: str) -> bool:
    """It stands once more; to be found, it has to be indexed again."""
    return bool(run("reinstate_message", id=message_id))


def grow(
    run: Run,
    conversation_id: str,
    messages: Sequence[Columns],
    *,
    reinstated: Sequence[Row],
    is_read: bool,
    ends: Columns,
) -> None:
    """Adds messages that have numbers already. `ends` is where the numbering goes on now, and when
    something was last said."""
    replaced = [message for message in messages if message["superseded_at"] is not None]
    restore_messages(run, conversation_id, messages)
    run(
        "grow_conversation",
        id=conversation_id,
        messages=len(messages),
        tokens=_tokens(messages),
        superseded_messages=len(replaced) - len(reinstated),
        superseded_tokens=_tokens(replaced) - _tokens(reinstated),
        is_read=is_read,
        **ends,
    )


def restore_summaries(
    run: Run, conversation_id: str, summaries: Sequence[Columns], *, standing: int
) -> None:
    """All versions, of which the conversation stands on one, or on none."""
    for summary in summaries:
        run("insert_summary", conversation_id=conversation_id, **summary)
        if summary["version"] == standing:
            run(
                "set_current_summary",
                conversation_id=conversation_id,
                version=standing,
                through_seq=summary["through_seq"],
                tokens=summary["tokens"],
            )


def restore_receipt(run: Run, conversation_id: str, row: Columns) -> None:
    run("restore_receipt", conversation_id=conversation_id, **row)


def restore_feedback(run: Run, row: Columns) -> None:
    run("restore_feedback", **row)


def restore_memory(run: Run, memory: Memory) -> bool:
    """False where it is there already."""
    times = ("created_at", "updated_at", "valid_from", "confirmed_at")
    maybe = ("last_accessed_at", "valid_to")
    added = run(
        "restore_memory",
        **{
            name: getattr(memory, name)
            for name in memory.__slots__
            if name not in (*times, *maybe, "user_id")
        },
        **{name: utc_text(getattr(memory, name)) for name in times},
        **{name: utc_text(at) if (at := getattr(memory, name)) else None for name in maybe},
        search_text=fold(memory.content),
        content_hash=content_hash(memory.content),
    )
    return bool(added)


def restore_event(run: Run, memory_id: str, row: Columns) -> bool:
    return bool(run("restore_memory_event", memory_id=memory_id, **row))


def restore_tombstone(run: Run, row: Columns) -> bool:
    return bool(run("restore_tombstone", **row))


def restore_call(run: Run, row: Columns) -> bool:
    return bool(run("restore_model_call", **row))


def _tokens(messages: Sequence[Columns]) -> int:
    return sum(message["tokens"] for message in messages)
