"""Delete the turns that a policy's retention no longer keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from recollect.core.policy import Policy, Retention
from recollect.core.types import Deleted
from recollect.store import conversations, idempotency, jobs, messages
from recollect.store.database import Database, Run

_SWEEP_BATCH = 500
_KEEP_RETIRED_KEYS = timedelta(days=1)
"""Idempotency keys of deleted conversations: a retry comes within minutes."""


@dataclass(frozen=True, slots=True)
class Expired:
    """The counts of what a retention rule deleted."""

    turns: int = 0
    deleted: Deleted = field(default_factory=Deleted)

    def __add__(self, other: "Expired") -> "Expired":
        return Expired(self.turns + other.turns, self.deleted + other.deleted)


def list_expired(
    run: Run, conversation_id: str, retention: Retention | None, *, now: datetime
) -> list[tuple[str, int]]:
    """List (id, turn) of the messages that are too many or too old; none without a retention."""
    if retention is None:
        return []
    before = now - retention.max_age
    return messages.expired(run, conversation_id, max_turns=retention.max_turns, before=before)


def expire(
    run: Run, conversation_id: str, retention: Retention | None, *, now: datetime
) -> Expired:
    """Delete the turns that are too many or too old, with everything derived from them.

    A turn whose answer is streaming is kept until a later call.
    """
    if retention is not None:
        conversations.lock(run, conversation_id)
    due = list_expired(run, conversation_id, retention, now=now)
    deleted = Deleted()
    for message_id, _ in due:
        deleted += messages.delete(run, messages.get(run, message_id), now=now)
    if due and conversations.get(run, conversation_id).topic is not None:
        conversations.clear_topic(run, conversation_id, now=now)
        jobs.enqueue(run, "topic", conversation_id, run_at=now, now=now)
    return Expired(len({turn for _, turn in due}), deleted)


async def sweep(database: Database, policies: Mapping[str, Policy], *, now: datetime) -> Expired:
    """Apply the retention of every policy to the conversations of all users."""
    delete_keys = partial(idempotency.delete_retired, before=now - _KEEP_RETIRED_KEYS)
    await database.system(delete_keys)
    total = Expired()
    for policy in policies.values():
        if (retention := policy.retention) is None:
            continue
        find = partial(
            messages.list_over_retention,
            policy=policy.name,
            max_turns=retention.max_turns,
            before=now - retention.max_age,
            limit=_SWEEP_BATCH,
        )
        while overdue := await database.system(find, read_only=True):
            for user_id, id in overdue:
                delete = partial(expire, conversation_id=id, retention=retention, now=now)
                total += await database.write(delete, user_id=user_id)
    return total
