"""One database with everything in it, made once: tests copy it. And a third kind of database."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from recollect.store.postgres import create_partitioned
from tests.conftest import PostgresServer
from tests.store import everything

_PARTS = 4


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that nobody writes to."""
    path = tmp_path_factory.mktemp("filled") / "recollect.db"
    everything.fill(f"sqlite:///{path}", *everything.USERS)
    return path


@pytest.fixture(scope="session")
def partitioned(postgres: PostgresServer) -> Iterator[str]:
    """The name of an empty database in partitions, for copies."""
    url = postgres.create(migrated=False)
    create_partitioned(url, _PARTS)
    yield urlsplit(url).path.lstrip("/")
    postgres.drop(url)


@pytest.fixture(
    params=["sqlite", "postgres", pytest.param("partitioned", marks=pytest.mark.torture)]
)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database, on each of the two, and in partitions with the longer tests: what holds
    for the store holds there."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    if request.param == "postgres":
        url = server.create()
    else:
        url = server.create(template=request.getfixturevalue("partitioned"))
    yield url
    server.drop(url)
