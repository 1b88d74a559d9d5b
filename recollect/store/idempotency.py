"""Idempotency keys: what a retried request gets is what the first one got."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import IdempotencyConflict
from recollect.core.types import Json, utc_text
from recollect.store.database import Run


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request under a key. The same key with another body is a mistake, not a retry.

    `scope` is what the key is good for: in another one it is another key.
    """

    scope: str
    key: str
    body_hash: str

    @classmethod
    def of(cls, scope: str, key: str, body: Json) -> "IdempotentRequest":
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
        return cls(scope, key, hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest())


def store_result(
    run: Run,
    attempt: IdempotentRequest,
    *,
    conversation_id: str,
    result: Sequence[str],
    now: datetime,
) -> None:
    """Keeps a result for retries. Who asks holds the lock under which `recall` found nothing."""
    claimed = run(
        "insert_idempotency_key",
        scope=attempt.scope,
        key=attempt.key,
        conversation_id=conversation_id,
        body_hash=attempt.body_hash,
        result=json.dumps(result),
        now=utc_text(now),
    )
    if not claimed:
        raise IdempotencyConflict


def find_result(run: Run, attempt: IdempotentRequest) -> Sequence[str] | None:
    """The first attempt's result, or None where there was none."""
    rows = run("get_idempotency_key", scope=attempt.scope, key=attempt.key)
    if not rows:
        return None
    if rows[0]["body_hash"] != attempt.body_hash:
        raise IdempotencyConflict
    result: list[str] = json.loads(rows[0]["result"])
    return result


def replace_result(run: Run, attempt: IdempotentRequest, result: Sequence[str]) -> None:
    """Another result than the first one, for those who try again from now on."""
    run("update_idempotency_key", scope=attempt.scope, key=attempt.key, result=json.dumps(result))
