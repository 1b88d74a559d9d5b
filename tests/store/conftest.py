"""A filled SQLite database, and a third kind of empty database: PostgreSQL with partitions."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from recollect.engine import open_database
from recollect.store.migrations import known_migrations
from recollect.store.postgres import create_partitioned
from tests.conftest import PostgresServer
from tests.raw import RawDatabase
from tests.store import full_database

_PARTITIONS = 4


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with rows in every table. Tests must not write to it."""
    path = tmp_path_factory.mktemp("filled") / "recollect.db"
    full_database.fill(f"sqlite:///{path}", *full_database.USERS)
    return path


@pytest.fixture(scope="session")
def partitioned(postgres: PostgresServer) -> Iterator[str]:
    """The name of an empty partitioned database, a template for copies."""
    url = postgres.create(migrated=False)
    create_partitioned(url, _PARTITIONS)
    yield urlsplit(url).path.lstrip("/")
    postgres.drop(url)


@pytest.fixture(
    params=["sqlite", "postgres", pytest.param("partitioned", marks=pytest.mark.torture)]
)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind: the contract of the store."""
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


@pytest.fixture(params=["sqlite", "postgres"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Creates databases without migrations."""
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


@pytest.fixture
def migrate_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Open a database as a release with the first `version` migrations."""

    def migrate(url: str, version: int) -> None:
        dialect = RawDatabase(url).dialect
        known = known_migrations(dialect)[:version]

        async def go() -> None:
            await (await open_database(url)).close()

        with monkeypatch.context() as patched:
            patched.setattr(f"recollect.store.{dialect}.known_migrations", lambda _: known)
            asyncio.run(go())

    return migrate
