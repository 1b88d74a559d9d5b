"""API keys. Only their hash is stored; they are random, so a plain hash is enough."""

import hashlib
from datetime import datetime

from recollect.model import ApiKey, utc_text
from recollect.store.database import Run


def hash_key(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def insert(run: Run, *, id: str, key: str, prefix: str, is_admin: bool, now: datetime) -> None:
    run(
        "insert_api_key",
        id=id,
        key_hash=hash_key(key),
        prefix=prefix,
        is_admin=is_admin,
        now=utc_text(now),
    )


def find(run: Run, key: str) -> ApiKey | None:
    rows = run("find_api_key", key_hash=hash_key(key))
    return ApiKey.from_row(rows[0]) if rows else None


def count(run: Run) -> int:
    (row,) = run("count_api_keys")
    active: int = row["count"]
    return active


def list_all(run: Run) -> list[ApiKey]:
    return [ApiKey.from_row(row) for row in run("list_api_keys")]


def revoke(run: Run, key_id: str, *, now: datetime) -> bool:
    return bool(run("revoke_api_key", id=key_id, now=utc_text(now)))
