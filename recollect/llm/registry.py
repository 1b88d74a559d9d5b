"""The chat models by the names of their variants, and the embedders by theirs."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from recollect.core.errors import InvalidInput, Misconfigured, ModelFailed, RecollectError
from recollect.llm.endpoint import Endpoint, load_client
from recollect.llm.fallback import StandIn
from recollect.llm.local import LocalChat
from recollect.llm.local_embedder import LocalEmbedder, Part, missing_packages
from recollect.llm.openai import OPENAI_URL, OpenAIChat, OpenAIEmbedder
from recollect.llm.protocols import Asked, Call, CallContext, ChatModel, Embedder, UsageRecorder
from recollect.llm.variants import Variant

logger = logging.getLogger(__name__)

_LONGEST_QUESTION = 2_000
_DEFAULT = "local"
_PARTS: Mapping[str, tuple[Part, ...]] = {
    "local": ("minilm", "use"),
    "minilm": ("minilm",),
    "multilingual": ("use",),
}


class Models:
    """`memory.models`: which variants there are, and the models behind them."""

    def __init__(
        self, variants: Mapping[str, Variant], *, default: str, meter: UsageRecorder
    ) -> None:
        self.variants = variants
        self.default = default
        self._meter = meter
        self._open: dict[Variant, ChatModel] = {}

    def get(self, name: str | None = None) -> ChatModel:
        """The default one where no name is given."""
        variant = self.variants.get(name or self.default)
        if variant is None:
            known = ", ".join(self.variants)
            raise InvalidInput(f"model must be one of {known}, not {name!r}.", field="model")
        return self._opened(variant)

    def summarizer(self, model: str | None, *, or_own: bool = False) -> ChatModel | None:
        """The model that digests: `model` on the default endpoint; None where that is local.

        Where no name is given, it is the default variant's own, and with `or_own` also where the
        endpoint has none of that name. A small local model proves the path and never summarizes:
        the extractive summarizer cannot make things up.
        """
        variant = self.variants[self.default]
        if variant.is_local:
            return None
        own = self._opened(variant)
        if model is None or model == variant.model:
            return own
        named = self._opened(replace(variant, model=model))
        return StandIn(named, own) if or_own else named

    async def load(self) -> None:
        """Makes ready what takes long the first time."""
        await load_client()

    async def close(self) -> None:
        for model in self._open.values():
            await model.close()
        self._open.clear()

    def _opened(self, variant: Variant) -> ChatModel:
        if variant not in self._open:
            chat = LocalChat if variant.is_local else OpenAIChat
            self._open[variant] = chat(variant, meter=self._meter)
        return self._open[variant]


class Embedders:
    """The configured embedder, and those of whose vectors a database still has some.

    While an old one's vectors are searched, questions have to be embedded by it: the embedded
    models can always be had by their name, and one behind an endpoint is looked for at the
    configured one's.
    """

    def __init__(
        self,
        choice: str,
        *,
        endpoint: Endpoint | None,
        model: str,
        dimensions: int,
        near: float,
        deadline_seconds: float,
        meter: UsageRecorder,
    ) -> None:
        """`choice` is one of the embedded ones, "none", or empty for what is installed; `model` is
        one behind the endpoint, and is taken before it."""
        self._endpoint = endpoint
        self._meter = meter
        self._made: dict[str, Embedder | None] = {}
        self._near = near
        self._deadline_seconds = deadline_seconds
        self.active: tuple[str, int] | None = None
        """Whose vectors are searched, as far as this process has heard: model and dimensions."""
        self.configured = self._configured(choice, model, dimensions)

    def get(self, model: str, dimensions: int) -> Embedder | None:
        """None where it cannot be asked from here."""
        configured = self.configured
        if configured is None:
            return None
        if configured.model == model:
            if configured.dimensions != dimensions:
                raise Misconfigured(
                    f"The database has vectors of {dimensions:,} numbers by {model}, and now there "
                    f"are to be {configured.dimensions:,}: it takes a model of another name."
                )
            return configured
        if model not in self._made:
            self._made[model] = self._make(model, dimensions)
        return self._made[model]

    def _configured(self, choice: str, model: str, dimensions: int) -> Embedder | None:
        if model:
            return self._remote(model, dimensions)
        if choice == "none":
            return None
        if missing := missing_for(choice):
            if choice:
                raise Misconfigured(
                    f"RECOLLECT_EMBEDDER is {choice}, and {', '.join(missing)} is not installed: "
                    "see docs/reference/settings.md."
                )
            logger.info("searching_by_words_only", extra={"missing": ", ".join(missing)})
            return None
        return LocalEmbedder(_PARTS[choice or _DEFAULT])

    def _make(self, model: str, dimensions: int) -> Embedder | None:
        for parts in _PARTS.values():
            local = LocalEmbedder(parts)
            if local.model == model:
                return None if missing_packages(parts) else local
        return self._remote(model, dimensions) if self._endpoint else None

    def _remote(
        self, model: str, dimensions: int, *, meter: UsageRecorder | None = None
    ) -> Embedder:
        endpoint = self._endpoint or Endpoint(base_url=OPENAI_URL)
        return OpenAIEmbedder(
            endpoint,
            model=model,
            dimensions=dimensions,
            near=self._near,
            meter=meter or self._meter,
        )

    def heard(self, model: str | None, dimensions: int | None) -> bool:
        """Takes note of the active embedder; False if that is news."""
        active = (model, dimensions) if model is not None and dimensions is not None else None
        was, self.active = self.active, active if self.configured else None
        return was == self.active

    async def try_out(self) -> None:
        """Raises Misconfigured if the configured one gives other vectors than it should.

        One that cannot be reached is waited for by those who need it.
        """
        configured = self.configured
        if configured is None or isinstance(configured, LocalEmbedder):
            return
        probe = self._remote(configured.model, configured.dimensions, meter=_unmetered)
        try:
            await probe.embed(["?"], purpose=CallContext(use="embedding", user_id=""))
        except ModelFailed as error:
            logger.warning("embedder_unreachable", extra={"reason": error.unquoted})
        finally:
            await probe.close()

    async def load(self) -> None:
        """Makes them ready, so that the first question need not wait."""
        active = self.get(*self.active) if self.active else None
        for embedder in {self.configured, active}:
            if embedder is not None:
                await embedder.load()

    async def embed_question(
        self, text: str, *, user_id: str, across_languages: bool = False
    ) -> tuple[str, Asked] | None:
        """The active embedder's name, and its vector; None when it takes too long, or fails."""
        if self.active is None:
            return None
        embedder = self.get(*self.active)
        if embedder is None:
            return None
        purpose = CallContext(use="embedding", user_id=user_id)
        try:
            async with asyncio.timeout(self._deadline_seconds):
                await embedder.load()  # goes on in its thread, and is there the next time
                asked = await embedder.embed_question(
                    _both_ends(text), purpose=purpose, across_languages=across_languages
                )
        except TimeoutError:
            logger.warning("question_not_embedded", extra={"reason": "It took too long."})
            return None
        except RecollectError as error:
            logger.warning("question_not_embedded", extra={"reason": error.unquoted})
            return None
        return embedder.model, asked

    async def embed_notes(
        self, texts: Sequence[str], *, user_id: str
    ) -> tuple[str, list[Sequence[float]]] | None:
        """The active embedder's name, and a vector for each; None when it takes too long, or
        fails."""
        embedder = self.get(*self.active) if self.active else None
        if embedder is None or not texts:
            return None
        purpose = CallContext(use="embedding", user_id=user_id)
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return embedder.model, [*await embedder.embed(texts, purpose=purpose)]
        except (TimeoutError, RecollectError):
            return None

    async def closeness(self, words: Sequence[str], texts: Sequence[str]) -> list[float] | None:
        """How near each text comes to the words one by one, if the active embedder can tell."""
        embedder = self.get(*self.active) if self.active else None
        if embedder is None:
            return None
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return await embedder.closeness(words, texts)
        except (TimeoutError, RecollectError):
            return None

    async def close(self) -> None:
        for embedder in (self.configured, *self._made.values()):
            if embedder is not None:
                await embedder.close()


def missing_for(choice: str) -> list[str]:
    """The packages that an embedded one lacks; where none is chosen, the default one."""
    return missing_packages(_PARTS[choice or _DEFAULT])


async def _unmetered(call: Call) -> None:
    """Nobody's call, made once to find out what an endpoint is like."""


def _both_ends(text: str) -> str:
    """Of a long text, where it says what it wants."""
    if len(text) <= _LONGEST_QUESTION:
        return text
    half = _LONGEST_QUESTION // 2
    return f"{text[:half]} {text[-half:]}"
