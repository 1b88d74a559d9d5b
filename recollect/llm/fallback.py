"""A model with a fallback for the case that the endpoint does not have it.

The presets use the model names of their specifications, which not every account has.
"""

import logging
from collections.abc import Sequence
from typing import Any

from recollect.core.errors import ModelUnknown
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import ChatMessage, HostedPrompt, Reply

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
