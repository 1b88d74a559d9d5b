"""Search, switching to another conversation, and references to earlier turns."""

from typing import Annotated, Literal

from pydantic import Field

from recollect.core.types import Message
from recollect.recall.references import ResolvedReference
from recollect.recall.search.conversation_ranking import ConversationMatch
from recollect.recall.search.service import SearchHit, SearchKind
from recollect.recall.switch import SwitchResult
from recollect.server.auth import Caller, Engine, ReadInConversation
from recollect.server.schema_base import Limit, RequestModel, ResponseModel, Timestamp
from recollect.server.schemas import Items, Published, Router, publish

router = Router(prefix="/api", tags=["recall"])


class ReferenceIn(RequestModel):
    text: str


publish(SearchHit, "Hit")
publish(ConversationMatch, "SwitchCandidate", hidden=["best"])
publish(SwitchResult, "Switched")


class TurnSchema(ResponseModel):
    turn: Annotated[int, Field(validation_alias="number")]
    messages: list[Published[Message]]


publish(ResolvedReference, "Resolved", turn=TurnSchema | None)


@router.get("/search")
async def search(
    caller: Caller,
    engine: Engine,
    q: str,
    kind: SearchKind = "messages",
    conversation_id: str | None = None,
    project_id: str | None = None,
    role: Literal["user", "assistant", "tool"] | None = None,
    after: Timestamp | None = None,
    before: Timestamp | None = None,
    limit: Limit = 50,
) -> Items[SearchHit]:
    """Best first. `after` and `before` bound the time of the message."""
    hits = await engine.recall.search(
        q,
        user_id=caller.user_id,
        kind=kind,
        conversation_id=conversation_id,
        project_id=project_id,
        role=role,
        after=after,
        before=before,
        limit=limit,
    )
    return Items(hits)


@router.get("/switch")
async def switch_conversation(caller: Caller, engine: Engine, q: str) -> SwitchResult:
    """Find the conversation that a sentence asks for, or the candidates to choose from."""
    return await engine.recall.switch(q, user_id=caller.user_id)


@router.post("/conversations/{conversation_id}/references")
async def resolve_reference(
    body: ReferenceIn, ids: ReadInConversation, engine: Engine
) -> ResolvedReference:
    """Find the turn that a text refers to."""
    return await engine.recall.resolve_reference(body.text, **ids)
