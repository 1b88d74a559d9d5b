"""A timeout for a model's silence, which does not count our own.

If the event loop was blocked for a minute, what the model said in that minute waits in a buffer. An
ordinary timeout would fire before it is read. This one counts in ticks: a tick that ends late
counts as one tick, however long it took.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_MAX_TICK_SECONDS = 1.0
_TICKS = 10


class StallTimer:
    """Raises TimeoutError in `watch` after `seconds` without progress. Each `reset` is progress."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._tick_seconds = min(_MAX_TICK_SECONDS, seconds / _TICKS)
        self._silence = 0.0

    @property
    def left(self) -> float:
        return self.seconds - self._silence

    def reset(self) -> None:
        self._silence = 0.0

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        """Measure while the block waits for the model."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as timeout:
            started = loop.time()
            handles: list[asyncio.TimerHandle] = []

            def count() -> None:
                nonlocal started
                now = loop.time()
                self._silence += min(now - started, self._tick_seconds)
                started = now

            def tick() -> None:
                count()
                if self.left <= 0:
                    timeout.reschedule(loop.time())
                else:
                    handles[:] = [loop.call_later(self._tick_seconds, tick)]

            handles.append(loop.call_later(self._tick_seconds, tick))
            try:
                yield
            finally:
                handles[0].cancel()
                count()
