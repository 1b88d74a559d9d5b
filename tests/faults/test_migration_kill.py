"""SIGKILL during migrations: each is applied completely or not, and the next start continues.

The database is of the first release with enough rows to make migrations slow. Each kill gets a
copy.
"""

import asyncio
import random
import shutil
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from recollect.engine import open_database
from recollect.store.migrations import known_migrations
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.faults.append_log import all_messages, check_file
from tests.faults.conftest import Start
from tests.faults.fault_report import FaultReport, Findings
from tests.raw import RawDatabase
from tests.store.releases import store_as_before, words_of_a_conversation

_MESSAGES = 3_000
_MANY = 40
_LONG = [pytest.mark.torture, pytest.mark.timeout(1800)]


@pytest.mark.parametrize(
    ("new_database", "kills"),
    [
        ("sqlite", 3),
        *(pytest.param(one, _MANY, marks=_LONG) for one in ("sqlite", "postgres")),
    ],
    indirect=["new_database"],
)
def test_killed_migration_is_atomic(
    new_database: str,
    start: Start,
    fault_report: FaultReport,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    kills: int,
) -> None:
    raw = RawDatabase(new_database)
    known = known_migrations(raw.dialect)
    with monkeypatch.context() as patched:
        patched.setattr(f"recollect.store.{raw.dialect}.known_migrations", lambda _: known[:1])
        asyncio.run(_open(new_database))
    said = words_of_a_conversation(_MESSAGES)
    id, _ = store_as_before(raw, *said, policy="rolling")
    copies = _copies(new_database, request)
    seconds = _migrate(start, next(copies), until=None)
    seed = random.SystemRandom().randrange(2**32)
    chosen = random.Random(seed)
    reached: list[int] = []
    lost: list[str] = []
    for _ in range(kills):
        url = next(copies)
        _migrate(start, url, until=chosen.uniform(0, seconds))
        reached.append(RawDatabase(url).count("migrations"))
        with Recollect.open(url) as memory:
            kept = [message.content for message in all_messages(memory, id)]
        check_file(url)
        assert RawDatabase(url).count("migrations") == len(known)
        if kept != said:
            lost.append(f"seed {seed}: of {len(said)} messages {len(kept)} are as they were")
    copies.close()
    assert set(reached) <= {1, len(known)}, "half of it is there"
    assert kills < _MANY or len(set(reached)) == 2, "all kills came too soon, or too late"
    fault_report.record(
        "SIGKILL during migrations",
        new_database,
        Findings(lost=tuple(lost)),
        kills=kills,
        before_the_commit=reached.count(1),
        messages_each=len(said),
    )


async def _open(url: str) -> None:
    await (await open_database(url)).close()


def _migrate(start: Start, url: str, *, until: float | None) -> float:
    """Return the seconds of a complete migration after start-up."""
    process = start("migrator", url, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    began = time.monotonic()
    if until is not None:
        time.sleep(until)
        process.kill()
    process.wait()
    return time.monotonic() - began


def _copies(url: str, request: pytest.FixtureRequest) -> Generator[str]:
    """Yield copies; each is removed when the next is requested."""
    while True:
        if url.startswith("sqlite:"):
            path = Path(url.removeprefix("sqlite:///"))
            copy = path.with_name("copy.db")
            for file in path.parent.glob("copy.db*"):
                file.unlink()
            shutil.copyfile(path, copy)
            yield f"sqlite:///{copy}"
        else:
            server: PostgresServer = request.getfixturevalue("postgres")
            copied = server.create(migrated=False, template=urlsplit(url).path.lstrip("/"))
            yield copied
            server.drop(copied)
