"""Requests for a context, the sources it is assembled from, and the result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from recollect.core.policy import Policy
from recollect.core.sanitize import escape_markers
from recollect.core.types import Json, Message, Summary, Turn
from recollect.recall.context.receipt import Mode, Receipt
from recollect.store.messages import MAX_SEQ

MessagesFormat = Literal["openai", "gemini"]
TextFormat = Literal["text", "turns"]
Format = Literal["openai", "gemini", "text", "turns"]
Count = Callable[[str], int]


class ContextOptions(TypedDict, total=False):
    budget: int | None
    mode: Mode
    system: str | None
    context: Mapping[str, Json] | None
    model: str | None
    tools: Sequence[Mapping[str, Json]]


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
    """Bound of the memory part, if the caller named one."""
    max_memory_tokens: int | None = None
    has_tools: bool = False


@dataclass(frozen=True, slots=True)
class ContextMemory:
    id: str
    text: str
    is_pinned: bool = False
    is_relevant: bool = False

    @property
    def line(self) -> str:
        return f"- {escape_markers(' '.join(self.text.split()))}"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Memories and older turns for the current message. `retrieved` is best first; at most
    `max_retrieved` of the turns that are not shown elsewhere are quoted."""

    memories: Sequence[ContextMemory] = ()
    retrieved: Sequence[Turn] = ()
    max_retrieved: int = 0
    referenced: Sequence[Turn] = ()
    is_lexical_only: bool = False
    """Whether the message could not be embedded in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _BuiltContext:
    tokens: int
    receipt: Receipt
    system: str | None = None
    """The system instruction, in the format `gemini`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesContext(_BuiltContext):
    """A context in the format `openai` or `gemini`."""

    messages: tuple[Any, ...]
    """Dicts in the form of the client's library, which types them as it likes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextContext(_BuiltContext):
    """A context in the format `text` or `turns`."""

    text: str


Context = MessagesContext | TextContext
