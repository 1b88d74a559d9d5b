"""The context for a model call, and the receipts of those before."""

from fastapi import APIRouter

from recollect.server.auth import Caller, Memory
from recollect.server.schemas import Context, ContextIn, Receipt

router = APIRouter(prefix="/api", tags=["context"])


@router.post("/conversations/{conversation_id}/context", response_model_exclude_unset=True)
async def build(
    conversation_id: str, caller: Caller, memory: Memory, body: ContextIn | None = None
) -> Context:
    """What to send to the model. No message is stored, and no answer is generated."""
    given = body or ContextIn()
    built = await memory.contexts.build_context(
        given.message,
        conversation_id=conversation_id,
        user_id=caller.user_id,
        budget=given.budget,
        format=given.format,
        mode=given.mode,
        system=given.system,
        context=given.context,
        model=given.model,
    )
    answer = Context(tokens=built.tokens, receipt=Receipt.model_validate(built.receipt))
    if built.messages is not None:
        answer.messages = [dict(message) for message in built.messages]
    if built.text is not None:
        answer.text = built.text
    if built.system is not None:
        answer.system = built.system
    return answer


@router.get("/messages/{message_id}/receipt")
async def receipt(message_id: str, caller: Caller, memory: Memory) -> Receipt:
    """What the model was shown for this answer, and why."""
    return Receipt.model_validate(
        await memory.contexts.get_receipt(message_id=message_id, user_id=caller.user_id)
    )
