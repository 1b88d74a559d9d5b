"""/openapi.json is true: whatever is sent to the service, it answers as it says there."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.scripted_model import ScriptedModel
from tests.server.explore import Depth, explore
from tests.server.plausible import Plausible
from tests.server.process import Server, running

DIMENSIONS = 8
NEVER_PLAUSIBLE = {"POST /api/jobs/{job_id}/retry"}
"""Only a job that failed can be tried again."""


@dataclass(frozen=True, slots=True)
class Subject:
    server: Server
    memory: Recollect
    key: str


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(dimensions=DIMENSIONS) as model:
        model.always = "So be it."
        yield model


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def subject(
    request: pytest.FixtureRequest, model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Subject]:
    """A server whose model answers at once, and a user with something of everything."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('schema')}/recollect.db"
    else:
        postgres: PostgresServer = request.getfixturevalue("postgres")
        url = postgres.create()
    variables = {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "k",
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_EMBEDDING_MODEL": "scripted",
        "RECOLLECT_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "RECOLLECT_WORKER": "false",
    }
    with Recollect.open(url) as memory:
        key = memory.keys.create_key("ada")
        with running(url, variables=variables) as server:
            yield Subject(server, memory, key)
    assert "Traceback" not in server.log, server.log
    if request.param == "postgres":
        postgres.drop(url)


@pytest.mark.parametrize(
    "depth",
    [
        Depth(examples=8),
        pytest.param(Depth(examples=100, is_whole=True), marks=pytest.mark.torture),
    ],
)
def test_whatever_is_sent_the_answer_is_one_that_is_described(
    subject: Subject, depth: Depth
) -> None:
    with subject.server.client(key=subject.key) as client:
        plausible = Plausible(client, key=subject.key)
        explored = explore(subject.server.url, plausible, key=subject.key, depth=depth)
    if explored.failures:
        pytest.fail("\n\n".join(explored.failures))
    for operation, statuses in explored.statuses.items():
        is_done = any(200 <= status < 300 for status in statuses)
        assert is_done or operation in NEVER_PLAUSIBLE, (operation, statuses)
