"""What those who watch over the server see."""

import importlib
import pkgutil
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from psycopg import sql

from recollect.server import routes
from tests.conftest import PostgresServer
from tests.server import shapes
from tests.server.conftest import Start
from tests.server.process import Server, wait_until

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


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_running_server_is_well_and_needs_no_key(server: Server, address: str) -> None:
    with server.client() as anyone:
        answer = anyone.get(address)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_openapi_lists_every_route(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["info"]["title"] == "Recollect"
    listed = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    written = set()
    for module in pkgutil.iter_modules(routes.__path__, f"{routes.__name__}."):
        for route in importlib.import_module(module.name).router.routes:
            written |= {(method, route.path) for method in route.methods}
    assert listed == written
    assert {(method, re.sub(r"{\w+}", "{id}", path)) for method, path in listed} >= CONTRACT


def test_openapi_says_that_errors_are_problems(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for status, answer in operation["responses"].items():
                is_problem = list(answer.get("content", ())) == ["application/problem+json"]
                assert is_problem == (int(status) >= 400), (method, path, status)


@pytest.mark.torture
def test_a_lost_database_is_said_and_comes_back(start: Start, postgres: PostgresServer) -> None:
    url = postgres.create()
    name = urlsplit(url).path.lstrip("/")
    allow = sql.SQL("alter database {} allow_connections {}")
    server = start(url)
    with server.client() as client:
        with psycopg.connect(postgres.admin_url, autocommit=True) as admin:
            admin.execute(allow.format(sql.Identifier(name), False))
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s",
                (name,),
            )
        with ThreadPoolExecutor() as threads:  # each waits a while for the database
            answers = list(threads.map(client.get, ["/readyz", "/api/conversations"]))
        for lost in answers:
            shapes.problem(lost, 503)
            assert int(lost.headers["retry-after"]) > 0
        assert client.get("/healthz").status_code == 200

        postgres.execute(allow.format(sql.Identifier(name), True))
        wait_until(lambda: client.get("/readyz").status_code == 200, "the database is back")
        assert client.get("/api/conversations").status_code == 200
    server.stop()
    postgres.drop(url)
