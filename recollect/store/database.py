"""The port between everything above and the two databases below.

`read` and `write` take a plain synchronous function, hand it `run`, and give back what it returns.
One call is one transaction and one hop to another thread. Since the function cannot await, no model
call and no other waiting can happen inside a transaction.

`run("query_name", name=value, …)` executes a named query and returns its rows. `:user_id` is filled
in from the transaction, so a function cannot reach another user's rows. Values are what both
databases have: text, numbers, truth values, bytes and null; times, ids and JSON travel as text.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from recollect.core.types import Row

T = TypeVar("T")
Value = str | int | float | bool | bytes | None


class Run(Protocol):
    def __call__(self, query: str, /, **params: Value) -> list[Row]:
        """Executes a named query. A broken unique key raises Conflict."""
        ...


class Database(Protocol):
    """Where everything is kept.

    Raises Unavailable when the database cannot be reached or is busy for too long, Overloaded when
    too many calls are waiting. The function's own exceptions come out as they are, and undo
    everything it wrote.
    """

    dialect: str
    """Names the folder of its queries and migrations; nothing else may depend on it."""

    @property
    def waiting(self) -> int:
        """How many calls are queued for writing; where reads share its threads, those too."""
        ...

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        """Runs `fn` on one consistent snapshot. It cannot write."""
        ...

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        """Runs `fn` in a transaction. When this returns, the effect is on disk.

        `fn` may be run again after a deadlock or a lost race, so it must not have effects of its
        own.
        """
        ...

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        """Runs `fn` in a transaction that is nobody's: only queries marked `system` run in it."""
        ...

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        """Makes finding the nearest vectors of a model quick; False if it is worth another try."""
        ...

    async def drop_vectors(self, model: str) -> None:
        """Lets go of what was prepared."""
        ...

    async def close(self) -> None: ...
