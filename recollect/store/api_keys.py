"""API keys. Only the hash is stored; keys are random, so a plain hash is enough."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

from recollect.core.types import ApiKey, utc_text
from recollect.store.database import MAX_ID, MAX_TIME, MIN_ID, Run


def hash_key(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def insert(run: Run, new: ApiKey, key: str) -> None:
    run("insert_api_key", key_hash=hash_key(key), **new.columns())


def find(run: Run, key: str, *, now: datetime) -> ApiKey | None:
    """Return a key that is neither revoked nor expired.

    The lookup by hash leaks nothing about the key; the final comparison is constant-time.
    """
    hashed = hash_key(key)
    rows = run("find_api_key", key_hash=hashed, now=utc_text(now))
    matching = [row for row in rows if hmac.compare_digest(row["key_hash"], hashed)]
    return ApiKey.from_row(matching[0]) if matching else None


def count(run: Run) -> int:
    (row,) = run("count_api_keys")
    return int(row["count"])


def keep_auth_required(run: Run, *, now: datetime) -> bool:
    """If there are keys, keep a placeholder that opens nothing, and return whether there are.

    So the server still requires keys after the users who own them were deleted.
    """
    if not count(run):
        return False
    run("insert_placeholder_user", now=utc_text(now))
    run("insert_placeholder_key", id=MIN_ID, now=utc_text(now))
    return True


def page(run: Run, *, limit: int, before: tuple[str, str] | None = None) -> list[ApiKey]:
    """List keys, newest first, from the start or before a (created_at, id)."""
    before_at, before_id = before or (MAX_TIME, MAX_ID)
    return ApiKey.from_rows(
        run("list_api_keys", before_at=before_at, before_id=before_id, limit=limit)
    )


def get(run: Run, key_id: str | None, *, now: datetime) -> ApiKey | None:
    """Return a valid key by its id."""
    return ApiKey.from_first(run("get_api_key", id=key_id, now=utc_text(now)))


def expire(run: Run, key_id: str, *, at: datetime) -> None:
    run("expire_api_key", id=key_id, at=utc_text(at))


def record_uses(run: Run, uses: Mapping[str, datetime]) -> None:
    for id, at in sorted(uses.items()):
        run("record_api_key_use", id=id, at=utc_text(at))


def revoke(run: Run, key_id: str, *, now: datetime) -> bool:
    return bool(run("revoke_api_key", id=key_id, now=utc_text(now)))
