"""PostgreSQL: locked rows, hanging transactions and too few connections delay nobody else."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest
from psycopg import sql

from recollect import (
    Conversation,
    Message,
    MessageIn,
    Overloaded,
    Recollect,
    Settings,
    Unavailable,
    sync,
)
from recollect.store import postgres as postgres_store
from recollect.store.database import Run, Timeouts
from recollect.store.postgres import PostgresDatabase
from tests.conftest import PostgresServer
from tests.server.process import running, wait_until

_SAID = MessageIn(role="user", content="Did you hear that?")
_SHORT = Timeouts(lock=200, statement=400, idle=200)


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


@contextmanager
def _locked(url: str, statement: str, *values: str) -> Iterator[None]:
    with psycopg.connect(url) as connection:
        connection.execute(statement, values)
        yield
        connection.rollback()


_LOCK_CONVERSATION = "select from conversations where id = %s for update"
_LOCK_USER = "select from users where user_id = %s for update"


@pytest.mark.parametrize("keyed", [False, True])
def test_locked_conversation_does_not_block_others(url: str, keyed: bool) -> None:
    """Twelve requests for one conversation are more than the pool has connections."""

    async def use() -> None:
        async with _open(url, lock_milliseconds=60_000) as memory:
            service = memory.conversations
            locked = await service.create_conversation(user_id="alice")
            other = await service.create_conversation(user_id="alice")
            bobs = await service.create_conversation(user_id="bob")
            with _locked(url, _LOCK_CONVERSATION, locked.id):
                blocked = _appends(memory, locked, 12, keyed=keyed)
                await asyncio.to_thread(wait_until, lambda: _waiting(url) >= 3, "three wait")
                for chat in (other, bobs):
                    await asyncio.gather(*_appends(memory, chat, 20, keyed=keyed))
                assert not any(task.done() for task in blocked)
                assert _waiting(url) == 3
            stored = await asyncio.gather(*blocked, *_appends(memory, locked, 40))
            assert sorted(message.seq for (message,) in stored) == list(range(1, 53))

    asyncio.run(use())


def test_locked_conversation_is_refused_in_time(url: str) -> None:
    async def use() -> None:
        async with _open(url, lock_milliseconds=300) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            with _locked(url, _LOCK_CONVERSATION, chat.id):
                refused = await asyncio.gather(*_appends(memory, chat, 12), return_exceptions=True)
                assert {type(outcome) for outcome in refused} == {Overloaded}
            await asyncio.gather(*_appends(memory, chat, 12))

    asyncio.run(use())


def test_import_waits_for_a_locked_conversation(url: str) -> None:
    async def use() -> None:
        async with _open(url, lock_milliseconds=200) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            lines = [line async for line in memory.data.export_lines(user_id="alice")]

            async def chunks() -> AsyncIterator[bytes]:
                yield "".join(lines).encode()

            with _locked(url, _LOCK_CONVERSATION, chat.id):
                importing = asyncio.create_task(memory.data.import_file(chunks(), user_id="alice"))
                await asyncio.to_thread(wait_until, lambda: _waiting(url) > 0, "it waits")
                await asyncio.to_thread(wait_until, lambda: _waiting(url) == 0, "it gives up")
                assert not importing.done()
            assert (await importing).skipped.conversations == 1

    asyncio.run(use())


def test_locked_user_does_not_block_others(url: str) -> None:
    async def use() -> None:
        async with _open(url, lock_milliseconds=60_000) as memory:
            create = memory.conversations.create_conversation
            await create(user_id="alice")
            with _locked(url, _LOCK_USER, "alice"):
                blocked = [asyncio.create_task(create(user_id="alice")) for _ in range(12)]
                await asyncio.to_thread(wait_until, lambda: _waiting(url) >= 3, "three wait")
                assert await create(user_id="bob")
                assert not any(task.done() for task in blocked)
            assert len(await asyncio.gather(*blocked)) == 12

    asyncio.run(use())


def test_cancelled_requests_give_back_their_place(url: str) -> None:
    """A client that disconnects cancels its request; its transaction goes on waiting."""

    async def use() -> None:
        async with _open(url, lock_milliseconds=60_000) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            with _locked(url, _LOCK_CONVERSATION, chat.id):
                for _ in range(10):
                    tasks = _appends(memory, chat, 6)
                    await asyncio.to_thread(wait_until, lambda: _waiting(url) >= 3, "three wait")
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
            stored = await asyncio.gather(*_appends(memory, chat, 12))
            assert len({message.seq for (message,) in stored}) == 12

    asyncio.run(use())


def test_locked_conversation_is_503_with_retry_after(url: str) -> None:
    variables = {"RECOLLECT_POSTGRES_LOCK_MILLISECONDS": "200", "RECOLLECT_WORKER": "false"}
    with running(url, variables=variables) as server, httpx.Client(base_url=server.url) as client:
        id = client.post("/api/conversations", json={}).json()["id"]
        body = {"messages": [{"role": "user", "content": "Hello"}]}
        with _locked(url, _LOCK_CONVERSATION, id):
            response = client.post(f"/api/conversations/{id}/messages", json=body)
            assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        assert client.post(f"/api/conversations/{id}/messages", json=body).is_success


def test_call_without_a_free_thread_is_refused_in_time(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "_QUEUE_TIMEOUT_SECONDS", 0.1)

    async def use() -> None:
        database = await PostgresDatabase.open(url)
        is_over = threading.Event()

        def occupy(run: Run) -> bool:
            return is_over.wait(60)

        try:
            busy = [asyncio.create_task(database.write(occupy, user_id="alice")) for _ in range(10)]
            await asyncio.sleep(0)
            with pytest.raises(Overloaded):
                await database.read(lambda run: run("find_history"), user_id="bob")
            is_over.set()
            assert all(await asyncio.gather(*busy))
            assert await database.read(lambda run: run("find_history"), user_id="bob") == []
        finally:
            await database.close()

    asyncio.run(use())


def test_long_statement_is_stopped(url: str) -> None:
    """A table that is locked exclusively would stop reads for ever; so would a slow query."""

    async def use() -> None:
        database = await PostgresDatabase.open(url, timeouts=_SHORT)
        try:
            with _locked(url, "lock table messages"), pytest.raises(Overloaded, match="lock"):
                await database.read(lambda run: run("get_message", id=None), user_id="alice")
            with pytest.raises(Unavailable, match="statement timeout"):
                await database.read(_slow, user_id="alice")
            # Work over all users, and deletions with everything derived, may take longer.
            assert await database.system(show) == "0"
        finally:
            await database.close()

    def _slow(run: Run) -> object:
        _connection(run).execute("select pg_sleep(60)")
        raise AssertionError

    def show(run: Run) -> str:
        run("list_migrations")
        return _show_statement_timeout(run)

    asyncio.run(use())


def test_deletions_have_no_statement_timeout(url: str) -> None:
    async def use() -> str:
        database = await PostgresDatabase.open(url, timeouts=_SHORT)

        def delete(run: Run) -> str:
            run("delete_user")
            return _show_statement_timeout(run)

        try:
            return await database.write(delete, user_id="alice")
        finally:
            await database.close()

    assert asyncio.run(use()) == "0"


def test_transaction_of_a_hanging_process_is_ended_and_runs_again(url: str) -> None:
    """Otherwise a stopped process would hold its locks until somebody finds it."""

    async def use() -> tuple[int, object]:
        database = await PostgresDatabase.open(url, timeouts=_SHORT)
        attempts = 0

        def hang(run: Run) -> object:
            nonlocal attempts
            attempts += 1
            run("insert_user", now="2030-01-01T00:00:00.000000Z")
            if attempts == 1:
                wait_until(lambda: not _idle_in_transaction(url), "the session is ended")
            return run("lock_user")

        try:
            return attempts, await database.write(hang, user_id="alice")
        finally:
            await database.close()

    assert asyncio.run(use())[1] == [{"user_id": "alice"}]


def test_connection_storm_is_served_by_the_connections_there_are(
    postgres: PostgresServer, url: str
) -> None:
    """Two processes want 20 connections, and the server grants three."""
    role = f"storm_{urlsplit(url).path.strip('/')}"
    name = sql.Identifier(role)
    postgres.execute(sql.SQL("create role {} login").format(name))
    postgres.execute(sql.SQL("grant recollect_app, recollect_system to {}").format(name))
    with sync.Recollect.open(url) as memory:
        chats = [memory.conversations.create_conversation(user_id="alice").id for _ in range(10)]
    parts = urlsplit(url)
    own = urlunsplit(parts._replace(netloc=f"{role}@{parts.hostname or ''}"))

    async def use() -> list[Any]:
        async with AsyncExitStack() as stack:
            settings = Settings(database_url=own, worker=False)
            engines = [
                await stack.enter_async_context(Recollect.open(settings=settings)) for _ in range(2)
            ]
            limit = sql.SQL("alter role {} connection limit 3").format(name)
            await asyncio.to_thread(postgres.execute, limit)
            return await asyncio.gather(
                *(
                    engines[number % 2].conversations.add_messages(
                        [_SAID],
                        conversation_id=chats[number % 10],
                        user_id="alice",
                        idempotency_key=str(number),
                    )
                    for number in range(300)
                ),
                return_exceptions=True,
            )

    try:
        outcomes = asyncio.run(use())
        stored = [outcome for outcome in outcomes if isinstance(outcome, list)]
        assert {type(outcome) for outcome in outcomes} <= {list, Unavailable, Overloaded}
        assert len(stored) > 200
        with sync.Recollect.open(url) as memory:
            count = sum(
                memory.conversations.get_conversation(
                    conversation_id=id, user_id="alice"
                ).message_count
                for id in chats
            )
        assert count >= len(stored)
    finally:
        postgres.execute(sql.SQL("drop owned by {}").format(name))
        postgres.execute(sql.SQL("drop role {}").format(name))


def _open(url: str, *, lock_milliseconds: int) -> Recollect:
    settings = Settings(
        database_url=url, worker=False, postgres_lock_milliseconds=lock_milliseconds
    )
    return Recollect.open(settings=settings)


def _appends(
    memory: Recollect, chat: Conversation, count: int, *, keyed: bool = False
) -> list[asyncio.Task[list[Message]]]:
    return [
        asyncio.create_task(
            memory.conversations.add_messages(
                [_SAID],
                conversation_id=chat.id,
                user_id=chat.user_id,
                idempotency_key=f"key {number}" if keyed else None,
            )
        )
        for number in range(count)
    ]


def _show_statement_timeout(run: Run) -> str:
    (row,) = _connection(run).execute("show statement_timeout").fetchall()
    return str(row["statement_timeout"])


def _connection(run: Run) -> Any:
    """Return the connection of a transaction, for statements that are not named queries."""
    return run.connection  # type: ignore[attr-defined]


def _waiting(url: str) -> int:
    return _count(url, "wait_event_type = 'Lock'")


def _idle_in_transaction(url: str) -> int:
    return _count(url, "state = 'idle in transaction'")


def _count(url: str, condition: str) -> int:
    with psycopg.connect(url) as connection:
        (count,) = connection.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            f" and pid <> pg_backend_pid() and {condition}"
        ).fetchone() or (0,)
        return int(count)
