"""Migrations end in the documented schema from wherever they start, and guard against drift."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import SchemaMismatch
from recollect.store.migrate import Migration, known_migrations, pending_migrations
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.raw import RawDatabase

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
        where tables.type = 'table'
    """,
    "postgres": """
        select table_name, column_name from information_schema.columns
        where table_schema = 'public'
    """,
}
DOCUMENTED = Path(__file__).parents[2] / "docs" / "reference" / "schema.md"


@pytest.fixture(params=["sqlite", "postgres"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes databases that have never been migrated."""
    made: list[str] = []

    def make() -> str:
        if request.param == "sqlite":
            made.append(f"sqlite:///{tmp_path}/{len(made)}.db")
        else:
            server: PostgresServer = request.getfixturevalue("postgres")
            made.append(server.create(migrated=False))
        return made[-1]

    yield make
    if request.param == "postgres":
        for url in made:
            request.getfixturevalue("postgres").drop(url)


def test_stopping_at_any_version_on_the_way_makes_no_difference(
    new_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, stepwise = new_url(), new_url()
    Recollect.open(at_once).close()
    dialect = RawDatabase(at_once).dialect
    known = known_migrations(dialect)
    for reached in range(1, len(known) + 1):
        with monkeypatch.context() as patched:
            patched.setattr(
                f"recollect.store.{dialect}.known_migrations", lambda _, n=reached: known[:n]
            )
            Recollect.open(stepwise).close()
    schemas = [RawDatabase(url).execute(SCHEMA[dialect]) for url in (at_once, stepwise)]
    assert schemas[0] == schemas[1]


def test_the_schema_is_the_documented_one(new_url: Callable[[], str]) -> None:
    url = new_url()
    Recollect.open(url).close()
    raw = RawDatabase(url)
    documented = set()
    for section in DOCUMENTED.read_text().split("\n## ")[1:]:
        table = section.split("\n", 1)[0].strip("` ")
        documented |= {(table, column) for column in re.findall(r"^\| `(\w+)`", section, re.M)}
    assert set(raw.execute(COLUMNS[raw.dialect])) == documented


def test_many_processes_may_start_on_an_empty_database(new_url: Callable[[], str]) -> None:
    url = new_url()
    script = "import sys; from recollect.sync import Recollect; Recollect.open(sys.argv[1]).close()"
    starting = [
        subprocess.Popen([sys.executable, "-c", script, url], stderr=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert [process.communicate()[1] for process in starting] == [""] * 6
    raw = RawDatabase(url)
    assert raw.count("migrations") == len(known_migrations(raw.dialect))


def test_a_newer_database_is_left_alone() -> None:
    with pytest.raises(SchemaMismatch, match="version 7"):
        pending_migrations([Migration(1, "0001_x", "sql")], {1: _checksum("sql"), 7: "?"})


def test_a_migration_that_changed_after_it_was_applied_is_noticed() -> None:
    with pytest.raises(SchemaMismatch, match="0001_x"):
        pending_migrations([Migration(1, "0001_x", "other sql")], {1: _checksum("sql")})


def test_both_databases_have_the_same_migrations() -> None:
    names = [[m.name for m in known_migrations(dialect)] for dialect in ("sqlite", "postgres")]
    assert names[0] == names[1]
    assert [m.version for m in known_migrations("sqlite")] == list(range(1, len(names[0]) + 1))


def _checksum(sql: str) -> str:
    return Migration(1, "0001_x", sql).checksum
