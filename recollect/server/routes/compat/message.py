"""/v1/message: chats as mobile apps read them, in named events.

First `chat.created`, then `content.delta` as the model speaks, and `content.done` with the whole,
or `error`, where there will be none. What is digested afterwards is nobody's event.
"""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from recollect.chat import AnswerStream, Cursor, Finished, KeepAlive, Prompt, StreamEvent, TextDelta
from recollect.core.errors import InvalidInput
from recollect.core.types import Json
from recollect.engine import Recollect
from recollect.record.answers import ChatRequest
from recollect.record.places import Place
from recollect.server import rate_limit
from recollect.server.auth import Memory
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.schema_base import In
from recollect.server.ui_stream import EVENTS, KEEP_ALIVE, EventStream, events_of, why_broken

router = APIRouter(prefix="/v1/message", tags=["message"])

_POLICY = "chunked"
_STREAMED: dict[int | str, Any] = {
    200: {
        "description": "`chat.created`, `content.delta` …, `content.done` or `error`.",
        "content": EVENTS,
    }
}


class FirstMessage(In):
    message: Annotated[str, Field(min_length=1)]
    model_variant: str | None = None


class NextMessage(FirstMessage):
    chat_id: str


@router.post("/first", response_class=Response, responses=_STREAMED)
async def send_first(
    body: FirstMessage,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    idempotency_key: IdempotencyKey = None,
) -> EventStream:
    """Begins a chat."""
    place = memory.chat.place(user_id=caller.user_id, policy=_POLICY)
    return await _send(memory, caller.user_id, place, body, idempotency_key)


@router.post("", response_class=Response, responses=_STREAMED)
async def send(
    body: NextMessage,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    idempotency_key: IdempotencyKey = None,
) -> EventStream:
    """Goes on with one, with whichever variant: memory does not depend on it."""
    return await _send(memory, caller.user_id, body.chat_id, body, idempotency_key)


async def _send(
    memory: Recollect, user_id: str, place: Place, body: FirstMessage, idempotency_key: str | None
) -> EventStream:
    variant, known = body.model_variant, memory.models.variants
    if variant is not None and variant not in known:
        raise InvalidInput(
            f"model_variant must be one of {', '.join(known)}, not {variant!r}.",
            field="model_variant",
        )
    question = ChatRequest.of(body.message, place, idempotency_key)
    answering = await memory.chat.answer(question, Prompt(model=variant), user_id=user_id)
    headers = {"x-conversation-id": answering.conversation_id}
    return EventStream(events_of(answering, NamedEvents(answering), memory.events), headers)


class NamedEvents:
    """An answer's pieces as events. Those without words have none."""

    is_new = True
    cursor = Cursor()

    def __init__(self, answering: AnswerStream) -> None:
        self._ids = {"chat_id": answering.conversation_id, "message_id": answering.message_id}

    def start(self) -> bytes:
        return _event("chat.created", **self._ids)

    def events(self, piece: StreamEvent) -> Iterator[bytes]:
        match piece:
            case KeepAlive():
                yield KEEP_ALIVE
            case TextDelta(text):
                yield _event("content.delta", delta=text)
            case Finished(message) if message.status == "complete":
                yield _event("content.done", message_id=message.id, content=message.content)
            case Finished(message):
                yield from self.fail(why_broken(message))

    def fail(self, reason: str) -> Iterator[bytes]:
        yield _event("error", message=reason)


def _event(name: str, **data: Json) -> bytes:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {name}\ndata: {body}\n\n".encode("utf-8", "replace")
