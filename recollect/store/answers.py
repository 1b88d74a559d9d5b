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
from recollect.store.clocks import TOO_FAR_AHEAD
from recollect.store.database import Run
from recollect.store.messages import Numbers

LEASE = timedelta(seconds=20)
"""An answer whose owner has not been heard for so long is given up."""
_BEYOND_ALL_SEQS = 2**31 - 1

Heard = Literal["go on", "stop", "gone"]
"""What an owner learns by its heartbeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
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
    numbers = messages.claim_numbers(
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


def flush(run: Run, id: str, draft: Draft, *, owner: str, now: datetime) -> Heard:
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


def end(
    run: Run,
    message: Message,
    draft: Draft,
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


def release(run: Run, message: Message, *, tokens: int, now: datetime) -> bool:
    """Ends an answer that nobody has been heard writing lately; False if somebody has."""
    return bool(run("release_answer", id=message.id, tokens=tokens, **_lapse(now)))


def settle(run: Run, message: Message, *, tokens: int, now: datetime) -> Numbers:
    """Counts the tokens that an answer has gained by its end."""
    rows = run(
        "settle_answer",
        id=message.conversation_id,
        tokens=tokens,
        is_superseded=message.superseded_at is not None,
        now=utc_text(now),
    )
    if not rows:
        raise NotFound("There is no such conversation.")
    return messages.numbers_of(rows[0])


def ask_to_stop(run: Run, id: str, *, now: datetime) -> None:
    run("ask_answer_to_stop", id=id, now=utc_text(now))


def running(run: Run, conversation_id: str) -> str | None:
    """The newest answer of a conversation that is being written."""
    rows = run("find_running_answer", conversation_id=conversation_id)
    return rows[0]["id"] if rows else None


def marked(run: Run, found: Sequence[Conversation], *, now: datetime) -> list[Conversation]:
    """The same, each with whether an answer is being written in it: one query for them all."""
    rows = run("list_answering", since=utc_text(now - LEASE)) if found else []
    answering = {row["conversation_id"] for row in rows}
    return [replace(one, is_answering=one.id in answering) for one in found]


def last(run: Run, conversation_id: str) -> str | None:
    rows = run("find_last_answer", conversation_id=conversation_id)
    return rows[0]["id"] if rows else None


def question_of(run: Run, answer: Message) -> Message | None:
    rows = run("find_question", conversation_id=answer.conversation_id, seq=answer.seq)
    return messages.get(run, rows[0]["id"]) if rows else None


def stands_before(run: Run, answer: Message, *, from_seq: int) -> bool:
    """Whether something stands between a question and this answer to it."""
    return bool(_standing(run, answer.conversation_id, from_seq, answer.seq))


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
    rows = _standing(run, conversation_id, from_seq, before_seq)
    replaced = [Message.from_row(row) for row in rows]
    if not replaced:
        return Deleted()
    (counts,) = run("count_covering_summaries", conversation_id=conversation_id, seq=from_seq)
    if counts["summaries"]:
        summaries.delete_covering(run, conversation_id, from_seq, now=now)
    gone = Deleted(summaries=counts["summaries"])
    for message in replaced:
        gone += Deleted(embeddings=search_index.delete(run, "message", message.id))
        gone += memories.let_go_of_message(run, message.id, now=now)
        run("supersede_message", id=message.id, now=utc_text(now))
    run(
        "note_superseded",
        id=conversation_id,
        messages=len(replaced),
        tokens=sum(message.tokens for message in replaced),
        now=utc_text(now),
    )
    return gone


def _standing(run: Run, conversation_id: str, from_seq: int, before_seq: int) -> list[Row]:
    return run(
        "list_standing", conversation_id=conversation_id, from_seq=from_seq, before_seq=before_seq
    )


def lapsed(run: Run, *, now: datetime, limit: int) -> list[tuple[str, str]]:
    """(user, message) pairs of answers whose writer has not been heard of lately."""
    rows = run("list_lapsed_answers", limit=limit, **_lapse(now))
    return [(row["user_id"], row["id"]) for row in rows]


def _lapse(now: datetime) -> dict[str, str]:
    """Between which moments a heartbeat has not lapsed."""
    return {"before": utc_text(now - LEASE), "ahead": utc_text(now + TOO_FAR_AHEAD)}
