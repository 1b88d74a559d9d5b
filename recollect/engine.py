"""The engine: one open database and the services over it, put together here and nowhere else."""

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, NoReturn

from recollect.errors import Misconfigured
from recollect.policy import HISTORY_POLICY, PRESETS, Policy
from recollect.record.conversations import Conversations
from recollect.record.history import History
from recollect.record.keys import Keys
from recollect.record.retention import Expired, sweep
from recollect.settings import Settings, parse_database_url
from recollect.store.database import Database, Run
from recollect.store.migrate import check_schema
from recollect.store.sqlite import SqliteDatabase

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


class Recollect:
    """Conversation memory over one open database. Made by `open`."""

    conversations: Conversations
    """Conversations, and the messages in them."""
    history: History
    """Each user's latest turns, for as long as the policy `ephemeral` keeps them."""
    keys: Keys
    """Who may use the server."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        policies: Mapping[str, Policy] = PRESETS,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._policies = policies
        self._clock = clock
        self.settings = settings
        self.conversations = Conversations(
            database,
            policies=policies,
            default_policy=settings.default_policy,
            max_message_bytes=settings.max_message_bytes,
            clock=clock,
        )
        self.history = History(
            database,
            policies=policies,
            max_message_bytes=settings.max_message_bytes,
            clock=clock,
        )
        self.keys = Keys(database, clock=clock)

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] = PRESETS,
        clock: Clock = utc_now,
    ) -> "Opening":
        """Opens, and creates or migrates if need be. To be awaited, or used in `async with`.

        Without a URL the settings' database is opened; without settings, the environment's.
        """

        async def opened() -> Recollect:
            chosen = settings or Settings.from_environment()
            if url is not None:
                chosen = replace(chosen, database_url=url)
            _check_policies(policies, chosen.default_policy)
            database = await open_database(chosen.database_url)
            return cls(database, chosen, policies=policies, clock=clock)

        return Opening(opened)

    async def check(self) -> None:
        """Returns when the database answers and its schema is this release's."""
        await check_schema(self._database)

    async def vector_version(self) -> str:
        """The version of the database's vector extension."""
        return await self._database.system(_vector_version, read_only=True)

    async def sweep(self) -> Expired:
        """Removes what retention rules no longer keep, in all conversations of all users.

        The server does this every minute. A program that uses the library alone calls it.
        """
        return await sweep(self._database, self._policies, now=self._clock())

    async def close(self) -> None:
        await self._database.close()


def _check_policies(policies: Mapping[str, Policy], default: str) -> None:
    for name in (default, HISTORY_POLICY):
        if name not in policies:
            raise Misconfigured(f"The policy {name} is needed, and not among those given.")


class Opening:
    """What `Recollect.open` returns: `await` it, or enter it and have it closed for you."""

    def __init__(self, opened: Callable[[], Awaitable[Recollect]]) -> None:
        self._opened = opened
        self._engine: Recollect | None = None

    def __await__(self) -> Generator[Any, None, Recollect]:
        return (yield from self._opened().__await__())

    def __enter__(self) -> NoReturn:
        raise TypeError("Use `async with`; without an event loop, recollect.sync.Recollect.")

    def __exit__(self, *_: object) -> None: ...

    async def __aenter__(self) -> Recollect:
        self._engine = await self
        return self._engine

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._engine is not None:
            await self._engine.close()


async def open_database(url: str) -> Database:
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        return await SqliteDatabase.open(address)
    try:
        from recollect.store.postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured(
            "PostgreSQL needs its driver: pip install 'recollect[postgres]'."
        ) from error
    return await PostgresDatabase.open(address)


def _vector_version(run: Run) -> str:
    (row,) = run("vector_version")
    return str(row["version"])
