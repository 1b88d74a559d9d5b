"""Idempotency keys: what a retried request gets is what the first one got."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.errors import IdempotencyConflict
from recollect.model import Json, utc_text
from recollect.store.database import Run


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request under a key. The same key with another body is a mistake, not a retry."""

    key: str
    body_hash: str

    @classmethod
    def of(cls, key: str, body: Json) -> "Attempt":
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
        return cls(key, hashlib.sha256(text.encode()).hexdigest())


def claim(
    run: Run, attempt: Attempt, *, conversation_id: str, result: Sequence[str], now: datetime
) -> None:
    """Keeps a result for retries. A rival with the same body would have been found by `recall`."""
    claimed = run(
        "claim_idempotency_key",
        key=attempt.key,
        conversation_id=conversation_id,
        body_hash=attempt.body_hash,
        result=json.dumps(result),
        now=utc_text(now),
    )
    if not claimed:
        raise IdempotencyConflict


def recall(run: Run, attempt: Attempt) -> Sequence[str] | None:
    """The first attempt's result, or None where there was none."""
    rows = run("get_idempotency_key", key=attempt.key)
    if not rows:
        return None
    if rows[0]["body_hash"] != attempt.body_hash:
        raise IdempotencyConflict
    result: list[str] = json.loads(rows[0]["result"])
    return result
