"""Online backup of a SQLite database."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from recollect import Conflict, Misconfigured
from recollect.core.errors import CorruptStore
from recollect.sync import Recollect
from recollect.transfer import backup
from recollect.transfer.backup import back_up
from tests.raw import RawDatabase
from tests.store import full_database


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """The path of a copy. Checks that no other file is left beside it."""
    folder = tmp_path / "copies"
    folder.mkdir()
    yield folder / "copy.db"
    assert {*folder.iterdir()} <= {folder / "copy.db"}


def test_backup_during_writes_is_consistent(
    filled: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(filled, tmp_path))
    monkeypatch.setattr(backup, "_STEPS", 300)
    seen: list[int] = []
    raw, before = RawDatabase(f"sqlite:///{path}"), _messages(path)
    with Recollect.open(f"sqlite:///{path}") as memory:

        def write(done: int, total: int) -> None:
            seen.append(done)
            memory.conversations.add_message(
                full_database.said("Meanwhile."), conversation_id=chat.id, user_id="alice"
            )

        (chat,) = memory.conversations.list_conversations(user_id="alice", archived=True)
        back_up(path, copy, report=write)
    assert len(seen) > 10
    assert seen == sorted(seen)
    assert len(raw.execute("select 1 from messages where content = 'Meanwhile.'")) == len(seen)
    assert _messages(copy) == before
    with Recollect.open(f"sqlite:///{copy}") as memory:
        assert memory.recall.search("Which ship was in the harbour?", user_id="alice")
        memory.conversations.add_message(
            full_database.said("And on it goes."), conversation_id=chat.id, user_id="alice"
        )


def test_backup_is_one_private_file(filled: Path, copy: Path) -> None:
    everybodys = os.umask(0)
    try:
        back_up(filled, copy)
    finally:
        os.umask(everybodys)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(apsw.Connection(str(copy))) as connection:
        assert connection.pragma("journal_mode") == "delete"


def test_existing_file_needs_force(filled: Path, copy: Path) -> None:
    copy.write_text("precious")
    with pytest.raises(Conflict, match="--force"):
        back_up(filled, copy)
    assert copy.read_text() == "precious"
    back_up(filled, copy, force=True)
    assert _messages(copy) == _messages(filled)


def test_stale_log_files_are_rejected(filled: Path, copy: Path) -> None:
    """A process that used the earlier copy was killed."""
    back_up(filled, copy)
    with closing(apsw.Connection(str(copy))) as used:
        used.pragma("journal_mode", "wal")
        used.execute("update messages set content = 'Stale.'")
        logs = {end: Path(f"{copy}{end}").read_bytes() for end in ("-wal", "-shm")}
    copy.unlink()
    for end, log in {**logs, "-journal": b"old"}.items():
        Path(f"{copy}{end}").write_bytes(log)
    with pytest.raises(Conflict, match=r"copy\.db-wal exists.*--force"):
        back_up(filled, copy)
    assert not copy.exists()
    back_up(filled, copy, force=True)
    assert _messages(copy) == _messages(filled)


def test_backup_onto_itself_is_rejected(filled: Path, copy: Path) -> None:
    before = filled.read_bytes()
    copy.symlink_to(filled)
    for place in (filled, copy, Path(f"{filled}-wal")):
        with pytest.raises(Misconfigured, match="the same database"):
            back_up(filled, place, force=True)
    copy.unlink()
    with pytest.raises(Misconfigured, match="the same database"):
        back_up(Path(shutil.copy(filled, f"{copy}-wal")), copy, force=True)
    Path(f"{copy}-wal").unlink()
    assert filled.read_bytes() == before


def test_failed_backup_changes_nothing(filled: Path, copy: Path) -> None:
    with pytest.raises(Misconfigured, match="There is no database at"):
        back_up(copy, copy.with_name("other.db"))
    with pytest.raises(Misconfigured, match="cannot be written: No such file"):
        back_up(filled, copy / "missing" / "copy.db")
    copy.write_text("precious")
    damaged = Path(shutil.copy(filled, copy.parents[1] / "damaged.db"))
    with damaged.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\x05" * 40_000)
    with pytest.raises(CorruptStore):
        back_up(damaged, copy, force=True)
    with pytest.raises(CorruptStore):
        back_up(copy, copy.with_name("other.db"))
    assert copy.read_text() == "precious"


def _messages(path: Path) -> list[tuple[object, ...]]:
    return RawDatabase(f"sqlite:///{path}").execute("select id, content from messages order by id")
