"""/api/keys: API keys, for admins.

In local mode the caller is an admin; the first key ends local mode.
"""

from datetime import datetime

from fastapi import APIRouter
from pydantic import StrictBool

from recollect.core.errors import Conflict
from recollect.core.ids import canonical_id
from recollect.core.types import ApiKey, Page
from recollect.server.auth import Admin, Engine
from recollect.server.schema_base import Limit, RequestModel, ResponseModel
from recollect.server.schemas import PageSchema

router = APIRouter(prefix="/api/keys", tags=["keys"])


class KeyIn(RequestModel):
    user_id: str
    is_admin: StrictBool = False


class ApiKeySchema(ResponseModel):
    id: str
    user_id: str
    prefix: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None


class NewApiKey(ApiKeySchema):
    """`key` is shown only here: only its hash is stored."""

    key: str


@router.get("", response_model=PageSchema[ApiKeySchema])
async def list_keys(
    admin: Admin, engine: Engine, limit: Limit = 50, cursor: str | None = None
) -> Page[ApiKey]:
    """Newest first, revoked keys included. The keys themselves are not stored."""
    return await engine.keys.page_keys(limit, cursor=cursor)


@router.post("", status_code=201)
async def create_key(body: KeyIn, admin: Admin, engine: Engine) -> NewApiKey:
    """The first key ends local mode: from then on every request needs a key."""
    issued = await engine.keys.issue_key(user_id=body.user_id, is_admin=body.is_admin)
    return NewApiKey(**ApiKeySchema.model_validate(issued.api_key).model_dump(), key=issued.key)


@router.delete("/{key_id}", status_code=204)
async def revoke_key(key_id: str, admin: Admin, engine: Engine) -> None:
    if admin.key_id is not None and canonical_id(key_id) == admin.key_id:
        raise Conflict(
            "You are signed in with this key: revoking it would lock you out. "
            "Sign in with another admin's key first."
        )
    await engine.keys.revoke_key(key_id=key_id)
