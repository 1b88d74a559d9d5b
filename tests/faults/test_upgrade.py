"""A newer release starts next to the old one under load and migrates the schema.

The old servers keep working, stay ready, can be restarted, and are then stopped one by one.
"""

import asyncio
import shutil
from pathlib import Path

import pytest

from recollect.store.migrations import known_migrations
from tests.faults import stream_client
from tests.faults.client_load import ClientLoad
from tests.faults.fault_report import FaultReport
from tests.faults.load_run import LoadRun
from tests.faults.server_group import ServerGroup
from tests.raw import RawDatabase

_PACKAGE = Path(__file__).parents[2] / "recollect"
_ADDED = """
alter table conversations add column mood text;
create table moods (name text not null primary key);
create index messages_by_role on messages (user_id, role);
"""


@pytest.fixture
def next_release(tmp_path: Path) -> dict[str, str]:
    """Environment for a release with one more migration."""
    shutil.copytree(_PACKAGE, tmp_path / "recollect", ignore=shutil.ignore_patterns("__pycache__"))
    version = len(known_migrations("sqlite")) + 1
    for dialect in ("sqlite", "postgres"):
        folder = tmp_path / "recollect/store/sql/migrations" / dialect
        (folder / f"{version:04}_moods.sql").write_text(_ADDED)
    return {"PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_two_releases_share_one_database(
    database_url: str, next_release: dict[str, str], fault_report: FaultReport
) -> None:
    async def upgrade(group: ServerGroup, client_load: ClientLoad) -> None:
        old = list(group.urls)
        await client_load.wait_for_successes(1)
        await asyncio.to_thread(group.add, next_release)
        await client_load.wait_for_successes(1)
        for url in old:  # otherwise a load balancer would remove it
            assert await stream_client.get(url, "/readyz")
        await asyncio.to_thread(group.stop, old[0])
        old[0] = await asyncio.to_thread(group.add)  # roll back
        await client_load.wait_for_successes(1)
        await asyncio.to_thread(group.add, next_release)
        for url in old:
            await asyncio.to_thread(group.stop, url)
        await client_load.wait_for_successes(1)

    load_run = LoadRun(database_url, servers=2)
    found = load_run.run_load(upgrade)
    raw = RawDatabase(database_url)
    assert raw.count("migrations") == len(known_migrations(raw.dialect)) + 1
    fault_report.record(
        "two releases on one database",
        database_url,
        found,
        acknowledged=len(load_run.expected.said),
        refused=load_run.expected.outcomes["refused"],
        answers_interrupted=load_run.expected.outcomes["answers interrupted"],
    )
