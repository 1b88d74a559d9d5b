"""/v1/chat/completions and /v1/models: for clients that speak to OpenAI, with memory."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from recollect.errors import InvalidInput
from recollect.record.answers import Question
from recollect.server import rates
from recollect.server.auth import Caller, Memory
from recollect.server.chunks import ChunkStream, Completion, Model, OpenAiModelList, completion_of
from recollect.server.completions import CompletionIn, find_variant
from recollect.server.routes.chat import failure_of
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.stream import EVENTS, EventStream, events_of

router = APIRouter(prefix="/v1", tags=["openai"])

_STREAMED: dict[int | str, Any] = {
    200: {
        "description": "The completion; with `stream`, its chunks as server-sent events.",
        "content": EVENTS,
    }
}
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
    caller: rates.Answering,
    memory: Memory,
    conversation_id: ConversationId = None,
    idempotency_key: IdempotencyKey = None,
) -> Response | Completion:
    """Of a list that the client keeps, only what comes after the stored part is appended."""
    if conversation_id and body.conversation and conversation_id != body.conversation:
        raise InvalidInput(
            "conversation and the header x-conversation-id name two.", field="conversation"
        )
    question = Question(
        place=conversation_id or body.conversation or memory.chat.place(caller.user_id),
        messages=body.said(),
        is_whole=True,
        idempotency_key=idempotency_key,
    )
    variant = find_variant(memory.models, body.model)
    answering = await memory.chat.answer(caller.user_id, question, body.prompt(variant))
    headers = {"x-conversation-id": answering.conversation_id}
    if body.stream:
        chunks = ChunkStream(answering, wants_usage=body.wants_usage)
        return EventStream(events_of(answering, chunks, memory.events), headers)
    answered = await answering.finished()
    # What somebody has stopped ends there. As a failure, clients would ask for it again.
    is_stopped = answered.message.status == "interrupted" and not memory.chat.is_closing
    if answered.message.status != "complete" and not is_stopped:
        raise failure_of(answered.message)
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
