"""Conversation memory for LLM applications."""

from recollect.conversation_store import ConversationStore, ConversationTurn
from recollect.engine import Recollect
from recollect.errors import (
    BrokenCursor,
    Conflict,
    CorruptStore,
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Misconfigured,
    ModelFailed,
    ModelRejected,
    NotFound,
    Overloaded,
    RateLimited,
    RecollectError,
    SchemaMismatch,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from recollect.memories import Memory, MemoryEvent, MemoryFilters, MemoryIn
from recollect.model import (
    ApiKey,
    Atom,
    Conversation,
    Deleted,
    DeletedUser,
    Job,
    Message,
    MessageIn,
    Page,
    Summary,
    Turn,
)
from recollect.policy import PRESETS, Policy, Retention
from recollect.recall.build import Context
from recollect.recall.receipt import Item, Receipt
from recollect.recall.references import TURN_REFERENCES, contains_reference
from recollect.recall.resolve import Resolved
from recollect.recall.search import Hit
from recollect.recall.switch import Switched
from recollect.settings import Settings

__all__ = [
    "PRESETS",
    "TURN_REFERENCES",
    "ApiKey",
    "Atom",
    "BrokenCursor",
    "Conflict",
    "Context",
    "Conversation",
    "ConversationStore",
    "ConversationTurn",
    "CorruptStore",
    "Deleted",
    "DeletedUser",
    "Forbidden",
    "Hit",
    "IdempotencyConflict",
    "InvalidInput",
    "Item",
    "Job",
    "Memory",
    "MemoryEvent",
    "MemoryFilters",
    "MemoryIn",
    "Message",
    "MessageIn",
    "Misconfigured",
    "ModelFailed",
    "ModelRejected",
    "NotFound",
    "Overloaded",
    "Page",
    "Policy",
    "RateLimited",
    "Receipt",
    "Recollect",
    "RecollectError",
    "Resolved",
    "Retention",
    "SchemaMismatch",
    "Settings",
    "Summary",
    "Switched",
    "TooLarge",
    "Turn",
    "Unauthorized",
    "Unavailable",
    "contains_reference",
]
