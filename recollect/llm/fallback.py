"""A model, and another that takes its place where the endpoint does not have it.

The presets name models by their specifications; accounts and times differ in what they have.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

from recollect.core.errors import ModelUnknown
from recollect.core.types import Json
from recollect.llm.protocols import CallContext, ChatMessage, ChatModel, Delta, HostedPrompt, Reply

logger = logging.getLogger(__name__)


class StandIn:
    """Once the first is known to be missing, it is not asked for again."""

    def __init__(self, first: ChatModel, second: ChatModel) -> None:
        self._second = second
        self._current = first
        self.variant = first.variant

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  the model's own to keep
    ) -> Reply:
        return await self._ask(
            lambda model: model.complete(
                messages, purpose=purpose, max_tokens=max_tokens, schema=schema, timeout=timeout
            )
        )

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        return self._current.stream(
            messages, purpose=purpose, max_tokens=max_tokens, tools=tools, options=options
        )

    async def complete_hosted(
        self,
        prompt: HostedPrompt,
        input: str,
        *,
        purpose: CallContext,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Reply:
        return await self._current.complete_hosted(prompt, input, purpose=purpose, timeout=timeout)

    async def close(self) -> None:
        """Both are closed by who opened them."""

    async def _ask(self, ask: Callable[[ChatModel], Awaitable[Reply]]) -> Reply:
        asked = self._current  # others may find out meanwhile
        try:
            return await ask(asked)
        except ModelUnknown:
            if asked is self._second:
                raise
        if self._current is asked:
            missing, self.variant = self.variant.model, self._second.variant
            logger.warning("model_missing", extra={"model": missing, "instead": self.variant.model})
            self._current = self._second
        return await ask(self._second)
