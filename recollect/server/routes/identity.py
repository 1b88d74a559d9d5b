"""/api/me, and signing in to the web app."""

from typing import Literal

from fastapi import Request, Response

from recollect.core.types import DeletedUser, KeyScope
from recollect.server.auth import COOKIE, Authenticator, Caller, Engine
from recollect.server.schema_base import RequestModel, ResponseModel
from recollect.server.schemas import Router

router = Router(prefix="/api", tags=["identity"])


class SessionIn(RequestModel):
    key: str


class Limits(ResponseModel):
    """0 requests or answers per minute means no limit."""

    max_message_bytes: int
    max_body_bytes: int
    max_import_bytes: int
    requests_per_minute: int
    answers_per_minute: int


class Me(ResponseModel):
    user_id: str
    mode: Literal["local", "keys", "jwt"]
    is_admin: bool
    scope: KeyScope
    limits: Limits


class DeletedUserCounts(ResponseModel):
    messages: int
    summaries: int
    embeddings: int
    memories: int
    jobs: int
    conversations: int
    keys: int


class UserDeletion(ResponseModel):
    deleted: DeletedUserCounts


@router.get("/me")
async def get_me(caller: Caller, engine: Engine) -> Me:
    return Me(
        user_id=caller.user_id,
        mode=caller.mode,
        is_admin=caller.is_admin,
        scope=caller.scope,
        limits=Limits.model_validate(engine.settings),
    )


@router.delete("/me", response_model=UserDeletion)
async def delete_me(caller: Caller, engine: Engine, response: Response) -> dict[str, DeletedUser]:
    """Delete the user with all their data and keys."""
    deleted = await engine.users.delete_user(user_id=caller.user_id)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return {"deleted": deleted}


@router.post("/session", status_code=204)
async def sign_in(body: SessionIn, request: Request, response: Response) -> None:
    """Store the key in a cookie that scripts cannot read and other sites cannot send."""
    authenticator: Authenticator = request.app.state.authenticator
    authenticator.check_origin(request)
    await authenticator.identify_key(body.key)
    response.set_cookie(
        COOKIE, body.key, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )


@router.delete("/session", status_code=204)
async def sign_out(request: Request, response: Response) -> None:
    authenticator: Authenticator = request.app.state.authenticator
    authenticator.check_origin(request)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
