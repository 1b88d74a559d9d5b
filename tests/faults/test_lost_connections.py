"""Broken connections and full queues: every call gets an answer, nothing is stored twice."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import apsw
import psycopg
import pytest

from recollect import Message, MessageIn, Overloaded, Recollect, Unavailable, sync
from recollect.store import postgres as postgres_store
from recollect.store import sqlite
from tests.conftest import PostgresServer

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.mark.torture
def test_idle_connection_loss_is_transparent(url: str) -> None:
    """No statement was running, so the outcome is certain."""
    with sync.Recollect.open(url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        for number in range(1, 6):
            _terminate(url)
            stored = memory.conversations.add_message(
                _said(str(number)), conversation_id=chat.id, user_id="alice"
            )
            assert stored.seq == number
            _terminate(url)
            assert memory.conversations.get_message(message_id=stored.id, user_id="alice") == stored


def test_connection_loss_during_append_stores_at_most_once(url: str) -> None:
    async def append_all() -> tuple[str, list[Message]]:
        async with Recollect.open(url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            appends = [asyncio.create_task(_append(memory, chat.id, n)) for n in range(200)]
            for watched in appends[::10]:
                await asyncio.wait([watched])
                await asyncio.to_thread(_terminate, url)
            outcomes = await asyncio.gather(*appends, return_exceptions=True)
            refused = [n for n, outcome in enumerate(outcomes) if not isinstance(outcome, Message)]
            assert {type(outcomes[n]) for n in refused} <= {Unavailable}
            stored = [outcome for outcome in outcomes if isinstance(outcome, Message)]
            stored += await asyncio.gather(*(_append(memory, chat.id, n) for n in refused))
            return chat.id, stored

    chat_id, stored = asyncio.run(append_all())
    with sync.Recollect.open(url) as memory:
        found = list(
            memory.conversations.get_messages(200, conversation_id=chat_id, user_id="alice")
        )
        assert [message.seq for message in found] == list(range(1, 201))
        assert sorted(stored, key=lambda message: message.seq) == found
        assert {message.content for message in found} == {str(n) for n in range(200)}


def test_unavailable_server_raises_and_recovers(
    postgres: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "_POOL_TIMEOUT_SECONDS", 0.2)
    with sync.Recollect.open(url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        _allow_connections(postgres, url, "false")
        _terminate(postgres.admin_url, url)
        with pytest.raises(Unavailable, match="cannot be reached"):
            memory.conversations.add_message(
                _said("lost"), conversation_id=chat.id, user_id="alice"
            )
        _allow_connections(postgres, url, "true")
        while True:
            try:
                stored = memory.conversations.add_message(
                    _said("kept"), conversation_id=chat.id, user_id="alice"
                )
                break
            except Unavailable:
                pass  # the pool retries after a pause
        assert stored.seq == 1


def test_read_only_server_is_retried_then_unavailable(postgres: PostgresServer, url: str) -> None:
    """As a full disk makes a hosted one, or a failover behind a proxy. What is stored can be read
    all the time; and sessions that stay as they are keep nobody from new ones."""

    async def use() -> Message:
        async with Recollect.open(url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            await asyncio.to_thread(_set_read_only, postgres, url, "on")
            await asyncio.to_thread(_terminate, postgres.admin_url, url)
            with pytest.raises(Unavailable, match="read-only"):
                await _append(memory, chat.id, 1)
            reads = [
                memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
                for _ in range(100)
            ]
            assert await asyncio.gather(*reads) == [chat] * 100
            assert await asyncio.to_thread(_sessions, postgres, url) > 1
            await asyncio.to_thread(_set_read_only, postgres, url, "off")
            return await _append(memory, chat.id, 1)

    assert asyncio.run(use()).seq == 1


def test_full_queue_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_MAX_QUEUE", 20)
    path = tmp_path / "recollect.db"

    async def overload(rival: apsw.Connection) -> tuple[list[object], int]:
        async with Recollect.open(f"sqlite:///{path}") as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            rival.execute("begin immediate")
            tasks = [asyncio.create_task(_append(memory, chat.id, n)) for n in range(100)]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            assert {type(task.exception()) for task in done} == {Overloaded}
            rival.execute("rollback")
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            chat = await memory.conversations.get_conversation(
                conversation_id=chat.id, user_id="alice"
            )
            assert (await _append(memory, chat.id, 100)).seq == chat.message_count + 1
            return list(outcomes), chat.message_count

    rival = apsw.Connection(str(path))
    outcomes, count = asyncio.run(overload(rival))
    rival.close()
    stored = [outcome for outcome in outcomes if isinstance(outcome, Message)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Overloaded)]
    assert (len(stored) + len(refused), len(stored)) == (100, count)
    assert count >= 20


def test_full_queue_with_slow_server_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "_MAX_QUEUE", 20)

    async def overload(rival: psycopg.Connection) -> list[object]:
        async with Recollect.open(url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            rival.execute("lock table conversations in access exclusive mode")
            tasks = [asyncio.create_task(_append(memory, chat.id, n)) for n in range(100)]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            assert {type(task.exception()) for task in done} == {Overloaded}
            rival.rollback()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            assert (await _append(memory, chat.id, 100)).seq == 21
            return list(outcomes)

    with psycopg.connect(url) as rival:
        outcomes = asyncio.run(overload(rival))
    assert sum(isinstance(outcome, Message) for outcome in outcomes) == 20
    assert sum(isinstance(outcome, Overloaded) for outcome in outcomes) == 80


async def _append(memory: Recollect, chat_id: str, number: int) -> Message:
    (stored,) = await memory.conversations.add_messages(
        [_said(str(number))],
        conversation_id=chat_id,
        user_id="alice",
        idempotency_key=f"key {number}",
    )
    return stored


def _said(content: str) -> MessageIn:
    return MessageIn(role="user", content=content)


def _terminate(url: str, database_url: str | None = None) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = %s and pid <> pg_backend_pid()",
            (_name(database_url or url),),
        )


def _allow_connections(postgres: PostgresServer, url: str, allowed: str) -> None:
    _alter(postgres, url, f"with allow_connections {allowed}")


def _set_read_only(postgres: PostgresServer, url: str, on_or_off: str) -> None:
    """Applies to new sessions."""
    _alter(postgres, url, f"set default_transaction_read_only = {on_or_off}")


def _sessions(postgres: PostgresServer, url: str) -> int:
    with psycopg.connect(postgres.admin_url) as connection:
        (number,) = connection.execute(
            "select count(*) from pg_stat_activity where datname = %s", (_name(url),)
        ).fetchone() or (0,)
        return int(number)


def _alter(postgres: PostgresServer, url: str, change: str) -> None:
    with psycopg.connect(postgres.admin_url, autocommit=True) as connection:
        connection.execute(f'alter database "{_name(url)}" {change}'.encode())


def _name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]
