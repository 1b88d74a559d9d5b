"""/api/analytics: the tokens that memory saves and costs."""

from recollect.analytics.report import (
    AnalyticsReport,
    AnswerTokens,
    DayUsage,
    FeedbackCounts,
    PurposeUsage,
)
from recollect.recall.context.receipt import Mode
from recollect.server.auth import Caller, Engine, InConversation
from recollect.server.schema_base import ResponseModel
from recollect.server.schemas import Published, Router, publish

router = Router(prefix="/api", tags=["analytics"])


publish(AnswerTokens, "AnswerCost", hidden=["day"], mode=Mode)
publish(PurposeUsage, "PurposeCost")
publish(DayUsage, "DayCost")
publish(FeedbackCounts, "Votes")


class VotesByMode(ResponseModel):
    compressed: Published[FeedbackCounts]
    full: Published[FeedbackCounts]


publish(AnalyticsReport, "Analytics", feedback=VotesByMode)


@router.get("/conversations/{conversation_id}/analytics")
async def get_conversation_analytics(ids: InConversation, engine: Engine) -> AnalyticsReport:
    """The analytics of one conversation."""
    return await engine.analytics.get_analytics(**ids)


@router.get("/analytics")
async def get_analytics(caller: Caller, engine: Engine) -> AnalyticsReport:
    """The analytics of all conversations of the user."""
    return await engine.analytics.get_analytics(user_id=caller.user_id)
