"""Append messages to a conversation.

As much as possible happens before the transaction: `Batch.of` validates the messages, counts
tokens, finds the search terms and builds rows that lack only seq and turn. In the transaction one
statement locks the conversation and claims the numbers; then each message is inserted and indexed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest
from recollect.store.messages import ConversationProgress

_JSON_FIELDS = ("tool_calls", "suggested_values", "suggested_actions", "custom_payload")
_UNSET_COLUMNS: Row = {"superseded_at": None, "rating": None}
"""Columns that `insert_message` does not set."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Validated messages, to be stored together or not at all."""

    drafts: Sequence[MessageIn]
    rows: Sequence[Row]
    terms: Sequence[Sequence[str]]
    turns_back: Sequence[int]
    now: datetime

    @classmethod
    def of(cls, drafts: Sequence[MessageIn], *, limit: int, now: datetime) -> "Batch":
        """Validate messages of at most `limit` bytes each. An error names the message's index."""
        if not drafts:
            raise InvalidInput("There are no messages to append.", field="messages")
        created_at = utc_text(now)
        rows: list[Row] = []
        ids: set[str] = set()
        try:
            for draft in drafts:
                row = message_row(draft, limit=limit, created_at=created_at)
                if row["id"] in ids:
                    raise InvalidInput("Two of the messages have the same id.", field="id")
                ids.add(row["id"])
                rows.append(row)
        except InvalidInput as error:
            error.location = f"messages.{len(rows)}"
            raise
        terms = [_terms(draft) for draft in drafts]
        return cls(drafts, rows, terms, turns_back([draft.role for draft in drafts]), now)

    def last(self, count: int) -> "Batch":
        """The last messages of the batch."""
        first = len(self.drafts) - count
        return replace(
            self,
            drafts=self.drafts[first:],
            rows=self.rows[first:],
            terms=self.terms[first:],
            turns_back=self.turns_back[first:],
        )

    @property
    def answers_back(self) -> list[int]:
        """For each assistant message, the number of turns between it and the last turn."""
        return [
            back
            for draft, back in zip(self.drafts, self.turns_back, strict=True)
            if draft.role == "assistant"
        ]

    @property
    def ids(self) -> list[str]:
        return [str(row["id"]) for row in self.rows]

    def body(self) -> Json:
        """The part of the request that a retry repeats, without generated values."""
        generated = dict.fromkeys(("status", "tokens", "created_at"))
        return [
            {
                **row,
                **generated,
                "id": draft.id,
                "event_at": row["event_at"] if draft.event_at else None,
            }
            for draft, row in zip(self.drafts, self.rows, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Appended:
    """The messages of a batch as stored rows. `stored` counts the new ones: a retry has none."""

    conversation_id: str
    rows: Sequence[Row] = ()
    stored: int = 0
    needs_inline_compaction: bool = False


def append(
    run: Run,
    conversation_id: str,
    batch: Batch,
    *,
    user_id: str,
    enqueuer: JobEnqueuer,
    request: IdempotentRequest | None = None,
) -> Appended:
    """Store a batch, apply the policy's retention, and enqueue the jobs that are now due."""
    if request:
        conversations.lock(run, conversation_id)
        if (first := idempotency.find_result(run, request)) is not None:
            return Appended(conversation_id, messages.find_rows(run, first))
    progress, rows = _store(run, conversation_id, batch, user_id, enqueuer.policies)
    if request:
        idempotency.store_result(
            run, request, conversation_id=conversation_id, result=batch.ids, now=batch.now
        )
    if retention := find_policy(enqueuer.policies, progress.policy).retention:
        expire(run, conversation_id, retention, now=batch.now)
    answers_back = batch.answers_back
    needs_inline_compaction = enqueuer.enqueue_due(
        run,
        conversation_id,
        progress,
        first_turn=progress.last_turn - batch.turns_back[0],
        answered_turn=progress.last_turn - answers_back[-1] if answers_back else None,
        has_user=any(draft.role == "user" for draft in batch.drafts),
        now=batch.now,
    )
    return Appended(conversation_id, rows, len(rows), needs_inline_compaction)


def append_question(
    run: Run,
    conversation_id: str,
    batch: Batch,
    *,
    user_id: str,
    policies: Mapping[str, Policy],
) -> int:
    """Store messages that are about to be answered, and return how many.

    Enqueues nothing: `enqueue_due` is called once for question and answer, when the answer ends.
    """
    progress, rows = _store(run, conversation_id, batch, user_id, policies)
    if retention := find_policy(policies, progress.policy).retention:
        expire(run, conversation_id, retention.with_one_more(), now=batch.now)
    return len(rows)


def _store(
    run: Run, conversation_id: str, batch: Batch, user_id: str, policies: Mapping[str, Policy]
) -> tuple[ConversationProgress, list[Row]]:
    progress = messages.reserve_seqs(
        run,
        conversation_id,
        count=len(batch.rows),
        inner_starts=batch.turns_back[0],
        opens_with_user=batch.drafts[0].role == "user",
        last_role=batch.drafts[-1].role,
        tokens=sum(row["tokens"] for row in batch.rows),
        now=str(batch.rows[0]["created_at"]),
    )
    seq = progress.last_seq - len(batch.rows)
    stored: list[Row] = []
    for row, terms, back in zip(batch.rows, batch.terms, batch.turns_back, strict=True):
        seq += 1
        turn = progress.last_turn - back
        numbered: Row = {**row, "conversation_id": conversation_id, "seq": seq, "turn": turn}
        run("insert_message", **numbered)
        if terms and progress.kind == "chat":
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
        stored.append({**numbered, **_UNSET_COLUMNS})
    if any(draft.is_pinned for draft in batch.drafts):
        check_pins(run, conversation_id, find_policy(policies, progress.policy))
    return progress, stored


def check_pins(run: Run, conversation_id: str, policy: Policy) -> None:
    """Raise TooLarge if the pinned messages, which every context includes, exceed the policy."""
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
    """Validate a message and return its row, without conversation, seq and turn."""
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
