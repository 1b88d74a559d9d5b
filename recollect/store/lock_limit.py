"""Limits the transactions that hold, or wait for, one lock of the database.

A transaction that waits for a lock has a connection. Without a limit, a few requests for one locked
conversation take all connections, and every other conversation waits for them. So a transaction
over the limit is rolled back before it waits; it runs again when another one leaves.
"""

import asyncio
import threading
from collections import Counter, deque
from collections.abc import Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

from recollect.core.errors import Overloaded


@dataclass(slots=True)
class Ticket:
    """The state of one call. Only the first lock of a transaction is counted."""

    key: Hashable | None = None
    """The lock for which it has a place."""
    turn: "Future[None]" = field(default_factory=Future)
    """Done when it gets a place after it was over the limit."""
    is_running: bool = False
    is_abandoned: bool = False


class Crowded(Exception):
    """Too many transactions use the lock: roll back, and `wait`."""


class LockLimit:
    """Used from the threads of transactions and from event loops."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._mutex = threading.Lock()
        self._inside: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[Ticket]] = {}

    @contextmanager
    def running(self, ticket: Ticket) -> Iterator[None]:
        """The transaction of a call; at its end, the place goes to the next call."""
        with self._mutex:
            ticket.is_running = True
        try:
            yield
        finally:
            with self._mutex:
                ticket.is_running = False
                self._release(ticket)

    def enter(self, key: Hashable, ticket: Ticket) -> None:
        """Count a transaction before it takes a lock. Raises Crowded over the limit."""
        with self._mutex:
            if ticket.key is not None:
                return
            if ticket.is_abandoned:
                raise Crowded
            if self._inside[key] >= self._limit:
                ticket.turn = Future()
                self._waiting.setdefault(key, deque()).append(ticket)
                raise Crowded
            self._inside[key] += 1
            ticket.key = key

    async def wait(self, ticket: Ticket, *, seconds: float) -> None:
        """Wait for a place after Crowded. Raises Overloaded after some seconds."""
        try:
            await asyncio.wait_for(asyncio.wrap_future(ticket.turn), seconds)
        except TimeoutError as error:
            raise Overloaded("Other requests hold a lock that this one needs.") from error

    def abandon(self, ticket: Ticket) -> None:
        """Give up a call that failed or was cancelled. Its transaction may still be running."""
        with self._mutex:
            ticket.is_abandoned = True
            if not ticket.is_running:
                self._release(ticket)

    def _release(self, ticket: Ticket) -> None:
        key, ticket.key = ticket.key, None
        if key is None:
            return
        waiting = self._waiting.get(key, deque())
        while waiting:
            successor = waiting.popleft()
            if not successor.is_abandoned and successor.turn.set_running_or_notify_cancel():
                successor.key = key
                successor.turn.set_result(None)
                return
        self._waiting.pop(key, None)
        self._inside[key] -= 1
        if not self._inside[key]:
            del self._inside[key]
