"""Appending: the one way in for messages.

Everything that can be done before the transaction is: a batch is checked, counted and turned into
rows that lack nothing but their numbers, and its words are found. Inside, one statement claims the
numbers and locks the conversation, one inserts each message, and one what search finds it by. What
the caller gets back is built from the very rows that were stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.core import tokens
from recollect.core.errors import InvalidInput, TooLarge
from recollect.core.ids import canonical_id, new_id
from recollect.core.policy import Policy, find_policy
from recollect.core.turns import turns_back
from recollect.core.types import Json, MessageIn, Row, utc_text
from recollect.core.validation import check_message, json_text, metadata_text, utc_moment
from recollect.record.enqueue import JobEnqueuer
from recollect.record.retention import expire
from recollect.store import conversations, idempotency, messages, search_index
from recollect.store.database import Run, Value
from recollect.store.idempotency import Attempt

_JSON_FIELDS = ("tool_calls", "suggested_values", "suggested_actions", "custom_payload")
_NEW: Row = {"superseded_at": None, "rating": None}
"""What can only come later."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Checked messages, ready to be stored together or not at all."""

    drafts: Sequence[MessageIn]
    rows: Sequence[Mapping[str, Value]]
    terms: Sequence[Sequence[str]]
    turns_back: Sequence[int]
    tokens: int
    now: datetime

    @classmethod
    def of(cls, drafts: Sequence[MessageIn], *, limit: int, now: datetime) -> "Batch":
        """Raises InvalidInput, or TooLarge for a message of more than `limit` bytes, which says
        which message that is."""
        if not drafts:
            raise InvalidInput("There are no messages to append.", field="messages")
        created_at = utc_text(now)
        rows: list[dict[str, Any]] = []
        ids: set[str] = set()
        try:
            for draft in drafts:
                row = message_row(draft, limit=limit, created_at=created_at)
                if row["id"] in ids:
                    raise InvalidInput("Two of the messages have the same id.", field="id")
                ids.add(row["id"])
                rows.append(row)
        except InvalidInput as error:
            error.place = f"messages.{len(rows)}"
            raise
        return cls(
            drafts,
            rows,
            [_terms(draft) for draft in drafts],
            turns_back([draft.role for draft in drafts]),
            sum(row["tokens"] for row in rows),
            now,
        )

    @property
    def answers_back(self) -> list[int]:
        """How many turns before the last one each of its answers lies."""
        return [
            back
            for draft, back in zip(self.drafts, self.turns_back, strict=True)
            if draft.role == "assistant"
        ]

    @property
    def has_user(self) -> bool:
        return any(draft.role == "user" for draft in self.drafts)

    @property
    def ids(self) -> list[str]:
        return [str(row["id"]) for row in self.rows]

    def body(self) -> Json:
        """What makes a retry the same request: all that was given, nothing that we made up."""
        made_up = dict.fromkeys(("status", "tokens", "created_at"))
        return [
            {
                **row,
                **made_up,
                "id": draft.id,
                "event_at": row["event_at"] if draft.event_at else None,
            }
            for draft, row in zip(self.drafts, self.rows, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Appended:
    """The stored rows, and whether the caller is to run an eager digest now."""

    rows: Sequence[Row]
    needs_inline_compaction: bool = False


def append(
    run: Run,
    conversation_id: str,
    batch: Batch,
    *,
    user_id: str,
    enqueuer: JobEnqueuer,
    attempt: Attempt | None = None,
    owes: bool = True,
) -> Appended:
    """Stores a batch with the jobs it owes, and lets go of what the policy no longer keeps.

    What is about to be answered owes nothing yet: its answer does, for both.
    """
    if attempt:
        conversations.lock(run, conversation_id)
        if (first := idempotency.recall(run, attempt)) is not None:
            return Appended(messages.existing_rows(run, first))
    numbers = messages.claim_numbers(
        run,
        conversation_id,
        count=len(batch.rows),
        inner_starts=batch.turns_back[0],
        opens_with_user=batch.drafts[0].role == "user",
        last_role=batch.drafts[-1].role,
        tokens=batch.tokens,
        now=str(batch.rows[0]["created_at"]),
    )
    seq = numbers.last_seq - len(batch.rows)
    stored = []
    for row, terms, back in zip(batch.rows, batch.terms, batch.turns_back, strict=True):
        seq += 1
        turn = numbers.last_turn - back
        numbered: Row = {**row, "conversation_id": conversation_id, "seq": seq, "turn": turn}
        run("insert_message", **numbered)
        if terms and numbers.kind == "chat":
            search_index.put(
                run,
                "message",
                numbered["id"],
                terms,
                user_id=user_id,
                conversation_id=conversation_id,
                role=numbered["role"],
                at=numbered["event_at"],
            )
        stored.append({**numbered, **_NEW})
    if attempt:
        idempotency.claim(
            run, attempt, conversation_id=conversation_id, result=batch.ids, now=batch.now
        )
    policy = find_policy(enqueuer.policies, numbers.policy)
    if any(draft.is_pinned for draft in batch.drafts):
        check_pins(run, conversation_id, policy)
    if policy.retention:
        retention = policy.retention if owes else policy.retention.with_one_more()
        expire(run, conversation_id, retention, now=batch.now)
    needs_inline_compaction = owes and enqueuer.enqueue_due(
        run,
        conversation_id,
        numbers,
        first_turn=numbers.last_turn - batch.turns_back[0],
        answered_turn=numbers.last_turn - batch.answers_back[-1] if batch.answers_back else None,
        has_user=batch.has_user,
        now=batch.now,
    )
    return Appended(stored, needs_inline_compaction)


def check_pins(run: Run, conversation_id: str, policy: Policy) -> None:
    """Pinned messages are always sent, so there is a limit to them."""
    pinned = messages.pinned_tokens(run, conversation_id)
    if pinned > policy.pinned_tokens:
        raise TooLarge(
            f"With this one the pinned messages have {pinned:,} tokens; the limit is "
            f"{policy.pinned_tokens:,}. Unpin another one first.",
            field="is_pinned",
        )


def _terms(draft: MessageIn) -> list[str]:
    if draft.role not in search_index.INDEXED_ROLES or not draft.content:
        return []
    return search_index.message_terms(draft.content, draft.metadata)


def message_row(
    draft: MessageIn, *, limit: int, created_at: str, may_be_empty: bool = False
) -> dict[str, Any]:
    """A checked message as a row that lacks nothing but its place."""
    check_message(draft, limit=limit, may_be_empty=may_be_empty)
    row: dict[str, Any] = {
        "id": new_id() if draft.id is None else canonical_id(draft.id),
        "role": draft.role,
        "content": draft.content,
        "thinking": draft.thinking,
        "status": "complete",
        "model_variant": draft.model_variant,
        "metadata": metadata_text(draft.metadata, limit=limit),
        "tokens": tokens.count(draft.content),
        "is_pinned": draft.is_pinned,
        "created_at": created_at,
        "event_at": created_at,
    }
    for field in _JSON_FIELDS:
        value = getattr(draft, field)
        row[field] = None if value is None else json_text(value, field, limit=limit)
    if row["tool_calls"] is not None:
        row["tokens"] += tokens.count(row["tool_calls"])
    if draft.event_at is not None:
        row["event_at"] = utc_text(utc_moment(draft.event_at, "event_at"))
    return row
