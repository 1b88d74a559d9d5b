"""/v1/message of specification 002: chats streamed as named events.

First `chat.created`, then `content.delta` for each piece of text, and at the end `content.done` or
`error`. Summarizing sends no event.
"""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Response
from pydantic import Field

from recollect.chat.active_answer import AnswerStream
from recollect.chat.stream_events import Finished, StreamEvent, TextDelta
from recollect.chat.tool_loop import PromptOptions
from recollect.core.errors import InvalidInput
from recollect.core.types import Json
from recollect.engine import Recollect
from recollect.record.answer_start import ChatRequest
from recollect.server.auth import Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import IdempotencyKey, RequestModel
from recollect.server.schemas import Router
from recollect.server.sse import EventEncoder, EventStream, failure_reason, sse_event
from recollect.server.stream_schemas import NAMED_STREAM

router = Router(prefix="/v1/message", tags=["message"])

_POLICY = "chunked"


class FirstMessage(RequestModel):
    message: Annotated[str, Field(min_length=1)]
    model_variant: str | None = None


class NextMessage(FirstMessage):
    chat_id: str


@router.post("/first", response_class=Response, responses=NAMED_STREAM)
async def send_first_message(
    body: FirstMessage, caller: AnswerCaller, engine: Engine, idempotency_key: IdempotencyKey = None
) -> EventStream:
    """Start a chat."""
    return await _send(engine, caller.user_id, None, body, idempotency_key)


@router.post("", response_class=Response, responses=NAMED_STREAM)
async def send_message(
    body: NextMessage, caller: AnswerCaller, engine: Engine, idempotency_key: IdempotencyKey = None
) -> EventStream:
    """Continue a chat, with any model variant: memory does not depend on it."""
    return await _send(engine, caller.user_id, body.chat_id, body, idempotency_key)


async def _send(
    engine: Recollect,
    user_id: str,
    chat_id: str | None,
    body: FirstMessage,
    idempotency_key: str | None,
) -> EventStream:
    variant, known = body.model_variant, engine.models.variants
    if variant is not None and variant not in known:
        raise InvalidInput(
            f"model_variant must be one of {', '.join(known)}, not {variant!r}.",
            field="model_variant",
        )
    target = engine.chat.target(user_id=user_id, conversation_id=chat_id, policy=_POLICY)
    request = ChatRequest.from_text(body.message, target, idempotency_key)
    answer = await engine.chat.answer(request, PromptOptions(model=variant), user_id=user_id)
    return EventStream(answer, NamedEventEncoder(answer), engine.events)


class NamedEventEncoder(EventEncoder):
    """Encodes an answer's text as named events; tools and reasoning are left out."""

    def __init__(self, answer: AnswerStream) -> None:
        self._ids = {"chat_id": answer.conversation_id, "message_id": answer.message_id}

    def start(self) -> bytes:
        return _event("chat.created", **self._ids)

    def encode(self, event: StreamEvent) -> Iterator[bytes]:
        match event:
            case TextDelta(text):
                yield _event("content.delta", delta=text)
            case Finished(message) if message.status == "complete":
                yield _event("content.done", message_id=message.id, content=message.content)
            case Finished(message):
                yield from self.fail(failure_reason(message))

    def fail(self, reason: str) -> Iterator[bytes]:
        yield _event("error", message=reason)


def _event(name: str, **data: Json) -> bytes:
    return sse_event(data, event=name)
