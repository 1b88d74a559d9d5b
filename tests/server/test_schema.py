"""/openapi.json is true: whatever is sent to the service, it answers as it says there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from recollect import engine
from recollect.server.app import create_app
from recollect.server.openapi import EXTRA_ERRORS
from recollect.sync import Recollect
from tests.scripted_model import ScriptedModel
from tests.server.explore import Depth, explore, leave
from tests.server.plausible import Plausible
from tests.server.process import Server, running

pytestmark = pytest.mark.torture

DIMENSIONS = 8
NEVER_PLAUSIBLE = {"POST /api/jobs/{job_id}/retry"}
"""Only a job that failed can be tried again."""


@contextmanager
def _server(url: str, model: ScriptedModel) -> Iterator[Server]:
    """Its model answers at once, and knows all that is said by its meaning."""
    variables = {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "k",
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_EMBEDDING_MODEL": "scripted",
        "RECOLLECT_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "RECOLLECT_WORKER": "false",
    }
    with running(url, variables=variables) as server:
        yield server
    assert "Traceback" not in server.log, server.log


LONG = [pytest.mark.torture, pytest.mark.timeout(3600)]
WHOLE = Depth(examples=20, is_whole=True)


@pytest.mark.parametrize(
    ("database_url", "depth"),
    [
        ("sqlite", Depth(examples=1)),
        pytest.param("sqlite", WHOLE, marks=LONG),
        pytest.param("postgres", WHOLE, marks=LONG),
    ],
    indirect=["database_url"],
)
def test_whatever_is_sent_the_answer_is_one_that_is_described(
    database_url: str, depth: Depth
) -> None:
    with Recollect.open(database_url) as memory:
        key = memory.keys.create_key(user_id="ada", is_admin=True)
        leaving = memory.keys.create_key(user_id="leaving")
    with (
        ScriptedModel(dimensions=DIMENSIONS) as model,
        _server(database_url, model) as server,
        server.client(key=key) as client,
    ):
        model.always = "So be it."
        explored = explore(server.url, Plausible(client, key=key), key=key, depth=depth)
        leave(server.url, key=leaving)
    if explored.failures:
        pytest.fail("\n\n".join(explored.failures))
    for operation, statuses in explored.statuses.items():
        is_done = any(200 <= status < 300 for status in statuses)
        assert is_done or operation in NEVER_PLAUSIBLE, (operation, statuses)


async def _described() -> dict[str, Any]:
    async with engine.Recollect.open("sqlite:///:memory:") as memory:
        return create_app(memory).openapi()


def test_every_refusal_is_described_as_a_problem() -> None:
    operations = {
        (method, path): operation
        for path, methods in asyncio.run(_described())["paths"].items()
        for method, operation in methods.items()
    }
    assert set(EXTRA_ERRORS) <= set(operations)
    problem = {"schema": {"$ref": "#/components/schemas/ProblemBody"}}
    for named, operation in operations.items():
        answers = {int(status): answer for status, answer in operation["responses"].items()}
        assert min(answers) < 300, named
        refused = {status for status in answers if status >= 400}
        for status in refused:
            assert answers[status]["content"] == {"application/problem+json": problem}, named
        if "security" in operation:
            assert {401, 403, 429, 503} <= refused, named
