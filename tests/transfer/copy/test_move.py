"""Moves between all pairs of databases."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from recollect import Conflict, MessageIn, Misconfigured
from recollect.sync import Recollect
from recollect.transfer.copy import move as move_module
from recollect.transfer.copy.checksum import TableChecksum
from recollect.transfer.copy.endpoint import TableRow
from recollect.transfer.copy.move import (
    MoveProgress,
    OnMoveProgress,
    check_move_url,
    move,
    open_endpoint,
)
from recollect.transfer.copy.tables import (
    COPIED_TABLES,
    SKIPPED_TABLES,
    compared_columns,
    matching_tables,
)
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.store import full_database

pytestmark = pytest.mark.torture

NewUrl = Callable[..., str]


class Killed(Exception):
    pass


@pytest.fixture
def new_url(postgres: PostgresServer, tmp_path: Path) -> Iterator[NewUrl]:
    """Creates empty migrated databases."""
    made: list[str] = []

    def make(dialect: str) -> str:
        if dialect == "postgres":
            made.append(postgres.create())
            return made[-1]
        url = f"sqlite:///{tmp_path}/{len([*tmp_path.iterdir()])}.db"
        Recollect.open(url).close()
        return url

    yield make
    for url in made:
        postgres.drop(url)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_module, "_MAX_BATCH_ROWS", 7)


def run(
    source: str, target: str, report: OnMoveProgress = lambda _: None
) -> dict[str, TableChecksum]:
    with closing(open_endpoint(source)) as from_, closing(open_endpoint(target)) as to:
        return move(from_, to, report)


def killed_after(reports: int, *, step: str = "Copying") -> OnMoveProgress:
    seen: list[MoveProgress] = []

    def report(progress: MoveProgress) -> None:
        if progress.step == step:
            seen.append(progress)
        if len(seen) > reports:
            raise Killed

    return report


def digests(url: str) -> dict[str, TableChecksum]:
    with closing(open_endpoint(url)) as end, end.reading():
        tables = matching_tables(end.tables(), end.tables())
        return {
            table.name: TableChecksum().plus(end.rows(table, compared_columns(table)))
            for table in tables
        }


def words(url: str) -> list[tuple[Any, ...]]:
    """Return the terms of each document with their frequency."""
    with closing(open_endpoint(url)) as end, end.reading():
        columns = ["user_id", "kind", "owner_id", "terms"]
        rows = end.rows(end.tables()["documents"], columns)
        return sorted((*row[:3], sorted(str(row[3]).split())) for row in rows)


def seen(url: str) -> object:
    """Return everything that a user can see."""
    found: list[object] = []
    with Recollect.open(url) as memory:
        found.append(memory.keys.list_keys())
        for user in full_database.USERS:
            chats = memory.conversations.list_conversations(user_id=user, archived=True)
            found += [
                memory.conversations.get_messages(200, conversation_id=chat.id, user_id=user)
                for chat in chats
            ]
            found += [
                memory.summaries.list_versions(conversation_id=chat.id, user_id=user)
                for chat in chats
            ]
            found += [
                chats,
                memory.memories.get_memories(user_id=user),
                memory.jobs.list_jobs(user_id=user),
            ]
            found += [
                memory.history.turns(user_id=user),
                memory.analytics.get_analytics(user_id=user),
            ]
            for query in ("Which ship was in the harbour?", "船が港", "Lisbon"):
                hits = memory.recall.search(query, user_id=user)
                found.append([(hit.id, round(hit.score, 6)) for hit in hits])
                assert hits
    return found


def test_every_table_is_copied_or_skipped(filled: Path, new_url: NewUrl) -> None:
    found: set[str] = set()
    for url in (f"sqlite:///{filled}", new_url("postgres")):
        with closing(open_endpoint(url)) as end:
            names = end.tables().keys()
            assert names - SKIPPED_TABLES == {*COPIED_TABLES}
            found |= names
    assert found >= SKIPPED_TABLES


def test_round_trip_keeps_everything(filled: Path, new_url: NewUrl) -> None:
    """Between all pairs, killed several times; every target serves the same data."""
    first = f"sqlite:///{filled}"
    moves = [(first, new_url("postgres"))]
    for dialect in ("sqlite", "sqlite", "postgres"):
        source = moves[-1][1] if dialect == "sqlite" else moves[0][1]
        moves.append((source, new_url(dialect)))
    expected, nearest = digests(first), full_database.near(first, "alice", 9)
    assert len(nearest) == 5
    assert all(digest.rows for digest in expected.values())
    for source, target in moves:
        kills = 0
        while True:
            try:
                moved = run(source, target, killed_after(15))
                break
            except Killed:
                kills += 1
        assert kills > 1
        assert moved == digests(target) == expected
        assert words(target) == words(first)
        assert full_database.near(target, "alice", 9) == pytest.approx(nearest, abs=1e-5)
    assert seen(moves[0][1]) == seen(moves[1][1]) == seen(first)
    assert RawDatabase(moves[1][1]).count("vector_codes") == expected["embeddings"].rows


def test_checkpoints_are_dropped_at_the_end(filled: Path, new_url: NewUrl) -> None:
    source, target = f"sqlite:///{filled}", new_url("postgres")
    with pytest.raises(Killed):
        run(source, target, killed_after(3, step="Checking"))
    with closing(open_endpoint(target)) as end:
        assert end.read_checkpoints() is not None
    reports: list[MoveProgress] = []
    run(source, target, reports.append)
    assert {report.step for report in reports} == {"Checking"}  # it was copied already
    assert [report.done for report in reports] == sorted(report.done for report in reports)
    assert reports[-1].done == reports[-1].total
    with closing(open_endpoint(target)) as end:
        assert end.read_checkpoints() is None
    with pytest.raises(Conflict, match=r"holds data already \(users, api_keys,"):
        run(source, target)
    assert digests(target) == digests(source)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_target_must_be_empty(filled: Path, new_url: NewUrl, dialect: str) -> None:
    source, target = f"sqlite:///{filled}", new_url(dialect)
    with Recollect.open(target) as memory:
        chat = memory.conversations.create_conversation(user_id="carol")
    with pytest.raises(Conflict, match=r"holds data already \(users, conversations\)"):
        run(source, target)
    with Recollect.open(target) as memory:
        assert (
            memory.conversations.get_conversation(conversation_id=chat.id, user_id="carol") == chat
        )

    other = new_url("sqlite")
    target = new_url(dialect)
    raw = RawDatabase(target)
    raw.insert(
        "embedders", model="old", dimensions=3, state="active", created_at=full_database.AT_TEXT
    )
    with pytest.raises(Killed):
        run(source, target, killed_after(2))
    with pytest.raises(Conflict, match="the beginning of another move"):
        run(other, target)
    run(source, target)
    assert digests(target) == digests(source)
    with pytest.raises(Misconfigured, match="to itself"):
        run(target, target)


@pytest.mark.parametrize(("dialect", "other"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_changed_source_is_detected(
    filled: Path, new_url: NewUrl, dialect: str, other: str
) -> None:
    source, target = new_url(dialect), new_url(other)
    run(f"sqlite:///{filled}", source)
    with Recollect.open(source) as memory:

        def write(progress: MoveProgress) -> None:
            if progress.table == "messages" and progress.step == "Copying" and not late:
                said = [MessageIn(role="user", content="Wait!")]
                late.append(
                    memory.conversations.create_conversation(user_id="dora", messages=said).id
                )

        late: list[str] = []
        with pytest.raises(Conflict, match=r"has changed since .*\(users, conversations, messages"):
            run(source, target, write)
        assert all(digest.rows == 0 for digest in digests(target).values())

        with pytest.raises(Killed):  # and between two runs
            run(source, target, killed_after(1))
        memory.conversations.create_conversation(user_id="erin")
        with pytest.raises(Conflict, match=r"has changed since .*\(conversations\)"):
            run(source, target)
    run(source, target)
    assert digests(target) == digests(source)
    with Recollect.open(target) as memory:
        assert (
            memory.conversations.get_messages(conversation_id=late[0], user_id="dora")[0].content
            == "Wait!"
        )


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_changed_target_is_not_emptied(filled: Path, new_url: NewUrl, dialect: str) -> None:
    source, target = f"sqlite:///{filled}", new_url(dialect)
    with pytest.raises(Killed):
        run(source, target, killed_after(1))
    with Recollect.open(target) as memory:
        chat = memory.conversations.create_conversation(user_id="carol")
    for _ in range(2):
        with pytest.raises(Conflict, match=r"is not what was copied \(users, conversations\)"):
            run(source, target)
    RawDatabase(target).execute("update messages set tokens = tokens + 1 where is_pinned")
    with pytest.raises(Conflict, match=r"\(users, conversations, messages\)"):
        run(source, target)
    with Recollect.open(target) as memory:
        assert (
            memory.conversations.get_conversation(conversation_id=chat.id, user_id="carol") == chat
        )


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_concurrent_moves_are_detected(filled: Path, new_url: NewUrl, dialect: str) -> None:
    source, target = f"sqlite:///{filled}", new_url(dialect)

    def rival(progress: MoveProgress) -> None:
        with pytest.raises(Killed):
            run(source, target, killed_after(2))

    with pytest.raises(Conflict, match="Another move is writing to"):
        run(source, target, rival)
    run(source, target)
    assert digests(target) == digests(source)


def test_vectors_that_sqlite_cannot_store_are_rejected(new_url: NewUrl) -> None:
    source, target = new_url("postgres"), new_url("sqlite")
    RawDatabase(source).insert(
        "embedders", model="odd", dimensions=12, state="active", created_at=full_database.AT_TEXT
    )
    with pytest.raises(Misconfigured, match="vectors of 12 numbers, by 'odd'"):
        run(source, target)
    with closing(open_endpoint(target)) as end:
        assert end.read_checkpoints() is None
    run(source, new_url("postgres"))


def test_checksum_distinguishes_rows() -> None:
    rows: list[TableRow] = [(value, "a") for value in (1, "1", 1.0, b"1", None)]
    rows += [(1, None), ("1a", "")]
    assert len({TableChecksum().plus([row]).total for row in rows}) == len(rows)
    forwards, backwards = TableChecksum().plus(rows), TableChecksum().plus(reversed(rows))
    assert forwards == backwards == TableChecksum().plus(rows[:3]).plus(rows[3:])
    assert TableChecksum().plus(rows[:1]).plus(rows[:1]) != TableChecksum().plus(rows[:1])


def test_missing_source_is_not_created(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    with pytest.raises(Misconfigured, match="There is no database"):
        check_move_url(f"sqlite:///{missing}", exists=True)
    check_move_url(f"sqlite:///{missing}", exists=False)
    assert not missing.exists()
    with pytest.raises(Misconfigured, match="in memory"):
        check_move_url("sqlite:///:memory:", exists=False)
