"""/v1/chat/completions and /v1/models: for clients that speak to OpenAI, with memory."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from recollect.core.errors import InvalidInput, RecollectError
from recollect.core.types import Conversation
from recollect.record.answers import ChatRequest
from recollect.server import rate_limit
from recollect.server.auth import Caller, Memory
from recollect.server.errors import problem_of
from recollect.server.openai_requests import CompletionIn, find_variant
from recollect.server.openai_responses import (
    ChunkStream,
    Completion,
    Model,
    OpenAiModelList,
    completion_of,
    has_ended_well,
)
from recollect.server.routes.chat import failure_of
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.ui_stream import EVENTS, EventStream, events_of

router = APIRouter(prefix="/v1", tags=["openai"])

_STREAMED: dict[int | str, Any] = {
    200: {
        "description": "The completion; with `stream`, its chunks as server-sent events.",
        "content": EVENTS,
    }
}
_NO_RETRY = {"x-should-retry": "false"}
"""Which OpenAI's clients heed."""
ConversationId = Annotated[str | None, Header(alias="x-conversation-id", max_length=200)]


@router.post(
    "/chat/completions",
    response_model=Completion,
    response_model_exclude_unset=True,
    responses=_STREAMED,
)
async def complete(
    body: CompletionIn,
    response: Response,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    conversation_id: ConversationId = None,
    idempotency_key: IdempotencyKey = None,
) -> Response | Completion:
    """Of a list that the client keeps, only what comes after the stored part is appended."""
    named = {id for id in (conversation_id, body.conversation) if id is not None}
    if len(named) > 1:
        raise InvalidInput(
            "conversation and the header x-conversation-id name two.", field="conversation"
        )
    question = ChatRequest(
        place=named.pop() if named else memory.chat.place(user_id=caller.user_id),
        messages=body.said(),
        is_whole=True,
        idempotency_key=idempotency_key,
    )
    variant = find_variant(memory.models, body.model)
    answering = await memory.chat.answer(question, body.prompt(variant), user_id=caller.user_id)
    headers = {"x-conversation-id": answering.conversation_id}
    if body.stream:
        chunks = ChunkStream(answering, memory.chat, wants_usage=body.wants_usage)
        return EventStream(events_of(answering, chunks, memory.events), headers)
    try:
        answered = await answering.finished()
        if not has_ended_well(answered.message, memory.chat):
            raise failure_of(answered.message)
    except RecollectError as error:
        # A client that tries again by itself, with nothing to go by, would ask in a new place.
        is_lost = isinstance(question.place, Conversation) and idempotency_key is None
        return problem_of(error, headers | _NO_RETRY if is_lost else headers)
    response.headers.update(headers)
    return completion_of(answered)


@router.get("/models")
async def list_models(caller: Caller, memory: Memory) -> OpenAiModelList:
    """The variants. A model's own name will do, too, where a variant is asked for."""
    return OpenAiModelList(
        object="list",
        data=[
            Model(id=name, object="model", created=0, owned_by="recollect", root=variant.model)
            for name, variant in memory.models.variants.items()
        ],
    )
