"""After a deletion nothing of the text is left in the files: searched byte by byte."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from recollect import MemoryIn, MessageIn
from recollect.cli import main
from recollect.core.types import Role
from recollect.store.sqlite import connect
from recollect.sync import Recollect
from recollect.transfer.backup import back_up
from tests.conftest import Clock, PostgresServer
from tests.raw import RawDatabase
from tests.server.process import wait_until
from tests.store.concept_embedder import ConceptEmbedder

SECRET = "Qyxzarvoth"
_SENTENCE = f"The vault in Porto opens with the word {SECRET}, which nobody else may know."
_BYTES = SECRET[2:-1].lower().encode()
"""A part of the word that is left of its stem, too, and behind a shared prefix."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recollect.db"


@pytest.fixture
def memory(path: Path, clock: Clock) -> Iterator[Recollect]:
    """A database in which another user has data as well."""
    url = f"sqlite:///{path}"
    with Recollect.open(url, clock=clock, embedder=ConceptEmbedder()) as memory:
        memory.conversations.create_conversation(user_id="bob", messages=_talk(40))
        yield memory


def _delete_message(memory: Recollect) -> None:
    _delete_secret_messages(memory, _secret_conversation(memory))


def _delete_secret_messages(memory: Recollect, id: str) -> None:
    for message in memory.conversations.get_messages(conversation_id=id, user_id="alice"):
        if SECRET in message.content:
            memory.conversations.delete_message(message_id=message.id, user_id="alice")


def _delete_conversation(memory: Recollect) -> None:
    id = _secret_conversation(memory)
    _edit_summary(memory, id)
    memory.conversations.delete_conversation(conversation_id=id, user_id="alice")


def _delete_covered_message(memory: Recollect) -> None:
    """All versions of a summary that cover the message go, also those that were rolled back."""
    id = _secret_conversation(memory)
    memory.summaries.rebuild_summary(conversation_id=id, user_id="alice")
    memory.summaries.roll_back_summary(version=1, conversation_id=id, user_id="alice")
    assert len(memory.summaries.list_versions(conversation_id=id, user_id="alice")) == 3
    _delete_secret_messages(memory, id)


def _delete_user(memory: Recollect) -> None:
    _edit_summary(memory, _secret_conversation(memory))
    _secret_memory(memory)
    memory.users.delete_user(user_id="alice")


def _delete_memory(memory: Recollect) -> None:
    memory.memories.delete_memory(memory_id=_secret_memory(memory), user_id="alice")


def _withdraw_feedback(memory: Recollect) -> None:
    rated = _rate(memory)
    memory.conversations.rate_message(message_id=rated, user_id="alice", rating=None)


def _rate(memory: Recollect) -> str:
    chat = memory.conversations.create_conversation(user_id="alice", messages=_talk(2))
    _, answer = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
    memory.conversations.rate_message(
        message_id=answer.id, user_id="alice", rating="down", note=_SENTENCE
    )
    return answer.id


def _let_turns_expire(memory: Recollect) -> None:
    memory.history.add_turn(user_id="alice", user_query=_SENTENCE, ai_response=_SENTENCE)
    for number in range(10):
        memory.history.add_turn(user_id="alice", user_query=f"And {number}?", ai_response="Yes.")


def _sweep_old_turns(memory: Recollect, clock: Clock) -> None:
    memory.history.add_turn(user_id="alice", user_query=_SENTENCE, ai_response=_SENTENCE)
    clock.advance(hours=25)
    memory.sweep()


DELETIONS: list[Callable[[Recollect], None]] = [
    _delete_message,
    _delete_covered_message,
    _delete_conversation,
    _delete_user,
    _delete_memory,
    _withdraw_feedback,
    _let_turns_expire,
]


@pytest.mark.parametrize("delete", DELETIONS)
def test_no_file_has_deleted_text(
    memory: Recollect, path: Path, tmp_path: Path, delete: Callable[[Recollect], None]
) -> None:
    delete(memory)
    _check_files(path, tmp_path)


def test_no_file_has_expired_text(
    memory: Recollect, path: Path, tmp_path: Path, clock: Clock
) -> None:
    _sweep_old_turns(memory, clock)
    _check_files(path, tmp_path)


def test_the_search_finds_text_that_is_there(memory: Recollect, path: Path, tmp_path: Path) -> None:
    """So that the other tests can fail."""
    _secret_conversation(memory)
    raw = RawDatabase(f"sqlite:///{path}")
    for column in ("content from messages", "text from summaries", "text from embeddings"):
        assert SECRET in str(raw.execute(f"select {column}")), column
    assert _files_with_secret(path)
    back_up(path, tmp_path / "copy.db")
    assert _files_with_secret(tmp_path / "copy.db") == {"copy.db"}


def test_a_long_reader_only_delays_it(memory: Recollect, path: Path, tmp_path: Path) -> None:
    """A reader of an older snapshot, such as a backup, needs the log."""
    id = _secret_conversation(memory)
    with closing(connect(str(path))) as reader:
        reader.execute("begin")
        assert reader.execute("select count(*) from messages").fetchall()
        memory.conversations.delete_conversation(conversation_id=id, user_id="alice")
        assert _files_with_secret(path)
        reader.execute("rollback")
    _check_files(path, tmp_path)


def test_vacuum_removes_the_residue_of_earlier_releases(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{path}"
    with Recollect.open(url) as memory:
        id = _secret_conversation(memory)
    with closing(connect(str(path))) as connection:
        connection.pragma("secure_delete", False)
        connection.execute(
            "insert into document_terms (document_terms, rank) values ('secure-delete', 0)"
        )
        connection.execute("delete from conversations where id = ?", (id,))
    assert _files_with_secret(path) == {"recollect.db"}
    with Recollect.open(url):  # a server goes on
        assert main(["vacuum", "--database", url]) == 0
        assert f"{path} is rewritten" in capsys.readouterr().out
        _check_files(path, tmp_path)


def test_vacuum_rewrites_the_tables_of_postgres(
    postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """PostgreSQL itself leaves deleted rows in its files; its log is not ours to rewrite."""
    url = postgres.create()
    try:
        with Recollect.open(url, embedder=ConceptEmbedder()) as memory:
            memory.conversations.create_conversation(user_id="bob", messages=_talk(40))
            for delete in DELETIONS:
                delete(memory)
            _rate(memory)
            _secret_conversation(memory)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("analyze")  # copies values into the planner's statistics
            memory.users.delete_user(user_id="alice")
            assert _postgres_files_with_secret(url)
            assert main(["vacuum", "--database", url]) == 0
            assert "is rewritten" in capsys.readouterr().out
            assert _postgres_files_with_secret(url) == []
            (chat,) = memory.conversations.list_conversations(user_id="bob")
            assert chat.message_count == 40
    finally:
        postgres.drop(url)


def _talk(count: int) -> list[MessageIn]:
    roles: tuple[Role, Role] = ("user", "assistant")
    return [
        MessageIn(role=roles[number % 2], content=f"About ferry {number} and the tram to Sintra.")
        for number in range(count)
    ]


def _secret_conversation(memory: Recollect) -> str:
    """A conversation with the secret in messages, summary, topic, vectors and search index."""
    talk = _talk(30)
    talk[2] = MessageIn(role="user", content=_SENTENCE, metadata={"note": SECRET})
    talk[3] = MessageIn(role="assistant", content=f"Understood: {SECRET}. " * 300)
    chat = memory.conversations.create_conversation(
        user_id="alice", policy="rolling", messages=talk
    )
    memory.work()
    return chat.id


def _edit_summary(memory: Recollect, id: str) -> None:
    """A user's own words in a summary stay if only a message is deleted."""
    edited = f"The word of the vault is {SECRET}."
    memory.summaries.edit_summary(edited, conversation_id=id, user_id="alice", version=1)


def _secret_memory(memory: Recollect) -> str:
    new = MemoryIn(memory_type="fact", content=f"Opens the vault with {SECRET}.")
    created = memory.memories.create_memory(new, user_id="alice")
    changed = {"content": f"Opened the vault with {SECRET}, once."}
    memory.memories.update_memory(changed, memory_id=created.id, user_id="alice")
    memory.work()
    return created.id


def _check_files(path: Path, tmp_path: Path) -> None:
    wait_until(lambda: not _files_with_secret(path), "no file has the secret")
    back_up(path, tmp_path / "copy.db")
    assert _files_with_secret(tmp_path / "copy.db") == set()


def _files_with_secret(path: Path) -> set[str]:
    """Return the names of the database's files that have a part of the secret."""
    files = path.parent.glob(f"{path.name}*")
    return {file.name for file in files if _BYTES in file.read_bytes().lower()}


def _postgres_files_with_secret(url: str) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("checkpoint")  # writes what is in memory, deletes files of old tables
        rows = connection.execute(
            "select name, pg_read_binary_file(folder || name)"
            " from (select 'base/' || oid || '/' from pg_database where datname ="
            " current_database()) as databases (folder), pg_ls_dir(folder) as name"
        )
        return [str(name) for name, content in rows if _BYTES in content.lower()]
