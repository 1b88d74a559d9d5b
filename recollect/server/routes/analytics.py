"""What the memory saves and costs, for one conversation or for all."""

from fastapi import APIRouter

from recollect.server.auth import Caller, Memory
from recollect.server.schemas import Analytics

router = APIRouter(prefix="/api", tags=["analytics"])


@router.get("/conversations/{conversation_id}/analytics")
async def of_one(conversation_id: str, caller: Caller, memory: Memory) -> Analytics:
    return Analytics.model_validate(
        await memory.analytics.get_analytics(
            user_id=caller.user_id, conversation_id=conversation_id
        )
    )


@router.get("/analytics")
async def of_all(caller: Caller, memory: Memory) -> Analytics:
    return Analytics.model_validate(await memory.analytics.get_analytics(user_id=caller.user_id))
