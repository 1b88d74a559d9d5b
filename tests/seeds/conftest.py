"""One service with a worker per database, shared by all tests of the specifications.

Each test is another user. The chat model and the embeddings are scripted.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import httpx
import pytest

from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.seeds.model import DIMENSIONS, SeedModel
from tests.server.process import Server, running

VARIANTS = {
    "arco": {"model": "gpt-5-mini"},
    "arco-pro": {"model": "gpt-5"},
    "deep-dive": {"model": "gpt-5.1"},
}
PROMPT_VERSION = "3"


@dataclass(frozen=True, slots=True)
class Service:
    """A server in keys mode, and the library on the same database."""

    server: Server
    memory: Recollect
    model: SeedModel

    def client(self, user_id: str, *, is_admin: bool = False) -> httpx.Client:
        return self.server.client(
            key=self.memory.keys.create_key(user_id=user_id, is_admin=is_admin)
        )


@pytest.fixture(scope="session")
def seed_model() -> Iterator[SeedModel]:
    with SeedModel() as model:
        yield model


@contextmanager
def _serving(url: str, model: SeedModel) -> Iterator[Service]:
    variables = {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "k",
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_TOOLS": "tests.seeds.tools:TOOLS",
        "RECOLLECT_EMBEDDING_MODEL": "scripted-embedding",
        "RECOLLECT_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
    }
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
        with running(url, variables=variables) as server:
            yield Service(server, memory, model)
    assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="session")
def sqlite_service(
    tmp_path_factory: pytest.TempPathFactory, seed_model: SeedModel
) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("seeds")
    with _serving(f"sqlite:///{folder}/recollect.db", seed_model) as service:
        yield service


@pytest.fixture(scope="session")
def postgres_service(postgres: PostgresServer, seed_model: SeedModel) -> Iterator[Service]:
    url = postgres.create()
    with _serving(url, seed_model) as service:
        yield service
    postgres.drop(url)


@pytest.fixture(scope="session")
def own_service(
    tmp_path_factory: pytest.TempPathFactory, seed_model: SeedModel
) -> Iterator[Service]:
    """In local mode, where all tests are one user; with seed 002's models, its hosted prompt, and
    its raw turns to the letter."""
    url = f"sqlite:///{tmp_path_factory.mktemp('own')}/recollect.db"
    variables = {
        "OPENAI_BASE_URL": seed_model.url,
        "RECOLLECT_VARIANTS": json.dumps(VARIANTS),
        "RECOLLECT_LOG_FORMAT": "json",
        "MEMORY_FILL_TAIL": "false",
        "PROMPT_VERSION_SUMMARY_GLOBAL": PROMPT_VERSION,
    }
    with Recollect.open(url) as memory, running(url, variables=variables) as server:
        yield Service(server, memory, seed_model)
    assert "Traceback" not in server.log, server.log


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.torture)])
def service(request: pytest.FixtureRequest) -> Service:
    """On each database; PostgreSQL only in the longer runs."""
    found: Service = request.getfixturevalue(f"{request.param}_service")
    return found


@pytest.fixture
def user_id() -> str:
    """A new user."""
    return f"user-{uuid4()}"


@pytest.fixture
def client(service: Service, user_id: str) -> Iterator[httpx.Client]:
    with service.client(user_id) as opened:
        yield opened
