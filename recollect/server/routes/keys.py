"""/api/keys: who may use the server, for admins.

In local mode the caller is one; the first key that they make ends that mode.
"""

from datetime import datetime

from fastapi import APIRouter
from pydantic import StrictBool

from recollect.core.errors import Conflict
from recollect.core.ids import canonical_id
from recollect.server.auth import Admin, Memory
from recollect.server.routes.conversations import Limit
from recollect.server.schema_base import In, Out
from recollect.server.schemas import Page

router = APIRouter(prefix="/api/keys", tags=["keys"])


class KeyIn(In):
    user_id: str
    is_admin: StrictBool = False


class ApiKey(Out):
    id: str
    user_id: str
    prefix: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None


class NewApiKey(ApiKey):
    """`key` is shown here, and never again."""

    key: str


@router.get("")
async def list_all(
    admin: Admin, memory: Memory, limit: Limit = 50, cursor: str | None = None
) -> Page[ApiKey]:
    """Newest first, revoked ones too. The keys themselves are not kept."""
    return Page[ApiKey].model_validate(await memory.keys.page_keys(limit, cursor=cursor))


@router.post("", status_code=201)
async def create(body: KeyIn, admin: Admin, memory: Memory) -> NewApiKey:
    """The first one ends local mode: from then on every request needs a key."""
    issued = await memory.keys.issue_key(user_id=body.user_id, is_admin=body.is_admin)
    return NewApiKey(**ApiKey.model_validate(issued.about).model_dump(), key=issued.key)


@router.delete("/{key_id}", status_code=204)
async def revoke(key_id: str, admin: Admin, memory: Memory) -> None:
    if admin.key_id is not None and canonical_id(key_id) == admin.key_id:
        raise Conflict(
            "You are signed in with this key: revoking it would lock you out. "
            "Sign in with another admin's key first."
        )
    await memory.keys.revoke_key(key_id=key_id)
