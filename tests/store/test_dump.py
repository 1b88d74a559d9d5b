"""pg_dump as documented, with and without partitions."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from recollect.sync import Recollect
from recollect.transfer.copy.move import move, open_endpoint
from recollect.transfer.copy.tables import COPIED_TABLES
from tests.conftest import PostgresServer
from tests.faults.replication import binary
from tests.raw import RawDatabase
from tests.store import full_database

pytestmark = pytest.mark.torture


@pytest.fixture(params=["plain", "partitioned"])
def url(request: pytest.FixtureRequest, postgres: PostgresServer) -> Iterator[str]:
    is_plain = request.param == "plain"
    template = None if is_plain else request.getfixturevalue("partitioned")
    url = postgres.create(template=template)
    yield url
    postgres.drop(url)


def test_dump_and_restore_keep_everything(
    url: str, filled: Path, postgres: PostgresServer, tmp_path: Path
) -> None:
    """Row-level security could silently omit rows."""
    with (
        closing(open_endpoint(f"sqlite:///{filled}")) as source,
        closing(open_endpoint(url)) as target,
    ):
        move(source, target)
    dump = tmp_path / "recollect.dump"
    as_system = ("--enable-row-security", "--role=recollect_system")
    _run("pg_dump", "--format=custom", *as_system, f"--file={dump}", url)
    restored = postgres.create(migrated=False)
    try:
        _run("pg_restore", "--exit-on-error", f"--dbname={restored}", str(dump))
        before, after = RawDatabase(url), RawDatabase(restored)
        for table in (*COPIED_TABLES, "migrations"):
            assert after.count(table) == before.count(table) > 0, table
        with Recollect.open(restored) as memory:
            for user in full_database.USERS:
                assert memory.recall.search("harbour", user_id=user)
    finally:
        postgres.drop(restored)


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [binary(program), *arguments], check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
