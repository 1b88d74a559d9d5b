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
    NotFound,
    Overloaded,
    RecollectError,
    SchemaMismatch,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from recollect.model import ApiKey, Conversation, Deleted, Message, MessageIn, Page, Turn
from recollect.policy import PRESETS, Policy, Retention
from recollect.recall.references import TURN_REFERENCES, contains_reference
from recollect.settings import Settings

__all__ = [
    "PRESETS",
    "TURN_REFERENCES",
    "ApiKey",
    "BrokenCursor",
    "Conflict",
    "Conversation",
    "ConversationStore",
    "ConversationTurn",
    "CorruptStore",
    "Deleted",
    "Forbidden",
    "IdempotencyConflict",
    "InvalidInput",
    "Message",
    "MessageIn",
    "Misconfigured",
    "NotFound",
    "Overloaded",
    "Page",
    "Policy",
    "Recollect",
    "RecollectError",
    "Retention",
    "SchemaMismatch",
    "Settings",
    "TooLarge",
    "Turn",
    "Unauthorized",
    "Unavailable",
    "contains_reference",
]
