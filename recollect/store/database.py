"""The port between the services and the two databases.

`read` and `write` take a plain synchronous function, call it with `run`, and return its result. One
call is one transaction and one hop to another thread. The function cannot await, so no model call
and no other waiting can happen inside a transaction.

`run("query_name", name=value, …)` executes a named query and returns its rows. The transaction
fills in `:user_id`, so a function cannot reach another user's rows. Values have types that both
databases know: text, numbers, booleans, bytes and null. Times, ids and JSON are passed as text,
vectors as `array("f")`.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from recollect.core.errors import NotFound
from recollect.core.types import Row

T = TypeVar("T")
SqlValue: TypeAlias = "str | int | float | bool | bytes | array[float] | None"

MIN_ID = "00000000-0000-0000-0000-000000000000"
"""Sorts before all ids, so that a first page needs no statement of its own."""
MAX_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
MAX_TIME = "9999-12-31T23:59:59.999999Z"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The limits of a PostgreSQL transaction, in milliseconds; 0 leaves the server's own."""

    lock: int
    """Waiting for another transaction."""
    statement: int
    idle: int
    """Doing nothing inside a transaction, because the process hangs."""


DEFAULT_TIMEOUTS = Timeouts(lock=5_000, statement=60_000, idle=60_000)


class Run(Protocol):
    def __call__(self, query: str, /, **params: SqlValue) -> list[Row]:
        """Execute a named query. A violated unique key raises Conflict."""
        ...


def require_row(rows: list[Row], kind: str) -> Row:
    """Return the first row. Raises NotFound if there is none, naming the kind of thing."""
    if not rows:
        raise NotFound(f"There is no such {kind}.")
    return rows[0]


def id_range(id: str | None) -> dict[str, str]:
    """Return the parameters of a query about one id or, with None, about all."""
    return {"first_id": id or MIN_ID, "last_id": id or MAX_ID}


class Database(Protocol):
    """Raises Unavailable if the database is unreachable or busy for too long, and Overloaded if
    too many calls are waiting. An exception of the function rolls back its transaction.
    """

    dialect: str
    """The folder of its queries and migrations; nothing else may depend on it."""

    @property
    def queue_size(self) -> int:
        """The number of calls that wait for the writer; on PostgreSQL, reads too."""
        ...

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        """Run `fn` on one consistent snapshot. It cannot write."""
        ...

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        """Run `fn` in a transaction. When this returns, the transaction is on disk.

        `fn` may run again after a deadlock, so it must have no other side effects.
        """
        ...

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        """Run `fn` in a transaction without a user, in which only `system` queries run."""
        ...

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        """Index the vectors of a model. Return False if another attempt is worthwhile."""
        ...

    async def drop_vectors(self, model: str) -> None:
        """Drop the index of a model's vectors."""
        ...

    async def close(self) -> None: ...
