"""Deletion of a user with all rows."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from recollect import DeletedUser, InvalidInput, MemoryIn, MessageIn
from recollect.engine import Recollect as Engine
from recollect.sync import Recollect
from recollect.transfer.copy.move import move, open_endpoint
from tests.raw import RawDatabase
from tests.server.process import wait_until
from tests.store import full_database

TABLES = {
    "sqlite": """
        select tables.name from pragma_table_list as tables, pragma_table_info(tables.name) as c
        where tables.type = 'table' and c.name = 'user_id' order by 1
    """,
    "postgres": """
        select table_name from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'user_id' and table_type = 'BASE TABLE'
            and to_regclass(table_name) not in (select inhrelid from pg_inherits)
        order by 1
    """,
}


def test_deleting_a_user_empties_every_table(
    memory: Recollect, raw: RawDatabase, database_url: str, filled: Path
) -> None:
    alice, bob = full_database.USERS
    with (
        closing(open_endpoint(f"sqlite:///{filled}")) as full,
        closing(open_endpoint(database_url)) as ours,
    ):
        move(full, ours)
    more = [MessageIn(role="user", content=f"Number {number} of many.") for number in range(1_500)]
    chat = memory.conversations.create_conversation("Many", user_id=alice, messages=more)
    memory.conversations.fork_conversation(conversation_id=chat.id, user_id=alice, at=1_500)
    tables = [name for (name,) in raw.execute(TABLES[raw.dialect]) if name != "audit_log"]
    hers, his = ({name: _count(raw, name, user) for name in tables} for user in full_database.USERS)
    assert len(tables) >= 17
    assert min(*hers.values(), *his.values()) > 0
    assert hers["messages"] > 3_000
    words = _words(raw)

    deleted = memory.users.delete_user(user_id=alice)

    counted = ("conversations", "messages", "summaries", "embeddings", "memories", "jobs")
    counts = {name: hers[name] for name in counted}
    assert deleted == DeletedUser(keys=hers["api_keys"], **counts)
    assert {name: _count(raw, name, alice) for name in tables} == dict.fromkeys(tables, 0)
    assert {name: _count(raw, name, bob) for name in tables} == his
    wait_until(lambda: _words(raw) == words - hers["documents"], "the words are gone")
    assert memory.recall.search("Which ship was in the harbour?", user_id=bob)
    assert len(full_database.near(database_url, bob, 9)) == 10  # five of each role
    assert not memory.recall.search("Which ship was in the harbour?", user_id=alice)

    assert memory.users.delete_user(user_id=alice).messages == 0
    memory.conversations.create_conversation(user_id=alice)  # whoever comes back begins anew
    assert memory.users.delete_user(user_id=alice).conversations == 1


def test_auth_stays_required_after_the_last_key_owner_is_deleted(memory: Recollect) -> None:
    memory.users.delete_user(user_id="alice")
    assert not memory.keys.has_keys()
    key = memory.keys.create_key(user_id="alice")
    other = memory.keys.create_key(user_id="bob")
    assert memory.users.delete_user(user_id="alice").keys == 1
    assert memory.keys.find_key(key) is None
    assert memory.keys.find_key(other) is not None
    assert [known.user_id for known in memory.keys.list_keys()] == ["bob"]
    assert memory.users.delete_user(user_id="bob").keys == 1
    assert memory.keys.list_keys() == []
    assert memory.keys.has_keys()
    assert memory.keys.find_key("") is None
    with pytest.raises(InvalidInput):
        memory.users.delete_user(user_id="")
    assert memory.keys.has_keys()


def test_key_created_during_deletion_counts(database_url: str) -> None:
    """In any order, a database that had keys keeps at least the placeholder."""

    async def race() -> None:
        async with Engine.open(database_url) as memory:
            made, _ = await asyncio.gather(
                memory.keys.create_key(user_id="alice"),
                memory.users.delete_user(user_id="alice"),
                return_exceptions=True,
            )
            if isinstance(made, str):
                assert await memory.keys.has_keys()

    for _ in range(5):
        asyncio.run(race())


def test_concurrent_writes_fail_or_recreate_the_user(database_url: str) -> None:
    async def race() -> list[Any]:
        async with Engine.open(database_url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            add = memory.conversations.add_message
            writing = [
                add(full_database.said(f"{n}"), conversation_id=chat.id, user_id="alice")
                for n in range(10)
            ]
            done = await asyncio.gather(
                *writing[:5],
                memory.users.delete_user(user_id="alice"),
                *writing[5:],
                return_exceptions=True,
            )
            left = RawDatabase(database_url).execute("select id from messages")
            assert left == []
            return done

    errors = {type(one).__name__ for one in asyncio.run(race()) if isinstance(one, Exception)}
    assert errors <= {"NotFound"}


def test_concurrent_creations_recreate_the_user(database_url: str) -> None:
    note = MemoryIn(memory_type="fact", content="Has a boat.")

    async def race() -> None:
        async with Engine.open(database_url) as memory:
            for _ in range(20):
                await asyncio.gather(
                    *(memory.conversations.create_conversation(user_id="alice") for _ in range(3)),
                    memory.users.delete_user(user_id="alice"),
                    *(memory.conversations.create_conversation(user_id="alice") for _ in range(3)),
                    *(memory.memories.create_memory(note, user_id="alice") for _ in range(3)),
                )

    asyncio.run(race())


def _count(raw: RawDatabase, table: str, user: str) -> int:
    statement = f"select count(*) from {table} where user_id = :user"
    ((number,),) = raw.execute(statement, user=user)
    return int(number)


def _words(raw: RawDatabase) -> int:
    """Count the rows of the lexical index."""
    table = "document_words" if raw.dialect == "sqlite" else "documents"
    return raw.count(table)
