"""Search, switching to another conversation, and references to earlier turns."""

from datetime import datetime
from typing import Literal

from fastapi import APIRouter

from recollect.recall.references import ReferenceKind
from recollect.recall.search.service import SearchHit, SearchKind
from recollect.recall.switch import SwitchResult
from recollect.server.auth import Caller, Engine
from recollect.server.schema_base import Limit, RequestModel, ResponseModel, Timestamp
from recollect.server.schemas import ConversationSchema, Items, MessageSchema

router = APIRouter(prefix="/api", tags=["recall"])


class ReferenceIn(RequestModel):
    text: str


class Hit(ResponseModel):
    kind: SearchKind
    id: str
    conversation_id: str | None
    seq: int | None
    text: str
    score: float
    created_at: datetime


class SwitchCandidateSchema(ResponseModel):
    conversation: ConversationSchema
    passage: str
    score: float


class SwitchResultSchema(ResponseModel):
    match: ConversationSchema | None
    candidates: list[SwitchCandidateSchema]
    needs_confirmation: bool


class TurnSchema(ResponseModel):
    turn: int
    messages: list[MessageSchema]


class ResolvedReferenceSchema(ResponseModel):
    turn: TurnSchema | None
    phrase: str | None
    kind: ReferenceKind | None


@router.get("/search", response_model=Items[Hit])
async def search(
    caller: Caller,
    engine: Engine,
    q: str,
    kind: SearchKind = "messages",
    conversation_id: str | None = None,
    role: Literal["user", "assistant", "tool"] | None = None,
    after: Timestamp | None = None,
    before: Timestamp | None = None,
    limit: Limit = 50,
) -> dict[str, list[SearchHit]]:
    """Best first. `after` and `before` bound the time of the message."""
    hits = await engine.recall.search(
        q,
        user_id=caller.user_id,
        kind=kind,
        conversation_id=conversation_id,
        role=role,
        after=after,
        before=before,
        limit=limit,
    )
    return {"items": hits}


@router.get("/switch", response_model=SwitchResultSchema)
async def switch_conversation(caller: Caller, engine: Engine, q: str) -> SwitchResult:
    """Find the conversation that a sentence asks for, or the candidates to choose from."""
    return await engine.recall.switch(q, user_id=caller.user_id)


@router.post("/conversations/{conversation_id}/references")
async def resolve_reference(
    conversation_id: str, body: ReferenceIn, caller: Caller, engine: Engine
) -> ResolvedReferenceSchema:
    """Find the turn that a text refers to."""
    resolved = await engine.recall.resolve_reference(
        body.text, conversation_id=conversation_id, user_id=caller.user_id
    )
    turn = resolved.turn and {"turn": resolved.turn.number, "messages": resolved.turn.messages}
    return ResolvedReferenceSchema.model_validate(
        {"turn": turn, "phrase": resolved.phrase, "kind": resolved.kind}
    )
