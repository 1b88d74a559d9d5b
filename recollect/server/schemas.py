"""The bodies that several routes share; the others stand beside their route.

A class whose name a domain class has too ends in `Schema`. `openapi` publishes it without.
"""

from datetime import datetime
from typing import Any, Generic, NotRequired, TypeVar

from pydantic import ConfigDict, Field, StrictBool
from typing_extensions import TypedDict

from recollect.core import types
from recollect.core.types import JobState, Rating, Role, Status, TitleSource
from recollect.recall.context.receipt import Mode, Outcome, Section
from recollect.server.schema_base import (
    FailFastList,
    JsonObject,
    RequestModel,
    ResponseModel,
    Timestamp,
)

T = TypeVar("T")


class MessageToolCall(TypedDict):
    """A tool that the model called. Only `tool_name` is checked: clients may store anything else.

    `id` is the string that a result's `tool_call_id` names, `at` the offset of the call in the
    message's text. A call without `output` has not returned.
    """

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    tool_name: str
    id: NotRequired[Any]
    input: NotRequired[Any]
    output: NotRequired[Any]
    at: NotRequired[Any]
    is_error: NotRequired[Any]


class MessageInSchema(RequestModel):
    role: Role
    content: str = ""
    thinking: str | None = None
    tool_calls: FailFastList[MessageToolCall] | None = None
    suggested_values: Any = None
    suggested_actions: Any = None
    custom_payload: Any = None
    model_variant: str | None = None
    metadata: JsonObject = Field(default={})
    is_pinned: StrictBool = False
    event_at: Timestamp | None = None
    id: str | None = None

    def to_model(self) -> types.MessageIn:
        return types.MessageIn(**dict(self))


class ConversationSchema(ResponseModel):
    id: str
    title: str | None
    title_source: TitleSource
    policy: str
    remember: bool
    topic: str | None
    metadata: JsonObject
    is_archived: bool
    message_count: int
    token_count: int
    created_at: datetime
    updated_at: datetime
    last_activity_at: datetime
    forked_from: str | None
    external_id: str | None
    is_answering: bool


class MessageSchema(ResponseModel):
    id: str
    conversation_id: str
    seq: int
    turn: int
    role: Role
    content: str
    thinking: str | None
    status: Status
    tool_calls: list[MessageToolCall] | None
    suggested_values: Any
    suggested_actions: Any
    custom_payload: Any
    model_variant: str | None
    metadata: JsonObject
    tokens: int
    is_pinned: bool
    created_at: datetime
    event_at: datetime
    superseded_at: datetime | None
    rating: Rating | None


class ReceiptItemSchema(ResponseModel):
    section: Section
    source: str
    tokens: int
    outcome: Outcome
    reason: str
    message_id: str | None
    first_seq: int | None
    last_seq: int | None


class ReceiptSchema(ResponseModel):
    budget: int
    tokens: int
    memory_tokens: int
    mode: Mode
    policy: str
    summary_version: int
    full_history_tokens: int
    items: list[ReceiptItemSchema]


class JobSchema(ResponseModel):
    id: str
    kind: str
    conversation_id: str | None
    state: JobState
    attempts: int
    last_error: str | None
    run_at: datetime


class Items(ResponseModel, Generic[T]):
    items: list[T]


class PageSchema(ResponseModel, Generic[T]):
    items: list[T]
    next_cursor: str | None


class DeletedCounts(ResponseModel):
    messages: int
    summaries: int
    embeddings: int
    memories: int
    jobs: int


class Deletion(ResponseModel):
    deleted: DeletedCounts
