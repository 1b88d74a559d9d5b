"""`memory.keys`: create, look up, list and revoke API keys. Only hashes are stored."""

import secrets
from dataclasses import dataclass, field

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.pagination import check_page, decode_time, make_page
from recollect.core.types import ApiKey, Page
from recollect.store import api_keys, conversations
from recollect.store.database import Run
from recollect.store.service_base import ServiceBase

PREFIX = "rk_"
"""Distinguishes a key from other bearer tokens."""
_STORED_PREFIX_CHARS = 10
_NO_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A new key, which cannot be shown again, and its stored description."""

    key: str = field(repr=False)  # keeps the key out of logs
    api_key: ApiKey


class Keys(ServiceBase):
    async def create_key(self, *, user_id: str, is_admin: bool = False) -> str:
        """Create a key and return it. It cannot be shown again."""
        return (await self.issue_key(user_id=user_id, is_admin=is_admin)).key

    async def issue_key(self, *, user_id: str, is_admin: bool = False) -> IssuedKey:
        """Create a key and return it with its description."""
        key = PREFIX + secrets.token_urlsafe(32)
        api_key = ApiKey(
            id=new_id(),
            user_id=user_id,
            prefix=key[:_STORED_PREFIX_CHARS],
            is_admin=is_admin,
            created_at=self._clock(),
            revoked_at=None,
        )

        def create(run: Run) -> None:
            conversations.lock_user(run, now=api_key.created_at)
            api_keys.insert(run, api_key, key)

        await self._write(create, user_id)
        return IssuedKey(key=key, api_key=api_key)

    async def find_key(self, key: str) -> ApiKey | None:
        """Return the description of a key, or None if it is unknown or revoked."""
        return await self._database.system(lambda run: api_keys.find(run, key), read_only=True)

    async def has_keys(self) -> bool:
        return await self._database.system(api_keys.count, read_only=True) > 0

    async def list_keys(self) -> list[ApiKey]:
        """List all keys, newest first, with the revoked ones."""
        return await self._database.system(
            lambda run: api_keys.page(run, limit=_NO_LIMIT), read_only=True
        )

    async def page_keys(self, limit: int = 50, *, cursor: str | None = None) -> Page[ApiKey]:
        """List the keys page by page."""
        check_page(limit, 0, cursor)
        before = decode_time("keys", cursor)
        keys = await self._database.system(
            lambda run: api_keys.page(run, limit=limit + 1, before=before), read_only=True
        )
        return make_page(keys, limit, "keys", lambda key: (key.created_at, key.id))

    async def revoke_key(self, *, key_id: str) -> None:
        id = canonical_id(key_id)
        now = self._clock()
        if not id or not await self._database.system(lambda run: api_keys.revoke(run, id, now=now)):
            raise NotFound("There is no such key, or it is revoked already.")
