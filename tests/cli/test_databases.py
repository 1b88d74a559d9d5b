"""move, backup and users delete: where they succeed, run as users run them."""

import os
import pty
import subprocess
from pathlib import Path
from threading import Event, Thread

import pytest

from recollect import Conflict, InvalidInput, MessageIn, Misconfigured, Settings
from recollect.cli import parser
from recollect.sync import Recollect
from tests.cli.test_cli import output
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


def call(*arguments: str, database: str = "sqlite:///:memory:") -> int:
    """Without a process of its own, which only takes time where a sentence is all that comes."""
    options = parser().parse_args([*arguments])
    status: int = options.command(Settings(database_url=database), options)
    return status


def test_a_database_moves_to_postgresql_and_serves(filled: str, postgres: PostgresServer) -> None:
    target = postgres.create(migrated=False)
    try:
        moving, advice, *tables, end = output("move", filled, target)
        assert moving.startswith(f"Moving {filled}"[:20])
        assert "Stop every server" in advice
        assert "          20  messages" in tables
        assert end == "All of it is there: counts and hashes agree."
        with Recollect.open(target) as memory:
            assert memory.recall.search("harbour", user_id="alice")[0].text == SAID.content
        with pytest.raises(Conflict, match=r"holds data already \(users, api_keys, conversations"):
            call("move", filled, target)
    finally:
        postgres.drop(target)


def test_a_mistyped_source_is_not_made(tmp_path: Path) -> None:
    missing, target = tmp_path / "missing.db", tmp_path / "target.db"
    with pytest.raises(Misconfigured, match=f"There is no database at {missing}"):
        call("move", f"sqlite:///{missing}", f"sqlite:///{target}")
    with pytest.raises(Misconfigured, match="in memory"):
        call("move", "sqlite:///:memory:", f"sqlite:///{target}")
    assert [*tmp_path.iterdir()] == []


def test_a_backup_is_made_while_others_write(filled: str, tmp_path: Path) -> None:
    """On a terminal, which sees how far it is."""
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
            done, shown = _on_a_terminal("backup", str(copy), "--database", filled)
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
    assert done.stdout.startswith(f"{copy} is a whole and sound copy of ")
    assert "Copying" in shown
    assert "] 100%" in shown
    found = RawDatabase(f"sqlite:///{copy}").execute(
        "select count(*), max(seq), (select last_seq from conversations) from messages"
    )
    ((count, last, known),) = found
    assert count == last == known >= 20
    with pytest.raises(Conflict, match="exists already"):
        call("backup", str(copy), database=filled)
    assert call("backup", str(copy), "--force", database=filled) == 0


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("postgresql://alice:secret@127.0.0.1:1/x", "pg_dump --format=custom"),
        ("sqlite:///:memory:", "in memory"),
    ],
)
def test_what_cannot_be_backed_up_says_so(tmp_path: Path, url: str, advice: str) -> None:
    with pytest.raises(Misconfigured, match=advice) as refused:
        call("backup", str(tmp_path / "copy"), database=url)
    assert "secret" not in refused.value.message


def test_a_user_is_deleted_when_somebody_means_it(
    filled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InvalidInput, match="--yes"):
        call("users", "delete", "--user", "alice", database=filled)
    assert RawDatabase(filled).count("messages") == 20
    lines = output("users", "delete", "--user", "alice", "--yes", "--database", filled)
    assert "          20  messages" in lines
    assert "           1  key" in lines
    assert RawDatabase(filled).count("messages") == 0
    call("keys", "list", database=filled)
    assert "nobody has any" in capsys.readouterr().out


def _on_a_terminal(*arguments: str) -> tuple["subprocess.CompletedProcess[str]", str]:
    """What it did, and what was shown where others would have found complaints."""
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
