"""The protocols through which record, digest and recall use each other's services.

The three packages never import each other. The engine passes each one the service it needs.
"""

from typing import Protocol

from recollect.core.memory_types import Memory


class InlineCompaction(Protocol):
    async def compact_now(self, *, conversation_id: str, user_id: str) -> None:
        """Compact the conversation if its policy is due. Never raises: a job retries failures."""
        ...


class MemoryExtraction(Protocol):
    async def extract(self, *, conversation_id: str, user_id: str) -> None:
        """Extract memories from the messages that have not been read yet.

        Raises ModelFailed if a model is configured and fails.
        """
        ...


class MemorySelection(Protocol):
    async def choose(self, message: str | None, *, user_id: str) -> list[Memory]:
        """Return the pinned memories, then the most relevant to the message, then the newest."""
        ...
