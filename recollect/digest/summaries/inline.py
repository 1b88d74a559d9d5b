"""Compaction that a caller waits for: before an append returns, or before a model is called."""

import asyncio
import logging
import time
from weakref import WeakValueDictionary

from recollect.core.errors import NotFound, RecollectError
from recollect.digest.summaries.compaction import Compactor

logger = logging.getLogger(__name__)


class InlineCompactor:
    def __init__(self, compactor: Compactor, *, timeout_seconds: float) -> None:
        self._compactor = compactor
        self._timeout_seconds = timeout_seconds
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """One per conversation, so that concurrent calls do not compact it twice."""

    async def compact_now(self, *, conversation_id: str, user_id: str) -> None:
        """Compact the conversation if its policy is due. Never raises: a job retries failures."""
        try:
            async with self._locks.setdefault(conversation_id, asyncio.Lock()):
                deadline = time.monotonic() + self._timeout_seconds
                more = True
                while more:
                    remaining = max(0.0, deadline - time.monotonic())
                    result = await self._compactor.compact(
                        conversation_id, user_id, timeout_seconds=remaining
                    )
                    more = result.more
        except NotFound:  # the conversation was deleted meanwhile
            return
        except RecollectError as error:
            logger.warning("compaction.inline_failed", extra={"reason": error.log_message})
        except Exception as error:
            logger.exception("compaction.inline_failed", extra={"reason": type(error).__name__})
