"""The bodies of requests and answers, as API.md fixes them."""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, StrictBool, StrictInt

from recollect.core import memory_types, types
from recollect.core.types import (
    Author,
    ExactValueKind,
    JobState,
    MemoryAction,
    MemoryAuthor,
    MemoryType,
    Rating,
    Role,
    Status,
    TitleSource,
)
from recollect.recall import references
from recollect.recall.context.formats import Format
from recollect.recall.context.receipt import Mode, Outcome, Section
from recollect.recall.references import ReferenceKind
from recollect.recall.search.service import SearchKind
from recollect.server.schema_base import In, JsonObject, Listed, Out, Time

T = TypeVar("T")
Confidence = Annotated[float, Field(strict=True, ge=0, le=1)]


class MessageIn(In):
    role: Role
    content: str = ""
    thinking: str | None = None
    tool_calls: Listed[JsonObject] | None = None
    suggested_values: Any = None
    suggested_actions: Any = None
    custom_payload: Any = None
    model_variant: str | None = None
    metadata: JsonObject = Field(default={})
    is_pinned: StrictBool = False
    event_at: Time | None = None
    id: str | None = None

    def to_model(self) -> types.MessageIn:
        return types.MessageIn(**dict(self))


class ConversationIn(In):
    title: str | None = None
    policy: str | None = None
    metadata: JsonObject | None = None
    remember: StrictBool = True
    messages: Listed[MessageIn] = Field(default=[])


class ConversationUpdate(In):
    title: str | None = None
    is_archived: StrictBool = False
    metadata: JsonObject = Field(default={})
    policy: str = ""
    remember: StrictBool = True


class MessagesIn(In):
    messages: Annotated[Listed[MessageIn], Field(min_length=1)]


class MessageUpdate(In):
    is_pinned: StrictBool


class FeedbackIn(In):
    rating: Rating | None
    note: str | None = None


class ForkIn(In):
    at: StrictInt | None = None
    title: str | None = None


class SummaryEdit(In):
    text: str
    version: StrictInt


class RollbackIn(In):
    version: Annotated[StrictInt, Field(ge=0, lt=2**31)]


class CompactIn(In):
    force: StrictBool = False


class ContextIn(In):
    message: str | None = None
    budget: Annotated[StrictInt, Field(ge=1)] | None = None
    format: Format = "openai"
    mode: Mode = "compressed"
    system: str | None = None
    context: JsonObject | None = None
    model: str | None = None


class SessionIn(In):
    key: str


class Conversation(Out):
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
    is_answering: bool


class Message(Out):
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
    superseded_at: datetime | None
    rating: Rating | None


class ConversationWithMessages(Conversation):
    messages: list[Message]


class ExactValue(Out):
    kind: ExactValueKind
    value: str
    seq: int
    label: str


class Summary(Out):
    conversation_id: str
    text: str
    ledger: list[ExactValue]
    version: int
    base_version: int
    through_seq: int
    author: Author
    model: str | None
    prompt_version: str | None
    tokens: int
    tokens_in: int
    tokens_out: int
    duration_ms: int
    facts_found: int
    facts_kept: int
    kept: str
    created_at: datetime


class SummaryWithCoverage(Summary):
    """With the ids of the last message and of the last answer that it covers."""

    last_message_id: str | None
    last_summarized_message_id: str | None


class Comparison(Out):
    added: list[str]
    removed: list[str]
    values_added: list[ExactValue]
    values_removed: list[ExactValue]


class Compaction(Out):
    compacted: bool
    reason: str
    summary: Summary


class ReceiptItem(Out):
    section: Section
    source: str
    tokens: int
    outcome: Outcome
    reason: str
    message_id: str | None
    first_seq: int | None
    last_seq: int | None


class Receipt(Out):
    budget: int
    tokens: int
    memory_tokens: int
    mode: Mode
    policy: str
    summary_version: int
    full_history_tokens: int
    items: list[ReceiptItem]


class Context(Out):
    """`messages` or `text`, as the format has it; `system` with Gemini turns."""

    messages: list[JsonObject] | None = None
    text: str | None = None
    system: str | None = None
    tokens: int
    receipt: Receipt


class AnswerCost(Out):
    conversation_id: str
    turn: int
    seq: int
    full_history_tokens: int
    context_tokens: int
    mode: Mode
    estimated: bool


class PurposeCost(Out):
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    duration_ms: int


class DayCost(Out):
    day: str
    full_history_tokens: int
    context_tokens: int
    digest_tokens: int
    compactions: int


class Votes(Out):
    up: int
    down: int


class VotesByMode(Out):
    compressed: Votes
    full: Votes


class Analytics(Out):
    full_history_tokens: int
    context_tokens: int
    digest_tokens: int
    net_saved_tokens: int
    compactions: int
    fact_survival: float | None
    feedback: VotesByMode
    by_purpose: dict[str, PurposeCost]
    by_turn: list[AnswerCost]
    by_day: list[DayCost]


class MemoryIn(In):
    memory_type: MemoryType
    content: str
    category: str | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    is_pinned: StrictBool = False
    confidence: Confidence = 1.0

    def to_model(self) -> memory_types.MemoryIn:
        return memory_types.MemoryIn(**dict(self))


class MemoryUpdate(In):
    memory_type: MemoryType = "fact"
    category: str | None = None
    content: str = ""
    is_pinned: StrictBool = False
    is_archived: StrictBool = False
    confidence: Confidence = 1.0


class ExtractIn(In):
    conversation_id: str


class Memory(Out):
    id: str
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    author: MemoryAuthor
    source_conversation_id: str | None
    source_message_id: str | None
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None
    access_count: int
    is_pinned: bool
    is_archived: bool
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    confirmed_at: datetime
    superseded_by: str | None


class MemoryEvent(Out):
    """`before` and `after` hold the fields that changed; a new memory has nothing before."""

    id: str
    memory_id: str
    action: MemoryAction
    actor: MemoryAuthor
    source_message_id: str | None
    before: JsonObject | None
    after: JsonObject
    created_at: datetime
    undone_at: datetime | None


class ReferenceIn(In):
    text: str


class Hit(Out):
    kind: SearchKind
    id: str
    conversation_id: str | None
    seq: int | None
    text: str
    score: float
    created_at: datetime


class SwitchCandidate(Out):
    conversation: Conversation
    passage: str
    score: float


class Switched(Out):
    match: Conversation | None
    candidates: list[SwitchCandidate]
    needs_confirmation: bool


class Turn(Out):
    turn: int
    messages: list[Message]


class Resolved(Out):
    turn: Turn | None
    phrase: str | None
    kind: ReferenceKind | None

    @classmethod
    def of(cls, found: references.Resolved) -> "Resolved":
        turn = None
        if found.turn is not None:
            messages = [Message.model_validate(message) for message in found.turn.messages]
            turn = Turn(turn=found.turn.number, messages=messages)
        return cls(turn=turn, phrase=found.phrase, kind=found.kind)


class Job(Out):
    id: str
    kind: str
    conversation_id: str | None
    state: JobState
    attempts: int
    last_error: str | None
    run_at: datetime


class Items(Out, Generic[T]):
    items: list[T]


class Page(Out, Generic[T]):
    items: list[T]
    next_cursor: str | None


class DeletedCounts(Out):
    messages: int
    summaries: int
    embeddings: int
    memories: int
    jobs: int


class Deletion(Out):
    deleted: DeletedCounts


class DeletedUserCounts(DeletedCounts):
    conversations: int
    keys: int


class UserDeletion(Out):
    deleted: DeletedUserCounts


class Limits(Out):
    """0 requests or answers per minute are no limit."""

    max_message_bytes: int
    max_body_bytes: int
    max_import_bytes: int
    requests_per_minute: int
    answers_per_minute: int


class Me(Out):
    user_id: str
    mode: Literal["local", "keys", "jwt"]
    is_admin: bool
    limits: Limits


class Health(Out):
    status: Literal["ok"] = "ok"


class ProblemBody(Out):
    """What every error answers with, as application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[JsonObject] | None = None
    error: JsonObject | None = None
