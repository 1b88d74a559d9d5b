"""The chat models by variant name, and the embedders by model name."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from recollect.core.errors import (
    InvalidInput,
    Misconfigured,
    ModelFailed,
    ModelUnknown,
    NoModelConfigured,
    RecollectError,
)
from recollect.llm.custom_models import CustomChatModel, CustomCompletionModel, CustomEmbedder
from recollect.llm.endpoint import Endpoint, load_client
from recollect.llm.local_chat_model import LocalChatModel
from recollect.llm.local_embedder import EncoderName, LocalEmbedder, missing_packages
from recollect.llm.openai import OPENAI_URL, OpenAIChatModel, OpenAIEmbedder
from recollect.llm.protocols import (
    LOCAL_RELATED_COSINE,
    CallContext,
    ChatMessage,
    ChatModel,
    CompletionModel,
    Embedder,
    HostedPrompt,
    QueryEmbedding,
    Reply,
    UsageRecorder,
    VariantModel,
)
from recollect.llm.variants import Variant

logger = logging.getLogger(__name__)

T = TypeVar("T")

_MAX_QUERY_CHARS = 2_000
_DEFAULT_EMBEDDER = "local"
_ENCODERS: Mapping[str, tuple[EncoderName, ...]] = {
    "local": ("minilm", "use"),
    "minilm": ("minilm",),
    "multilingual": ("use",),
}


class ModelRegistry:
    """`memory.models`: the variants, and the models behind them.

    `chat_model` is the caller's own object: the variant "default". `summarizer` is the caller's own
    model for summaries, topics and memories.
    """

    def __init__(
        self,
        variants: Mapping[str, Variant],
        *,
        default: str | None,
        usage_recorder: UsageRecorder,
        chat_model: ChatModel | None = None,
        summarizer: CompletionModel | None = None,
    ) -> None:
        self._usage_recorder = usage_recorder
        self.variants: Mapping[str, Variant] = variants
        self.default = default
        self._custom: CustomChatModel | None = None
        if chat_model is not None:
            self._custom = CustomChatModel(chat_model, usage_recorder=usage_recorder)
            self.default = self._custom.variant.name
            self.variants = {**variants, self.default: self._custom.variant}
        self._summarizer: CustomCompletionModel | None = None
        if summarizer is not None:
            self._summarizer = CustomCompletionModel(summarizer, usage_recorder=usage_recorder)
        self._open: dict[Variant, OpenAIChatModel] = {}

    def variant(self, name: str | None = None) -> Variant:
        """Return a variant by name, or the default one.

        Raises NoModelConfigured if there are no variants, InvalidInput for an unknown name.
        """
        if not self.variants:
            raise NoModelConfigured
        variant = self.variants.get(name or self.default or "")
        if variant is None:
            known = ", ".join(self.variants)
            raise InvalidInput(f"model must be one of {known}, not {name!r}.", field="model")
        return variant

    def get(self, name: str | None = None) -> VariantModel:
        """Return the model of a variant. Raises like `variant`."""
        variant = self.variant(name)
        return self._custom if self._custom and variant.is_custom else self._opened(variant)

    @property
    def is_openai(self) -> bool:
        """Whether the default variant is on OpenAI's own endpoint."""
        return bool(self.variants) and self.variant().is_openai

    def summarizer(
        self, model: str | None, *, with_fallback: bool = False
    ) -> CompletionModel | None:
        """Return the model for summaries, topics and memories; None if there is none.

        That is the caller's summarizer, else `model` on the default variant's endpoint, or the
        default variant's own model if `model` is None or, `with_fallback`, unknown there. A local
        model never summarizes: it is too small, and the extractive summarizer invents nothing.
        """
        if self._summarizer is not None:
            return self._summarizer
        variant = self.variant() if self.variants else None
        if variant is None or variant.is_local:
            return None
        own = self.get()
        if not isinstance(own, OpenAIChatModel) or model is None or model == variant.model:
            return own
        named = self._opened(replace(variant, model=model))
        return FallbackModel(named, own) if with_fallback else named

    async def load(self) -> None:
        """Import the client, which takes long the first time."""
        await load_client()

    async def close(self) -> None:
        """Close the models that the registry opened; the caller's own objects stay open."""
        for model in self._open.values():
            await model.close()
        self._open.clear()

    def _opened(self, variant: Variant) -> OpenAIChatModel:
        if variant not in self._open:
            model_class = LocalChatModel if variant.is_local else OpenAIChatModel
            self._open[variant] = model_class(variant, usage_recorder=self._usage_recorder)
        return self._open[variant]


class FallbackModel:
    """Switches to `fallback` for good when the endpoint does not know `primary`.

    The presets use the model names of their specifications, which not every account has.
    """

    def __init__(self, primary: OpenAIChatModel, fallback: OpenAIChatModel) -> None:
        self._fallback = fallback
        self._current = primary

    @property
    def model(self) -> str:
        return self._current.model

    @property
    def window(self) -> int:
        return self._current.window

    async def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Reply:
        tried = self._current  # a concurrent call may switch meanwhile
        try:
            return await tried.complete(messages, **options)
        except ModelUnknown:
            if tried is self._fallback:
                raise
        if self._current is tried:
            logger.warning(
                "model.fallback", extra={"model": tried.model, "instead": self._fallback.model}
            )
            self._current = self._fallback
        return await self._fallback.complete(messages, **options)

    async def complete_hosted(self, prompt: HostedPrompt, input: str, **options: Any) -> Reply:
        return await self._current.complete_hosted(prompt, input, **options)


class EmbedderRegistry:
    """The configured embedder, and the earlier ones whose vectors the database still has.

    While an earlier embedder's vectors are searched, queries are embedded by it. Local embedders
    are always available by name; a remote one is looked for at the configured endpoint.
    """

    def __init__(
        self,
        choice: str,
        *,
        endpoint: Endpoint | None,
        model: str,
        dimensions: int,
        related_cosine: float,
        deadline_seconds: float,
        usage_recorder: UsageRecorder,
        embedder: Embedder | None = None,
    ) -> None:
        """`embedder` is the caller's own object. Without it, `model` at the endpoint is used, else
        the local embedder named by `choice`: "none", or empty for the default if installed."""
        self._endpoint = endpoint
        self._usage_recorder = usage_recorder
        self._others: dict[str, Embedder | None] = {}
        self._related_cosine = related_cosine
        self._deadline_seconds = deadline_seconds
        self.active: tuple[str, int] | None = None
        """Model and dimensions of the vectors that are searched, as last read by this process."""
        self.configured: Embedder | None
        if embedder is not None:
            self.configured = CustomEmbedder(embedder, usage_recorder=usage_recorder)
        elif model:
            self.configured = self._remote(model, dimensions)
        else:
            self.configured = _local(choice)

    def get(self, model: str, dimensions: int) -> Embedder | None:
        """Return an embedder by its model; None if it is not available here."""
        configured = self.configured
        if configured is None:
            return None
        if configured.model == model:
            if configured.dimensions != dimensions:
                raise Misconfigured(
                    f"The database has vectors of {model} with {dimensions:,} dimensions, not "
                    f"{configured.dimensions:,}: use these dimensions, or another model name."
                )
            return configured
        if model not in self._others:
            self._others[model] = self._find(model, dimensions)
        return self._others[model]

    def _find(self, model: str, dimensions: int) -> Embedder | None:
        for encoders in _ENCODERS.values():
            local = LocalEmbedder(encoders)
            if local.model == model:
                return None if missing_packages(encoders) else local
        if self._endpoint is None:
            return None
        return self._remote(model, dimensions)

    def _remote(self, model: str, dimensions: int) -> OpenAIEmbedder:
        return OpenAIEmbedder(
            self._endpoint or Endpoint(base_url=OPENAI_URL),
            model=model,
            dimensions=dimensions,
            usage_recorder=self._usage_recorder,
        )

    def set_active(self, model: str | None, dimensions: int | None) -> bool:
        """Store which embedder is active. Return whether it was active before."""
        active = (model, dimensions) if model is not None and dimensions is not None else None
        previous, self.active = self.active, active if self.configured else None
        return previous == self.active

    async def probe(self) -> None:
        """Embed a test text. Raises Misconfigured if the vector has the wrong dimensions.

        An unreachable endpoint only logs a warning: jobs wait for it.
        """
        configured = self.configured
        if configured is None or isinstance(configured, LocalEmbedder):
            return
        try:
            await configured.embed(["?"], call=CallContext(purpose="embedding", user_id=""))
        except ModelFailed as error:
            logger.warning("embedder.unreachable", extra={"reason": error.log_message})
        finally:
            await _close(configured)  # it reconnects when it is used

    async def load(self) -> None:
        """Load the local embedders in use, so that the first query does not wait."""
        for embedder in {self.configured, self._active_embedder()}:
            if isinstance(embedder, LocalEmbedder):
                await embedder.load()

    async def embed_query(
        self, text: str, *, user_id: str, across_languages: bool = False
    ) -> tuple[str, QueryEmbedding] | None:
        """Return the active embedder's model and vector; None after the deadline or an error."""
        embedder = self._active_embedder()
        if embedder is None:
            return None
        call = CallContext(purpose="embedding", user_id=user_id)
        query = await self._in_time(self._query(embedder, _both_ends(text), call, across_languages))
        return None if query is None else (embedder.model, query)

    async def _query(
        self, embedder: Embedder, text: str, call: CallContext, across_languages: bool
    ) -> QueryEmbedding:
        if isinstance(embedder, LocalEmbedder):
            return await embedder.embed_query(text, across_languages=across_languages)
        (vector,) = await embedder.embed([text], call=call)
        return QueryEmbedding(vector, LOCAL_RELATED_COSINE / self._related_cosine)

    async def embed_texts(
        self, texts: Sequence[str], *, user_id: str
    ) -> tuple[str, list[list[float]]] | None:
        """Return the active embedder's model and one vector per text; None like `embed_query`."""
        embedder = self._active_embedder()
        if embedder is None or not texts:
            return None
        call = CallContext(purpose="embedding", user_id=user_id)
        vectors = await self._in_time(embedder.embed(texts, call=call))
        return None if vectors is None else (embedder.model, vectors)

    async def word_similarities(
        self, words: Sequence[str], texts: Sequence[str]
    ) -> list[float] | None:
        """Return for each text how similar its words are to `words`; None like `embed_query`.

        Only a multilingual local embedder can compare single words.
        """
        embedder = self._active_embedder()
        if not isinstance(embedder, LocalEmbedder):
            return None
        return await self._in_time(embedder.word_similarities(words, texts))

    async def _in_time(self, embedding: Awaitable[T]) -> T | None:
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return await embedding
        except (TimeoutError, RecollectError) as error:
            reason = "It took too long." if isinstance(error, TimeoutError) else error.log_message
            logger.warning("query.not_embedded", extra={"reason": reason})
            return None

    async def close(self) -> None:
        for embedder in (self.configured, *self._others.values()):
            await _close(embedder)

    def _active_embedder(self) -> Embedder | None:
        return self.get(*self.active) if self.active else None


def missing_for(choice: str) -> list[str]:
    """Return the packages that a local embedder, or the default one, needs and are missing."""
    return missing_packages(_ENCODERS[choice or _DEFAULT_EMBEDDER])


def _local(choice: str) -> LocalEmbedder | None:
    if choice == "none":
        return None
    if missing := missing_for(choice):
        if choice:
            raise Misconfigured(
                f"RECOLLECT_EMBEDDER is {choice}, and {', '.join(missing)} is not installed: "
                "see docs/reference/settings.md."
            )
        logger.info("embedder.not_installed", extra={"missing": ", ".join(missing)})
        return None
    return LocalEmbedder(_ENCODERS[choice or _DEFAULT_EMBEDDER])


async def _close(embedder: Embedder | None) -> None:
    if isinstance(embedder, OpenAIEmbedder):
        await embedder.close()


def _both_ends(text: str) -> str:
    """Return the beginning and the end of a long text, where a request usually is."""
    if len(text) <= _MAX_QUERY_CHARS:
        return text
    half = _MAX_QUERY_CHARS // 2
    return f"{text[:half]} {text[-half:]}"
