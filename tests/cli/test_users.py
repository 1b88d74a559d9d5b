"""`recollect users`."""

from pathlib import Path

import pytest

from recollect import InvalidInput, MessageIn, NotFound, Settings
from recollect.sync import Recollect
from tests.cli.commands import call, output
from tests.raw import RawDatabase


def test_deleting_an_unknown_user_fails(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/recollect.db", embedder="none")
    with Recollect.open(settings=settings) as memory:
        memory.keys.create_key(user_id="alice")
    with pytest.raises(NotFound, match=r"There is no user alcie in sqlite:///.*\.$"):
        call("users", "delete", "--user", "alcie", "--yes", settings=settings)
    assert call("users", "delete", "--user", "alice", "--yes", settings=settings) == 0


@pytest.mark.torture
def test_delete_needs_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    settings = Settings(database_url=url, embedder="none")
    message = MessageIn(role="user", content="Which ship was in the harbour?")
    with Recollect.open(settings=settings) as memory:
        memory.conversations.create_conversation(user_id="alice", messages=[message] * 20)
        memory.keys.create_key(user_id="alice")
    with pytest.raises(InvalidInput, match="--yes"):
        call("users", "delete", "--user", "alice", settings=settings)
    assert RawDatabase(url).count("messages") == 20
    lines = output("users", "delete", "--user", "alice", "--yes", "--database", url)
    assert "          20  messages" in lines
    assert "           1  key" in lines
    assert RawDatabase(url).count("messages") == 0
    call("keys", "list", settings=settings)
    assert "No keys left" in capsys.readouterr().out
