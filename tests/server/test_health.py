"""What those who watch over the server see."""

import importlib
import pkgutil

import httpx
import psycopg
import pytest
from psycopg import sql

from recollect.server import routes
from tests.conftest import PostgresServer
from tests.server import shapes
from tests.server.conftest import Start
from tests.server.process import Server, wait_until


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
    assert len(written) >= 19
    assert listed == written


def test_openapi_says_that_errors_are_problems(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert "default" in operation["responses"], (method, path)


def test_a_lost_database_is_said_and_comes_back(start: Start, postgres: PostgresServer) -> None:
    url = postgres.create()
    name = sql.Identifier(url.rpartition("/")[2].partition("?")[0])
    server = start(url)
    with server.client() as client:
        with psycopg.connect(postgres.admin_url, autocommit=True) as admin:
            admin.execute(sql.SQL("alter database {} allow_connections false").format(name))
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s",
                (name._obj[0],),
            )
        for address in ("/readyz", "/api/conversations"):
            lost = client.get(address)
            shapes.problem(lost, 503)
            assert int(lost.headers["retry-after"]) > 0
        assert client.get("/healthz").status_code == 200

        postgres.execute(sql.SQL("alter database {} allow_connections true").format(name))
        wait_until(lambda: client.get("/readyz").status_code == 200, "the database is back")
        assert client.get("/api/conversations").status_code == 200
    server.stop()
    postgres.drop(url)
