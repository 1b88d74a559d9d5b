"""Run heavy functions outside the event loop.

While a function computes in the loop, nobody is served. In a thread it shares the interpreter with
the loop, which gets its turn every few milliseconds. Only few threads do this work, because each
one makes the loop wait longer for its turn. A single call into C keeps the interpreter until it
returns, so texts are processed in parts.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import fields, is_dataclass
from typing import TypeVar

T = TypeVar("T")

MAX_INLINE_CHARS = 4_000
"""Smaller texts take at most a few milliseconds, whatever they contain."""
LARGE = MAX_INLINE_CHARS + 1
_TURN_SECONDS = 0.01
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="recollect-prepare")


async def run_off_loop(work: Callable[[], T], *, size: int) -> T:
    """Call `work` in a thread if it processes more than a few thousand characters."""
    if size <= MAX_INLINE_CHARS:
        return work()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREADS, copy_context().run, work)


class Pacer:
    """Gives other tasks a turn in a loop that may have nothing to wait for."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._until = self._loop.time() + _TURN_SECONDS

    async def pause(self) -> None:
        """Let others run if they have not for ten milliseconds."""
        if self._loop.time() >= self._until:
            await asyncio.sleep(0)
            self._until = self._loop.time() + _TURN_SECONDS


def rough_size(*values: object) -> int:
    """Return about how many characters of JSON the values are, or more than MAX_INLINE_CHARS."""
    size = 0
    stack = list(values)
    while stack and size <= MAX_INLINE_CHARS:
        value = stack.pop()
        size += len(value) if isinstance(value, str) else 2
        if isinstance(value, Mapping):
            stack += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple):
            size += 2 * len(value)
            stack += value[:MAX_INLINE_CHARS]
        elif is_dataclass(value):
            stack += [getattr(value, field.name) for field in fields(value)]
        elif hasattr(value, "__dict__"):
            stack += vars(value).values()
    return size
