"""/api/chat: questions, and answers as they are written."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from recollect.chat import AnswerStream, Cursor
from recollect.chat.service import TOO_LARGE
from recollect.core import types
from recollect.core.errors import ModelFailed, NotFound, RecollectError, TooLarge
from recollect.core.ids import canonical_id
from recollect.engine import Recollect
from recollect.record.answers import ChatRequest
from recollect.record.places import Place
from recollect.server import rate_limit
from recollect.server.auth import Caller, Memory
from recollect.server.chat_schemas import (
    ChatIn,
    EditIn,
    PlainChatIn,
    RegenerateIn,
    UiChatIn,
    conversation_of,
)
from recollect.server.errors import problem_of
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.schema_base import Out
from recollect.server.schemas import Message, Receipt
from recollect.server.ui_stream import (
    EVENTS,
    UI_HEADERS,
    EventStream,
    UiStream,
    events_of,
    parse_event_id,
    why_broken,
)

router = APIRouter(prefix="/api/chat", tags=["chat"])


class Answer(Out):
    """A whole answer, with the receipt of what its model was shown."""

    conversation_id: str
    message: Message
    receipt: Receipt | None


STREAMED: dict[int | str, Any] = {
    200: {
        "description": "A UI message stream; with `stream=false`, the answer as JSON.",
        "content": EVENTS,
    }
}
LastEventId = Annotated[str | None, Header(alias="Last-Event-ID", max_length=200)]


@router.post("", response_model=Answer, responses=STREAMED)
async def ask(
    body: ChatIn,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """The message is on disk, and the conversation has its id, before the model is called."""
    if isinstance(body, PlainChatIn):
        answering = await _ask(body, caller.user_id, memory, idempotency_key)
    else:
        answering = await _ask_ui(body, caller.user_id, memory, idempotency_key)
    return await respond(answering, memory, stream=stream)


@router.get(
    "/{id}/stream",
    response_class=Response,
    responses=STREAMED | {204: {"description": "Nothing is running."}},
)
async def resume(
    id: str, caller: Caller, memory: Memory, last_event_id: LastEventId = None
) -> Response:
    """Goes on where a client left, or from the beginning of what is being written."""
    place = conversation_of(caller.user_id, id)
    if last_event_id:
        message_id, cursor, open = parse_event_id(last_event_id)
        message = await memory.chat.find(message_id, user_id=caller.user_id)
        if message is None or place not in (message.id, message.conversation_id):
            raise NotFound("There is no such answer.")
        ui = UiStream(message.id, message.conversation_id, cursor=cursor, open=open)
    else:
        found = await _find(memory, place, caller.user_id, is_ours=canonical_id(id) is not None)
        if found is None or found.status != "streaming":
            return Response(status_code=204)
        message = found
        ui = UiStream(message.id, message.conversation_id, cursor=Cursor())
    return _stream(memory.chat.read(message, user_id=caller.user_id), ui, memory)


@router.post(
    "/{id}/stop", response_model=Message, responses={204: {"description": "Nothing is running."}}
)
async def stop(id: str, caller: Caller, memory: Memory) -> Response | Message:
    """Ends an answer, by its id or its conversation's; what there is of it stays."""
    place = conversation_of(caller.user_id, id)
    stopped = await memory.chat.stop(place, user_id=caller.user_id)
    return Response(status_code=204) if stopped is None else Message.model_validate(stopped)


@router.post("/{message_id}/regenerate", response_model=Answer, responses=STREAMED)
async def regenerate(
    message_id: str,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    body: RegenerateIn | None = None,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Another answer in the place of this one. Both stay on record, one is in the context."""
    given = body or RegenerateIn()
    answering = await memory.chat.regenerate(
        message_id=message_id,
        user_id=caller.user_id,
        **given.how(),
        idempotency_key=idempotency_key,
    )
    return await respond(answering, memory, stream=stream)


@router.post("/{message_id}/edit", response_model=Answer, responses=STREAMED)
async def edit(
    message_id: str,
    body: EditIn,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Asks again from an edited message. What followed is superseded, and stays on record."""
    answering = await memory.chat.edit(
        body.message,
        message_id=message_id,
        user_id=caller.user_id,
        **body.how(),
        idempotency_key=idempotency_key,
    )
    return await respond(answering, memory, stream=stream)


async def respond(answering: AnswerStream, memory: Recollect, *, stream: bool) -> Response:
    if stream:
        return _stream(answering, UiStream.of(answering), memory)
    headers = {"x-conversation-id": answering.conversation_id}
    try:
        answered = await answering.finished()
        if answered.message.status == "error":
            raise failure_of(answered.message)
    except RecollectError as error:  # what was asked is on record, and its place has to be known
        return problem_of(error, headers)
    return Response(
        Answer.model_validate(answered).model_dump_json(),
        media_type="application/json",
        headers=headers,
    )


def failure_of(message: types.Message) -> RecollectError:
    """Why there is no answer, for those who waited for the whole of it."""
    if message.metadata.get(TOO_LARGE):
        return TooLarge(message.metadata["error"], field="message")
    return ModelFailed(said=why_broken(message))


def _stream(answering: AnswerStream, ui: UiStream, memory: Recollect) -> EventStream:
    headers = {**UI_HEADERS, "x-conversation-id": answering.conversation_id}
    return EventStream(events_of(answering, ui, memory.events), headers)


async def _ask(
    body: PlainChatIn, user_id: str, memory: Recollect, idempotency_key: str | None
) -> AnswerStream:
    place: Place = body.conversation_id
    if place is None:
        place = memory.chat.place(user_id=user_id, policy=body.policy)
    question = ChatRequest.of(body.message, place, idempotency_key)
    return await memory.chat.answer(question, body.prompt(), user_id=user_id)


async def _ask_ui(
    body: UiChatIn, user_id: str, memory: Recollect, idempotency_key: str | None
) -> AnswerStream:
    """A list that the client keeps: what is new in it is what is asked."""
    said, known = body.said(), body.known()
    id = conversation_of(user_id, body.id) if body.id else None
    is_again = body.trigger == "regenerate-message"
    if id and (is_again or body.messageId):
        asked = await memory.chat.find_edited(
            said, conversation_id=id, user_id=user_id, known=known
        )
        if asked and is_again and asked.content == said[-1].content:
            return await memory.chat.regenerate(
                message_id=asked.id, user_id=user_id, **body.how(), idempotency_key=idempotency_key
            )
        if asked:
            return await memory.chat.edit(
                said[-1],
                message_id=asked.id,
                user_id=user_id,
                **body.how(),
                idempotency_key=idempotency_key,
            )
    question = ChatRequest(
        place=memory.chat.place(user_id=user_id, id=id, policy=body.policy),
        messages=said,
        is_whole=True,
        known=known,
        client_id=body.id,
        idempotency_key=idempotency_key,
    )
    return await memory.chat.answer(question, body.prompt(), user_id=user_id)


async def _find(memory: Recollect, id: str, user_id: str, *, is_ours: bool) -> types.Message | None:
    """A client asks after its own id before it has said anything: nothing is running there."""
    try:
        return await memory.chat.find(id, user_id=user_id)
    except NotFound:
        if is_ours:
            raise
        return None
