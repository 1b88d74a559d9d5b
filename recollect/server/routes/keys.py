"""/api/keys: API keys, for admins.

In local mode the caller is an admin; the first key ends local mode.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated

from pydantic import Field, StrictBool

from recollect.core.errors import Conflict
from recollect.core.ids import canonical_id
from recollect.core.types import ApiKey, KeyScope, Page
from recollect.record.api_keys import ROTATION_GRACE, IssuedKey
from recollect.server.auth import Admin, Engine
from recollect.server.schema_base import Limit, RequestModel, Timestamp
from recollect.server.schemas import Router, field_values, publish

router = Router(prefix="/api/keys", tags=["keys"])


class KeyIn(RequestModel):
    user_id: str
    is_admin: StrictBool = False
    name: str | None = None
    scope: KeyScope | None = None
    expires_at: Timestamp | None = None


class RotationIn(RequestModel):
    grace_seconds: Annotated[int, Field(ge=0, le=31_536_000)] = int(ROTATION_GRACE.total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApiKey(ApiKey):
    key: str = field(repr=False)


publish(NewApiKey, description="`key` is shown only here: only its hash is stored.")


@router.get("")
async def list_keys(
    admin: Admin, engine: Engine, limit: Limit = 50, cursor: str | None = None
) -> Page[ApiKey]:
    """Newest first, revoked keys included. The keys themselves are not stored."""
    return await engine.keys.page_keys(limit, cursor=cursor)


@router.post("", status_code=201)
async def create_key(body: KeyIn, admin: Admin, engine: Engine) -> NewApiKey:
    """The first key ends local mode: from then on every request needs a key."""
    return _shown(await engine.keys.issue_key(**dict(body)))


@router.post("/{key_id}/rotate", status_code=201)
async def rotate_key(
    key_id: str, admin: Admin, engine: Engine, body: RotationIn | None = None
) -> NewApiKey:
    """Create a key like this one, which then expires after `grace_seconds` (default: a day)."""
    grace = timedelta(seconds=(body or RotationIn()).grace_seconds)
    return _shown(await engine.keys.rotate_key(key_id=key_id, grace=grace))


def _shown(issued: IssuedKey) -> NewApiKey:
    return NewApiKey(**field_values(issued.api_key), key=issued.key)


@router.delete("/{key_id}", status_code=204)
async def revoke_key(key_id: str, admin: Admin, engine: Engine) -> None:
    if admin.key_id is not None and canonical_id(key_id) == admin.key_id:
        raise Conflict(
            "You are signed in with this key: revoking it would lock you out. "
            "Sign in with another admin's key first."
        )
    await engine.keys.revoke_key(key_id=key_id)
