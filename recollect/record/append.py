"""Append messages to a conversation.

As much as possible happens before the transaction: `Batch.of` validates the messages, counts
tokens, splits texts into passages, finds their terms, and builds rows that lack only seq and turn.
In the transaction one statement locks the conversation and claims the numbers; then each message is
inserted and indexed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.core import tokens
from recollect.core.errors import InvalidInput, NotFound, TooLarge
from recollect.core.ids import canonical_id, new_id
from recollect.core.policy import Policy, find_policy
from recollect.core.turns import turns_back
from recollect.core.types import Json, MessageIn, Row, utc_text
from recollect.core.validation import (
    check_message,
    check_pinned,
    json_text,
    metadata_text,
    utc_moment,
)
from recollect.language.analyzer import count_words
from recollect.language.normalize import normalized_length
from recollect.record.enqueue import JobEnqueuer
from recollect.record.retention import expire
from recollect.store import conversations, idempotency, messages, search_index
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest
from recollect.store.messages import ConversationProgress
from recollect.store.search_index import DocumentPart

MAX_BATCH_MESSAGES = 2_000
"""Stored in one transaction, during which nobody else can write to SQLite."""
MAX_LISTED_MESSAGES = 10_000
"""In the whole list of a client; most of them are stored already."""
MAX_MESSAGE_WORDS = 600_000
"""Ordinary text, code and tables of two megabytes have fewer."""
_JSON_FIELDS = ("tool_calls", "suggested_values", "suggested_actions", "custom_payload")
_UNSET_COLUMNS: Row = {"superseded_at": None, "rating": None}
"""Columns that `insert_message` does not set."""


@dataclass(frozen=True, slots=True)
class _Item:
    draft: MessageIn
    row: Row
    parts: Sequence[DocumentPart]
    turns_back: int
    """Number of turns between the message and the last one of the batch."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Validated messages, to be stored together or not at all."""

    items: Sequence[_Item]
    now: datetime

    @classmethod
    def of(
        cls,
        drafts: Sequence[MessageIn],
        *,
        limit: int,
        now: datetime,
        max_messages: int = MAX_BATCH_MESSAGES,
    ) -> "Batch":
        """Validate messages of at most `limit` bytes each. An error names the message's index."""
        if not drafts:
            raise InvalidInput("There are no messages to append.", field="messages")
        check_count(len(drafts), max_messages)
        rows: list[Row] = []
        ids: set[str] = set()
        try:
            for draft in drafts:
                row = message_row(draft, limit=limit, created_at=utc_text(now))
                _check_words(draft, limit=limit)
                if row["id"] in ids:
                    raise InvalidInput("Two of the messages have the same id.", field="id")
                ids.add(row["id"])
                rows.append(row)
        except InvalidInput as error:
            error.location = f"messages.{len(rows)}"
            raise
        backs = turns_back([draft.role for draft in drafts])
        items = [
            _Item(draft, row, _parts(draft), back)
            for draft, row, back in zip(drafts, rows, backs, strict=True)
        ]
        return cls(items, now)

    def last(self, count: int) -> "Batch":
        check_count(count, MAX_BATCH_MESSAGES)
        return Batch(self.items[-count:], self.now)

    def body(self) -> Json:
        """The part of the request that a retry repeats, without generated values."""
        generated = dict.fromkeys(("status", "tokens", "created_at"))
        return [
            {
                **item.row,
                **generated,
                "id": item.draft.id,
                "event_at": item.row["event_at"] if item.draft.event_at else None,
            }
            for item in self.items
        ]


@dataclass(frozen=True, slots=True)
class AfterCommit:
    """Work to do after the commit: a transaction may be retried, and must not wait."""

    conversation_id: str
    stored: int = 0
    """Number of new messages to count: none if the request is a retry."""
    needs_inline_compaction: bool = False


def append(
    run: Run,
    conversation_id: str,
    batch: Batch,
    *,
    user_id: str,
    enqueuer: JobEnqueuer,
    idempotency_key: str | None = None,
) -> tuple[Sequence[Row], AfterCommit]:
    """Store a batch, apply the policy's retention, and enqueue the jobs that are now due."""
    request = IdempotentRequest.of(conversation_id, idempotency_key, batch.body())
    if request and not conversations.lock(run, conversation_id):
        raise NotFound("There is no such conversation.")
    if (first := idempotency.find_result(run, request)) is not None:
        return messages.find_rows(run, first), AfterCommit(conversation_id)
    progress, rows = _store(run, conversation_id, batch, user_id, enqueuer.policies)
    ids = [row["id"] for row in rows]
    idempotency.store_result(
        run, request, conversation_id=conversation_id, result=ids, now=batch.now
    )
    retention = find_policy(enqueuer.policies, progress.policy).retention
    expire(run, conversation_id, retention, now=batch.now)
    answered = [row["turn"] for row in rows if row["role"] == "assistant"]
    needs_inline_compaction = enqueuer.enqueue_due(
        run,
        conversation_id,
        progress,
        first_turn=rows[0]["turn"],
        answered_turn=answered[-1] if answered else None,
        has_user=any(row["role"] == "user" for row in rows),
        now=batch.now,
    )
    return rows, AfterCommit(conversation_id, len(rows), needs_inline_compaction)


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
        count=len(batch.items),
        inner_starts=batch.items[0].turns_back,
        opens_with_user=batch.items[0].draft.role == "user",
        last_role=batch.items[-1].draft.role,
        tokens=sum(item.row["tokens"] for item in batch.items),
        now=utc_text(batch.now),
    )
    stored: list[Row] = []
    for seq, item in enumerate(batch.items, start=progress.last_seq - len(batch.items) + 1):
        turn = progress.last_turn - item.turns_back
        row: Row = {**item.row, "conversation_id": conversation_id, "seq": seq, "turn": turn}
        run("insert_message", **row)
        if progress.kind == "chat":
            search_index.put_parts(
                run,
                row["id"],
                item.parts,
                user_id=user_id,
                conversation_id=conversation_id,
                role=row["role"],
                at=row["event_at"],
            )
        stored.append({**row, **_UNSET_COLUMNS})
    if any(item.draft.is_pinned for item in batch.items):
        check_pins(run, conversation_id, find_policy(policies, progress.policy))
    return progress, stored


def check_pins(run: Run, conversation_id: str, policy: Policy) -> None:
    """Raise TooLarge if the pinned messages exceed the policy."""
    pinned = messages.pinned_tokens(run, conversation_id)
    check_pinned("messages", pinned, limit=policy.pinned_tokens)


def check_count(count: int, limit: int) -> None:
    if count > limit:
        raise TooLarge(
            f"There are {count:,} messages; the limit is {limit:,} at once.", field="messages"
        )


def _check_words(draft: MessageIn, *, limit: int) -> None:
    """Raise TooLarge if the index of a message would be much larger than its text suggests."""
    text = search_index.searchable_text(draft.content, draft.tool_calls)
    if normalized_length(text, limit=limit) > limit:
        message = f"content has over {limit:,} characters after Unicode normalization (NFKC)."
        raise TooLarge(message, field="content")
    if len(text) > MAX_MESSAGE_WORDS and count_words(text) > MAX_MESSAGE_WORDS:
        message = f"content has over {MAX_MESSAGE_WORDS:,} words, the limit."
        raise TooLarge(message, field="content")


def _parts(draft: MessageIn) -> list[DocumentPart]:
    if draft.role not in search_index.INDEXED_ROLES:
        return []
    return search_index.message_parts(draft.content, draft.tool_calls, draft.metadata)


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
