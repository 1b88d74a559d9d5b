"""What a context is built from, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.policy import Policy
from recollect.core.types import Json, Message, Summary, Turn
from recollect.recall.context.budget import ContextMemory, Count
from recollect.recall.context.formats import Format
from recollect.recall.context.receipt import Mode, Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSources:
    """What a context is built from. `backlog` are the newest messages no summary covers; where
    there are more, `unread_from` is the first of those that were not even read. What was
    `retrieved` comes best first: of what is not shown anyway, at most `most_retrieved` turns are
    quoted."""

    policy: Policy
    summary: Summary
    backlog: Sequence[Message]
    unread_from: int | None = None
    question: Message | None = None
    """The current message, where the summary covers it and what has happened since goes on."""
    pinned: Sequence[Message] = ()
    memories: Sequence[ContextMemory] = ()
    retrieved: Sequence[Turn] = ()
    most_retrieved: int = 0
    referenced: Sequence[Turn] = ()
    by_words_only: bool = False
    """Whether older messages were searched without the meaning of the current one."""
    history_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller wants. Without a `message` the newest stored user message is the current
    one, if nobody has answered it yet."""

    message: str | None = None
    system: str | None = None
    contexts: Mapping[str, Json] | None = None
    format: Format = "openai"
    mode: Mode = "compressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`budget` bounds the memory part, `room` everything."""

    budget: int
    room: int
    count: Count
    is_asked_for: bool = False
    """Whether the caller named the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """`messages` or `text`, as the format has it; `system` is a Gemini client's instruction."""

    messages: tuple[Mapping[str, Json], ...] | None
    text: str | None
    system: str | None
    tokens: int
    receipt: Receipt
