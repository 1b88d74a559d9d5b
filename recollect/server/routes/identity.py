"""Who am I, and signing in to the web app."""

from fastapi import APIRouter, Request, Response

from recollect.server.auth import COOKIE, Caller, Memory, TheGate
from recollect.server.schemas import DeletedUserCounts, Limits, Me, SessionIn, UserDeletion

router = APIRouter(prefix="/api", tags=["identity"])


@router.get("/me")
async def me(caller: Caller, memory: Memory) -> Me:
    return Me(
        user_id=caller.user_id,
        mode=caller.mode,
        is_admin=caller.is_admin,
        limits=Limits.model_validate(memory.settings),
    )


@router.delete("/me")
async def delete_me(caller: Caller, memory: Memory, response: Response) -> UserDeletion:
    """Removes the user and all that is theirs, keys included."""
    deleted = await memory.users.delete_user(user_id=caller.user_id)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return UserDeletion(deleted=DeletedUserCounts.model_validate(deleted))


@router.post("/session", status_code=204)
async def sign_in(body: SessionIn, request: Request, response: Response, gate: TheGate) -> None:
    """Keeps the key in a cookie that scripts cannot read and other sites cannot send."""
    gate.check_origin(request)
    await gate.identify_key(body.key)
    response.set_cookie(
        COOKIE, body.key, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )


@router.delete("/session", status_code=204)
async def sign_out(request: Request, response: Response, gate: TheGate) -> None:
    gate.check_origin(request)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
