"""Answers that are being written: message rows with an owner and a heartbeat.

An answer is a row from before its first word on. Its owner writes down what there is of it at least
once a second, which is the heartbeat; who finds that it has lapsed may end the row as interrupted.
An owner that comes back after that still has the last word.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from recollect.core import tokens
from recollect.core.errors import NotFound
from recollect.core.types import Conversation, Deleted, Json, Message, Row, Status, utc_text
from recollect.store import memories, messages, search_index, summaries
from recollect.store.database import Run
from recollect.store.jobs import MAX_CLOCK_SKEW
from recollect.store.messages import ConversationProgress

LEASE = timedelta(seconds=20)
"""An answer whose owner has not been heard for so long is given up."""
_BEYOND_ALL_SEQS = 2**31 - 1

FlushSignal = Literal["go on", "stop", "gone"]
"""What an owner learns by its heartbeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """What there is of an answer."""

    content: str
    thinking: str | None = None
    tool_calls: Sequence[Json] = ()

    @property
    def tool_calls_text(self) -> str | None:
        return json.dumps(list(self.tool_calls), ensure_ascii=False) if self.tool_calls else None

    @property
    def tokens(self) -> int:
        calls = self.tool_calls_text
        return tokens.count(self.content) + (tokens.count(calls) if calls else 0)


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
    """A row for the answer to what was said last, or in the turn that is named."""
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
    rows = run(
        "flush_answer",
        id=id,
        content=draft.content,
        thinking=draft.thinking,
        tool_calls=draft.tool_calls_text,
        owner=owner,
        now=utc_text(now),
    )
    if not rows:
        return "gone"
    return "stop" if rows[0]["stop_asked_at"] is not None else "go on"


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
    """False when somebody else has ended it, or it is gone."""
    ended = run(
        "end_answer",
        id=message.id,
        content=draft.content,
        thinking=draft.thinking,
        tool_calls=draft.tool_calls_text,
        status=status,
        metadata=json.dumps(metadata, ensure_ascii=False),
        tokens=draft.tokens,
        event_at=utc_text(now),
        owner=owner,
    )
    return bool(ended)


def mark_interrupted(run: Run, message: Message, *, tokens: int, now: datetime) -> bool:
    """Ends an answer that nobody has been heard writing lately; False if somebody has."""
    return bool(run("interrupt_answer", id=message.id, tokens=tokens, **_expiry_bounds(now)))


def add_tokens(run: Run, message: Message, *, tokens: int, now: datetime) -> ConversationProgress:
    """Counts the tokens that an answer has gained by its end."""
    rows = run(
        "add_answer_tokens",
        id=message.conversation_id,
        tokens=tokens,
        is_superseded=message.superseded_at is not None,
        now=utc_text(now),
    )
    if not rows:
        raise NotFound("There is no such conversation.")
    return messages.progress_from_row(rows[0])


def request_stop(run: Run, id: str, *, now: datetime) -> None:
    run("request_answer_stop", id=id, now=utc_text(now))


def find_streaming(run: Run, conversation_id: str) -> str | None:
    """The newest answer of a conversation that is being written."""
    rows = run("find_streaming_answer", conversation_id=conversation_id)
    return rows[0]["id"] if rows else None


def mark_answering(run: Run, found: Sequence[Conversation], *, now: datetime) -> list[Conversation]:
    """The same, each with whether an answer is being written in it: one query for them all."""
    rows = run("list_answering", since=utc_text(now - LEASE)) if found else []
    answering = {row["conversation_id"] for row in rows}
    return [replace(one, is_answering=one.id in answering) for one in found]


def find_last(run: Run, conversation_id: str) -> str | None:
    rows = run("find_last_answer", conversation_id=conversation_id)
    return rows[0]["id"] if rows else None


def find_question(run: Run, answer: Message) -> Message | None:
    rows = run("find_question", conversation_id=answer.conversation_id, seq=answer.seq)
    return messages.get(run, rows[0]["id"]) if rows else None


def has_active_between(run: Run, answer: Message, *, from_seq: int) -> bool:
    """Whether something stands between a question and this answer to it."""
    return bool(_list_active(run, answer.conversation_id, from_seq, answer.seq))


def supersede(
    run: Run,
    conversation_id: str,
    *,
    from_seq: int,
    before_seq: int = _BEYOND_ALL_SEQS,
    now: datetime,
) -> Deleted:
    """Takes a message and all that followed out of the conversation. They stay on record; what was
    derived from them goes."""
    rows = _list_active(run, conversation_id, from_seq, before_seq)
    replaced = [Message.from_row(row) for row in rows]
    if not replaced:
        return Deleted()
    (counts,) = run("count_covering_summaries", conversation_id=conversation_id, seq=from_seq)
    if counts["summaries"]:
        summaries.delete_covering(run, conversation_id, from_seq, now=now)
    gone = Deleted(summaries=counts["summaries"])
    for message in replaced:
        gone += Deleted(embeddings=search_index.delete(run, "message", message.id))
        gone += memories.unlink_message(run, message.id, now=now)
        run("supersede_message", id=message.id, now=utc_text(now))
    run(
        "count_superseded",
        id=conversation_id,
        messages=len(replaced),
        tokens=sum(message.tokens for message in replaced),
        now=utc_text(now),
    )
    return gone


def _list_active(run: Run, conversation_id: str, from_seq: int, before_seq: int) -> list[Row]:
    return run(
        "list_active_messages",
        conversation_id=conversation_id,
        from_seq=from_seq,
        before_seq=before_seq,
    )


def list_expired(run: Run, *, now: datetime, limit: int) -> list[tuple[str, str]]:
    """(user, message) pairs of answers whose writer has not been heard of lately."""
    rows = run("list_expired_answers", limit=limit, **_expiry_bounds(now))
    return [(row["user_id"], row["id"]) for row in rows]


def _expiry_bounds(now: datetime) -> dict[str, str]:
    """Between which moments a heartbeat has not lapsed."""
    return {"before": utc_text(now - LEASE), "ahead": utc_text(now + MAX_CLOCK_SKEW)}
