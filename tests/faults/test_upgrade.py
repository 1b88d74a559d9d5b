"""A new release starts beside the old one, under load: it adds to the schema while the old servers
go on, stay ready, and can even be started again; then they leave one by one."""

import asyncio
import shutil
from pathlib import Path

import pytest

from recollect.store.migrate import known_migrations
from tests.faults import wire
from tests.faults.fleet import Fleet
from tests.faults.siege import Siege
from tests.faults.tally import Tally
from tests.faults.traffic import Traffic
from tests.raw import RawDatabase

_PACKAGE = Path(__file__).parents[2] / "recollect"
_ADDED = """
alter table conversations add column mood text;
create table moods (name text not null primary key);
create index messages_by_role on messages (user_id, role);
"""


@pytest.fixture
def next_release(tmp_path: Path) -> dict[str, str]:
    """The variables with which Python finds it: this one, with one more migration."""
    shutil.copytree(_PACKAGE, tmp_path / "recollect", ignore=shutil.ignore_patterns("__pycache__"))
    version = len(known_migrations("sqlite")) + 1
    for dialect in ("sqlite", "postgres"):
        folder = tmp_path / "recollect/store/sql/migrations" / dialect
        (folder / f"{version:04}_moods.sql").write_text(_ADDED)
    return {"PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_two_releases_on_one_database(
    database_url: str, next_release: dict[str, str], tally: Tally
) -> None:
    async def upgrade(fleet: Fleet, traffic: Traffic) -> None:
        old = list(fleet.urls)
        await traffic.succeed(1)
        await asyncio.to_thread(fleet.add, next_release)
        await traffic.succeed(1)
        for url in old:  # or else a balancer would send nobody there any more
            assert await wire.get(url, "/readyz")
        await asyncio.to_thread(fleet.stop, old[0])
        old[0] = await asyncio.to_thread(fleet.add)  # they have thought better of it
        await traffic.succeed(1)
        await asyncio.to_thread(fleet.add, next_release)
        for url in old:
            await asyncio.to_thread(fleet.stop, url)
        await traffic.succeed(1)

    siege = Siege(database_url, servers=2)
    found = siege.hold(upgrade)
    raw = RawDatabase(database_url)
    assert raw.count("migrations") == len(known_migrations(raw.dialect)) + 1
    tally.tell(
        "two releases on one database",
        database_url,
        found,
        acknowledged=len(siege.facts.said),
        refused=siege.facts.outcomes["refused"],
        answers_cut_short=siege.facts.outcomes["answers cut short"],
    )
