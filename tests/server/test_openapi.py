"""/openapi.json describes the service: routes, errors, operation ids and stream events."""

import asyncio
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from recollect import engine
from recollect.server import routes
from recollect.server.app import create_app
from recollect.server.openapi import EXTRA_ERRORS
from recollect.sync import Recollect
from tests.scripted_model import ScriptedModel
from tests.server.explore import Depth, explore, leave
from tests.server.plausible import Plausible
from tests.server.process import Server, running
from tests.server.write_openapi import FILE, description

DIMENSIONS = 8
NEVER_PLAUSIBLE = {"POST /api/jobs/{job_id}/retry"}
"""Only failed jobs can be retried."""


@contextmanager
def _server(url: str, model: ScriptedModel) -> Iterator[Server]:
    """A server with a scripted chat and embedding model."""
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
        pytest.param("sqlite", Depth(examples=1), marks=pytest.mark.torture),
        pytest.param("sqlite", WHOLE, marks=LONG),
        pytest.param("postgres", WHOLE, marks=LONG),
    ],
    indirect=["database_url"],
)
def test_every_response_matches_the_schema(database_url: str, depth: Depth) -> None:
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


def test_every_error_is_described_as_a_problem() -> None:
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


CONTRACT = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/api/me"),
    ("POST", "/api/session"),
    ("DELETE", "/api/session"),
    ("POST", "/api/conversations"),
    ("GET", "/api/conversations"),
    ("GET", "/api/conversations/current"),
    ("GET", "/api/conversations/{id}"),
    ("PUT", "/api/conversations/{id}"),
    ("PATCH", "/api/conversations/{id}"),
    ("DELETE", "/api/conversations/{id}"),
    ("GET", "/api/conversations/{id}/messages"),
    ("POST", "/api/conversations/{id}/messages"),
    ("PATCH", "/api/conversations/{id}/messages/{id}"),
    ("DELETE", "/api/conversations/{id}/messages/{id}"),
    ("PUT", "/api/messages/{id}/feedback"),
    ("POST", "/api/conversations/{id}/fork"),
}


def test_openapi_lists_every_route(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["info"]["title"] == "Recollect"
    listed = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    written = set()
    for module in pkgutil.walk_packages(routes.__path__, f"{routes.__name__}."):
        router = getattr(importlib.import_module(module.name), "router", None)
        for route in router.routes if router else ():
            written |= {(method, route.path) for method in route.methods}
    assert listed == written
    assert {(method, re.sub(r"{\w+}", "{id}", path)) for method, path in listed} >= CONTRACT


def test_openapi_describes_errors_as_problems(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for status, answer in operation["responses"].items():
                is_problem = list(answer.get("content", ())) == ["application/problem+json"]
                assert is_problem == (int(status) >= 400), (method, path, status)


def test_committed_document_is_current() -> None:
    is_current = FILE.read_text(encoding="utf-8") == description()
    assert is_current, "web/openapi.json is not current: run `make openapi`."


def test_operation_ids_are_unique_camel_case() -> None:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids))
    assert [id for id in ids if not re.fullmatch(r"[a-z][A-Za-z]+", id)] == []


def test_no_published_name_has_the_schema_suffix() -> None:
    schemas = json.loads(FILE.read_text(encoding="utf-8"))["components"]["schemas"]
    assert [name for name in schemas if "Schema" in name] == []
    assert {"Atom", "Message", "Page_Message_", "UiStreamEvent", "MessageToolCall"} <= set(schemas)
