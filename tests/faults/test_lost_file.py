"""The SQLite file is deleted or replaced while it is open: nothing is acknowledged any more."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect import MessageIn, Unavailable
from recollect.sync import Recollect

_SAID = MessageIn(role="user", content="Did you hear that?")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recollect.db"


def _delete(path: Path) -> None:
    path.unlink()


def _delete_with_log(path: Path) -> None:
    for file in path.parent.glob("recollect.db*"):
        file.unlink()


def _delete_log(path: Path) -> None:
    """Commits would go to a file without a name, which is gone after a crash."""
    path.with_name("recollect.db-wal").unlink()


def _rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def _replace(path: Path) -> None:
    """With a copy, as somebody does who restores a backup without stopping the server."""
    copy = Path(shutil.copy(path, path.with_name("copy.db")))
    copy.replace(path)


@pytest.mark.parametrize("lose", [_delete, _delete_with_log, _delete_log, _rename, _replace])
def test_writes_and_reads_are_refused(path: Path, lose: Callable[[Path], None]) -> None:
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice", messages=[_SAID])
        lose(path)
        for _ in range(2):
            with pytest.raises(Unavailable, match=r"was moved, deleted or replaced .* restart"):
                memory.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
            with pytest.raises(Unavailable, match="was moved, deleted or replaced"):
                memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")


def test_a_file_that_is_put_back_is_used_again(path: Path) -> None:
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice", messages=[_SAID])
        moved = path.rename(path.with_name("elsewhere.db"))
        with pytest.raises(Unavailable):
            memory.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
        moved.rename(path)
        memory.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
    with Recollect.open(f"sqlite:///{path}") as memory:
        stored = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        assert len(stored) == 2


def test_a_replaced_file_is_not_changed(path: Path) -> None:
    """Neither by writes nor by closing, which would delete the log of the new file."""
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice", messages=[_SAID])
    copy = Path(shutil.copy(path, path.with_name("copy.db")))
    memory = Recollect.open(f"sqlite:///{path}")
    copy.replace(path)
    with pytest.raises(Unavailable):
        memory.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
    content = path.read_bytes()
    memory.close()
    assert path.read_bytes() == content
    with Recollect.open(f"sqlite:///{path}") as memory:
        stored = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        assert len(stored) == 1


def test_closing_keeps_the_log_of_a_replaced_file(path: Path) -> None:
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice", messages=[_SAID])
    copy = Path(shutil.copy(path, path.with_name("copy.db")))
    old = Recollect.open(f"sqlite:///{path}")
    for log in ("recollect.db-wal", "recollect.db-shm"):
        path.with_name(log).unlink()
    copy.replace(path)
    with Recollect.open(f"sqlite:///{path}") as new:
        new.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
        old.close()
        new.conversations.add_message(_SAID, conversation_id=chat.id, user_id="alice")
    with Recollect.open(f"sqlite:///{path}") as memory:
        stored = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        assert len(stored) == 3
