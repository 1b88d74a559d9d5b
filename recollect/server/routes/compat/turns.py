"""/chat: a question and its answer, within what the user said in the last day."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from recollect.chat import Prompt
from recollect.core.errors import Forbidden
from recollect.record.answers import ChatRequest
from recollect.server import rate_limit
from recollect.server.auth import Memory
from recollect.server.routes.chat import failure_of
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.schema_base import In, Out

router = APIRouter(prefix="/chat", tags=["turns"])


class QueryIn(In):
    user_id: str
    query: Annotated[str, Field(min_length=1)]


class Reply(Out):
    response: str


@router.post("")
async def ask(
    body: QueryIn,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    idempotency_key: IdempotencyKey = None,
) -> Reply:
    """The turn joins the user's history: ten turns, for twenty-four hours."""
    if body.user_id != caller.user_id and not caller.is_admin:
        raise Forbidden("user_id must be your own: only an admin's key may ask for others.")
    question = ChatRequest.of(body.query, None, idempotency_key)
    answering = await memory.chat.answer(question, Prompt(), user_id=body.user_id)
    message = (await answering.finished()).message
    if message.status != "complete":
        raise failure_of(message)
    return Reply(response=message.content)
