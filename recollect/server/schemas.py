"""The bodies of requests and answers, as API.md fixes them."""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
)

from recollect import model
from recollect.model import Rating, Role, Status, TitleSource

T = TypeVar("T")
JsonObject = dict[str, Any]


def _must_be_text(value: object) -> object:
    """A bare number would be taken for seconds since 1970."""
    if isinstance(value, str):
        return value
    raise ValueError("a time must be RFC 3339 text")


Time = Annotated[AwareDatetime, BeforeValidator(_must_be_text)]


class _In(BaseModel):
    """A field nobody knows is a mistake, and silently dropping it would lose data."""

    model_config = ConfigDict(extra="forbid")


class _Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class MessageIn(_In):
    role: Role
    content: str = ""
    thinking: str | None = None
    tool_calls: list[JsonObject] | None = None
    suggested_values: Any = None
    suggested_actions: Any = None
    custom_payload: Any = None
    model_variant: str | None = None
    metadata: JsonObject = {}
    is_pinned: StrictBool = False
    event_at: Time | None = None
    id: str | None = None

    def to_model(self) -> model.MessageIn:
        return model.MessageIn(**dict(self))


class ConversationIn(_In):
    title: str | None = None
    policy: str | None = None
    metadata: JsonObject | None = None
    messages: list[MessageIn] = []


class ConversationUpdate(_In):
    title: str | None = None
    is_archived: StrictBool = False
    metadata: JsonObject = {}
    policy: str = ""
    remember: StrictBool = True


class MessagesIn(_In):
    messages: Annotated[list[MessageIn], Field(min_length=1)]


class MessageUpdate(_In):
    is_pinned: StrictBool


class FeedbackIn(_In):
    rating: Rating | None
    note: str | None = None


class ForkIn(_In):
    at: StrictInt
    title: str | None = None


class SessionIn(_In):
    key: str


class Conversation(_Out):
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


class Message(_Out):
    id: str
    conversation_id: str
    seq: int
    turn: int
    role: Role
    content: str
    thinking: str | None
    status: Status
    tool_calls: list[JsonObject] | None
    suggested_values: Any
    suggested_actions: Any
    custom_payload: Any
    model_variant: str | None
    metadata: JsonObject
    tokens: int
    is_pinned: bool
    created_at: datetime
    event_at: datetime


class ConversationWithMessages(Conversation):
    messages: list[Message]


class Items(_Out, Generic[T]):
    items: list[T]


class Page(_Out, Generic[T]):
    items: list[T]
    next_cursor: str | None


class DeletedCounts(_Out):
    messages: int
    summaries: int
    embeddings: int
    memories: int
    jobs: int


class Deletion(_Out):
    deleted: DeletedCounts


class Limits(_Out):
    max_message_bytes: int
    max_body_bytes: int


class Me(_Out):
    user_id: str
    mode: Literal["local", "keys"]
    is_admin: bool
    limits: Limits


class Health(_Out):
    status: Literal["ok"] = "ok"


class ProblemBody(_Out):
    """What every error answers with, as application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[JsonObject] | None = None
