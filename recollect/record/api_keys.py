"""API keys: made, shown once, looked up by their hash, revoked."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.pagination import check_page, decode_key_cursor, key_cursor, make_page
from recollect.core.types import ApiKey, Page
from recollect.core.validation import check_user_id
from recollect.store import api_keys, conversations
from recollect.store.database import Database, Run

PREFIX = "rk_"
"""What every key begins with, so that it can be told from any other token."""
_SHOWN = 10
_MORE_THAN_ALL = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A key at the one moment when it is known, and what will be known of it from then on."""

    key: str = field(repr=False)  # whoever logs the value must not log the key
    about: ApiKey


class Keys:
    """`memory.keys`: who may use the server."""

    def __init__(self, database: Database, *, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def create_key(self, *, user_id: str, is_admin: bool = False) -> str:
        """The new key. It cannot be shown again: only its hash is kept."""
        return (await self.issue_key(user_id=user_id, is_admin=is_admin)).key

    async def issue_key(self, *, user_id: str, is_admin: bool = False) -> IssuedKey:
        """A new key, with what `list_keys` will say of it."""
        check_user_id(user_id)
        key = PREFIX + secrets.token_urlsafe(32)
        about = ApiKey(
            id=new_id(),
            user_id=user_id,
            prefix=key[:_SHOWN],
            is_admin=is_admin,
            created_at=self._clock(),
            revoked_at=None,
        )

        def create(run: Run) -> None:
            conversations.lock_user(run, now=about.created_at)
            api_keys.insert(run, about, key)

        await self._database.write(create, user_id=user_id)
        return IssuedKey(key=key, about=about)

    async def find_key(self, key: str) -> ApiKey | None:
        """Whose it is, unless it is unknown or revoked."""
        return await self._database.system(lambda run: api_keys.find(run, key), read_only=True)

    async def any_keys(self) -> bool:
        return await self._database.system(api_keys.count, read_only=True) > 0

    async def list_keys(self) -> list[ApiKey]:
        """All there are, newest first, revoked ones too."""
        return await self._database.system(
            lambda run: api_keys.page(run, limit=_MORE_THAN_ALL), read_only=True
        )

    async def page_keys(self, limit: int = 50, *, cursor: str | None = None) -> Page[ApiKey]:
        """The same in parts."""
        check_page(limit, 0, cursor)
        before = decode_key_cursor(cursor) if cursor is not None else None
        found = await self._database.system(
            lambda run: api_keys.page(run, limit=limit + 1, before=before), read_only=True
        )
        return make_page(found, limit, key_cursor)

    async def revoke_key(self, *, key_id: str) -> None:
        id = canonical_id(key_id)
        now = self._clock()
        if not id or not await self._database.system(lambda run: api_keys.revoke(run, id, now=now)):
            raise NotFound("There is no such key, or it is revoked already.")
