"""Finding: messages, conversations and memories, the chat that is meant, the turn that is meant."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from recollect.recall.search.service import SearchKind
from recollect.server.auth import Caller, Memory
from recollect.server.schema_base import Time
from recollect.server.schemas import Hit, Items, ReferenceIn, Resolved, Switched

router = APIRouter(prefix="/api", tags=["recall"])


@router.get("/search")
async def search(
    caller: Caller,
    memory: Memory,
    q: str,
    kind: SearchKind = "messages",
    conversation_id: str | None = None,
    role: Literal["user", "assistant", "tool"] | None = None,
    after: Time | None = None,
    before: Time | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Items[Hit]:
    """Best first. `after` and `before` bound when something was said."""
    hits = await memory.recall.search(
        q,
        user_id=caller.user_id,
        kind=kind,
        conversation_id=conversation_id,
        role=role,
        after=after,
        before=before,
        limit=limit,
    )
    return Items[Hit].model_validate({"items": hits})


@router.get("/switch")
async def switch(caller: Caller, memory: Memory, q: str) -> Switched:
    """The conversation that a sentence asks for, or those to ask about."""
    return Switched.model_validate(await memory.recall.switch(q, user_id=caller.user_id))


@router.post("/conversations/{conversation_id}/references")
async def resolve(
    conversation_id: str, body: ReferenceIn, caller: Caller, memory: Memory
) -> Resolved:
    """The turn that a text refers to."""
    found = await memory.recall.resolve_reference(
        body.text, conversation_id=conversation_id, user_id=caller.user_id
    )
    return Resolved.of(found)
