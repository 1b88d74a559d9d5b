"""API keys. Only their hash is stored; they are random, so a plain hash is enough."""

import hashlib
import hmac
from datetime import datetime

from recollect.core.types import ApiKey, utc_text
from recollect.store.database import Run

_NOBODYS = "00000000-0000-0000-0000-000000000000"
_AFTER_ALL_TIMES = "9999-12-31T00:00:00.000000Z"
_AFTER_ALL_IDS = "ffffffff-ffff-ffff-ffff-ffffffffffff"


def hash_key(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def insert(run: Run, new: ApiKey, key: str) -> None:
    run(
        "insert_api_key",
        id=new.id,
        key_hash=hash_key(key),
        prefix=new.prefix,
        is_admin=new.is_admin,
        now=utc_text(new.created_at),
    )


def find(run: Run, key: str) -> ApiKey | None:
    """The index finds by hash, of which nothing can be learnt; what decides takes constant time."""
    hashed = hash_key(key)
    rows = run("find_api_key", key_hash=hashed)
    matching = [row for row in rows if hmac.compare_digest(row["key_hash"], hashed)]
    return ApiKey.from_row(matching[0]) if matching else None


def count(run: Run) -> int:
    (row,) = run("count_api_keys")
    active: int = row["count"]
    return active


def keep_auth_required(run: Run, *, now: datetime) -> bool:
    """Where there are keys, one is kept that opens nothing and nobody owns: so the server goes on
    wanting them when those there are go with their owners. Whether that is so."""
    if not count(run):
        return False
    run("insert_placeholder_user", now=utc_text(now))
    run("insert_placeholder_key", id=_NOBODYS, now=utc_text(now))
    return True


def page(run: Run, *, limit: int, before: tuple[str, str] | None = None) -> list[ApiKey]:
    """Newest first, from the latest on or before a (created_at, id)."""
    before_at, before_id = before or (_AFTER_ALL_TIMES, _AFTER_ALL_IDS)
    rows = run("list_api_keys", before_at=before_at, before_id=before_id, limit=limit)
    return [ApiKey.from_row(row) for row in rows]


def revoke(run: Run, key_id: str, *, now: datetime) -> bool:
    return bool(run("revoke_api_key", id=key_id, now=utc_text(now)))
