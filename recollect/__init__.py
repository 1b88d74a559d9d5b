"""Conversation memory for LLM applications."""

from recollect.chat.active_answer import AnswerResult, AnswerStream
from recollect.chat.stream_events import (
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCalled,
    ToolCallState,
    ToolReturned,
)
from recollect.chat.tool_loop import PromptOptions
from recollect.chat.tools import Tool
from recollect.compat.chats import ChatSearchResult, ChatView
from recollect.compat.conversation_store import ConversationStore, ConversationTurn
from recollect.core.errors import (
    BrokenCursor,
    BrokenFile,
    Conflict,
    CorruptStore,
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Misconfigured,
    ModelFailed,
    ModelRejected,
    ModelUnknown,
    NoModelConfigured,
    NotFound,
    Overloaded,
    RateLimited,
    RecollectError,
    SchemaMismatch,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters, MemoryIn
from recollect.core.policy import PRESETS, Policy, Retention
from recollect.core.types import (
    ApiKey,
    Conversation,
    Deleted,
    DeletedUser,
    ExactValue,
    Job,
    Message,
    MessageIn,
    Page,
    Summary,
    Turn,
)
from recollect.engine import Recollect
from recollect.handles import ConversationHandle, UserHandle
from recollect.language.references import TURN_REFERENCES, contains_reference
from recollect.llm.protocols import CallContext, ChatModel, CompletionModel, Delta, Embedder, Reply
from recollect.recall.context.receipt import Receipt, ReceiptItem
from recollect.recall.context.types import Context, MessagesContext, TextContext
from recollect.recall.references import ResolvedReference
from recollect.recall.search.service import PassageHit, SearchHit
from recollect.recall.switch import SwitchResult
from recollect.record.answer_start import ChatRequest
from recollect.settings import Settings
from recollect.transfer.types import Imported

__all__ = [
    "PRESETS",
    "TURN_REFERENCES",
    "AnswerResult",
    "AnswerStream",
    "ApiKey",
    "BrokenCursor",
    "BrokenFile",
    "CallContext",
    "ChatModel",
    "ChatRequest",
    "ChatSearchResult",
    "ChatView",
    "CompletionModel",
    "Conflict",
    "Context",
    "ContextBuilt",
    "Conversation",
    "ConversationHandle",
    "ConversationStore",
    "ConversationTurn",
    "CorruptStore",
    "Cursor",
    "Deleted",
    "DeletedUser",
    "Delta",
    "Embedder",
    "ExactValue",
    "Finished",
    "Forbidden",
    "IdempotencyConflict",
    "Imported",
    "InvalidInput",
    "Job",
    "KeepAlive",
    "Memory",
    "MemoryEvent",
    "MemoryFilters",
    "MemoryIn",
    "Message",
    "MessageIn",
    "MessagesContext",
    "Misconfigured",
    "ModelFailed",
    "ModelRejected",
    "ModelUnknown",
    "NoModelConfigured",
    "NotFound",
    "Overloaded",
    "Page",
    "PassageHit",
    "Policy",
    "PromptOptions",
    "RateLimited",
    "Receipt",
    "ReceiptItem",
    "Recollect",
    "RecollectError",
    "Reply",
    "ResolvedReference",
    "Retention",
    "SchemaMismatch",
    "SearchHit",
    "Settings",
    "StreamEvent",
    "Summary",
    "SwitchResult",
    "TextContext",
    "TextDelta",
    "ThinkingDelta",
    "TooLarge",
    "Tool",
    "ToolCallState",
    "ToolCalled",
    "ToolReturned",
    "Turn",
    "Unauthorized",
    "Unavailable",
    "UserHandle",
    "contains_reference",
]
