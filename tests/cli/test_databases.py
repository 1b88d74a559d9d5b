"""`recollect move` and `recollect backup`."""

import os
import pty
import subprocess
from pathlib import Path
from threading import Event, Thread

import pytest

from recollect import Conflict, MessageIn, Misconfigured, Settings
from recollect.sync import Recollect
from tests.cli.commands import call, output
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.server.process import command, environment

pytestmark = pytest.mark.torture

SAID = MessageIn(role="user", content="Which ship was in the harbour?")


@pytest.fixture
def filled(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/filled.db"
    with Recollect.open(url) as memory:
        memory.conversations.create_conversation(user_id="alice", messages=[SAID] * 20)
        memory.keys.create_key(user_id="alice")
    return url


def test_move_copies_everything_to_postgres(filled: str, postgres: PostgresServer) -> None:
    target = postgres.create(migrated=False)
    try:
        moving, advice, *tables, end = output("move", filled, target)
        assert moving.startswith(f"Moving {filled}"[:20])
        assert "Stop all servers" in advice
        assert "          20  messages" in tables
        assert end == "Verified: row counts and hashes agree."
        with Recollect.open(target) as memory:
            assert memory.recall.search("harbour", user_id="alice")[0].text == SAID.content
        with pytest.raises(Conflict, match=r"holds data already \(users, api_keys, conversations"):
            call("move", filled, target, settings=Settings())
    finally:
        postgres.drop(target)


def test_move_does_not_create_its_source(tmp_path: Path) -> None:
    missing, target = tmp_path / "missing.db", tmp_path / "target.db"
    with pytest.raises(Misconfigured, match=f"There is no database at {missing}"):
        call("move", f"sqlite:///{missing}", f"sqlite:///{target}", settings=Settings())
    with pytest.raises(Misconfigured, match="in memory"):
        call("move", "sqlite:///:memory:", f"sqlite:///{target}", settings=Settings())
    assert [*tmp_path.iterdir()] == []


def test_backup_is_consistent_during_writes(filled: str, tmp_path: Path) -> None:
    """On a terminal, which shows the progress."""
    copy = tmp_path / "copy.db"
    is_over = Event()
    with Recollect.open(filled) as memory:
        (chat,) = memory.conversations.list_conversations(user_id="alice")

        def write() -> None:
            while not is_over.is_set():
                memory.conversations.add_message(SAID, conversation_id=chat.id, user_id="alice")

        writer = Thread(target=write)
        writer.start()
        try:
            done, shown = _run_on_terminal("backup", str(copy), "--database", filled)
        finally:
            is_over.set()
            writer.join()
        assert (
            memory.conversations.get_conversation(
                conversation_id=chat.id, user_id="alice"
            ).message_count
            > 20
        )
    assert done.returncode == 0
    assert done.stdout.startswith(f"{copy} is a verified copy of ")
    assert "Copying" in shown
    assert "] 100%" in shown
    found = RawDatabase(f"sqlite:///{copy}").execute(
        "select count(*), max(seq), (select last_seq from conversations) from messages"
    )
    ((count, last, known),) = found
    assert count == last == known >= 20
    with pytest.raises(Conflict, match="exists already"):
        call("backup", str(copy), settings=Settings(database_url=filled))
    assert call("backup", str(copy), "--force", settings=Settings(database_url=filled)) == 0


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("postgresql://alice:secret@127.0.0.1:1/x", "pg_dump --format=custom"),
        ("sqlite:///:memory:", "in memory"),
    ],
)
def test_backup_refuses_other_databases(tmp_path: Path, url: str, advice: str) -> None:
    with pytest.raises(Misconfigured, match=advice) as refused:
        call("backup", str(tmp_path / "copy"), settings=Settings(database_url=url))
    assert "secret" not in refused.value.message


def _run_on_terminal(*arguments: str) -> tuple["subprocess.CompletedProcess[str]", str]:
    """The result of a command, and its stderr on a terminal."""
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            command(*arguments),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            check=False,
            timeout=60,
        )
        return done, os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
