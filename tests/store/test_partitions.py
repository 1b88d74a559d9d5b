"""Partitioned databases have the same migrations and queries."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from recollect import Conflict, InvalidInput, Misconfigured, NotFound, Settings
from recollect.cli import parser
from recollect.engine import open_database
from recollect.store.migrations import known_migrations
from recollect.store.postgres import create_partitioned
from recollect.sync import Recollect
from recollect.transfer.copy.move import move, open_endpoint
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.store import full_database

PARTS = 4
KINDS = """
select c.relname, c.relkind, exists (
    select 1 from pg_attribute as a where a.attrelid = c.oid and a.attname = 'user_id'
)
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
"""
PARTITIONS = """
select relname, relrowsecurity and relforcerowsecurity from pg_class
where relispartition and relkind = 'r'
"""


@pytest.fixture
def empty(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create(migrated=False)
    yield url
    postgres.drop(url)


def test_data_moves_into_partitions(empty: str, filled: Path) -> None:
    create_partitioned(empty, PARTS)
    raw = RawDatabase(empty)
    for table, kind, has_user in raw.execute(KINDS):
        assert kind == ("p" if has_user else "r"), table
    with (
        closing(open_endpoint(f"sqlite:///{filled}")) as source,
        closing(open_endpoint(empty)) as target,
    ):
        move(source, target, lambda _: None)

    alice, bob = full_database.USERS
    asyncio.run(_index_vectors(empty))
    ((is_valid, parts),) = raw.execute(
        "select indisvalid, (select count(*) from pg_inherits where inhparent = indexrelid)"
        " from pg_index where indrelid = to_regclass('embeddings') and indpred is not null"
        " and indexrelid <> to_regclass('embeddings_by_message')"
    )
    assert (is_valid, parts) == (True, PARTS)
    assert [*full_database.near(empty, alice, 1)] == [
        *full_database.near(f"sqlite:///{filled}", alice, 1)
    ]

    with Recollect.open(empty) as memory, Recollect.open(f"sqlite:///{filled}") as before:
        for user in full_database.USERS:
            found = [hit.text for hit in memory.recall.search("harbour", user_id=user)]
            assert (
                found == [hit.text for hit in before.recall.search("harbour", user_id=user)] != []
            )
        chat = memory.conversations.create_conversation(
            user_id=alice,
            policy="rolling",
            messages=[full_database.said(f"Pier {n}.") for n in range(30)],
        )
        memory.work()
        assert memory.summaries.get_summary(conversation_id=chat.id, user_id=alice).version == 1
        memory.memories.extract_memories(conversation_id=chat.id, user_id=alice)
        with pytest.raises(NotFound):
            memory.conversations.get_conversation(conversation_id=chat.id, user_id=bob)
        assert (
            memory.conversations.delete_conversation(
                conversation_id=chat.id, user_id=alice
            ).messages
            == 30
        )
        rest = raw.count("documents")
        memory.users.delete_user(user_id=alice)
        assert 0 < raw.count("documents") < rest
    assert raw.execute("select distinct user_id from messages") == [(bob,)]


async def _index_vectors(url: str) -> None:
    """Start twice: the second start changes nothing."""
    database = await open_database(url)
    try:
        for _ in range(2):
            assert await database.prepare_vectors(full_database.MODEL, full_database.DIMENSIONS)
    finally:
        await database.close()


def test_partitions_have_row_level_security(empty: str) -> None:
    create_partitioned(empty, PARTS)
    with Recollect.open(empty) as memory:
        for user in ("alice", "bob", "carol"):
            memory.conversations.create_conversation(
                user_id=user, messages=[full_database.said("x")]
            )
    partitions = RawDatabase(empty).execute(PARTITIONS)
    assert partitions
    assert all(is_secured for _, is_secured in partitions)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("set role recollect_app")
        assert connection.execute("select count(*) from messages").fetchone() == (0,)
        connection.execute("select set_config('recollect.user_id', 'bob', false)")
        assert connection.execute("select user_id from messages").fetchall() == [("bob",)]
        for name, _ in partitions:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"select * from {name}".encode())
        connection.execute("set role recollect_system")
        seen = 0
        for name, _ in partitions:  # a dump reads them, and nobody writes past the tables
            seen += len(connection.execute(f"select * from {name}".encode()).fetchall())
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"delete from {name}".encode())
        tables = {name.rpartition("_")[0] for name, _ in partitions}
        assert seen == sum(RawDatabase(empty).count(table) for table in tables) > 0


def test_later_migrations_partition_new_tables(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = known_migrations("postgres")[:2]
    with monkeypatch.context() as patched:
        patched.setattr("recollect.store.postgres.known_migrations", lambda _: first)
        create_partitioned(empty, PARTS)
    with Recollect.open(empty) as memory:
        memory.conversations.create_conversation(
            user_id="alice", messages=[full_database.said("A ship.")]
        )
        assert len(memory.recall.search("ship", user_id="alice")) == 1
    kinds = {name: kind for name, kind, _ in RawDatabase(empty).execute(KINDS)}
    assert (kinds["documents"], kinds["embedders"]) == ("p", "r")


def test_partition_command_creates_partitions(
    empty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(url: str) -> int:
        options = parser().parse_args(["partition", "--parts", "2"])
        status: int = options.command(Settings(database_url=url), options)
        return status

    assert call(empty) == 0
    assert "with 2 partitions by user" in capsys.readouterr().out
    (found,) = RawDatabase(empty).execute("select count(*) from pg_class where relname = 'jobs_1'")
    assert found == (1,)
    with pytest.raises(Misconfigured, match="needs a PostgreSQL database"):
        call("sqlite:///:memory:")
    with pytest.raises(Misconfigured, match="DATABASE_URL is not an address") as refused:
        call("postgresql://alice:sec%ret@127.0.0.1/x")
    assert "sec" not in refused.value.message


def test_only_an_empty_database_can_be_partitioned(postgres: PostgresServer) -> None:
    url = postgres.create()
    try:
        with pytest.raises(Conflict, match="in an empty one, and then `recollect move`"):
            create_partitioned(url, PARTS)
        for parts in (0, 1, 65):
            with pytest.raises(InvalidInput, match=f"2 to 64 partitions, not {parts}"):
                create_partitioned(url, parts)
    finally:
        postgres.drop(url)
