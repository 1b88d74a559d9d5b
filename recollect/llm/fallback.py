"""A model with a fallback for the case that the endpoint does not have it.

The presets use the model names of their specifications, which not every account has.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from recollect.core.errors import ModelUnknown
from recollect.core.types import Json
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import CallContext, ChatMessage, HostedPrompt, Reply

logger = logging.getLogger(__name__)


class FallbackModel:
    """Switches to `fallback` for good when the endpoint does not know `primary`."""

    def __init__(self, primary: OpenAIChatModel, fallback: OpenAIChatModel) -> None:
        self._fallback = fallback
        self._current = primary

    @property
    def model(self) -> str:
        return self._current.model

    @property
    def window(self) -> int:
        return self._current.window

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        return await self._try_both(
            lambda model: model.complete(
                messages,
                call=call,
                max_tokens=max_tokens,
                schema=schema,
                timeout_seconds=timeout_seconds,
            )
        )

    async def complete_hosted(
        self,
        prompt: HostedPrompt,
        input: str,
        *,
        call: CallContext,
        timeout_seconds: float | None = None,
    ) -> Reply:
        return await self._current.complete_hosted(
            prompt, input, call=call, timeout_seconds=timeout_seconds
        )

    async def _try_both(self, complete: Callable[[OpenAIChatModel], Awaitable[Reply]]) -> Reply:
        tried = self._current  # a concurrent call may switch meanwhile
        try:
            return await complete(tried)
        except ModelUnknown:
            if tried is self._fallback:
                raise
        if self._current is tried:
            logger.warning(
                "model.fallback", extra={"model": tried.model, "instead": self._fallback.model}
            )
            self._current = self._fallback
        return await complete(self._fallback)
