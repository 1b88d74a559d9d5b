"""API keys: made, shown once, looked up by their hash, revoked."""

import secrets
from collections.abc import Callable
from datetime import datetime

from recollect.checks import check_user_id
from recollect.errors import NotFound
from recollect.ids import canonical_id, new_id
from recollect.model import ApiKey
from recollect.store import conversations, keys
from recollect.store.database import Database, Run

PREFIX = "rk_"
"""What every key begins with, so that it can be told from any other token."""
_SHOWN = 10


class Keys:
    """`memory.keys`: who may use the server."""

    def __init__(self, database: Database, *, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def create_key(self, user_id: str, *, is_admin: bool = False) -> str:
        """The new key. It cannot be shown again: only its hash is kept."""
        check_user_id(user_id)
        key = PREFIX + secrets.token_urlsafe(32)
        now = self._clock()

        def create(run: Run) -> None:
            conversations.lock_user(run, now=now)
            keys.insert(run, id=new_id(), key=key, prefix=key[:_SHOWN], is_admin=is_admin, now=now)

        await self._database.write(create, user_id=user_id)
        return key

    async def find_key(self, key: str) -> ApiKey | None:
        """Whose it is, unless it is unknown or revoked."""
        return await self._database.system(lambda run: keys.find(run, key), read_only=True)

    async def any_keys(self) -> bool:
        return await self._database.system(keys.count, read_only=True) > 0

    async def list_keys(self) -> list[ApiKey]:
        return await self._database.system(keys.list_all, read_only=True)

    async def revoke_key(self, key_id: str) -> None:
        id = canonical_id(key_id)
        now = self._clock()
        if not id or not await self._database.system(lambda run: keys.revoke(run, id, now=now)):
            raise NotFound("There is no such key, or it is revoked already.")
