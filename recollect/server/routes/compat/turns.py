"""/chat of specification 004: answer a query within the user's turn history."""

from typing import Annotated

from fastapi import Request
from pydantic import Field

from recollect.chat.tool_loop import PromptOptions
from recollect.core.errors import Forbidden
from recollect.record.answer_start import ChatRequest
from recollect.record.conversation_target import ConversationTarget
from recollect.server.auth import Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.routes.chat import failure_of
from recollect.server.schema_base import IdempotencyKey, RequestModel, ResponseModel
from recollect.server.schemas import Router

router = Router(prefix="/chat", tags=["turns"])


class QueryIn(RequestModel):
    user_id: str
    query: Annotated[str, Field(min_length=1)]


class ReplySchema(ResponseModel):
    response: str


@router.post("")
async def answer_query(
    body: QueryIn,
    caller: AnswerCaller,
    engine: Engine,
    http: Request,
    idempotency_key: IdempotencyKey = None,
) -> ReplySchema:
    """The turn joins the user's history of ten turns within 24 hours. If an admin asks for another
    user, the question's metadata has the admin's id as `asked_by`."""
    is_own = body.user_id == caller.user_id
    if not (is_own or caller.is_admin):
        raise Forbidden(
            f"user_id must be your own, {caller.user_id!r}: only an admin's key may ask for others."
        )
    http.state.subject = body.user_id  # for the audit log
    request = ChatRequest.from_text(
        body.query,
        ConversationTarget(),
        idempotency_key,
        asked_by=None if is_own else caller.user_id,
    )
    answer = await engine.chat.answer(request, PromptOptions(), user_id=body.user_id)
    message = (await answer.result()).message
    if message.status != "complete":
        raise failure_of(message)
    return ReplySchema(response=message.content)
