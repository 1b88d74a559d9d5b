"""The AI SDK's UI message stream.

The id of each event holds the client's cursor in the answer and the open part of the message, so
any process can resume the stream after it: the events before and after make one message.
"""

import re
from collections.abc import Iterator
from typing import Literal, get_type_hints

from recollect.chat.stream_events import (
    ContextBuilt,
    Cursor,
    Finished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCalled,
    ToolReturned,
)
from recollect.core.errors import BrokenCursor
from recollect.core.ids import canonical_id
from recollect.core.types import Json, Message
from recollect.server.sse import DONE, EventEncoder, failure_reason, sse_event
from recollect.server.stream_schemas import ReceiptTotals, StreamFinishMetadata

OpenPart = Literal["", "s", "r", "t"]
"""The part of a message that has started and not ended: none, reasoning or text. `s` means that no
part has started and the receipt has been sent."""

UI_HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
_EVENT_ID = re.compile(r"([0-9a-fA-F-]{36}):(\d+\.\d+\.\d+):([srt]?)")
_PART_TYPES: dict[OpenPart, str] = {"r": "reasoning", "t": "text"}
_OPEN_PARTS: dict[str, OpenPart] = {"": "", "s": "s", "r": "r", "t": "t"}
_START = Cursor()
_FINISH_REASONS = {"length": "length", "content_filter": "content-filter"}


class UiEncoder(EventEncoder):
    """Encodes an answer's events as parts of a UI message.

    `cursor` and `open_part` are those of the last event that the client received; `open_part` is
    None if it received none.
    """

    def __init__(
        self,
        message_id: str,
        conversation_id: str,
        *,
        cursor: Cursor = _START,
        open_part: OpenPart | None = None,
    ) -> None:
        self.message_id = message_id
        self.cursor = cursor
        self.is_new = open_part is None
        self._conversation_id = conversation_id
        self._has_sent_receipt = bool(open_part) or cursor != _START
        self._open_part: OpenPart = "" if open_part is None or open_part == "s" else open_part

    def start(self) -> bytes:
        metadata = {"conversation_id": self._conversation_id}
        return self._event("start", messageId=self.message_id, messageMetadata=metadata)

    def encode(self, event: StreamEvent) -> Iterator[bytes]:
        match event:
            case ContextBuilt(receipt) if not self._has_sent_receipt:
                self._has_sent_receipt = True
                yield self._event("data-receipt", data=_fields(receipt, ReceiptTotals))
            case ThinkingDelta(text, cursor):
                yield from self._delta("r", text, cursor)
            case TextDelta(text, cursor):
                yield from self._delta("t", text, cursor)
            case ToolCalled(tool, cursor):
                yield from self._close_part()
                self.cursor = cursor
                yield self._tool_event(
                    "tool-input-available", tool.id, toolName=tool.name, input=tool.input
                )
            case ToolReturned(tool, cursor):
                self.cursor = cursor
                if tool.is_error:
                    yield self._tool_event("tool-output-error", tool.id, errorText=tool.output)
                else:
                    yield self._tool_event("tool-output-available", tool.id, output=tool.output)
            case Finished(message):
                yield from self._finish(message)

    def fail(self, reason: str) -> Iterator[bytes]:
        yield from self._close_part()
        yield self._event("error", errorText=reason)
        yield DONE

    def _delta(self, part: OpenPart, text: str, cursor: Cursor) -> Iterator[bytes]:
        if self._open_part != part:
            yield from self._close_part()
            self._open_part = part
            yield self._event(f"{_PART_TYPES[part]}-start", id=self._part_id())
        part_id, self.cursor = self._part_id(), cursor
        yield self._event(f"{_PART_TYPES[part]}-delta", id=part_id, delta=text)

    def _close_part(self) -> Iterator[bytes]:
        if self._open_part:
            part_type, self._open_part = _PART_TYPES[self._open_part], ""
            yield self._event(f"{part_type}-end", id=self._part_id())

    def _finish(self, message: Message) -> Iterator[bytes]:
        yield from self._close_part()
        if message.status == "error":
            yield self._event("error", errorText=failure_reason(message))
        elif message.status == "interrupted":
            yield self._event("abort")
        else:
            metadata = _fields(message, StreamFinishMetadata)
            yield self._event("finish", **_finish_reason(message), messageMetadata=metadata)
        yield DONE

    def _part_id(self) -> str:
        """The same for all events of a part: only a tool call ends one."""
        return str(self.cursor.steps)

    def _tool_event(self, type: str, call_id: str, **fields: Json) -> bytes:
        return self._event(type, toolCallId=call_id, **fields, dynamic=True, providerExecuted=True)

    def _event(self, type: str, **fields: Json) -> bytes:
        is_before_first_part = self._has_sent_receipt and self.cursor == _START
        open_part = self._open_part or ("s" if is_before_first_part else "")
        return sse_event(
            {"type": type, **fields}, id=f"{self.message_id}:{self.cursor}:{open_part}"
        )


def parse_event_id(text: str) -> tuple[str, Cursor, OpenPart]:
    """Return the message id, the cursor and the open part of an event's id."""
    match = _EVENT_ID.fullmatch(text)
    message_id = canonical_id(match[1]) if match else None
    if match is None or message_id is None:
        raise BrokenCursor(f"Last-Event-ID is not an event id of this stream: {text!r}.")
    return message_id, Cursor.parse(match[2]), _OPEN_PARTS[match[3]]


def _fields(source: object, schema: type) -> dict[str, Json]:
    """Read the fields of a schema from an object."""
    return {name: getattr(source, name) for name in get_type_hints(schema)}


def _finish_reason(message: Message) -> dict[str, Json]:
    """The AI SDK's word for why the model stopped early. Left out if it did not: the SDK's first
    releases refuse the field."""
    finish = message.metadata.get("finish")
    return {"finishReason": _FINISH_REASONS.get(finish, "other")} if finish else {}
