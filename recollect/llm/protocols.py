"""The protocols through which Recollect uses models, and the values that pass through them.

To bring your own model, implement `ChatModel` (or only `CompletionModel`, for summaries) or
`Embedder`. Messages have the form of OpenAI's chat completions. An implementation raises
`ModelFailed` if the model is down, slow or answers nonsense, and `ModelRejected` if it refuses the
request, so that a retry cannot help.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from recollect.core import tokens
from recollect.core.errors import Misconfigured, ModelFailed, RecollectError
from recollect.core.offload import run_off_loop
from recollect.core.types import Json
from recollect.llm.variants import Variant

ChatMessage = Mapping[str, Json]
"""A message in the form of OpenAI's chat completions."""

CallPurpose = Literal["chat", "summary", "topic", "extraction", "embedding"]
CANCELLED = "cancelled"
"""The recorded error of a cancelled call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The purpose of a call and its user. A call without a user is not recorded."""

    purpose: CallPurpose
    user_id: str
    conversation_id: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedPrompt:
    """A prompt that is stored at the provider."""

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
    """A complete answer. `finish` is the provider's finish reason: "stop" if nothing is missing."""

    text: str
    tokens_in: int = 0
    """As the provider counted them; 0 if it did not."""
    tokens_out: int = 0
    tokens_cached: int | None = None
    """Those of `tokens_in` that the provider read from its prompt cache; None if it did not say."""
    finish: str = "stop"
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    is_refusal: bool = False
    """Whether the provider marked the text as a refusal to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A part of a streamed answer. Only the last one has a `reply`: the whole answer."""

    text: str = ""
    thinking: str = ""
    reply: Reply | None = None


class CompletionModel(Protocol):
    """A model that summarizes, names topics and extracts memories."""

    @property
    def model(self) -> str:
        """The model's name in usage records."""
        ...

    @property
    def window(self) -> int:
        """The number of tokens that the model can read and write in one call."""
        ...

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """Return the whole answer; with a JSON `schema`, as JSON that should match it."""
        ...


class ChatModel(CompletionModel, Protocol):
    """A model that answers users."""

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        """Yield the answer in parts. Closing the generator cancels the call.

        `tools` have OpenAI's form; `options` are request fields such as the temperature. A last
        `Delta` with a `reply` is needed only for tool calls, token counts or a finish reason.
        """
        ...


class VariantModel(ChatModel, Protocol):
    """A chat model of the registry. Its stream always ends with a `reply`."""

    @property
    def variant(self) -> Variant: ...


class Embedder(Protocol):
    """Turns texts into vectors of `dimensions` numbers each."""

    @property
    def model(self) -> str:
        """Names the vectors. Embedders whose vectors differ must have different names."""
        ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        """Return one vector for each text, in the order of the texts."""
        ...


def check_vectors(
    vectors: Sequence[Sequence[float]], expected: int, dimensions: int, *, source: str
) -> None:
    """Raise ModelFailed for a wrong number of vectors, Misconfigured for wrong dimensions."""
    if len(vectors) != expected:
        raise ModelFailed(f"{source} did not answer with one vector for each text.")
    for vector in vectors:
        if len(vector) != dimensions:
            raise Misconfigured(
                f"{source} gives vectors of {len(vector)} numbers, not {dimensions}."
            )


LOCAL_RELATED_COSINE = 0.28
"""The cosine from which two texts are likely to be related, with the local embedder's vectors."""


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """The vector of a search query, and the factor that maps its cosines to the local embedder's
    range."""

    vector: Sequence[float]
    scale: float = 1.0


@dataclass(slots=True, kw_only=True)
class CallRecord:
    """A call to a model, updated while it runs and recorded when it ends."""

    call: CallContext
    model: str
    variant: str | None = None
    estimated_in: int
    """Our own count of the input; compared with the provider's, it calibrates the counter."""
    reported_in: int | None = None
    reported_out: int | None = None
    reported_cached: int | None = None
    is_partly_estimated: bool = False
    """Whether `reported_in` includes estimates."""
    output: list[str] = field(default_factory=list)
    """The text received so far, counted if the provider reports no tokens."""
    counted_out: int | None = None
    """Our own count of the output, once the call has ended."""
    duration_ms: int = 0
    error: str | None = None

    @property
    def tokens_in(self) -> int:
        return self.estimated_in if self.reported_in is None else self.reported_in

    @property
    def tokens_out(self) -> int:
        if self.reported_out is not None:
            return self.reported_out
        if self.counted_out is not None:
            return self.counted_out
        return tokens.count("".join(self.output))

    async def count_output(self) -> None:
        """Count the output once, in a thread if it is long."""
        if self.reported_out is None:
            size = sum(map(len, self.output))
            self.counted_out = await run_off_loop(lambda: self.tokens_out, size=size)

    @property
    def is_reported(self) -> bool:
        """Whether all of `tokens_in` was counted by the provider."""
        return bool(self.reported_in) and not self.is_partly_estimated


UsageRecorder = Callable[[CallRecord], Awaitable[None]]
"""Records a call. Must not raise or block, because the caller of the model waits for it."""

AnyRecord = TypeVar("AnyRecord", bound=CallRecord)


@asynccontextmanager
async def metered(record: AnyRecord, usage_recorder: UsageRecorder) -> AsyncIterator[AnyRecord]:
    """Record the call when the block is left, also after an error or a cancellation."""
    started = time.monotonic()
    try:
        yield record
    except (asyncio.CancelledError, GeneratorExit):
        record.error = CANCELLED
        raise
    except BaseException as exc:
        record.error = exc.message if isinstance(exc, RecollectError) else type(exc).__name__
        raise
    finally:
        record.duration_ms = round((time.monotonic() - started) * 1000)
        if record.call.user_id:
            # a second cancellation must not lose it
            await asyncio.shield(_record(record, usage_recorder))


async def _record(record: CallRecord, usage_recorder: UsageRecorder) -> None:
    await record.count_output()
    await usage_recorder(record)
