"""Digests that somebody waits for: before an append returns, or before a model is called."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from recollect.core.errors import NotFound, RecollectError
from recollect.digest.summaries.compaction import Compactor

logger = logging.getLogger(__name__)


class InlineCompactor:
    """Digests a conversation now, as far as its policy says so."""

    def __init__(self, compactor: Compactor, *, within_seconds: float) -> None:
        self._compactor = compactor
        self._within_seconds = within_seconds
        self._locks = KeyedLock()

    async def compact_now(self, *, conversation_id: str, user_id: str) -> None:
        """The messages are stored and a job is owed already, so whatever goes wrong here is no
        failure of the caller's."""
        try:
            async with self._locks.hold(conversation_id):
                deadline = time.monotonic() + self._within_seconds
                more = True
                while more:
                    left = max(0.0, deadline - time.monotonic())
                    done = await self._compactor.compact(
                        conversation_id, user_id, within_seconds=left
                    )
                    more = done.more
        except NotFound:  # deleted meanwhile, and the job with it
            return
        except RecollectError as error:  # its job will try again
            logger.warning("eager_digest_failed", extra={"reason": error.unquoted})
        except Exception:
            logger.exception("An eager digest failed; its job will try again.")


class KeyedLock:
    """A lock for each key that somebody holds or waits for: rivals would digest the same twice."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            yield
