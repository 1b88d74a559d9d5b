"""Unusable databases: opening fails with the reason and changes nothing."""

from pathlib import Path

import apsw
import pytest

from recollect import (
    CorruptStore,
    MessageIn,
    Misconfigured,
    SchemaMismatch,
)
from recollect.sync import Recollect
from tests.raw import RawDatabase

_PAGE = 4096
_MESSAGES = 300


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recollect.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A closed database whose pages are mostly messages."""
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        messages = [MessageIn(role="user", content=f"{n} " * 400) for n in range(_MESSAGES)]
        memory.conversations.add_messages(messages, conversation_id=chat.id, user_id="alice")
    return path


def test_file_instead_of_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Misconfigured, match=r"file/recollect.db cannot be written: .*director"):
        _open(tmp_path / "file" / "recollect.db")
    assert (tmp_path / "file").read_text() == "mine"


def test_folder_instead_of_file_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(Misconfigured, match=r"recollect.db cannot be written: Is a directory"):
        _open(path)
    assert not list(path.iterdir())


@pytest.mark.parametrize("content", [b"Dear diary\n" * 500, b"xy", b"SQLite format 2\0" * 64])
def test_file_that_is_not_a_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(CorruptStore, match=r"recollect.db is damaged, or not a database"):
        _open(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    _open(path)
    assert path.stat().st_size > 0


def test_damaged_schema_stops_start(filled: Path) -> None:
    damaged = _overwrite(filled, range(1, filled.stat().st_size // _PAGE))
    with pytest.raises(CorruptStore, match=r"recollect.db is damaged, or not a database"):
        _open(filled)
    assert filled.read_bytes() == damaged


def test_truncated_file_stops_start(filled: Path) -> None:
    half = filled.read_bytes()[: filled.stat().st_size // 2]
    filled.write_bytes(half)
    with pytest.raises(CorruptStore), Recollect.open(f"sqlite:///{filled}") as memory:
        _read_all(memory)


def test_damaged_messages_raise(filled: Path) -> None:
    """Reading a damaged page always raises; other reads work."""
    pages = filled.stat().st_size // _PAGE
    _overwrite(filled, range(pages * 2 // 3, pages - 5))
    with Recollect.open(f"sqlite:///{filled}") as memory:
        for _ in range(10):
            with pytest.raises(CorruptStore, match=r"recollect.db is damaged"):
                _read_all(memory)
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        assert chat.message_count == _MESSAGES
        other = memory.conversations.create_conversation(user_id="bob")
        assert (
            memory.conversations.get_conversation(conversation_id=other.id, user_id="bob") == other
        )


def test_damaged_page_fails_only_its_append(filled: Path) -> None:
    """Other appends in the same commit succeed."""
    with Recollect.open(f"sqlite:///{filled}") as memory:
        other = memory.conversations.create_conversation(user_id="bob")
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        last = memory.conversations.get_messages(
            1, conversation_id=chat.id, user_id="alice", order="desc"
        )
    connection = apsw.Connection(str(filled))
    root: int = connection.execute(
        "select rootpage from sqlite_schema where name = 'sqlite_autoindex_messages_2'"
    ).get
    connection.close()
    _overwrite(filled, range(root - 1, root))
    with Recollect.open(f"sqlite:///{filled}") as memory:
        with pytest.raises(CorruptStore):
            memory.conversations.add_message(
                MessageIn(role="user", content="more"), conversation_id=chat.id, user_id="alice"
            )
        assert (
            memory.conversations.get_conversation(
                conversation_id=chat.id, user_id="alice"
            ).message_count
            == _MESSAGES
        )
        assert (
            memory.conversations.get_messages(
                1, conversation_id=chat.id, user_id="alice", order="desc"
            )
            == last
        )
        renamed = memory.conversations.update_conversation(
            {"title": "New"}, conversation_id=other.id, user_id="bob"
        )
        assert (
            memory.conversations.get_conversation(conversation_id=other.id, user_id="bob")
            == renamed
        )


@pytest.mark.parametrize(
    ("change", "undo", "says"),
    [
        (
            "insert into migrations values (9999, 'future', 'x', '2100-01-01T00:00:00.000000Z')",
            "delete from migrations where version = 9999",
            "version 9999, .* install a newer release",
        ),
        (
            "update migrations set checksum = 'x' || checksum where version = 1",
            "update migrations set checksum = substr(checksum, 2) where version = 1",
            "0001_foundation was changed after it was applied",
        ),
    ],
)
def test_other_schema_is_refused(database_url: str, change: str, undo: str, says: str) -> None:
    with Recollect.open(database_url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        RawDatabase(database_url).execute(change)
        with pytest.raises(SchemaMismatch, match=says):
            memory.check()
    with pytest.raises(SchemaMismatch, match=says):
        Recollect.open(database_url)
    RawDatabase(database_url).execute(undo)
    with Recollect.open(database_url) as memory:
        memory.check()
        assert (
            memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice") == chat
        )


def test_failed_start_closes_connections(filled: Path) -> None:
    RawDatabase(f"sqlite:///{filled}").execute("update migrations set checksum = 'x'")
    before = filled.read_bytes()
    with pytest.raises(SchemaMismatch):
        Recollect.open(f"sqlite:///{filled}")
    assert filled.read_bytes() == before
    assert list(filled.parent.iterdir()) == [filled], "the last connection removes its log"


def _open(path: Path) -> None:
    Recollect.open(f"sqlite:///{path}").close()


def _read_all(memory: Recollect) -> None:
    (chat,) = memory.conversations.list_conversations(user_id="alice")
    read = 0
    cursor = None
    while read < _MESSAGES:
        page = memory.conversations.get_messages(
            100, conversation_id=chat.id, user_id="alice", cursor=cursor
        )
        assert page, "messages were skipped"
        read += len(page)
        cursor = page.next_cursor


def _overwrite(path: Path, pages: range) -> bytes:
    content = bytearray(path.read_bytes())
    for page in pages:
        content[page * _PAGE : page * _PAGE + 200] = b"\xff" * 200
    path.write_bytes(content)
    return bytes(content)
