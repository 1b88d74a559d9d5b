"""/openapi.json is true: whatever is sent to the service, it answers as it says there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from recollect.server.openapi import LISTED
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.scripted_model import ScriptedModel
from tests.server.explore import Depth, explore, leave
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


@contextmanager
def _subject(url: str, model: ScriptedModel) -> Iterator[Subject]:
    """A server whose model answers at once."""
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


@pytest.fixture(scope="module")
def sqlite_subject(
    model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Subject]:
    with _subject(f"sqlite:///{tmp_path_factory.mktemp('schema')}/recollect.db", model) as subject:
        yield subject


@pytest.fixture(scope="module")
def postgres_subject(model: ScriptedModel, postgres: PostgresServer) -> Iterator[Subject]:
    url = postgres.create()
    with _subject(url, model) as subject:
        yield subject
    postgres.drop(url)


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.xdist_group(f"schema-{name}"))
        for name in ("sqlite", "postgres")
    ]
)
def subject(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.getfixturevalue(f"{request.param}_subject")
    return found


@pytest.mark.parametrize(
    "depth",
    [
        Depth(examples=4),
        pytest.param(
            Depth(examples=20, is_whole=True),
            marks=[pytest.mark.torture, pytest.mark.timeout(3600)],
        ),
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


def test_who_leaves_is_answered_as_described(subject: Subject) -> None:
    leave(subject.server.url, key=subject.memory.keys.create_key("leaving"))


def test_every_refusal_is_described_as_a_problem(subject: Subject) -> None:
    with subject.server.client() as client:
        described = client.get("/openapi.json").json()
    operations = {
        (method, path): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    assert set(LISTED) <= set(operations)
    problem = {"schema": {"$ref": "#/components/schemas/ProblemBody"}}
    for named, operation in operations.items():
        answers = {int(status): answer for status, answer in operation["responses"].items()}
        refused = {status for status in answers if status >= 400}
        assert all(
            answers[status]["content"] == {"application/problem+json": problem}
            for status in refused
        ), named
        assert min(answers) < 300, named
        if "security" in operation:
            assert {401, 403, 429, 503} <= refused, named
