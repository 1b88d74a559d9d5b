"""A move rejects databases of later releases and unfinished targets."""

from contextlib import closing
from pathlib import Path

import pytest

from recollect import Conflict, SchemaMismatch
from recollect.store.migrations import known_migrations
from recollect.sync import Recollect
from recollect.transfer.copy.checksum import TableChecksum
from recollect.transfer.copy.move import MoveProgress, OnMoveProgress, move, open_endpoint
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.store import full_database


def test_database_of_a_later_release_is_rejected(tmp_path: Path, postgres: PostgresServer) -> None:
    """Both databases open, because they are of one generation, but new tables would be lost."""
    later, mine = f"sqlite:///{tmp_path}/later.db", f"sqlite:///{tmp_path}/mine.db"
    for url in (later, mine):
        with Recollect.open(url) as memory:
            memory.conversations.create_conversation(
                user_id="alice", messages=[full_database.said("Hello")]
            )
    later_too = postgres.create()
    try:
        for url in (later, later_too):
            _migrate_further(url)
            Recollect.open(url).close()
        for source, target in ((later, mine), (mine, later_too), (later_too, mine)):
            with pytest.raises(SchemaMismatch, match=r"at version \d+.*install that release"):
                _move(source, target)
        assert RawDatabase(later_too).count("messages") == 0
        assert RawDatabase(mine).count("messages") == 1
    finally:
        postgres.drop(later_too)


def test_unfinished_target_is_no_source(tmp_path: Path) -> None:
    whole, half, target = (f"sqlite:///{tmp_path}/{name}.db" for name in ("whole", "half", "new"))
    for url in (whole, half, target):
        Recollect.open(url).close()
    with Recollect.open(whole) as memory:
        memory.conversations.create_conversation(
            user_id="alice", messages=[full_database.said("Hello")]
        )

    def interrupt(_: MoveProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _move(whole, half, interrupt)
    with pytest.raises(Conflict, match=r"half\.db holds only the beginning of a move"):
        _move(half, target)
    assert RawDatabase(target).count("users") == 0
    _move(whole, half)
    _move(half, target)
    assert RawDatabase(target).count("messages") == 1


def _move(
    source: str, target: str, report: OnMoveProgress = lambda _: None
) -> dict[str, TableChecksum]:
    with closing(open_endpoint(source)) as from_, closing(open_endpoint(target)) as to:
        return move(from_, to, report)


def _migrate_further(url: str) -> None:
    """Add a table as a later release of the same generation does."""
    raw = RawDatabase(url)
    raw.execute("create table moods (name text not null primary key)")
    raw.insert(
        "migrations",
        version=known_migrations(raw.dialect)[-1].version + 1,
        name="moods",
        checksum="?",
        applied_at=full_database.AT_TEXT,
    )
