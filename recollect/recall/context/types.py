"""Requests for a context, the sources it is assembled from, and the result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict

from recollect.core.policy import Layout, Policy, RecallScope
from recollect.core.sanitize import escape_markers
from recollect.core.types import Json, Message, Summary, Turn
from recollect.recall.context.quotes import Quote
from recollect.recall.context.receipt import Mode, Receipt
from recollect.store.messages import MAX_SEQ
from recollect.store.search_index import Filters

MessagesFormat = Literal["openai", "anthropic", "gemini"]
TextFormat = Literal["text", "turns"]
Format = Literal["openai", "anthropic", "gemini", "text", "turns"]
Count = Callable[[str], int]


class ContextOptions(TypedDict, total=False):
    budget: int | None
    mode: Mode
    system: str | None
    context: Mapping[str, Json] | None
    model: str | None
    tools: Sequence[Mapping[str, Json]]
    layout: Layout | None
    recall_scope: RecallScope | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """A validated request, with the window and the tokenizer of its model resolved.

    Without a `message`, the newest stored user message is the current one if it has no answer.
    """

    room: int
    """Tokens that the model can read beside its tools."""
    count: Count
    message: str | None = None
    system: str | None = None
    contexts: Mapping[str, Json] | None = None
    format: Format = "openai"
    mode: Mode = "compressed"
    budget: int | None = None
    """Bound of the memory part, if the caller or the model's variant named one."""
    is_budget_requested: bool = False
    """Whether the caller named the budget."""
    has_tools: bool = False
    layout: Layout | None = None
    """Replaces the layout of the policy."""
    recall_scope: RecallScope | None = None
    """Replaces the scope of the conversation and of the policy."""
    now: datetime | None = None
    """The current date is part of the context, if given."""


@dataclass(frozen=True, slots=True)
class ContextMemory:
    id: str
    text: str
    is_pinned: bool = False
    is_relevant: bool = False
    """Whether it was chosen for the current message."""
    created_at: datetime | None = None
    source_message_id: str | None = None

    @property
    def line(self) -> str:
        return f"- {escape_markers(' '.join(self.text.split()))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassage:
    """A passage of an older message: its text from `start` to `end`."""

    message_id: str
    conversation_id: str
    start: int
    end: int
    role: str
    quote: Quote

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is from another conversation."""
        return self.quote.is_elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSources:
    """The stored state of a conversation. `backlog` has the newest messages that no summary covers;
    `unread_from` is the seq of the first older one that was not read."""

    policy: Policy
    summary: Summary
    backlog: Sequence[Message]
    unread_from: int | None = None
    question: Message | None = None
    """The current message, if the summary already covers it."""
    pinned: Sequence[Message] = ()
    history_tokens: int = 0
    before_seq: int = MAX_SEQ
    """Messages from this one on are ignored."""
    elsewhere: Filters | None = None
    """Where passages of other conversations may come from; None if there are none."""
    last_prefix: Sequence[str] = ()
    """The prefix of the prompt of the last answer; see `Receipt.prefix`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Memories and older messages for the current message. `passages` are in the order in which
    they are taken while they fit."""

    memories: Sequence[ContextMemory] = ()
    passages: Sequence[RetrievedPassage] = ()
    referenced: Sequence[Turn] = ()
    is_lexical_only: bool = False
    """Whether the message could not be embedded in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _BuiltContext:
    tokens: int
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesContext(_BuiltContext):
    """A context in the format `openai`, `anthropic` or `gemini`."""

    messages: tuple[Any, ...]
    """Dicts in the form of the client's library, which types them as it likes."""
    system: Any = None
    """The system instruction: a text in the format `gemini`, a list of blocks in `anthropic`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextContext(_BuiltContext):
    """A context in the format `text` or `turns`."""

    text: str


Context = MessagesContext | TextContext
