"""Answers as server-sent events, in one of several encodings."""

import json
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

from fastapi.responses import StreamingResponse

from recollect.chat.active_answer import AnswerStream
from recollect.chat.stream_events import Cursor, KeepAlive, StreamEvent
from recollect.core.errors import RecollectError
from recollect.core.instrumentation import Events
from recollect.core.types import Json, Message

logger = logging.getLogger(__name__)

_KEEP_ALIVE = b": still here\n\n"
DONE = b"data: [DONE]\n\n"


class EventEncoder(Protocol):
    """Writes an answer as events, starting where the client stopped reading."""

    is_new: bool = True
    """The client has received no event yet."""
    cursor: Cursor = Cursor()

    def start(self) -> bytes: ...
    def encode(self, event: StreamEvent) -> Iterator[bytes]: ...
    def fail(self, reason: str) -> Iterator[bytes]: ...


class EventStream(StreamingResponse):
    """An answer as a stream that proxies must neither store, change nor buffer."""

    media_type = "text/event-stream"

    def __init__(
        self,
        answer: AnswerStream,
        encoder: EventEncoder,
        instrumentation: Events,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            _encode(answer, encoder, instrumentation),
            headers={
                "Cache-Control": "no-cache, no-transform",
                "X-Accel-Buffering": "no",
                "x-conversation-id": answer.conversation_id,
                **(headers or {}),
            },
        )


async def _encode(
    answer: AnswerStream, encoder: EventEncoder, instrumentation: Events
) -> AsyncIterator[bytes]:
    """Yield the events of an answer from the encoder's cursor to its end."""
    if encoder.is_new:
        yield encoder.start()
    has_ended = False
    try:
        async for event in answer.follow(encoder.cursor):
            if isinstance(event, KeepAlive):
                yield _KEEP_ALIVE
            for encoded in encoder.encode(event):
                yield encoded
        has_ended = True
    except RecollectError as error:
        has_ended = True
        logger.warning("stream.failed", extra={"reason": error.log_message})
        for encoded in encoder.fail(error.public_message):
            yield encoded
    finally:
        if not has_ended:
            instrumentation.count("stream_left")


def sse_event(data: Json, **fields: str) -> bytes:
    """Return one event; `fields` are its `id` or `event`."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    lines = [*(f"{name}: {value}" for name, value in fields.items()), f"data: {body}"]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def failure_reason(message: Message) -> str:
    """Why an answer ended without being complete."""
    if message.status == "interrupted":
        return "The answer was interrupted."
    return message.metadata.get("error") or "The model failed."
