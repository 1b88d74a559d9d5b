"""/api/analytics: the tokens that memory saves and costs."""

from fastapi import APIRouter

from recollect.analytics.report import AnalyticsReport
from recollect.recall.context.receipt import Mode
from recollect.server.auth import Caller, Engine
from recollect.server.schema_base import ResponseModel

router = APIRouter(prefix="/api", tags=["analytics"])


class AnswerCost(ResponseModel):
    conversation_id: str
    turn: int
    seq: int
    full_history_tokens: int
    context_tokens: int
    mode: Mode
    estimated: bool


class PurposeCost(ResponseModel):
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    duration_ms: int


class DayCost(ResponseModel):
    day: str
    full_history_tokens: int
    context_tokens: int
    digest_tokens: int
    compactions: int


class Votes(ResponseModel):
    up: int
    down: int


class VotesByMode(ResponseModel):
    compressed: Votes
    full: Votes


class AnalyticsSchema(ResponseModel):
    full_history_tokens: int
    context_tokens: int
    digest_tokens: int
    net_saved_tokens: int
    compactions: int
    fact_survival: float | None
    feedback: VotesByMode
    by_purpose: dict[str, PurposeCost]
    by_turn: list[AnswerCost]
    by_day: list[DayCost]


@router.get("/conversations/{conversation_id}/analytics", response_model=AnalyticsSchema)
async def get_conversation_analytics(
    conversation_id: str, caller: Caller, engine: Engine
) -> AnalyticsReport:
    """The analytics of one conversation."""
    return await engine.analytics.get_analytics(
        user_id=caller.user_id, conversation_id=conversation_id
    )


@router.get("/analytics", response_model=AnalyticsSchema)
async def get_analytics(caller: Caller, engine: Engine) -> AnalyticsReport:
    """The analytics of all conversations of the user."""
    return await engine.analytics.get_analytics(user_id=caller.user_id)
