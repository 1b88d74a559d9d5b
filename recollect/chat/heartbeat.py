"""A thread with an event loop of its own, for the heartbeats of answers.

An answer that is not flushed for a while is marked as interrupted by other servers. If flushes ran
in the main event loop, one that is busy would lose the answers of all users.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
_Loop = tuple[asyncio.AbstractEventLoop, asyncio.Event]
"""The thread's loop, and the event that ends it."""


class HeartbeatThread:
    """Started by the first `submit`."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._started: Future[_Loop] = Future()

    def submit(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T]":
        """Run a coroutine in the thread. Cancelling the future cancels it."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=asyncio.run, args=[self._run()], name="recollect-heartbeat", daemon=True
            )
            self._thread.start()
        loop, _ = self._started.result()
        return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))

    async def close(self) -> None:
        """End the thread. What still runs in it is cancelled."""
        if self._thread is not None:
            loop, ending = self._started.result()
            loop.call_soon_threadsafe(ending.set)
            await asyncio.to_thread(self._thread.join)

    async def _run(self) -> None:
        ending = asyncio.Event()
        self._started.set_result((asyncio.get_running_loop(), ending))
        await ending.wait()
