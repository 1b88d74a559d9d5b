"""The events of streamed answers, as `/openapi.json` publishes them.

The UI message stream is the AI SDK's: the JSON `data` of each event has a `type`. The events of
specification 002 are told apart by the `event` field of the stream instead.
"""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Discriminator, TypeAdapter
from typing_extensions import TypedDict

from recollect.core.types import Json, Status
from recollect.recall.context.receipt import Mode

_REF = "#/components/schemas/{model}"
_TEXT = {"type": "string"}


class StreamStartMetadata(TypedDict):
    conversation_id: str


class StreamStart(TypedDict):
    type: Literal["start"]
    messageId: str
    messageMetadata: StreamStartMetadata


class ReceiptTotals(TypedDict):
    mode: Mode
    policy: str
    tokens: int
    budget: int
    memory_tokens: int
    full_history_tokens: int


class StreamReceipt(TypedDict):
    """The size of the model's context, sent before its first word."""

    type: Literal["data-receipt"]
    data: ReceiptTotals


class StreamPart(TypedDict):
    type: Literal["reasoning-start", "reasoning-end", "text-start", "text-end"]
    id: str


class StreamDelta(TypedDict):
    type: Literal["reasoning-delta", "text-delta"]
    id: str
    delta: str


class _ToolEvent(TypedDict):
    toolCallId: str
    dynamic: Literal[True]
    providerExecuted: Literal[True]


class StreamToolInput(_ToolEvent):
    type: Literal["tool-input-available"]
    toolName: str
    input: Any


class StreamToolOutput(_ToolEvent):
    type: Literal["tool-output-available"]
    output: Any


class StreamToolError(_ToolEvent):
    type: Literal["tool-output-error"]
    errorText: Any


class StreamFinishMetadata(StreamStartMetadata):
    status: Status
    tokens: int
    model_variant: str | None


class StreamFinish(TypedDict):
    """`finishReason` is there only if the model stopped early."""

    type: Literal["finish"]
    finishReason: NotRequired[Literal["length", "content-filter", "other"]]
    messageMetadata: StreamFinishMetadata


class StreamAbort(TypedDict):
    """The answer was interrupted."""

    type: Literal["abort"]


class StreamError(TypedDict):
    type: Literal["error"]
    errorText: str


class ChatCreated(TypedDict):
    chat_id: str
    message_id: str


class ContentDelta(TypedDict):
    delta: str


class ContentDone(TypedDict):
    message_id: str
    content: str


class ContentError(TypedDict):
    message: str


UI_EVENT: TypeAdapter[Any] = TypeAdapter(
    Annotated[
        StreamStart
        | StreamReceipt
        | StreamPart
        | StreamDelta
        | StreamToolInput
        | StreamToolOutput
        | StreamToolError
        | StreamFinish
        | StreamAbort
        | StreamError,
        Discriminator("type"),
    ]
)
NAMED_EVENTS = {
    "chat.created": ChatCreated,
    "content.delta": ContentDelta,
    "content.done": ContentDone,
    "error": ContentError,
}


def component_schemas() -> dict[str, Json]:
    """The schemas that the streaming responses refer to, by component name."""
    union = UI_EVENT.json_schema(ref_template=_REF)
    named = {event.__name__: TypeAdapter(event).json_schema() for event in NAMED_EVENTS.values()}
    return {**union.pop("$defs"), **named, "UiStreamEvent": union}


def _event(data: Json, **fields: Json) -> dict[str, Json]:
    """Describe a server-sent event."""
    properties = {"id": _TEXT, "event": _TEXT, **fields, "data": data}
    return {"type": "object", "properties": properties, "required": [*fields, "data"]}


def _json(component: str) -> dict[str, Json]:
    """Describe a text that is JSON of a component."""
    ref = {"$ref": _REF.format(model=component)}
    return {**_TEXT, "contentMediaType": "application/json", "contentSchema": ref}


def _responses(description: str, *events: Json) -> dict[int | str, dict[str, Any]]:
    item = {"oneOf": events} if len(events) > 1 else events[0]
    content = {"text/event-stream": {"itemSchema": item}}
    return {200: {"description": description, "content": content}}


COMPLETION_STREAM = _responses(
    "The completion; with `stream`, its chunks as server-sent events.", _event(_TEXT)
)
UI_STREAM = _responses(
    "A UI message stream; with `stream=false`, the answer as JSON.",
    _event(_json("UiStreamEvent")),
    _event({"const": "[DONE]"}),
)
NAMED_STREAM = _responses(
    "`chat.created`, `content.delta` …, `content.done` or `error`.",
    *(_event(_json(data.__name__), event={"const": name}) for name, data in NAMED_EVENTS.items()),
)
"""The `responses` of streaming routes."""
