"""Streaming answers: message rows with an owner and a heartbeat.

The row of an answer exists before its first token. The owner flushes the text at least once a
second, which is the heartbeat. If the heartbeat is too old, any process may mark the answer as
interrupted. An owner that comes back after that may still finish it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from recollect.core import tokens
from recollect.core.types import Conversation, Deleted, Json, Message, Row, Status, utc_text
from recollect.store import memories, messages, search_index, summaries
from recollect.store.database import Run, require_row
from recollect.store.jobs import MAX_CLOCK_SKEW
from recollect.store.messages import ConversationProgress

LEASE = timedelta(seconds=20)
"""An answer whose heartbeat is older is marked as interrupted."""

FlushSignal = Literal["continue", "stop", "lost"]
"""Tells the owner to continue, to stop, or that the answer is not its own any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    content: str
    thinking: str | None = None
    tool_calls: Sequence[Json] = ()
    receipt: Json = None
    """The receipt of the context, if it is not stored yet."""

    @property
    def columns(self) -> dict[str, str | None]:
        calls = json.dumps([*self.tool_calls], ensure_ascii=False) if self.tool_calls else None
        return {"content": self.content, "thinking": self.thinking, "tool_calls": calls}

    @property
    def tokens(self) -> int:
        return tokens.count(self.content) + tokens.count(self.columns["tool_calls"] or "")


def open_answer(
    run: Run,
    conversation_id: str,
    id: str,
    *,
    variant: str,
    owner: str,
    turn: int | None = None,
    metadata: Json = None,
    now: datetime,
) -> None:
    """Insert an empty answer in the last turn, or in `turn`."""
    numbers = messages.reserve_seqs(
        run,
        conversation_id,
        count=1,
        inner_starts=0,
        opens_with_user=False,
        last_role="assistant",
        tokens=0,
        now=utc_text(now),
    )
    run(
        "insert_answer",
        conversation_id=conversation_id,
        seq=numbers.last_seq,
        id=id,
        turn=numbers.last_turn if turn is None else turn,
        model_variant=variant,
        metadata=json.dumps(metadata or {}),
        owner=owner,
        now=utc_text(now),
    )


def flush(run: Run, id: str, draft: AnswerDraft, *, owner: str, now: datetime) -> FlushSignal:
    rows = run("flush_answer", id=id, **draft.columns, owner=owner, now=utc_text(now))
    if not rows:
        return "lost"
    return "stop" if rows[0]["stop_asked_at"] is not None else "continue"


def finish(
    run: Run,
    message: Message,
    draft: AnswerDraft,
    *,
    owner: str,
    status: Status,
    metadata: Json,
    now: datetime,
) -> bool:
    """Return False if another process has finished the answer, or it was deleted."""
    finished = run(
        "end_answer",
        id=message.id,
        **draft.columns,
        status=status,
        metadata=json.dumps(metadata, ensure_ascii=False),
        tokens=draft.tokens,
        event_at=utc_text(now),
        owner=owner,
    )
    return bool(finished)


def mark_interrupted(run: Run, message: Message, *, tokens: int, now: datetime) -> bool:
    """Mark an answer as interrupted. Return False if its heartbeat has not expired."""
    return bool(run("interrupt_answer", id=message.id, tokens=tokens, **_expiry_bounds(now)))


def add_tokens(run: Run, message: Message, *, tokens: int, now: datetime) -> ConversationProgress:
    """Add the tokens of a finished answer to its conversation."""
    rows = run(
        "add_answer_tokens",
        id=message.conversation_id,
        tokens=tokens,
        is_superseded=message.superseded_at is not None,
        now=utc_text(now),
    )
    return ConversationProgress.from_row(require_row(rows, "conversation"))


def request_stop(run: Run, id: str, *, now: datetime) -> None:
    run("request_answer_stop", id=id, now=utc_text(now))


def find_streaming(run: Run, conversation_id: str) -> str | None:
    """Return the id of the newest streaming answer."""
    rows = run("find_streaming_answer", conversation_id=conversation_id)
    return rows[0]["id"] if rows else None


def mark_answering(
    run: Run, conversations: Sequence[Conversation], *, now: datetime
) -> list[Conversation]:
    """Set `is_answering` of each conversation, with one query for all."""
    rows = run("list_answering", since=utc_text(now - LEASE)) if conversations else []
    answering = {row["conversation_id"] for row in rows}
    return [replace(c, is_answering=c.id in answering) for c in conversations]


def find_last(run: Run, conversation_id: str) -> str | None:
    last = messages.find_last(run, conversation_id, role="assistant")
    return last["id"] if last else None


def find_question(run: Run, answer: Message) -> Message | None:
    last = messages.find_last(run, answer.conversation_id, role="user", before_seq=answer.seq)
    return messages.get(run, last["id"]) if last else None


def has_active_between(run: Run, answer: Message, *, from_seq: int) -> bool:
    """Return whether active messages come before this answer, from `from_seq` on."""
    return bool(_list_active(run, answer.conversation_id, from_seq, answer.seq))


def supersede(
    run: Run,
    conversation_id: str,
    *,
    from_seq: int,
    before_seq: int = messages.MAX_SEQ,
    now: datetime,
) -> Deleted:
    """Supersede all active messages from `from_seq` on, and delete everything derived from them."""
    replaced = Message.from_rows(_list_active(run, conversation_id, from_seq, before_seq))
    if not replaced:
        return Deleted()
    (counts,) = run("count_covering_summaries", conversation_id=conversation_id, seq=from_seq)
    if counts["summaries"]:
        summaries.delete_covering(run, conversation_id, from_seq, now=now)
    deleted = Deleted(summaries=counts["summaries"])
    for message in replaced:
        deleted += Deleted(embeddings=search_index.delete(run, "message", message.id))
        deleted += memories.unlink_message(run, message.id, now=now)
        run("supersede_message", id=message.id, now=utc_text(now))
    run(
        "count_superseded",
        id=conversation_id,
        messages=len(replaced),
        tokens=sum(message.tokens for message in replaced),
        now=utc_text(now),
    )
    return deleted


def _list_active(run: Run, conversation_id: str, from_seq: int, before_seq: int) -> list[Row]:
    return run(
        "list_active_messages",
        conversation_id=conversation_id,
        from_seq=from_seq,
        before_seq=before_seq,
    )


def list_expired(run: Run, *, now: datetime, limit: int) -> list[tuple[str, str]]:
    """List (user, message) pairs of streaming answers whose heartbeat has expired."""
    rows = run("list_expired_answers", limit=limit, **_expiry_bounds(now))
    return [(row["user_id"], row["id"]) for row in rows]


def _expiry_bounds(now: datetime) -> dict[str, str]:
    """Heartbeats before the first time, or ahead of the second, have expired."""
    return {"before": utc_text(now - LEASE), "ahead": utc_text(now + MAX_CLOCK_SKEW)}
