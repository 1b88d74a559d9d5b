"""`memory.keys`: create, look up, list, rotate and revoke API keys. Only hashes are stored."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import get_args

from recollect.core.errors import InvalidInput, NotFound, RecollectError
from recollect.core.ids import canonical_id, new_id
from recollect.core.pagination import check_page, decode_time, make_page
from recollect.core.types import ApiKey, KeyScope, Page
from recollect.core.validation import check_choice, check_name, utc_moment
from recollect.store import api_keys, conversations
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase

logger = logging.getLogger(__name__)

PREFIX = "rk_"
"""Distinguishes a key from other bearer tokens."""
ROTATION_GRACE = timedelta(days=1)
_STORED_PREFIX_CHARS = 10
_NO_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A new key, which cannot be shown again, and its stored description."""

    key: str = field(repr=False)  # keeps the key out of logs
    api_key: ApiKey


@dataclass(slots=True)
class KeyUses:
    """When each key was last used, since the last flush."""

    _by_id: dict[str, datetime] = field(default_factory=dict)

    def add(self, key_id: str, *, at: datetime) -> None:
        self._by_id[key_id] = at

    async def flush(self, database: Database) -> None:
        """Write the times. Those that cannot be written are kept for the next flush."""
        uses, self._by_id = self._by_id, {}
        if not uses:
            return
        try:
            await database.system(lambda run: api_keys.record_uses(run, uses))
        except RecollectError as error:
            logger.warning("keys.flush_failed", extra={"reason": error.log_message})
            self._by_id = uses | self._by_id


class Keys(ServiceBase):
    def __init__(self, database: Database, *, uses: KeyUses, clock: Callable[[], datetime]) -> None:
        super().__init__(database, clock=clock)
        self._uses = uses

    async def create_key(
        self,
        *,
        user_id: str,
        is_admin: bool = False,
        name: str | None = None,
        scope: KeyScope | None = None,
        expires_at: datetime | None = None,
    ) -> str:
        """Create a key and return it. It cannot be shown again."""
        issued = await self.issue_key(
            user_id=user_id, is_admin=is_admin, name=name, scope=scope, expires_at=expires_at
        )
        return issued.key

    async def issue_key(
        self,
        *,
        user_id: str,
        is_admin: bool = False,
        name: str | None = None,
        scope: KeyScope | None = None,
        expires_at: datetime | None = None,
    ) -> IssuedKey:
        """Create a key and return it with its description.

        `is_admin` is short for the scope `admin`; the default is `write`.
        """
        now = self._clock()
        key = PREFIX + secrets.token_urlsafe(32)
        found = _check_scope(scope, is_admin=is_admin)
        if name is not None:
            check_name(name, "name")
        if expires_at is not None:
            expires_at = utc_moment(expires_at, "expires_at")
            if expires_at <= now:
                raise InvalidInput("expires_at must be in the future.", field="expires_at")
        api_key = ApiKey(
            id=new_id(),
            user_id=user_id,
            prefix=key[:_STORED_PREFIX_CHARS],
            is_admin=found == "admin",
            created_at=now,
            revoked_at=None,
            name=name,
            scope=found,
            expires_at=expires_at,
            last_used_at=None,
        )

        def create(run: Run) -> None:
            conversations.lock_user(run, now=now)
            api_keys.insert(run, api_key, key)

        await self._write(create, user_id)
        return IssuedKey(key=key, api_key=api_key)

    async def rotate_key(self, *, key_id: str, grace: timedelta = ROTATION_GRACE) -> IssuedKey:
        """Issue a key with the same user, name, scope and lifetime; the old one expires after
        `grace`, so that both are valid until its users have the new one."""
        now = self._clock()
        id = canonical_id(key_id)
        old = await self._database.system(
            lambda run: api_keys.get(run, id, now=now), read_only=True
        )
        if old is None:
            raise NotFound("There is no such key, or it is revoked or expired.")
        if grace < timedelta():
            raise InvalidInput("The grace period must not be negative.", field="grace_seconds")
        lifetime = old.expires_at and old.expires_at - old.created_at
        issued = await self.issue_key(
            user_id=old.user_id,
            name=old.name,
            scope=old.scope,
            expires_at=now + lifetime if lifetime else None,
        )
        await self._database.system(lambda run: api_keys.expire(run, old.id, at=now + grace))
        return issued

    async def find_key(self, key: str) -> ApiKey | None:
        """Return the description of a key, or None if it is unknown, revoked or expired."""
        now = self._clock()
        found = await self._database.system(
            lambda run: api_keys.find(run, key, now=now), read_only=True
        )
        if found is not None:
            self._uses.add(found.id, at=now)
        return found

    async def has_keys(self) -> bool:
        return await self._database.system(api_keys.count, read_only=True) > 0

    async def list_keys(self) -> list[ApiKey]:
        """List all keys, newest first, with the revoked and expired ones."""
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


def _check_scope(scope: KeyScope | None, *, is_admin: bool) -> KeyScope:
    if scope is None:
        return "admin" if is_admin else "write"
    check_choice(scope, "scope", get_args(KeyScope))
    if is_admin and scope != "admin":
        raise InvalidInput(f"An admin's key cannot have the scope {scope}.", field="scope")
    return scope
