"""/api/chat: ask questions and stream the answers."""

from typing import Annotated, Any

from fastapi import Header, Response

from recollect.chat.active_answer import AnswerStream
from recollect.chat.service import TOO_LARGE
from recollect.core.errors import ModelFailed, NotFound, RecollectError, TooLarge
from recollect.core.ids import canonical_id
from recollect.core.offload import LARGE, rough_size, run_off_loop
from recollect.core.types import Message
from recollect.engine import Recollect
from recollect.recall.context.receipt import Receipt
from recollect.record.answer_start import ChatRequest
from recollect.record.append import MAX_LISTED_MESSAGES, check_count
from recollect.server.auth import Caller, Engine
from recollect.server.chat_schemas import (
    ChatBody,
    EditIn,
    PlainChatIn,
    RegenerateIn,
    UiChatIn,
)
from recollect.server.errors import problem_of
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import IdempotencyKey, ResponseModel
from recollect.server.schemas import Published, Router
from recollect.server.sse import EventStream, failure_reason
from recollect.server.stream_schemas import UI_STREAM
from recollect.server.ui_stream import UI_HEADERS, UiEncoder, parse_event_id

router = Router(prefix="/api/chat", tags=["chat"])


class Answer(ResponseModel):
    """A complete answer, with the receipt of its context."""

    conversation_id: str
    message: Published[Message]
    receipt: Published[Receipt] | None


_NOTHING_RUNNING: dict[int | str, Any] = {204: {"description": "No answer is being written."}}
LastEventId = Annotated[str | None, Header(alias="Last-Event-ID", max_length=200)]


@router.post("", response_model=Answer, responses=UI_STREAM)
async def chat(
    body: ChatBody,
    caller: AnswerCaller,
    engine: Engine,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Answer a message. The message and its conversation are committed before the model is
    called."""
    if isinstance(body, PlainChatIn):
        target = engine.chat.target(
            user_id=caller.user_id, key=body.conversation_id, policy=body.policy
        )
        request = ChatRequest.from_text(body.message, target, idempotency_key)
        answer = await engine.chat.answer(request, body.prompt(), user_id=caller.user_id)
    else:
        answer = await _answer_ui(body, caller.user_id, engine, idempotency_key)
    return await respond(answer, engine, stream=stream)


@router.get("/{id}/stream", response_class=Response, responses=UI_STREAM | _NOTHING_RUNNING)
async def resume_answer(
    id: str, caller: Caller, engine: Engine, last_event_id: LastEventId = None
) -> Response:
    """Resume after `Last-Event-ID`, or from the start of the answer that is being written. `id` is
    the message's or the conversation's."""
    if last_event_id:
        message_id, cursor, open_part = parse_event_id(last_event_id)
        message = await engine.chat.find(message_id, user_id=caller.user_id)
        if message is None or not await _belongs_to(message, id, caller.user_id, engine):
            raise NotFound("There is no such answer.")
        encoder = UiEncoder(message.id, message.conversation_id, cursor=cursor, open_part=open_part)
    else:
        message = await _find_answer(engine, id, caller.user_id)
        if message is None or message.status != "streaming":
            return Response(status_code=204)
        encoder = UiEncoder(message.id, message.conversation_id)
    return _stream(engine.chat.read(message, user_id=caller.user_id), encoder, engine)


@router.post("/{id}/stop", response_model=Message, responses=_NOTHING_RUNNING)
async def stop_answer(id: str, caller: Caller, engine: Engine) -> Response | Message:
    """Stop an answer, by its id or its conversation's. The text so far is kept."""
    stopped = await engine.chat.stop(id, user_id=caller.user_id)
    return stopped or Response(status_code=204)


@router.post("/{message_id}/regenerate", response_model=Answer, responses=UI_STREAM)
async def regenerate_answer(
    message_id: str,
    caller: AnswerCaller,
    engine: Engine,
    body: RegenerateIn | None = None,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Write another answer. The old one is superseded: it is stored, but in no context."""
    answer = await engine.chat.regenerate(
        message_id=message_id,
        user_id=caller.user_id,
        **(body or RegenerateIn()).prompt(),
        idempotency_key=idempotency_key,
    )
    return await respond(answer, engine, stream=stream)


@router.post("/{message_id}/edit", response_model=Answer, responses=UI_STREAM)
async def edit_message(
    message_id: str,
    body: EditIn,
    caller: AnswerCaller,
    engine: Engine,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Answer an edited user message. The old one and all after it are superseded."""
    answer = await engine.chat.edit(
        body.message,
        message_id=message_id,
        user_id=caller.user_id,
        **body.prompt(),
        idempotency_key=idempotency_key,
    )
    return await respond(answer, engine, stream=stream)


async def respond(answer: AnswerStream, engine: Recollect, *, stream: bool) -> Response:
    if stream:
        return _stream(answer, UiEncoder(answer.message_id, answer.conversation_id), engine)
    headers = {"x-conversation-id": answer.conversation_id}
    try:
        result = await answer.result()
        if result.message.status == "error":
            raise failure_of(result.message)
    except RecollectError as error:  # the question is stored: the client needs its conversation
        return problem_of(error, headers)
    content = await run_off_loop(
        lambda: Answer.model_validate(result).model_dump_json(), size=rough_size(result.message)
    )
    return Response(content, media_type="application/json", headers=headers)


def failure_of(message: Message) -> RecollectError:
    """The error for a client that waits for the complete answer."""
    if message.metadata.get(TOO_LARGE):
        return TooLarge(message.metadata["error"], field="message")
    return ModelFailed(detail=failure_reason(message))


def _stream(answer: AnswerStream, encoder: UiEncoder, engine: Recollect) -> EventStream:
    return EventStream(answer, encoder, engine.events, UI_HEADERS)


async def _answer_ui(
    body: UiChatIn, user_id: str, engine: Recollect, idempotency_key: str | None
) -> AnswerStream:
    """Answer the new part of the message list that the client keeps."""
    check_count(len(body.messages), MAX_LISTED_MESSAGES)
    messages, known = await run_off_loop(
        lambda: (body.to_messages(), body.known_prefix()), size=LARGE
    )
    id = body.id
    is_regenerate = body.trigger == "regenerate-message"
    if id and (is_regenerate or body.messageId):
        edited = await engine.chat.find_edited(
            messages, conversation_id=id, user_id=user_id, known=known
        )
        if edited:
            ids = {"message_id": edited.id, "user_id": user_id, "idempotency_key": idempotency_key}
            arguments: dict[str, Any] = {**ids, **body.prompt()}
            if is_regenerate and edited.content == messages[-1].content:
                return await engine.chat.regenerate(**arguments)
            return await engine.chat.edit(messages[-1], **arguments)
    request = ChatRequest(
        target=engine.chat.target(user_id=user_id, key=id, policy=body.policy),
        messages=messages,
        is_whole=True,
        known=known,
        idempotency_key=idempotency_key,
    )
    return await engine.chat.answer(request, body.prompt(), user_id=user_id)


async def _belongs_to(message: Message, id: str, user_id: str, engine: Recollect) -> bool:
    """Whether `id` is the message's, or its conversation's id or key."""
    if canonical_id(id) in (message.id, message.conversation_id):
        return True
    found = await engine.chat.find_conversation_id(id, user_id=user_id)
    return found == message.conversation_id


async def _find_answer(engine: Recollect, id: str, user_id: str) -> Message | None:
    """None for an unknown id of the client's own: `useChat` asks before the first message."""
    try:
        return await engine.chat.find(id, user_id=user_id)
    except NotFound:
        if canonical_id(id):
            raise
        return None
