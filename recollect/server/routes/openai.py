"""/v1/chat/completions and /v1/models: OpenAI's API, with memory."""

from typing import Annotated

from fastapi import Header, Response

from recollect.core.errors import InvalidInput, RecollectError
from recollect.core.offload import LARGE, run_off_loop
from recollect.record.answer_start import ChatRequest
from recollect.record.append import MAX_LISTED_MESSAGES, check_count
from recollect.server.auth import Caller, Engine
from recollect.server.errors import problem_of
from recollect.server.openai_requests import CompletionIn, find_variant
from recollect.server.openai_responses import (
    ChunkEncoder,
    Completion,
    Model,
    OpenAiModelList,
    completion_of,
    is_success,
)
from recollect.server.rate_limit import AnswerCaller
from recollect.server.routes.chat import failure_of
from recollect.server.schema_base import IdempotencyKey
from recollect.server.schemas import Router
from recollect.server.sse import EventStream
from recollect.server.stream_schemas import COMPLETION_STREAM

router = Router(prefix="/v1", tags=["openai"])

_NO_RETRY = {"x-should-retry": "false"}
"""A header that OpenAI's clients obey."""
ConversationId = Annotated[str | None, Header(alias="x-conversation-id", max_length=200)]


@router.post(
    "/chat/completions",
    response_model=Completion,
    response_model_exclude_unset=True,
    responses=COMPLETION_STREAM,
)
async def create_chat_completion(
    body: CompletionIn,
    response: Response,
    caller: AnswerCaller,
    engine: Engine,
    conversation_id: ConversationId = None,
    idempotency_key: IdempotencyKey = None,
) -> Response | Completion:
    """Of a whole message list, only the part after the stored messages is appended."""
    ids = {id for id in (conversation_id, body.conversation) if id is not None}
    if len(ids) > 1:
        raise InvalidInput(
            f"conversation is {body.conversation!r}, but the header x-conversation-id is "
            f"{conversation_id!r}: send only one of them.",
            field="conversation",
        )
    check_count(len(body.messages), MAX_LISTED_MESSAGES)
    variant = find_variant(engine.models, body.model)
    messages, prompt = await run_off_loop(
        lambda: (body.to_messages(), body.prompt(variant)), size=LARGE
    )
    request = ChatRequest(
        target=engine.chat.target(user_id=caller.user_id, key=ids.pop() if ids else None),
        messages=messages,
        is_whole=True,
        idempotency_key=idempotency_key,
    )
    answer = await engine.chat.answer(request, prompt, user_id=caller.user_id)
    if body.stream:
        encoder = ChunkEncoder(answer, engine.chat, wants_usage=body.wants_usage)
        return EventStream(answer, encoder, engine.events)
    headers = {"x-conversation-id": answer.conversation_id}
    try:
        result = await answer.result()
        if not is_success(result.message, engine.chat):
            raise failure_of(result.message)
    except RecollectError as error:
        # An automatic retry without an id or a key would ask in another new conversation.
        is_unnamed = request.target.retry_scope is None and idempotency_key is None
        return problem_of(error, headers | _NO_RETRY if is_unnamed else headers)
    response.headers.update(headers)
    return completion_of(result)


@router.get("/models")
async def list_openai_models(caller: Caller, engine: Engine) -> OpenAiModelList:
    """The variants. A request may also name a variant by its model."""
    return OpenAiModelList(
        object="list",
        data=[
            Model(id=name, object="model", created=0, owned_by="recollect", root=variant.model)
            for name, variant in engine.models.variants.items()
        ],
    )
