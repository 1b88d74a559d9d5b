"""Health checks."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from tests.conftest import PostgresServer
from tests.server import shapes
from tests.server.conftest import Start
from tests.server.process import Server, wait_until


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_health_checks_need_no_key(server: Server, address: str) -> None:
    with server.client() as anyone:
        answer = anyone.get(address)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.torture
def test_readiness_follows_the_database(start: Start, postgres: PostgresServer) -> None:
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
