"""Answers as server-sent events.

`UiStream` speaks the AI SDK's UI message stream. The id of each event says how much of the answer a
client has with it, and which part of the message is open: so any process can go on from there, and
what a client has got before and after makes one message.
"""

import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, Protocol, Self

from fastapi.responses import StreamingResponse

from recollect.chat import (
    AnswerStream,
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCalled,
    ToolReturned,
)
from recollect.core.errors import BrokenCursor, RecollectError
from recollect.core.ids import canonical_id
from recollect.core.instrumentation import Events
from recollect.core.types import Json, Message

logger = logging.getLogger(__name__)

Open = Literal["", "s", "r", "t"]
"""Which part of a message has begun and not ended: none, its reasoning, its text. Before the first
of them, whether what the model was shown has been said."""

KEEP_ALIVE = b": still here\n\n"
DONE = b"data: [DONE]\n\n"
UI_HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
_EVENT_ID = re.compile(r"([0-9a-fA-F-]{36}):(\d+\.\d+\.\d+):([srt]?)")


EVENTS: dict[str, Any] = {
    "text/event-stream": {
        "itemSchema": {
            "type": "object",
            "properties": {field: {"type": "string"} for field in ("id", "event", "data")},
            "required": ["data"],
        }
    }
}
"""How they are described: event by event."""


class EventStream(StreamingResponse):
    """Server-sent events, through proxies too: nobody may keep, change or hold them back."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[bytes], headers: dict[str, str]) -> None:
        quiet = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
        super().__init__(events, headers={**quiet, **headers})


class UiStream:
    """An answer's pieces as parts of a UI message.

    `cursor` and `open` are those of the last event that a client has got; None if it has got none.
    """

    def __init__(
        self, message_id: str, conversation_id: str, *, cursor: Cursor, open: Open | None = None
    ) -> None:
        self.message_id = message_id
        self.cursor = cursor
        self.is_new = open is None
        self._conversation_id = conversation_id
        self._is_shown = bool(open) or cursor != Cursor()
        self._open: Open = "" if open is None or open == "s" else open

    @classmethod
    def of(cls, answering: AnswerStream) -> Self:
        return cls(answering.message_id, answering.conversation_id, cursor=Cursor())

    def start(self) -> bytes:
        metadata = {"conversation_id": self._conversation_id}
        return self._event("start", messageId=self.message_id, messageMetadata=metadata)

    def events(self, piece: StreamEvent) -> Iterator[bytes]:
        match piece:
            case KeepAlive():
                yield KEEP_ALIVE
            case ContextBuilt(receipt) if not self._is_shown:
                self._is_shown = True
                shown = {
                    "mode": receipt.mode,
                    "policy": receipt.policy,
                    "tokens": receipt.tokens,
                    "budget": receipt.budget,
                    "memory_tokens": receipt.memory_tokens,
                    "full_history_tokens": receipt.full_history_tokens,
                }
                yield self._event("data-receipt", data=shown)
            case ThinkingDelta(text, cursor):
                yield from self._say("r", text, cursor)
            case TextDelta(text, cursor):
                yield from self._say("t", text, cursor)
            case ToolCalled(tool, cursor):
                yield from self._close()
                self.cursor = cursor
                yield self._event(
                    "tool-input-available",
                    toolCallId=tool.id,
                    toolName=tool.name,
                    input=tool.input,
                    dynamic=True,
                    providerExecuted=True,
                )
            case ToolReturned(tool, cursor):
                self.cursor = cursor
                kind = "tool-output-error" if tool.is_error else "tool-output-available"
                field = "errorText" if tool.is_error else "output"
                yield self._event(
                    kind,
                    toolCallId=tool.id,
                    **{field: tool.output},
                    dynamic=True,
                    providerExecuted=True,
                )
            case Finished(message):
                yield from self._end(message)

    def fail(self, reason: str) -> Iterator[bytes]:
        yield from self._close()
        yield self._event("error", errorText=reason)
        yield DONE

    def _say(self, part: Open, text: str, cursor: Cursor) -> Iterator[bytes]:
        if self._open != part:
            yield from self._close()
            self._open = part
            yield self._event(f"{_KINDS[part]}-start", id=self._part_id())
        part_id, self.cursor = self._part_id(), cursor
        yield self._event(f"{_KINDS[part]}-delta", id=part_id, delta=text)

    def _close(self) -> Iterator[bytes]:
        if self._open:
            kind, self._open = _KINDS[self._open], ""
            yield self._event(f"{kind}-end", id=self._part_id())

    def _end(self, message: Message) -> Iterator[bytes]:
        yield from self._close()
        if message.status == "error":
            reason = message.metadata.get("error") or "The model failed."
            yield self._event("error", errorText=reason)
        elif message.status == "interrupted":
            yield self._event("abort")
        else:
            metadata = {
                "conversation_id": message.conversation_id,
                "status": message.status,
                "tokens": message.tokens,
                "model_variant": message.model_variant,
            }
            yield self._event("finish", **_reason(message), messageMetadata=metadata)
        yield DONE

    def _part_id(self) -> str:
        """The same for all of a part: tools are what ends one."""
        return str(self.cursor.steps)

    def _event(self, type: str, **fields: Json) -> bytes:
        has_only_shown = self._is_shown and self.cursor == Cursor()
        open = self._open or ("s" if has_only_shown else "")
        id = f"{self.message_id}:{self.cursor}:{open}"
        body = json.dumps({"type": type, **fields}, ensure_ascii=False, separators=(",", ":"))
        return f"id: {id}\ndata: {body}\n\n".encode("utf-8", "replace")


_KINDS: dict[Open, str] = {"r": "reasoning", "t": "text"}
_REASONS = {"length": "length", "content_filter": "content-filter"}
_OPEN: dict[str, Open] = {"": "", "s": "s", "r": "r", "t": "t"}


def parse_event_id(text: str) -> tuple[str, Cursor, Open]:
    """The message, the place in it and the open part that an event's id names."""
    found = _EVENT_ID.fullmatch(text)
    message_id = canonical_id(found[1]) if found else None
    if found is None or message_id is None:
        raise BrokenCursor("Last-Event-ID was not given out by this stream.")
    return message_id, Cursor.parse(found[2]), _OPEN[found[3]]


def _reason(message: Message) -> dict[str, Json]:
    """Why the model ended before it was done, in the AI SDK's word; nothing where it was: its first
    releases know no such field."""
    finish = message.metadata.get("finish")
    return {"finishReason": _REASONS.get(finish, "other")} if finish else {}


class Form(Protocol):
    """A way to write an answer down as events, from where a client is."""

    is_new: bool
    cursor: Cursor

    def start(self) -> bytes: ...
    def events(self, piece: StreamEvent) -> Iterator[bytes]: ...
    def fail(self, reason: str) -> Iterator[bytes]: ...


def why_broken(message: Message) -> str:
    """Of an answer that has ended and is not whole."""
    if message.status == "interrupted":
        return "The answer was interrupted."
    return message.metadata.get("error") or "The model failed."


async def events_of(answering: AnswerStream, stream: Form, events: Events) -> AsyncIterator[bytes]:
    """From where the stream is, to the end."""
    if stream.is_new:
        yield stream.start()
    is_over = False
    try:
        async for piece in answering.follow(stream.cursor):
            for event in stream.events(piece):
                yield event
        is_over = True
    except RecollectError as error:
        is_over = True
        logger.warning("stream_failed", extra={"reason": error.unquoted})
        for event in stream.fail(error.shown):
            yield event
    finally:
        if not is_over:
            events.count("stream_left")
