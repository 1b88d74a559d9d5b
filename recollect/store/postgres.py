"""PostgreSQL 15 or later with pgvector, through psycopg: for many servers and workers.

Threading: a pool of threads runs the transactions, each on a connection of the connection pool.

Roles: every connection switches to `recollect_app`, which owns nothing and is subject to row-level
security; each transaction sets its user in `recollect.user_id`. `system` queries run as
`recollect_system`. The first start creates both roles, so it needs the right to create roles,
unless an administrator has created them.

Retries: a transaction that fails by a deadlock or a serialization failure runs again a few times.
If the connection is lost during the commit, the outcome is unknown: the caller gets Unavailable,
and a retry with the same idempotency key finds out.

Waiting: locks, statements and idle transactions have timeouts. At most a third of the connections
is used for one conversation (or for the lock of one user), so that a locked one does not block
others. A call that has waited ten seconds for a thread is refused.

Failover: if the URL names several hosts, connections go to the one that accepts writes. After a
failover, new connections find the new primary, and requests wait for that as for a restart.
Sessions that have become read-only, behind a proxy or on a full disk, are replaced. A default of
read-only transactions on the server or the role is respected: some providers set it before the
disk is full.
"""

import asyncio
import hashlib
import logging
import random
import time
from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import IsolationLevel, sql
from psycopg import errors as pg
from psycopg.adapt import Dumper, Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from recollect.core.errors import (
    Conflict,
    Misconfigured,
    NotFound,
    Overloaded,
    RecollectError,
    TooLarge,
    Unavailable,
)
from recollect.core.types import Row, utc_text
from recollect.store.database import DEFAULT_TIMEOUTS, Run, SqlValue, Timeouts
from recollect.store.lock_limit import Crowded, LockLimit, Ticket
from recollect.store.migrations import known_migrations, pending_migrations
from recollect.store.partitions import check_parts, partition_tables
from recollect.store.queries import Queries, load_queries, percent_parameters

logger = logging.getLogger(__name__)

T = TypeVar("T")
Connection = psycopg.Connection[Any]

_POOL_SIZE = 10
_LOCK_SHARE = 3
"""One part of so many of the connections may use the same lock."""
_MAX_QUEUE = 10_000
_POOL_TIMEOUT_SECONDS = 10.0
_QUEUE_TIMEOUT_SECONDS = 10.0
_ATTEMPTS = 5
_MAX_PAUSE_SECONDS = 0.05
_MIGRATION_LOCK = 0x7265636F  # "reco"
_INDEX_LOCK = _MIGRATION_LOCK + 1
_MAX_INDEXED_DIMENSIONS = 4_000
_CONNECTION_DEFAULTS = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",  # milliseconds
}
"""An unreachable host is detected within half a minute, also during a query."""
_CONVERSATION_LOCKS = frozenset({"lock_conversation", "advance_conversation"})
_USER_LOCKS = frozenset({"lock_user", "lock_memories"})
"""Queries that wait for other transactions of the conversation, or of the user."""
_UNBOUNDED = frozenset({"delete_conversation", "delete_user"})
"""Queries without a statement timeout: they cascade to any number of rows."""
_RETRYABLE_ERRORS = (pg.DeadlockDetected, pg.SerializationFailure)

_ROLES = """
do $$
declare
    name text;
begin
    foreach name in array array['recollect_app', 'recollect_system'] loop
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I nologin', name);
            end if;
        exception when duplicate_object or unique_violation then
            null;
        end;
        begin  -- since PostgreSQL 16 even the creator may lack the right to set the role
            execute format('set local role %I', name);
            reset role;
        exception when insufficient_privilege then
            execute format('grant %I to current_user', name);
        end;
    end loop;
end
$$
"""

_MIGRATIONS_TABLE = """
create table if not exists migrations (
    version integer not null primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null
);
grant select on migrations to recollect_app, recollect_system
"""


class _LostBeforeCommit(psycopg.OperationalError):
    """The connection was lost before the commit: it is safe to run the transaction again."""


class _BecameReadOnly(psycopg.OperationalError):
    """The session rejects writes: another server was promoted, or the disk is full."""


class _AsText(Loader):
    """Returns times, ids and JSON as text, as SQLite does."""

    def load(self, data: Any) -> str:
        return bytes(data).decode()


class _AsVector(Dumper):
    """Passes `array("f")` in pgvector's text format."""

    def dump(self, obj: Any) -> bytes:
        return f"[{','.join([f'{number:.9g}' for number in obj])}]".encode()


class PostgresDatabase:
    dialect = "postgres"

    def __init__(
        self, url: str, *, pool_size: int = _POOL_SIZE, timeouts: Timeouts = DEFAULT_TIMEOUTS
    ) -> None:
        self._url = connection_string(url)
        self._timeouts = timeouts
        self._locks = LockLimit(max(1, pool_size // _LOCK_SHARE))
        self._queries = load_queries("postgres", percent_parameters)
        self._pool = ConnectionPool[Connection](
            self._url,
            min_size=1,
            max_size=pool_size,
            timeout=_POOL_TIMEOUT_SECONDS,
            reconnect_timeout=2.0,  # else it backs off for minutes after the server is back
            kwargs={"row_factory": dict_row},
            configure=self._configure,
            open=False,
        )
        self._threads = ThreadPoolExecutor(pool_size, "recollect-postgres")
        self._queue_size = 0
        self._closed = False

    @classmethod
    async def open(cls, url: str, *, timeouts: Timeouts = DEFAULT_TIMEOUTS) -> "PostgresDatabase":
        database = cls(url, timeouts=timeouts)
        await asyncio.to_thread(_migrate, database._url)
        await asyncio.to_thread(database._pool.open)
        return database

    @property
    def queue_size(self) -> int:
        return self._queue_size

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._in_transaction(fn, user_id, read_only=True)

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._in_transaction(fn, user_id, read_only=False)

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        return await self._in_transaction(fn, None, read_only=read_only)

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        return await self._in_thread(lambda: _index_vectors(self._url, model, dimensions))

    async def drop_vectors(self, model: str) -> None:
        await self._in_thread(lambda: _drop_vector_index(self._url, model))

    async def close(self) -> None:
        """Finish running transactions. New ones raise Unavailable."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._pool.close)

    def _configure(self, connection: Connection) -> None:
        configure_session(connection)
        for name, milliseconds in (
            ("lock_timeout", self._timeouts.lock),
            ("statement_timeout", self._timeouts.statement),
            ("idle_in_transaction_session_timeout", self._timeouts.idle),
        ):
            if milliseconds:
                connection.execute("select set_config(%s, %s, false)", (name, str(milliseconds)))
        connection.commit()

    async def _in_transaction(
        self, fn: Callable[[Run], T], user_id: str | None, *, read_only: bool
    ) -> T:
        ticket = Ticket()

        def work() -> T:
            with self._locks.running(ticket):
                return self._transact(fn, user_id, ticket, read_only=read_only)

        try:
            while True:
                try:
                    return await self._in_thread(work)
                except Crowded:
                    seconds = self._timeouts.lock / 1000 or _QUEUE_TIMEOUT_SECONDS
                    await self._locks.wait(ticket, seconds=seconds)
        except BaseException:
            self._locks.abandon(ticket)
            raise

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Call a function in a thread. Raises Overloaded if none is free in time."""
        result = self._submit(work)
        wrapped = asyncio.wrap_future(result)
        self._queue_size += 1
        try:
            if self._queue_size > self._pool.max_size:  # it has to wait
                await asyncio.wait([wrapped], timeout=_QUEUE_TIMEOUT_SECONDS)
                if result.cancel():  # it has not started
                    raise Overloaded
            return await wrapped
        finally:
            wrapped.cancel()
            self._queue_size -= 1

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        if self._closed:
            raise Unavailable("The database is closed.")
        if self._queue_size >= _MAX_QUEUE:
            raise Overloaded
        try:
            return self._threads.submit(work)
        except RuntimeError as error:  # closed meanwhile by another thread
            raise Unavailable("The database is closed.") from error

    def _transact(
        self, fn: Callable[[Run], T], user_id: str | None, ticket: Ticket, *, read_only: bool
    ) -> T:
        with map_errors():
            for attempt in range(1, _ATTEMPTS):
                try:
                    return self._try(fn, user_id, ticket, read_only=read_only)
                except _RETRYABLE_ERRORS:
                    # random, so that the same transactions do not collide again
                    time.sleep(random.uniform(0, _MAX_PAUSE_SECONDS) * attempt)  # noqa: S311
                except _LostBeforeCommit:
                    self._pool.check()  # the other idle connections are probably gone as well
                except _BecameReadOnly:
                    self._pool.drain()  # the other sessions are read-only too
                    break  # one more attempt: more would only be load
            return self._try(fn, user_id, ticket, read_only=read_only)

    def _try(
        self, fn: Callable[[Run], T], user_id: str | None, ticket: Ticket, *, read_only: bool
    ) -> T:
        enter = partial(self._locks.enter, ticket=ticket)
        with self._pool.connection() as connection:
            connection.read_only = read_only or None
            connection.isolation_level = (
                IsolationLevel.REPEATABLE_READ if read_only else IsolationLevel.READ_COMMITTED
            )
            try:  # the first statement begins the transaction, the pool's `with` commits it
                return fn(_Transaction(connection, self._queries, user_id, enter))
            except pg.ReadOnlySqlTransaction as error:
                if read_only:
                    raise
                raise _BecameReadOnly(*error.args) from error
            except psycopg.Error as error:
                if connection.closed:
                    raise _LostBeforeCommit(*error.args) from error
                raise


class _Transaction:
    """Runs named queries in a transaction, which the first of them begins.

    `enter` is called before a query that waits for a lock; its exception costs no round trip.
    """

    def __init__(
        self,
        connection: Connection,
        queries: Queries,
        user_id: str | None,
        enter: Callable[[Hashable], None],
    ) -> None:
        self.connection = connection
        self._statements = queries.system if user_id is None else queries.user
        self._user_id = user_id
        self._enter = enter
        self._has_begun = False

    def __call__(self, query: str, /, **params: SqlValue) -> list[Row]:
        if query in _CONVERSATION_LOCKS:
            self._enter((self._user_id, params["id"]))
        elif query in _USER_LOCKS:
            self._enter((self._user_id, None))
        if not self._has_begun:
            self._begin()
        if query in _UNBOUNDED:
            self.connection.execute("set local statement_timeout = 0")
        if self._user_id is not None:
            params["user_id"] = self._user_id
        cursor = self.connection.execute(self._statements[query], params)
        has_rows = cursor.rownumber is not None  # cheaper than its `description`
        return cursor.fetchall() if has_rows else []

    def _begin(self) -> None:
        self._has_begun = True
        if self._user_id is None:
            # Background work over all users may take long.
            self.connection.execute(
                "set local role recollect_system; set local statement_timeout = 0"
            )
        else:
            self.connection.execute(
                "select set_config('recollect.user_id', %s, true)", (self._user_id,)
            )


def create_partitioned(url: str, parts: int) -> None:
    """Create the tables of an empty database, partitioned by user."""
    check_parts(parts)
    _migrate(url, parts=parts)


def _vector_index(model: str) -> str:
    return f"embeddings_by_{hashlib.sha256(model.encode()).hexdigest()[:12]}"


def _index_vectors(url: str, model: str, dimensions: int) -> bool:
    """Create an index of the model's vectors in half precision, which selects candidates.

    Only the owner of the tables can create it, one process at a time. Without it search is exact
    and slower. On partitioned tables each partition is indexed separately, because a concurrent
    build is possible on partitions only; the table's index is valid once all are attached.
    """
    if dimensions > _MAX_INDEXED_DIMENSIONS:
        return True
    index = _vector_index(model)
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            if _is_valid(connection, index):
                return True
            (has_lock,) = connection.execute(
                "select pg_try_advisory_lock(%s)", (_INDEX_LOCK,)
            ).fetchone() or (False,)
            if not has_lock:
                return False
            partitions = _partitions(connection, "embeddings")
            _drop_indexes(connection, index, partitions)  # of an interrupted build
            parts = [(f"{index}_{number}", name) for number, name in enumerate(partitions)]
            if parts:
                _index_table(connection, index, "only", "embeddings", model, dimensions)
            for part, table in parts or [(index, "embeddings")]:
                _index_table(connection, part, "concurrently", table, model, dimensions)
            for part, _ in parts:
                connection.execute(
                    sql.SQL("alter index {} attach partition {}").format(
                        sql.Identifier(index), sql.Identifier(part)
                    )
                )
            return True
    except psycopg.Error as error:
        logger.warning("vectors.index_failed", extra={"reason": str(error).strip()})
        return isinstance(error, pg.InsufficientPrivilege)


def _drop_vector_index(url: str, model: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            _drop_indexes(connection, _vector_index(model), _partitions(connection, "embeddings"))
    except psycopg.Error as error:
        logger.warning("vectors.drop_index_failed", extra={"reason": str(error).strip()})


def _index_table(
    connection: Connection, index: str, how: str, table: str, model: str, dimensions: int
) -> None:
    """`how` is `concurrently`, or `only` for the table without its partitions."""
    before, after = ("", how) if how == "only" else (how, "")
    connection.execute(
        sql.SQL(
            "create index {} {} on {} {} using hnsw"
            " ((cast(vector as halfvec({}))) halfvec_cosine_ops) where model = {}"
        ).format(
            sql.SQL(before),
            sql.Identifier(index),
            sql.SQL(after),
            sql.Identifier(table),
            sql.Literal(dimensions),
            sql.Literal(model),
        )
    )


def _drop_indexes(connection: Connection, index: str, partitions: Sequence[str]) -> None:
    """Drop also the indexes of partitions, which cascade only if they are attached."""
    if partitions:
        connection.execute(sql.SQL("drop index if exists {}").format(sql.Identifier(index)))
    for name in [f"{index}_{number}" for number, _ in enumerate(partitions)] or [index]:
        connection.execute(
            sql.SQL("drop index concurrently if exists {}").format(sql.Identifier(name))
        )


def _is_valid(connection: Connection, index: str) -> bool:
    row = connection.execute(
        "select indisvalid from pg_index where indexrelid = to_regclass(%s)", (index,)
    ).fetchone()
    return row == (True,)


def _partitions(connection: Connection, table: str) -> list[str]:
    """Return no partitions for a plain or missing table."""
    rows = connection.execute(
        "select c.relname from pg_inherits as i join pg_class as c on c.oid = i.inhrelid"
        " where i.inhparent = to_regclass(%s) order by c.oid",
        (table,),
    )
    return [str(name) for (name,) in rows]


def configure_session(connection: Connection) -> None:
    """Set UTF-8, ISO dates and UTC, whatever the defaults of the server or the role are.

    The search path is resolved before the role changes, because it may contain `$user`.
    """
    for name in ("timestamptz", "uuid", "json"):
        connection.adapters.register_loader(name, _AsText)
    connection.adapters.register_dumper(array, _AsVector)
    connection.execute("set client_encoding to 'UTF8'")
    connection.execute("set datestyle to 'ISO'")
    connection.execute("set timezone to 'UTC'")
    connection.execute(
        "select set_config('search_path', string_agg(quote_ident(schema), ', '), false)"
        " from unnest(current_schemas(false)) as schema"
    )
    connection.execute("set role recollect_app")
    connection.commit()


def connection_string(url: str) -> str:
    """Add our defaults to a URL, whose own parameters take precedence."""
    try:
        params = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise Misconfigured(
            "DATABASE_URL is not an address that PostgreSQL understands: special characters in "
            "the password have to be percent-encoded, and options have to be libpq's."
        ) from None  # the foreign message quotes the password
    has_several_hosts = "," in str(params.get("host") or params.get("hostaddr") or "")
    primary = {"target_session_attrs": "read-write"} if has_several_hosts else {}
    return make_conninfo(url, **{**_CONNECTION_DEFAULTS, **primary, **params})


def _migrate(url: str, *, parts: int = 0) -> None:
    """With `parts`, the database must be empty; else its existing partitions are kept."""
    with map_errors(), psycopg.connect(connection_string(url)) as connection:
        connection.execute("select pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        if connection.info.parameter_status("server_encoding") != "UTF8":
            raise Misconfigured("The database must be in UTF-8: create database … encoding 'UTF8'.")
        user = connection.info.user
        try:
            connection.execute(_ROLES)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                "The roles recollect_app and recollect_system are missing, or not granted to "
                f"{user}. As an administrator, create those that are missing (create role "
                "recollect_app nologin; create role recollect_system nologin), and then: "
                f"grant recollect_app, recollect_system to {user}."
            ) from error
        try:
            _apply_migrations(connection, parts)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                f"{user} may not create tables in this database: make it the owner, or start "
                "once as the owner."
            ) from error
        except pg.ReadOnlySqlTransaction as error:
            raise Misconfigured(
                "This server is read-only, a standby perhaps: DATABASE_URL must name one that "
                "can be written to."
            ) from error


def _apply_migrations(connection: Connection, parts: int) -> None:
    known = known_migrations("postgres")
    if parts and _has_schema(connection):
        raise Conflict(
            "This database has its tables already, and they cannot be partitioned any more: make "
            "partitions in an empty one, and then `recollect move` everything into it."
        )
    parts = parts or len(_partitions(connection, "users"))
    if _has_schema(connection) and not pending_migrations(known, _applied(connection)):
        return  # a server without the right to create tables can start
    connection.execute(_MIGRATIONS_TABLE)
    try:
        connection.execute("create extension if not exists vector")
    except (pg.FeatureNotSupported, pg.UndefinedFile, pg.InsufficientPrivilege) as error:
        raise Misconfigured(
            "This database has no pgvector: install the extension on the server and run "
            "`create extension vector` in the database as an administrator."
        ) from error
    for migration in pending_migrations(known, _applied(connection)):
        statements = partition_tables(migration.sql, parts) if parts else migration.sql
        connection.execute(statements)
        applied_at = utc_text(datetime.now(UTC))
        connection.execute(
            "insert into migrations (version, name, checksum, applied_at) values (%s, %s, %s, %s)",
            (migration.version, migration.name, migration.checksum, applied_at),
        )


def _has_schema(connection: Connection) -> bool:
    return connection.execute("select to_regclass('migrations')").fetchone() != (None,)


def _applied(connection: Connection) -> dict[int, str]:
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute("select version, checksum from migrations")
    return {row["version"]: row["checksum"] for row in cursor}


@contextmanager
def map_errors() -> Iterator[None]:
    try:
        yield
    except pg.UniqueViolation as error:
        raise Conflict("This id is taken already.") from error
    except pg.ForeignKeyViolation as error:
        raise NotFound("It refers to something that does not exist.") from error
    except pg.ProgramLimitExceeded as error:
        raise TooLarge(f"PostgreSQL cannot hold this much: {error}") from error
    except pg.LockNotAvailable as error:
        raise Overloaded("Other requests hold a lock that this one needs.") from error
    except pg.QueryCanceled as error:
        raise Unavailable(f"PostgreSQL stopped a statement: {error}") from error
    except _BecameReadOnly as error:
        raise Unavailable(f"PostgreSQL is read-only at the moment: {error}") from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise Unavailable(f"PostgreSQL cannot be reached: {error}") from error
    except psycopg.Error as error:
        reason = error.diag.message_primary or type(error).__name__  # its detail quotes whole rows
        raise RecollectError(f"PostgreSQL failed: {reason}") from error
