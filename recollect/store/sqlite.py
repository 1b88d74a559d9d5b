"""SQLite through apsw: the embedded default.

Writes: one thread owns the write connection. It takes all queued tasks, runs them in one
transaction with a savepoint per task, commits once, and then resolves their futures. This is
**group commit**: 64 concurrent callers share one commit. An exception rolls back to the savepoint
of its task and does not affect the others. `synchronous=FULL` makes the commit durable before any
caller is resumed.

Reads: a pool of threads with their own connections reads the last committed state (WAL). Another
process may write to the same file: `begin immediate` waits for it, up to the busy timeout.

A database in memory has only the write connection, so its reads are queued as well.

After a deletion, an `Eraser` removes its traces from the files: after a small one before the caller
is resumed, unless that would take more than a tenth of the writer's time.

Every transaction checks that the path still names the open file.
"""

import asyncio
import queue
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import apsw

from recollect.core.errors import (
    Conflict,
    CorruptStore,
    Misconfigured,
    NotFound,
    Overloaded,
    RecollectError,
    Unavailable,
)
from recollect.core.types import Row, utc_text
from recollect.store.database import Run, SqlValue
from recollect.store.migrations import known_migrations, pending_migrations
from recollect.store.queries import load_queries
from recollect.store.sqlite_erasure import Eraser
from recollect.store.sqlite_file import OpenFiles, create_file

T = TypeVar("T")

MEMORY = ":memory:"
_BUSY_TIMEOUT_MS = 30_000
_READERS = 4
_MAX_BATCH = 256
_MAX_QUEUE = 10_000
_DELETION = re.compile(r"delete from (?!jobs\b|embedders\b|embedding_progress\b)")
"""Statements that delete text."""

_UNIQUE_VIOLATIONS = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)

_MIGRATIONS_TABLE = """
create table if not exists migrations (
    version integer not null primary key,
    name text not null,
    checksum text not null,
    applied_at text not null
) strict
"""


@dataclass(slots=True)
class _Task:
    """A caller's function, and the future of its result."""

    fn: Callable[[Run], Any]
    user_id: str | None
    """None for a `system` transaction."""
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class _Session:
    """A connection and its named queries."""

    def __init__(self, path: str) -> None:
        self._queries = load_queries("sqlite")
        self._columns: dict[str, tuple[str, ...]] = {}
        self._deletions = _deletions()
        self.connection = connect(path)
        self.eraser = Eraser(self.connection, busy_timeout_ms=_BUSY_TIMEOUT_MS)

    def run_as(self, user_id: str | None) -> Run:
        statements = self._queries.system if user_id is None else self._queries.user

        def run(query: str, /, **params: SqlValue) -> list[Row]:
            if user_id is not None:
                params["user_id"] = user_id
            rows = self._execute(query, statements[query], params)
            if query in self._deletions and self.connection.changes():
                self.eraser.is_needed = True
            return rows

        return run

    def _execute(self, query: str, statement: str, params: dict[str, SqlValue]) -> list[Row]:
        cursor = self.connection.execute(statement, params)
        columns = self._columns.get(query)
        if columns is None:
            try:
                columns = tuple(name for name, _ in cursor.get_description())
            except apsw.ExecutionCompleteError:  # the statement returned no rows
                return []
            self._columns[query] = columns
        return [dict(zip(columns, row, strict=False)) for row in cursor.fetchall()]


class SqliteDatabase:
    dialect = "sqlite"

    def __init__(self, path: str) -> None:
        self._path = path
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._close_lock = threading.Lock()
        self._write_session: _Session
        self._files = OpenFiles({})
        self._read_sessions: queue.LifoQueue[_Session] = queue.LifoQueue()
        self._read_threads: ThreadPoolExecutor | None = None
        self._pending_reads = 0

    @classmethod
    async def open(cls, path: str) -> "SqliteDatabase":
        database = cls(path)
        try:
            await asyncio.to_thread(database._start)
        except apsw.Error as error:
            raise map_error(error, path) from error
        return database

    @property
    def queue_size(self) -> int:
        return self._tasks.qsize()

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._read(fn, user_id)

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._write(fn, user_id)

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        return await (self._read(fn, None) if read_only else self._write(fn, None))

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        """A trigger maintains the binary codes."""
        return True

    async def drop_vectors(self, model: str) -> None:
        """A trigger deletes the binary codes."""

    async def close(self) -> None:
        """Finish the queued tasks. New tasks raise Unavailable."""
        with self._close_lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                self._tasks.put(None)
        if writer is not None:
            await asyncio.to_thread(self._stop, writer)

    def _start(self) -> None:
        if self._path != MEMORY:
            create_file(Path(self._path))
        self._write_session = _Session(self._path)
        try:
            _migrate(self._write_session.connection)
        except BaseException:
            self._write_session.connection.close()
            raise
        if self._path != MEMORY:
            self._files = OpenFiles.of(self._path)
            for _ in range(_READERS):
                session = _Session(self._path)
                session.connection.pragma("query_only", True)
                self._read_sessions.put(session)
            self._read_threads = ThreadPoolExecutor(_READERS, "recollect-reader")
        self._writer = threading.Thread(
            target=self._write_loop, name="recollect-writer", daemon=True
        )
        self._writer.start()

    def _stop(self, writer: threading.Thread) -> None:
        writer.join()
        self._write_session.eraser.finish()
        if self._read_threads is not None:
            self._read_threads.shutdown()
            while not self._read_sessions.empty():
                self._read_sessions.get().connection.close()
        self._write_session.connection.close()

    async def _read(self, fn: Callable[[Run], T], user_id: str | None) -> T:
        if self._writer is None:
            raise Unavailable("The database is closed.")
        if self._read_threads is None:
            return await self._write(fn, user_id)
        if self._pending_reads >= _MAX_QUEUE:
            raise Overloaded
        try:
            result = self._read_threads.submit(self._read_snapshot, fn, user_id)
        except RuntimeError as error:  # closed meanwhile by another thread
            raise Unavailable("The database is closed.") from error
        self._pending_reads += 1
        try:
            return await asyncio.wrap_future(result)
        finally:
            self._pending_reads -= 1

    def _read_snapshot(self, fn: Callable[[Run], T], user_id: str | None) -> T:
        session = self._read_sessions.get()
        try:
            self._files.check()
            session.connection.execute("begin")
            try:
                return fn(session.run_as(user_id))
            finally:
                session.connection.execute("rollback")
        except apsw.Error as error:
            raise map_error(error, self._path) from error
        finally:
            self._read_sessions.put(session)

    async def _write(self, fn: Callable[[Run], T], user_id: str | None) -> T:
        if self._tasks.qsize() >= _MAX_QUEUE:
            raise Overloaded
        loop = asyncio.get_running_loop()
        task = _Task(fn, user_id, loop, loop.create_future())
        with self._close_lock:  # nothing may be queued after the end marker
            if self._writer is None:
                raise Unavailable("The database is closed.")
            self._tasks.put(task)
        result: T = await task.future
        return result

    def _write_loop(self) -> None:
        while (task := self._next_task()) is not None:
            batch = [task]
            while len(batch) < _MAX_BATCH and not self._tasks.empty():
                if (task := self._tasks.get()) is None:
                    self._tasks.put(None)
                    break
                batch.append(task)
            eraser = self._write_session.eraser
            was_needed = eraser.is_needed
            try:
                self._commit(batch)
            except Exception as error:  # noqa: BLE001  passed on to every caller
                for task in batch:
                    task.error = task.error or error
            if not was_needed:
                eraser.step()
            self._resolve(batch)
            if was_needed:  # by an earlier deletion, for which these callers need not wait
                eraser.step()

    def _next_task(self) -> _Task | None:
        """Wait for a task, and do meanwhile what deletions have left to do."""
        eraser = self._write_session.eraser
        while eraser.is_needed:
            try:
                return self._tasks.get(block=eraser.pause > 0, timeout=eraser.pause)
            except queue.Empty:
                eraser.step()
        return self._tasks.get()

    def _commit(self, batch: list[_Task]) -> None:
        connection = self._write_session.connection
        self._files.check()
        connection.execute("begin immediate")
        try:
            for task in batch:
                connection.execute("savepoint caller")
                try:
                    task.result = task.fn(self._write_session.run_as(task.user_id))
                except Exception as error:
                    task.error = error
                    if not connection.in_transaction:
                        raise  # e.g. a full disk rolled back the whole batch
                    connection.execute("rollback to caller")
                connection.execute("release caller")
            connection.execute("commit")
        finally:
            if connection.in_transaction:
                connection.execute("rollback")
        self._files.check()

    def _resolve(self, batch: list[_Task]) -> None:
        """Resume the callers, with one call per event loop."""
        by_loop: dict[asyncio.AbstractEventLoop, list[_Task]] = {}
        for task in batch:
            if isinstance(task.error, apsw.Error):
                task.error = map_error(task.error, self._path)
            by_loop.setdefault(task.loop, []).append(task)
        for loop, tasks in by_loop.items():
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_set_results, tasks)


@cache
def _deletions() -> frozenset[str]:
    """Return the names of the queries that delete text."""
    queries = load_queries("sqlite")
    return frozenset(
        name
        for statements in (queries.user, queries.system)
        for name, statement in statements.items()
        if _DELETION.match(statement)
    )


def _set_results(batch: list[_Task]) -> None:
    for task in batch:
        if task.future.done():  # the caller was cancelled; its writes are committed
            continue
        if task.error is None:
            task.future.set_result(task.result)
        else:
            task.future.set_exception(task.error)


def connect(path: str) -> apsw.Connection:
    connection = apsw.Connection(path)
    connection.set_busy_timeout(_BUSY_TIMEOUT_MS)
    connection.enable_load_extension(True)
    connection.load_extension(_vector_extension())
    connection.enable_load_extension(False)
    _use_wal(connection)
    connection.pragma("synchronous", "full")
    connection.pragma("secure_delete", True)
    connection.pragma("foreign_keys", True)
    return connection


@cache
def _vector_extension() -> str:
    """Return the library of sqlite-vec without importing the package, which would load numpy."""
    package = find_spec("sqlite_vec")
    if package is None or package.origin is None:
        raise Misconfigured("SQLite needs its vectors: pip install sqlite-vec.")
    return str(Path(package.origin).with_name("vec0"))


def _use_wal(connection: apsw.Connection) -> None:
    """Retry while another process has the file: the busy timeout does not cover this pragma."""
    deadline = time.monotonic() + _BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _migrate(connection: apsw.Connection) -> None:
    connection.execute("begin immediate")
    try:
        connection.execute(_MIGRATIONS_TABLE)
        for migration in pending_migrations(known_migrations("sqlite"), _applied(connection)):
            connection.execute(migration.sql)
            applied_at = utc_text(datetime.now(UTC))
            connection.execute(
                "insert into migrations (version, name, checksum, applied_at) values (?, ?, ?, ?)",
                (migration.version, migration.name, migration.checksum, applied_at),
            )
        connection.execute("commit")
    finally:
        if connection.in_transaction:
            connection.execute("rollback")


def _applied(connection: apsw.Connection) -> dict[int, str]:
    rows: Any = connection.execute("select version, checksum from migrations").fetchall()
    return dict(rows)


def map_error(error: apsw.Error, path: str) -> RecollectError:
    """Return the error to raise for a SQLite error."""
    mapped: RecollectError
    detail: int | None = getattr(error, "extendedresult", None)
    match error:
        case apsw.ConstraintError() if detail in _UNIQUE_VIOLATIONS:
            mapped = Conflict("This id is taken already.")
        case apsw.ConstraintError() if detail == apsw.SQLITE_CONSTRAINT_FOREIGNKEY:
            mapped = NotFound("It refers to something that does not exist.")
        case apsw.BusyError():
            mapped = Unavailable("Another process holds the database; try again.")
        case apsw.NotADBError() | apsw.CorruptError():
            mapped = CorruptStore(f"{path} is damaged, or not a database: {error}.")
        case apsw.CantOpenError() | apsw.ReadOnlyError():
            mapped = Misconfigured(f"The database {path} cannot be written: {error}.")
        case apsw.FullError():
            mapped = Unavailable(f"The disk is full: nothing was written to {path}.")
        case apsw.IOError():
            mapped = Unavailable(f"The disk failed while using {path}: {error}.")
        case _:
            mapped = RecollectError(f"SQLite failed on {path}: {error}.")
    mapped.__cause__ = error
    return mapped
