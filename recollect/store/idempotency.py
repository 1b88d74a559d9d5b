"""Idempotency keys: a retried request gets the result of the first one.

A request without a key is None here: it has no result, and stores none.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import IdempotencyConflict, NotFound
from recollect.core.types import Json, utc_text
from recollect.core.validation import check_idempotency_key
from recollect.store.database import Run


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request with a key. Keys are unique within a scope.

    The same key with another body is a mistake, not a retry.
    """

    scope: str
    key: str
    body_hash: str

    @classmethod
    def of(cls, scope: str, key: str | None, body: Json) -> "IdempotentRequest | None":
        if key is None:
            return None
        check_idempotency_key(key)
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
        return cls(scope, key, hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest())


def store_result(
    run: Run,
    request: IdempotentRequest | None,
    *,
    conversation_id: str,
    result: Sequence[str],
    now: datetime,
) -> None:
    """Store a result for retries, under the lock under which `find_result` returned None."""
    if request is None:
        return
    inserted = run(
        "insert_idempotency_key",
        scope=request.scope,
        key=request.key,
        conversation_id=conversation_id,
        body_hash=request.body_hash,
        result=json.dumps(result),
        now=utc_text(now),
    )
    if not inserted:
        raise IdempotencyConflict


def find_result(run: Run, request: IdempotentRequest | None) -> Sequence[str] | None:
    """Return the result of the first request, or None.

    Raises IdempotencyConflict for another body, and NotFound if the conversation of the result was
    deleted.
    """
    if request is None:
        return None
    rows = run("get_idempotency_key", scope=request.scope, key=request.key)
    if not rows:
        return None
    if rows[0]["result"] is None:
        raise NotFound("The result of this request was deleted since.")
    if rows[0]["body_hash"] != request.body_hash:
        raise IdempotencyConflict
    result: list[str] = json.loads(rows[0]["result"])
    return result


def replace_result(run: Run, request: IdempotentRequest, result: Sequence[str]) -> None:
    """Replace the result for later retries."""
    run("update_idempotency_key", scope=request.scope, key=request.key, result=json.dumps(result))


def retire(run: Run, conversation_id: str, *, now: datetime) -> None:
    """Keep the keys of a conversation that is about to be deleted, so that no retry restores it."""
    for query in ("retire_idempotency_keys", "retire_appended_keys"):
        run(query, conversation_id=conversation_id, now=utc_text(now))


def external_scope(external_id: str) -> str:
    """The scope in which an append looks that may create the conversation of a caller's key."""
    return f"external:{external_id}"


def delete_retired(run: Run, *, before: datetime) -> None:
    run("delete_retired_idempotency_keys", before=utc_text(before))
