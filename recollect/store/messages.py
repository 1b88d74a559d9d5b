"""Message rows."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.core.ids import canonical_id
from recollect.core.policy import Backlog
from recollect.core.types import Deleted, Message, Order, Rating, Role, Row, Stored, utc_text
from recollect.store import extraction_progress, memories, search_index, summaries
from recollect.store.database import Run, SqlValue, require_row

MAX_SEQ = 2**31 - 1
_BATCH_MESSAGES = 1_000
_SIZED_BATCH_MESSAGES = 20


@dataclass(frozen=True, slots=True)
class ConversationProgress(Stored):
    """The state of a conversation after a write: its last numbers, and the background work due."""

    last_seq: int
    last_turn: int
    kind: str
    policy: str
    unread_turns: int | None
    """Turns without extraction; None if nothing may be remembered."""
    backlog: Backlog


def reserve_seqs(run: Run, conversation_id: str, **advance: SqlValue) -> ConversationProgress:
    """Run `advance_conversation` with its parameters."""
    rows = run("advance_conversation", id=conversation_id, **advance)
    return ConversationProgress.from_row(require_row(rows, "conversation"))


def get(run: Run, message_id: str) -> Message:
    """Raises NotFound for an unknown id, another user's id, or an invalid id."""
    return Message.from_row(require_row(run("get_message", id=canonical_id(message_id)), "message"))


def find_rows(run: Run, message_ids: Sequence[str]) -> list[Row]:
    """Return the rows of the messages that exist."""
    return [row for id in message_ids for row in run("get_message", id=id)]


def page(
    run: Run,
    conversation_id: str,
    *,
    order: Order,
    limit: int,
    offset: int = 0,
    beyond_seq: int | None = None,
) -> list[Message]:
    """List messages from one end of the conversation, or beyond a seq."""
    found, _ = page_within(
        run,
        conversation_id,
        order=order,
        limit=limit,
        offset=offset,
        beyond_seq=beyond_seq,
        max_bytes=None,
    )
    return found


def page_within(
    run: Run,
    conversation_id: str,
    *,
    order: Order,
    limit: int,
    offset: int = 0,
    beyond_seq: int | None = None,
    max_bytes: int | None,
) -> tuple[list[Message], int]:
    """List messages, and return how many of them have at most `max_bytes` together.

    That is at least one. Reading ends soon after the limit: messages are read in small batches.
    """
    found: list[Message] = []
    size = 0
    batch = limit if max_bytes is None else _SIZED_BATCH_MESSAGES
    seq = (0 if order == "asc" else MAX_SEQ) if beyond_seq is None else beyond_seq
    while len(found) < limit:
        rows = run(
            f"list_messages_{order}",
            conversation_id=conversation_id,
            seq=seq,
            limit=min(limit - len(found), batch),
            offset=0 if found else offset,
        )
        for row in rows:
            found.append(Message.from_row(row))
            size += 0 if max_bytes is None else _size(row)
            if max_bytes is not None and size > max_bytes and len(found) > 1:
                return found, len(found) - 1
        if len(rows) < batch:
            break
        seq = found[-1].seq
    return found, len(found)


def _size(row: Row) -> int:
    return sum(len(value.encode()) for value in row.values() if isinstance(value, str))


def backlog(run: Run, conversation_id: str, *, through_seq: int, limit: int) -> list[Message]:
    """Return the newest active messages that no summary covers, oldest first."""
    rows = run(
        "list_backlog", conversation_id=conversation_id, through_seq=through_seq, limit=limit
    )
    return [Message.from_row(row) for row in reversed(rows)]


def list_between(
    run: Run, conversation_id: str, *, through_seq: int, before_seq: int, limit: int
) -> list[Message]:
    """Return the active messages after `through_seq` and before `before_seq`, oldest first."""
    rows = run(
        "list_messages_between",
        conversation_id=conversation_id,
        through_seq=through_seq,
        before_seq=before_seq,
        limit=limit,
    )
    return Message.from_rows(rows)


def iter_active(run: Run, conversation_id: str) -> Iterator[Message]:
    """Yield all active messages, oldest first, in batches."""
    through_seq = 0
    while batch := list_between(
        run,
        conversation_id,
        through_seq=through_seq,
        before_seq=MAX_SEQ,
        limit=_BATCH_MESSAGES,
    ):
        yield from batch
        through_seq = batch[-1].seq


def tail_start(run: Run, conversation_id: str, *, through_seq: int, keep_turns: int) -> int | None:
    """Return the first seq of the newest turns of the backlog; None if there are fewer."""
    rows = run(
        "find_tail_start", conversation_id=conversation_id, through_seq=through_seq, keep=keep_turns
    )
    return rows[0]["seq"] if rows else None


def last_user_seq(run: Run, conversation_id: str, *, before_seq: int = MAX_SEQ) -> int:
    """Return the seq of the newest active user message, or 0."""
    last = find_last(run, conversation_id, role="user", before_seq=before_seq)
    return last["seq"] if last else 0


def find_last(
    run: Run, conversation_id: str, *, role: Role, before_seq: int = MAX_SEQ
) -> Row | None:
    """Return id and seq of the newest active message of a role."""
    rows = run(
        "find_last_message", conversation_id=conversation_id, role=role, before_seq=before_seq
    )
    return rows[0] if rows else None


def texts(run: Run, message_ids: Sequence[str]) -> dict[str, str]:
    """Return the contents by id."""
    rows = run("list_message_texts", ids=json.dumps(message_ids)) if message_ids else []
    return {row["id"]: row["content"] for row in rows}


def system_texts(run: Run, conversation_id: str, *, limit: int) -> list[str]:
    """Return the contents of the system messages, newest first."""
    rows = run("list_system_texts", conversation_id=conversation_id, limit=limit)
    return [row["content"] for row in rows]


def turn_of(
    run: Run, conversation_id: str, *, seq: int, turn: int, before_seq: int = MAX_SEQ
) -> list[Message]:
    """Return the turn of a message, as far as it is before `before_seq`."""
    rows = run(
        "list_turn", conversation_id=conversation_id, seq=seq, turn=turn, before_seq=before_seq
    )
    return Message.from_rows(rows)


def turn_at(
    run: Run, conversation_id: str, position: int, *, before_seq: int = MAX_SEQ
) -> list[Message]:
    """Return a turn by position: 1 is the oldest, -1 the latest. Empty if there is none."""
    query, seq, turn = "find_turn_after", 0, 0
    if position < 0:
        query, seq, turn = "find_turn_before", before_seq, MAX_SEQ
    for _ in range(abs(position)):
        rows = run(query, conversation_id=conversation_id, seq=seq, turn=turn)
        if not rows:
            return []
        seq, turn = rows[0]["seq"], rows[0]["turn"]
    return turn_of(run, conversation_id, seq=seq, turn=turn, before_seq=before_seq)


def turn_numbered(
    run: Run, conversation_id: str, number: int, *, before_seq: int = MAX_SEQ
) -> list[Message]:
    rows = run("find_turn_after", conversation_id=conversation_id, seq=0, turn=number - 1)
    if not rows or rows[0]["turn"] != number:
        return []
    seq = rows[0]["seq"]
    return turn_of(run, conversation_id, seq=seq, turn=number, before_seq=before_seq)


def pinned(run: Run, conversation_id: str, *, before_seq: int = MAX_SEQ) -> list[Message]:
    return Message.from_rows(
        run("list_pinned_messages", conversation_id=conversation_id, before_seq=before_seq)
    )


def pinned_tokens(run: Run, conversation_id: str) -> int:
    (row,) = run("sum_pinned_tokens", conversation_id=conversation_id)
    return int(row["tokens"])


def find_by_seq(run: Run, conversation_id: str, seq: int) -> Message | None:
    if not 0 < seq < MAX_SEQ:
        return None
    at_or_after = page(run, conversation_id, order="asc", limit=1, beyond_seq=seq - 1)
    return next((message for message in at_or_after if message.seq == seq), None)


def pin(run: Run, message_id: str, *, is_pinned: bool) -> None:
    run("pin_message", id=message_id, is_pinned=is_pinned)


def rate(
    run: Run,
    message_id: str,
    *,
    rating: Rating | None,
    note: str | None,
    mode: str,
    now: datetime,
) -> None:
    if rating is None:
        run("delete_feedback", message_id=message_id)
        return
    run(
        "put_feedback",
        message_id=message_id,
        rating=rating,
        note=note,
        mode=mode,
        created_at=utc_text(now),
    )


def copy(
    run: Run,
    *,
    source_id: str,
    target_id: str,
    through_seq: int,
    as_of: datetime | None,
    ids: Sequence[str],
    now: datetime,
) -> None:
    """Copy messages through a seq into an empty conversation, with new ids and seqs from 1.

    With `as_of`, messages that were superseded at that time or later are active in the copy.
    """
    run(
        "copy_messages",
        source_id=source_id,
        target_id=target_id,
        through_seq=through_seq,
        as_of=utc_text(as_of) if as_of else None,
        ids=json.dumps(ids),
        now=utc_text(now),
    )
    read = extraction_progress.get(run, source_id).through_seq
    run(
        "update_fork_counters",
        id=target_id,
        count=len(ids),
        read=count_through(run, source_id, min(read, through_seq)),
    )
    memories.copy_sources(
        run, source_id=source_id, target_id=target_id, through_seq=through_seq, now=now
    )


def count_through(run: Run, conversation_id: str, seq: int) -> int:
    (row,) = run("count_messages_through", conversation_id=conversation_id, seq=seq)
    return int(row["count"])


def expired(
    run: Run, conversation_id: str, *, max_turns: int, before: datetime
) -> list[tuple[str, int]]:
    """List (id, turn) of messages in whole turns over the limits, without streaming answers."""
    rows = run(
        "list_expired_messages",
        conversation_id=conversation_id,
        max_turns=max_turns,
        before=utc_text(before),
    )
    return [(row["id"], row["turn"]) for row in rows]


def delete(run: Run, message: Message, *, now: datetime) -> Deleted:
    """Delete a message and everything derived from it, including summaries that cover it."""
    conversation_id, seq = message.conversation_id, message.seq
    covering = 0
    if message.superseded_at is None:  # else its summaries were deleted before
        (counts,) = run("count_covering_summaries", conversation_id=conversation_id, seq=seq)
        if covering := counts["summaries"]:
            summaries.delete_covering(run, conversation_id, seq, now=now)
    vectors = search_index.delete(run, "message", message.id)
    derived = memories.unlink_message(run, message.id, now=now)
    run("delete_message", id=message.id)
    run(
        "subtract_message",
        conversation_id=conversation_id,
        tokens=message.tokens,
        is_superseded=message.superseded_at is not None,
        now=utc_text(now),
    )
    return Deleted(messages=1, summaries=covering, embeddings=vectors) + derived


def list_over_retention(
    run: Run, *, policy: str, max_turns: int, before: datetime, limit: int
) -> list[tuple[str, str]]:
    """List (user, conversation) pairs of a policy with turns over the limits."""
    rows = run(
        "list_conversations_over_retention",
        policy=policy,
        max_turns=max_turns,
        before=utc_text(before),
        limit=limit,
    )
    return [(row["user_id"], row["id"]) for row in rows]
