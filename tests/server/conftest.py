"""One server per database and test process, shared by all tests: each test is another user."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from uuid import uuid4

import httpx
import pytest

from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.server.process import Server, running

Start = Callable[..., Server]
NewKey = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Keyed:
    """A server in keys mode, and the library on the same database to create keys.

    The server leaves what is owed to the library: it is done when a test says so, and not before.
    """

    server: Server
    memory: Recollect


@contextmanager
def _keyed(url: str) -> Iterator[Keyed]:
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
        with running(url, variables={"RECOLLECT_WORKER": "false"}) as server:
            yield Keyed(server, memory)
    assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="session")
def sqlite_keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    with _keyed(f"sqlite:///{tmp_path_factory.mktemp('server')}/recollect.db") as keyed:
        yield keyed


@pytest.fixture(scope="session")
def postgres_keyed(postgres: PostgresServer) -> Iterator[Keyed]:
    url = postgres.create()
    with _keyed(url) as keyed:
        yield keyed
    postgres.drop(url)


@pytest.fixture(scope="session")
def local_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without keys. All its tests share one user, so they must not count rows."""
    with running(f"sqlite:///{tmp_path_factory.mktemp('local')}/recollect.db") as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def keyed(request: pytest.FixtureRequest) -> Keyed:
    found: Keyed = request.getfixturevalue(f"{request.param}_keyed")
    return found


@pytest.fixture
def server(keyed: Keyed) -> Server:
    """A server in keys mode, on each of the two databases."""
    return keyed.server


@pytest.fixture
def new_key(keyed: Keyed) -> NewKey:
    """Create a key for a new or a named user."""

    def make(user: str | None = None, *, is_admin: bool = False) -> str:
        return keyed.memory.keys.create_key(user_id=user or f"user-{uuid4()}", is_admin=is_admin)

    return make


@pytest.fixture
def client(server: Server, new_key: NewKey) -> Iterator[httpx.Client]:
    """A new user."""
    with server.client(key=new_key()) as opened:
        yield opened


@pytest.fixture
def work(keyed: Keyed) -> Callable[[], int]:
    """Run all pending jobs."""
    return keyed.memory.work


@pytest.fixture
def start() -> Iterator[Start]:
    """Start servers for a single test."""
    with ExitStack() as stack:

        def start_one(
            database_url: str, *arguments: str, variables: dict[str, str] | None = None
        ) -> Server:
            return stack.enter_context(running(database_url, *arguments, variables=variables))

        yield start_one
