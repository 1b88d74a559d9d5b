"""The audit log, on both databases."""

from pathlib import Path

import pytest

from recollect import Settings
from recollect.store.sqlite import connect
from recollect.sync import Recollect
from tests.conftest import Clock, PostgresServer
from tests.raw import RawDatabase


def _record(memory: Recollect, user: str = "alice", target: str = "/api/conversations") -> None:
    memory.audit.record(
        user_id=user, actor="key:1", action="read", operation="list", target=target, status=200
    )


@pytest.mark.both_databases
def test_entries_are_listed_newest_first_and_per_user(memory: Recollect, clock: Clock) -> None:
    for number in range(5):
        clock.advance(minutes=1)
        _record(memory, target=f"/{number}")
        _record(memory, "bob", target=f"/{number}")
    page = memory.audit.list_entries(3, user_id="alice")
    assert [entry.target for entry in page] == ["/4", "/3", "/2"]
    rest = memory.audit.list_entries(3, user_id="alice", cursor=page.next_cursor)
    assert [(entry.target, entry.user_id) for entry in rest] == [("/1", "alice"), ("/0", "alice")]
    assert len(memory.audit.list_entries()) == 10


@pytest.mark.both_databases
def test_equal_entries_are_counted(memory: Recollect) -> None:
    for _ in range(3):
        _record(memory)
    (entry,) = memory.audit.list_entries()
    assert entry.count == 3
    _record(memory)
    assert len(memory.audit.list_entries()) == 2  # written rows are not changed


@pytest.mark.both_databases
def test_old_entries_are_deleted(memory: Recollect, clock: Clock) -> None:
    _record(memory, target="/old")
    memory.audit.flush()
    clock.advance(days=89)
    _record(memory, target="/new")
    memory.sweep()
    assert len(memory.audit.list_entries()) == 2
    clock.advance(days=2)
    memory.sweep()
    assert [entry.target for entry in memory.audit.list_entries()] == ["/new"]


def test_entries_are_written_at_the_end(database_url: str) -> None:
    with Recollect.open(database_url) as memory:
        _record(memory)
    with Recollect.open(database_url) as memory:
        assert len(memory.audit.list_entries()) == 1


def test_nothing_is_recorded_with_0_days(database_url: str) -> None:
    with Recollect.open(settings=Settings(database_url=database_url, audit_days=0)) as memory:
        _record(memory)
        assert not memory.audit.list_entries()


@pytest.mark.both_databases
def test_entries_stay_when_their_user_is_deleted(memory: Recollect) -> None:
    memory.conversations.create_conversation(user_id="alice")
    _record(memory)
    memory.users.delete_user(user_id="alice")
    assert len(memory.audit.list_entries(user_id="alice")) == 1


def test_entries_cannot_be_changed_on_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "recollect.db"
    with Recollect.open(f"sqlite:///{path}") as memory:
        _record(memory)
    connection = connect(str(path))
    with pytest.raises(Exception, match="append-only"):
        connection.execute("update audit_log set actor = 'nobody'")
    connection.close()


def test_entries_cannot_be_changed_on_postgres(postgres: PostgresServer) -> None:
    url = postgres.create()
    try:
        with Recollect.open(url) as memory:
            _record(memory)
        raw = RawDatabase(url)
        ((app, system),) = raw.execute(
            "select has_table_privilege('recollect_app', 'audit_log', 'insert, update, delete'),"
            " has_table_privilege('recollect_system', 'audit_log', 'update')"
        )
        assert (app, system) == (False, False)
    finally:
        postgres.drop(url)
