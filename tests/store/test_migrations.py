"""Migrations end in the documented schema from every version, and detect changed files."""

import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import MessageIn, SchemaMismatch
from recollect.store.migrations import Migration, known_migrations, pending_migrations
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.raw import RawDatabase
from tests.store.releases import store_as_before, words_of_a_conversation

SCHEMA = {
    "sqlite": "select type, name, sql from sqlite_schema order by type, name",
    "postgres": """
        select table_name, column_name, data_type, is_nullable
        from information_schema.columns where table_schema = 'public'
        union all
        select tablename, indexname, indexdef, '' from pg_indexes where schemaname = 'public'
        union all
        select tablename, policyname, qual, cast(roles as text) from pg_policies
        order by 1, 2
    """,
}
COLUMNS = {
    "sqlite": """
        select tables.name, columns.name
        from sqlite_schema as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table' and tables.name not like 'document_terms_%'
    """,
    "postgres": """
        select table_name, column_name from information_schema.columns
        where table_schema = 'public'
    """,
}
RELEASED = {
    "0001_foundation": {
        "sqlite": "d6200ebe63642262c1714dda6fc6ea28eef9ad318d09f827fdbff899d5272a03",
        "postgres": "34885fc0789738cace2699a385e05d61af2aba8a0af314f4a792d12eb651c8cd",
    },
    "0002_digest": {
        "sqlite": "4996252168b9c0b84c7690e2936c5f05001eef67135e0fa10f9ef458bc55592e",
        "postgres": "a302550cafcbaf06518e81595cbeb8deada2de2d578d43e56659b6b3bc026a57",
    },
    "0003_recall": {
        "sqlite": "ceb38b7fad37dff39988a91b33cc3d054e8564d791227a1a3e5af26d1c2fe7a3",
        "postgres": "9eaf68e9a159de13164dd2837577e62189f95a239274553a0a40917b13581573",
    },
    "0004_memories": {
        "sqlite": "e5ea3af707d7efcc5301b83ab8e19bb1bcf07069bbf703ab0780ab2e031fe081",
        "postgres": "fc4bbdd71ad5843a09bb1d449de74f829c775fe6a4f317c8e80f3650fe137808",
    },
}
"""The checksums of released migrations."""
DOCUMENTED = Path(__file__).parents[2] / "docs" / "reference" / "schema.md"


def test_migrating_in_steps_gives_the_same_schema(
    new_url: Callable[[], str], migrate_to: Callable[[str, int], None]
) -> None:
    at_once, stepwise = new_url(), new_url()
    Recollect.open(at_once).close()
    dialect = RawDatabase(at_once).dialect
    for reached in range(1, len(known_migrations(dialect)) + 1):
        migrate_to(stepwise, reached)
        assert RawDatabase(stepwise).count("migrations") == reached
    schemas = [RawDatabase(url).execute(SCHEMA[dialect]) for url in (at_once, stepwise)]
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize("version", range(1, len(RELEASED) + 1))
def test_data_of_every_release_still_works(
    new_url: Callable[[], str], migrate_to: Callable[[str, int], None], version: int
) -> None:
    fresh, old = new_url(), new_url()
    Recollect.open(fresh).close()
    migrate_to(old, version)
    raw = RawDatabase(old)
    said = words_of_a_conversation(21)
    id, _ = store_as_before(raw, *said, policy="rolling")
    with Recollect.open(old) as memory:
        schemas = [RawDatabase(url).execute(SCHEMA[raw.dialect]) for url in (fresh, old)]
        assert schemas[0] == schemas[1]
        kept = memory.conversations.get_messages(conversation_id=id, user_id="alice")
        assert [message.content for message in kept] == said
        assert memory.summaries.get_summary(conversation_id=id, user_id="alice").version == 0
        memory.sweep()  # no job was owed then: it is found now
        assert memory.work() > 0
        assert memory.summaries.get_summary(conversation_id=id, user_id="alice").through_seq == 11
        assert (
            memory.conversations.delete_conversation(conversation_id=id, user_id="alice").messages
            == 21
        )


def test_messages_of_older_releases_are_extracted_with_the_next(
    new_url: Callable[[], str],
    migrate_to: Callable[[str, int], None],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RECOLLECT_EXTRACTION", "automatic")
    url = new_url()
    migrate_to(url, 3)
    raw = RawDatabase(url)
    id, _ = store_as_before(raw, *words_of_a_conversation(3), policy="rolling")
    raw.execute("update messages set content = 'I live in Lisbon.' where seq = 1")
    clock.now = datetime(2030, 1, 1, tzinfo=UTC)
    with Recollect.open(url, clock=clock) as memory:
        memory.sweep()
        assert not memory.jobs.list_jobs(user_id="alice")
        new = MessageIn(role="user", content="Which tram goes to the beach?")
        memory.conversations.add_message(new, conversation_id=id, user_id="alice")
        clock.advance(hours=1)
        memory.work()
        (known,) = memory.memories.get_memories(user_id="alice")
        first, *_ = memory.conversations.get_messages(conversation_id=id, user_id="alice")
        assert (known.content, known.source_message_id) == ("Lives in Lisbon", first.id)


def test_the_schema_is_the_documented_one(new_url: Callable[[], str]) -> None:
    url = new_url()
    Recollect.open(url).close()
    raw = RawDatabase(url)
    documented = set()
    for section in DOCUMENTED.read_text().split("\n## ")[1:]:
        table = section.split("\n", 1)[0].strip("` ")
        rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|", section, re.M)
        documented |= {
            (table, column)
            for column, sqlite, postgres in rows
            if (sqlite if raw.dialect == "sqlite" else postgres) != "\u2013"
        }
    assert set(raw.execute(COLUMNS[raw.dialect])) == documented


def test_concurrent_starts_on_an_empty_database(new_url: Callable[[], str]) -> None:
    url = new_url()
    script = "import sys; from recollect.sync import Recollect; Recollect.open(sys.argv[1]).close()"
    starting = [
        subprocess.Popen([sys.executable, "-c", script, url], stderr=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert [process.communicate()[1] for process in starting] == [""] * 6
    raw = RawDatabase(url)
    assert raw.count("migrations") == len(known_migrations(raw.dialect))


def test_additions_of_newer_releases_are_accepted() -> None:
    known = [Migration(1, "0001_x", "sql"), Migration(2, "0002_y", "sql")]
    assert pending_migrations(known, {1: _checksum("sql"), 7: "?"}) == known[1:]


def test_later_generation_is_rejected() -> None:
    with pytest.raises(SchemaMismatch, match="version 1001"):
        pending_migrations([Migration(1, "0001_x", "sql")], {1: _checksum("sql"), 1001: "?"})


def test_changed_migration_is_rejected() -> None:
    with pytest.raises(SchemaMismatch, match="0001_x"):
        pending_migrations([Migration(1, "0001_x", "other sql")], {1: _checksum("sql")})


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_released_migrations_are_unchanged(dialect: str) -> None:
    known = {migration.name: migration.checksum for migration in known_migrations(dialect)}
    released = {name: checksums[dialect] for name, checksums in RELEASED.items()}
    assert known | released == known


def test_both_databases_have_the_same_migrations() -> None:
    names = [[m.name for m in known_migrations(dialect)] for dialect in ("sqlite", "postgres")]
    assert names[0] == names[1]
    assert [m.version for m in known_migrations("sqlite")] == list(range(1, len(names[0]) + 1))


def _checksum(sql: str) -> str:
    return Migration(1, "0001_x", sql).checksum
