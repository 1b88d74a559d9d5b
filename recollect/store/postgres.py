"""PostgreSQL 15 or later with pgvector, through psycopg: for many servers and workers.

Every connection gives up its own rights and becomes `recollect_app`, a role that owns nothing and
is bound by row-level security; each transaction names its user in `recollect.user_id`. The few
system queries run as `recollect_system`. Both roles are made by the first start, which therefore
needs the right to create roles, or roles that an administrator made before.

A transaction lost to a deadlock or to a rival is run again a few times. A connection lost during
the commit leaves the outcome unknown: the caller hears Unavailable, and a retry with the same
idempotency key finds out.
"""

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import psycopg
from psycopg import IsolationLevel, sql
from psycopg import errors as pg
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from recollect.errors import (
    Conflict,
    Misconfigured,
    NotFound,
    Overloaded,
    RecollectError,
    TooLarge,
    Unavailable,
)
from recollect.model import Row, utc_text
from recollect.store.database import Run, Value
from recollect.store.migrate import known_migrations, pending_migrations
from recollect.store.queries import load_queries, percent_parameters

logger = logging.getLogger(__name__)

T = TypeVar("T")
Connection = psycopg.Connection[Any]

_POOL_SIZE = 10
_LONGEST_QUEUE = 10_000
_POOL_TIMEOUT_SECONDS = 10.0
_ATTEMPTS = 5
_LONGEST_PAUSE_SECONDS = 0.05
_MIGRATION_LOCK = 0x7265636F  # "reco"
_INDEX_LOCK = _MIGRATION_LOCK + 1
_MOST_INDEXED_DIMENSIONS = 4_000
_LOST_RACES = (pg.DeadlockDetected, pg.SerializationFailure)

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
        begin  -- since PostgreSQL 16 a member, and even its maker, may be unable to become it
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
    """The connection broke while nothing could have been committed: it is safe to run again."""


class _AsText(Loader):
    """Times, ids and JSON come back as the text that SQLite would give."""

    def load(self, data: Any) -> str:
        return bytes(data).decode()


class PostgresDatabase:
    dialect = "postgres"

    def __init__(self, url: str, *, pool_size: int = _POOL_SIZE) -> None:
        self._url = url
        self._queries = load_queries("postgres", percent_parameters)
        self._pool = ConnectionPool[Connection](
            url,
            min_size=1,
            max_size=pool_size,
            timeout=_POOL_TIMEOUT_SECONDS,
            reconnect_timeout=2.0,  # else it backs off for minutes, also once the server is back
            kwargs={"row_factory": dict_row},
            configure=configure,
            open=False,
        )
        self._threads = ThreadPoolExecutor(pool_size, "recollect-postgres")
        self._waiting = 0
        self._closed = False

    @classmethod
    async def open(cls, url: str) -> "PostgresDatabase":
        await asyncio.to_thread(_migrate, url)
        database = cls(url)
        await asyncio.to_thread(database._pool.open)
        return database

    @property
    def waiting(self) -> int:
        return self._waiting

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._in_thread(lambda: self._transact(fn, user_id, read_only=True))

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._in_thread(lambda: self._transact(fn, user_id, read_only=False))

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        return await self._in_thread(lambda: self._transact(fn, None, read_only=read_only))

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        return await self._in_thread(lambda: _index_vectors(self._url, model, dimensions))

    async def drop_vectors(self, model: str) -> None:
        await self._in_thread(lambda: _drop_vector_index(self._url, model))

    async def close(self) -> None:
        """Finishes what is running. Nothing can be started from here on."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._pool.close)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise Unavailable("The database is closed.")
        if self._waiting >= _LONGEST_QUEUE:
            raise Overloaded
        try:
            waiting = self._threads.submit(work)
        except RuntimeError as error:  # closed in the meantime, from another thread
            raise Unavailable("The database is closed.") from error
        self._waiting += 1
        try:
            return await asyncio.wrap_future(waiting)
        finally:
            self._waiting -= 1

    def _transact(self, fn: Callable[[Run], T], user_id: str | None, *, read_only: bool) -> T:
        with errors_mapped():
            for attempt in range(1, _ATTEMPTS):
                try:
                    return self._try(fn, user_id, read_only=read_only)
                except _LOST_RACES:  # rivals that came in step would lose in step again
                    time.sleep(random.uniform(0, _LONGEST_PAUSE_SECONDS) * attempt)  # noqa: S311
                except _LostBeforeCommit:
                    self._pool.check()  # the other idle connections are probably gone as well
            return self._try(fn, user_id, read_only=read_only)

    def _try(self, fn: Callable[[Run], T], user_id: str | None, *, read_only: bool) -> T:
        with self._pool.connection() as connection:
            connection.read_only = read_only
            connection.isolation_level = (
                IsolationLevel.REPEATABLE_READ if read_only else IsolationLevel.READ_COMMITTED
            )
            try:  # the first statement begins the transaction, the pool's `with` commits it
                return fn(self._run_as(connection, user_id))
            except psycopg.OperationalError as error:
                if connection.closed:
                    raise _LostBeforeCommit(*error.args) from error
                raise

    def _run_as(self, connection: Connection, user_id: str | None) -> Run:
        given: dict[str, Value] = {}
        if user_id is None:
            statements = self._queries.system
            connection.execute("set local role recollect_system")
        else:
            statements = self._queries.user
            given["user_id"] = user_id
            connection.execute("select set_config('recollect.user_id', %s, true)", (user_id,))

        def run(query: str, /, **params: Value) -> list[Row]:
            cursor = connection.execute(statements[query], params | given)
            has_rows = cursor.rownumber is not None  # cheaper than its `description`
            return cursor.fetchall() if has_rows else []

        return run


def _vector_index(model: str) -> sql.Identifier:
    return sql.Identifier(f"embeddings_by_{hashlib.sha256(model.encode()).hexdigest()[:12]}")


def _index_vectors(url: str, model: str, dimensions: int) -> bool:
    """An index of the model's vectors alone, of half precision: it only chooses candidates.

    Only the owner of the tables can make it, one process at a time. Without it search is right,
    and slower.
    """
    if dimensions > _MOST_INDEXED_DIMENSIONS:
        return True
    index = _vector_index(model)
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            if _is_valid(connection, index):
                return True
            (is_mine,) = connection.execute(
                "select pg_try_advisory_lock(%s)", (_INDEX_LOCK,)
            ).fetchone() or (False,)
            if not is_mine:
                return False
            connection.execute(sql.SQL("drop index if exists {}").format(index))  # cut short once
            connection.execute(
                sql.SQL(
                    "create index concurrently {} on embeddings using hnsw"
                    " ((cast(vector as halfvec({}))) halfvec_cosine_ops) where model = {}"
                ).format(index, sql.Literal(dimensions), sql.Literal(model))
            )
            return True
    except psycopg.Error as error:
        logger.warning("vectors_not_indexed", extra={"reason": str(error).strip()})
        return isinstance(error, pg.InsufficientPrivilege)


def _drop_vector_index(url: str, model: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("drop index concurrently if exists {}").format(_vector_index(model))
            )
    except psycopg.Error as error:
        logger.warning("vectors_not_dropped", extra={"reason": str(error).strip()})


def _is_valid(connection: Connection, index: sql.Identifier) -> bool:
    found = connection.execute(
        "select indisvalid from pg_index where indexrelid = to_regclass(%s)",
        (index.as_string(connection),),
    ).fetchone()
    return found == (True,)


def configure(connection: Connection) -> None:
    """Whatever the server's or the role's defaults are, we speak UTF-8, ISO dates and UTC.

    The search path is fixed before the role changes, because it may contain the user's name.
    """
    for name in ("timestamptz", "uuid", "json"):
        connection.adapters.register_loader(name, _AsText)
    connection.execute("set client_encoding to 'UTF8'")
    connection.execute("set datestyle to 'ISO'")
    connection.execute("set timezone to 'UTC'")
    connection.execute(
        "select set_config('search_path', string_agg(quote_ident(schema), ', '), false)"
        " from unnest(current_schemas(false)) as schema"
    )
    connection.execute("set role recollect_app")
    connection.commit()


def _migrate(url: str) -> None:
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise Misconfigured(
            "DATABASE_URL is not an address that PostgreSQL understands: special characters in "
            "the password have to be percent-encoded, and options have to be libpq's."
        ) from None  # the foreign message quotes the password
    with errors_mapped(), psycopg.connect(url) as connection:
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
            _apply(connection)
        except pg.InsufficientPrivilege as error:
            raise Misconfigured(
                f"{user} may not create tables in this database: make it the owner, or start "
                "once as somebody who is."
            ) from error
        except pg.ReadOnlySqlTransaction as error:
            raise Misconfigured(
                "This server is read-only, a standby perhaps: DATABASE_URL must name one that "
                "can be written to."
            ) from error


def _apply(connection: Connection) -> None:
    known = known_migrations("postgres")
    if _is_there(connection) and not pending_migrations(known, _applied(connection)):
        return  # who only uses the tables needs no right to create any
    connection.execute(_MIGRATIONS_TABLE)
    try:
        connection.execute("create extension if not exists vector")
    except (pg.FeatureNotSupported, pg.UndefinedFile, pg.InsufficientPrivilege) as error:
        raise Misconfigured(
            "This database has no pgvector: install the extension on the server and run "
            "`create extension vector` in the database as an administrator."
        ) from error
    for migration in pending_migrations(known, _applied(connection)):
        connection.execute(migration.sql)
        applied_at = utc_text(datetime.now(UTC))
        connection.execute(
            "insert into migrations (version, name, checksum, applied_at) values (%s, %s, %s, %s)",
            (migration.version, migration.name, migration.checksum, applied_at),
        )


def _is_there(connection: Connection) -> bool:
    return connection.execute("select to_regclass('migrations')").fetchone() != (None,)


def _applied(connection: Connection) -> dict[int, str]:
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute("select version, checksum from migrations")
    return {row["version"]: row["checksum"] for row in cursor}


@contextmanager
def errors_mapped() -> Iterator[None]:
    try:
        yield
    except pg.UniqueViolation as error:
        raise Conflict("This id is taken already.") from error
    except pg.ForeignKeyViolation as error:
        raise NotFound("It refers to something that does not exist.") from error
    except pg.ProgramLimitExceeded as error:
        raise TooLarge(f"PostgreSQL cannot hold this much: {error}") from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise Unavailable(f"PostgreSQL cannot be reached: {error}") from error
    except psycopg.Error as error:
        said = error.diag.message_primary or type(error).__name__  # its detail quotes whole rows
        raise RecollectError(f"PostgreSQL failed: {said}") from error
