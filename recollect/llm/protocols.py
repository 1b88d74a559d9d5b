"""The ports through which models are used. Nothing above this folder knows whose model it is.

Messages travel in the form of OpenAI's chat completions. Every call says what it is for, and whose
it is; when it has ended, well or badly, the meter hears of it once.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from recollect.core import tokens
from recollect.core.errors import RecollectError
from recollect.core.types import Json
from recollect.llm.variants import Variant

ChatMessage = Mapping[str, Json]
"""A message as OpenAI's chat completions take it."""

Use = Literal["chat", "summary", "topic", "extraction", "embedding"]
CANCELLED = "cancelled"
"""The error of a call that nobody waits for any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What a call is for, and whose it is."""

    use: Use
    user_id: str
    conversation_id: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedPrompt:
    """A prompt that is kept at the provider."""

    id: str
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    id: str
    name: str
    arguments: str
    """JSON, as the model wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole answer. `finish` is the provider's word for why it ended: "stop" when it was done."""

    text: str
    tokens_in: int
    tokens_out: int
    finish: str
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    is_refusal: bool = False
    """Whether the provider says that this is no answer but the model declining to give one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of a streamed answer. The last one has no text, and carries the whole `reply`."""

    text: str = ""
    thinking: str = ""
    reply: Reply | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call to a model, as it is metered: failed ones too."""

    purpose: CallContext
    model: str
    variant: str | None
    tokens_in: int
    """As the provider reported them, or as we count where it did not."""
    tokens_out: int
    estimated_in: int
    """Our own count of what was sent: the two together calibrate the counter."""
    duration_ms: int
    error: str | None = None
    is_reported: bool = True
    """Whether `tokens_in` is the provider's word, and not our own count."""


UsageRecorder = Callable[[Call], Awaitable[None]]
"""Keeps a call. It must not raise, nor take long: the answer waits for it."""


@dataclass(slots=True, kw_only=True)
class Usage:
    """What a running call has cost so far."""

    model: str
    estimated_in: int
    reported_in: int | None = None
    reported_out: int | None = None
    is_partly_guessed: bool = False
    """Whether there are guesses in what is taken as reported."""
    written: list[str] = field(default_factory=list)
    """What has come back, to be counted if nothing is reported."""

    @property
    def tokens_in(self) -> int:
        return self.estimated_in if self.reported_in is None else self.reported_in

    @property
    def tokens_out(self) -> int:
        if self.reported_out is not None:
            return self.reported_out
        return tokens.count("".join(self.written))


AnyTally = TypeVar("AnyTally", bound=Usage)


@asynccontextmanager
async def metered(
    tally: AnyTally, *, meter: UsageRecorder, purpose: CallContext, variant: str | None = None
) -> AsyncIterator[AnyTally]:
    """One call to a model: the meter hears of it when the block is left, in whatever way."""
    started = time.monotonic()
    error: str | None = None
    try:
        yield tally
    except (asyncio.CancelledError, GeneratorExit):
        error = CANCELLED
        raise
    except BaseException as exc:
        error = exc.message if isinstance(exc, RecollectError) else type(exc).__name__
        raise
    finally:
        call = Call(
            purpose=purpose,
            model=tally.model,
            variant=variant,
            tokens_in=tally.tokens_in,
            tokens_out=tally.tokens_out,
            estimated_in=tally.estimated_in,
            duration_ms=round((time.monotonic() - started) * 1000),
            error=error,
            is_reported=bool(tally.reported_in) and not tally.is_partly_guessed,
        )
        await asyncio.shield(meter(call))  # a second cancellation must not lose it


class ChatModel(Protocol):
    """Answers messages.

    Raises ModelFailed when the endpoint is down, slow or answers nonsense, after bounded retries,
    and ModelRejected when it refuses the request, so that trying again cannot help.
    """

    variant: Variant

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  the time-out bounds all attempts together
    ) -> Reply:
        """The whole answer. With a JSON `schema`, `text` is meant to be JSON that fits it."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        """The answer piece by piece. Closing the generator cancels the call.

        `options` go into the request as they are, such as the temperature.
        """
        ...

    async def complete_hosted(
        self,
        prompt: HostedPrompt,
        input: str,
        *,
        purpose: CallContext,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Reply:
        """The answer of a prompt that is kept at the provider (Responses API)."""
        ...

    async def close(self) -> None: ...


LOCAL_NEAR = 0.28
"""The cosine from which on the local embedder's texts are likely to be about the same thing. Others
spread theirs differently, and theirs are scaled to it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's vector, and what its cosines are to be multiplied by."""

    vector: Sequence[float]
    scale: float = 1.0


class Embedder(Protocol):
    """Turns texts into vectors, all of `dimensions` numbers. Raises as ChatModel does."""

    model: str
    dimensions: int

    async def embed(self, texts: Sequence[str], *, purpose: CallContext) -> list[list[float]]: ...

    async def embed_question(
        self, text: str, *, purpose: CallContext, across_languages: bool = False
    ) -> Asked:
        """To be compared with texts, of whichever language if it says so."""
        ...

    async def load(self) -> None:
        """Makes ready what takes long the first time."""
        ...

    async def closeness(self, words: Sequence[str], texts: Sequence[str]) -> list[float] | None:
        """How near each text comes to the words one by one; None if it cannot look so closely."""
        ...

    async def close(self) -> None: ...
