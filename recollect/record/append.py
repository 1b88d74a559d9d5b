"""Appending: the one way in for messages.

Everything that can be done before the transaction is: a draft is checked, counted and turned into
its row. Inside, one statement claims the numbers and locks the conversation, and one inserts each
message. What the caller gets back is read from the very rows that were stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect import tokens
from recollect.errors import InvalidInput
from recollect.ids import canonical_id, new_id
from recollect.model import Json, Message, MessageIn, utc_text
from recollect.policy import Policy
from recollect.record.checks import check_message, json_text, metadata_text, utc_moment
from recollect.record.retention import expire
from recollect.store import conversations, idempotency, messages
from recollect.store.database import Run, Value
from recollect.store.idempotency import Attempt
from recollect.turns import count_inner_starts, number_turns

_JSON_FIELDS = ("tool_calls", "suggested_values", "suggested_actions", "custom_payload")


@dataclass(frozen=True, slots=True)
class Batch:
    """Checked messages, ready to be stored together or not at all."""

    drafts: Sequence[MessageIn]
    rows: Sequence[Mapping[str, Value]]

    @classmethod
    def of(cls, drafts: Sequence[MessageIn], *, limit: int) -> "Batch":
        """Raises InvalidInput, or TooLarge for a message of more than `limit` bytes."""
        if not drafts:
            raise InvalidInput("There are no messages to append.", field="messages")
        rows = [_row(draft, limit) for draft in drafts]
        if len({row["id"] for row in rows}) < len(rows):
            raise InvalidInput("Two of the messages have the same id.", field="id")
        return cls(drafts, rows)

    @property
    def ids(self) -> list[str]:
        return [str(row["id"]) for row in self.rows]

    def body(self) -> Json:
        """What makes a retry the same request: all that was given, nothing that was made up."""
        return [
            {**row, "id": draft.id, "event_at": row.get("event_at")}
            for draft, row in zip(self.drafts, self.rows, strict=True)
        ]


def append(
    run: Run,
    conversation_id: str,
    batch: Batch,
    *,
    policies: Mapping[str, Policy],
    now: datetime,
    attempt: Attempt | None = None,
) -> list[Message]:
    """Stores a batch, and lets go of what the conversation's policy no longer keeps."""
    if attempt:
        conversations.lock(run, conversation_id)
        if (first := idempotency.recall(run, attempt)) is not None:
            return messages.get_existing(run, first)
    stored, policy_name = _store(run, conversation_id, batch, now)
    if attempt:
        idempotency.claim(run, attempt, conversation_id=conversation_id, result=batch.ids, now=now)
    policy = policies.get(policy_name)
    if policy and policy.retention:
        expire(run, conversation_id, policy.retention, now=now)
    return stored


def _store(
    run: Run, conversation_id: str, batch: Batch, now: datetime
) -> tuple[list[Message], str]:
    recorded = utc_text(now)
    roles = [draft.role for draft in batch.drafts]
    numbers = messages.claim_numbers(
        run,
        conversation_id,
        count=len(roles),
        inner_starts=count_inner_starts(roles),
        opens_with_user=roles[0] == "user",
        last_role=roles[-1],
        tokens=sum(int(row["tokens"] or 0) for row in batch.rows),
        now=recorded,
    )
    first_seq = numbers.last_seq - len(roles) + 1
    stored = []
    for index, turn in enumerate(number_turns(roles, numbers.last_turn)):
        row = {
            "event_at": recorded,
            **batch.rows[index],
            "conversation_id": conversation_id,
            "seq": first_seq + index,
            "turn": turn,
            "created_at": recorded,
        }
        messages.insert(run, row)
        stored.append(Message.from_row(row))
    return stored, numbers.policy


def _row(draft: MessageIn, limit: int) -> dict[str, Value]:
    check_message(draft, limit=limit)
    row: dict[str, Value] = {
        "id": new_id() if draft.id is None else canonical_id(draft.id),
        "role": draft.role,
        "content": draft.content,
        "thinking": draft.thinking,
        "status": "complete",
        "model_variant": draft.model_variant,
        "metadata": metadata_text(draft.metadata, limit=limit),
        "is_pinned": draft.is_pinned,
    }
    for field in _JSON_FIELDS:
        value = getattr(draft, field)
        row[field] = None if value is None else json_text(value, field, limit=limit)
    if draft.event_at is not None:
        row["event_at"] = utc_text(utc_moment(draft.event_at, "event_at"))
    row["tokens"] = tokens.count(draft.content) + tokens.count(str(row["tool_calls"] or ""))
    return row
