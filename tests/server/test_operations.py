"""Operation of the service: limits, request ids, logs, metrics, CORS, outages."""

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import isnan
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from recollect import Recollect, Settings, sync
from recollect.server import metrics as metrics_module
from recollect.server.app import create_app
from recollect.server.rate_limit import AnswerCaller
from recollect.store import sqlite
from recollect.store.database import Run
from tests.scripted_model import ScriptedModel, fails, stalls
from tests.server import shapes
from tests.server.process import Server, running, wait_until
from tests.server.sample_turns import create_turns

ORIGIN = "https://app.example"
PER_MINUTE = 120
BODY = 20_000
IMPORT = 60_000
SECRETS = ("Montague", "Capulet", "TK-1001", "key phrases nobody")

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@dataclass(frozen=True)
class Watched:
    """A server with JSON logs, and its scripted model."""

    server: Server
    memory: sync.Recollect
    model: ScriptedModel

    def client(self) -> httpx.Client:
        """The client of a new user."""
        return self.server.client(key=self.memory.keys.create_key(user_id=f"user-{uuid4()}"))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    url = f"sqlite:///{tmp_path_factory.mktemp('watched')}/recollect.db"
    with ScriptedModel() as model, sync.Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
        variables = {
            "RECOLLECT_WORKER": "false",
            "RECOLLECT_LOG_FORMAT": "json",
            "RECOLLECT_CORS_ORIGINS": f"{ORIGIN}, http://localhost:5173",
            "RECOLLECT_REQUESTS_PER_MINUTE": str(PER_MINUTE),
            "RECOLLECT_MAX_BODY_BYTES": str(BODY),
            "RECOLLECT_MAX_IMPORT_BYTES": str(IMPORT),
            "RECOLLECT_CHAT_MODEL": "scripted",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-very-secret",
        }
        with running(url, variables=variables) as server:
            yield Watched(server, memory, model)
    assert "sk-very-secret" not in server.log
    for line in server.log.splitlines():  # to the last one
        json.loads(line)


@pytest.fixture
def client(watched: Watched) -> Iterator[httpx.Client]:
    with watched.client() as opened:
        yield opened


def scrape(client: httpx.Client) -> Samples:
    answer = client.get("/metrics", headers={"Authorization": ""})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return parse(answer.text)


def parse(text: str) -> Samples:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def grown(before: Samples, after: Samples, name: str, **labels: str) -> float:
    key = (name, frozenset(labels.items()))
    return after[key] - before.get(key, 0.0)


def entries(server: Server, id: str) -> list[dict[str, Any]]:
    """The log lines of one request; the last one is `request`."""

    def found() -> list[dict[str, Any]]:
        parsed = [json.loads(line) for line in server.log.splitlines()]
        return [entry for entry in parsed if entry.get("request_id") == id]

    wait_until(lambda: any(entry["event"] == "request" for entry in found()), "it is logged")
    return found()


def test_rate_limit_applies_per_user(watched: Watched, client: httpx.Client) -> None:
    answers = [client.get("/api/models") for _ in range(PER_MINUTE)]
    assert {answer.status_code for answer in answers} == {200}
    while (refused := client.get("/api/models")).status_code == 200:
        pass  # the bucket has filled a little meanwhile
    problem = shapes.problem(refused, 429)
    assert problem["title"] == "Too many requests"
    assert re.fullmatch(r"[1-9]\d*", refused.headers["retry-after"])
    with watched.client() as other:
        assert other.get("/api/models").status_code == 200
    wait_until(lambda: client.get("/api/models").status_code == 200, "the bucket has filled")


def test_me_reports_rate_limits(client: httpx.Client) -> None:
    limits = client.get("/api/me").json()["limits"]
    assert limits["requests_per_minute"] == PER_MINUTE
    assert limits["answers_per_minute"] == 0
    assert limits["max_import_bytes"] == IMPORT


def test_request_id_is_kept_only_if_well_formed(client: httpx.Client) -> None:
    for sane in ("a", "Req-1.2_3", "x" * 128):
        for path in ("/api/me", "/healthz", "/nowhere", "/"):
            answer = client.get(path, headers={"X-Request-Id": sane})
            assert answer.headers.get_list("x-request-id") == [sane]
    made = set()
    for bad in ("", "x" * 129, "a b", "a;b", "ä", '{"a": 1}'):
        answer = client.get("/api/me", headers={b"X-Request-Id": bad.encode()})
        made.add(answer.headers["x-request-id"])
    made.add(client.get("/api/me").headers["x-request-id"])
    assert len(made) == 7
    assert all(re.fullmatch(r"[0-9a-f-]{36}", id) for id in made)


def test_requests_are_logged_without_content(watched: Watched, client: httpx.Client) -> None:
    path = create_turns(client, 3)
    calls = [
        ("GET", f"{path}?messages=3", None, 200, "/api/conversations/{conversation_id}"),
        (
            "POST",
            f"{path}/messages",
            {"messages": [{"role": "user", "content": "Montague"}]},
            201,
            "/api/conversations/{conversation_id}/messages",
        ),
        ("GET", "/api/search?q=Capulet", None, 200, "/api/search"),
        ("POST", "/api/memories", {"content": "Capulet"}, 422, "/api/memories"),
        ("GET", "/Capulet/Montague", None, 404, "other"),
        ("DELETE", "/api/me/Capulet", None, 404, "other"),
    ]
    for method, address, body, status, route in calls:
        id = f"line-{uuid4()}"
        answer = client.request(method, address, json=body, headers={"X-Request-Id": id})
        assert answer.status_code == status
        (entry,) = entries(watched.server, id)
        assert entry.pop("duration_ms") > 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("time"))
        assert entry == {
            "level": "INFO",
            "logger": "recollect.server.middleware",
            "event": "request",
            "request_id": id,
            "method": method,
            "route": route,
            "status": status,
        }
    key = client.headers["authorization"].removeprefix("Bearer ")
    for secret in (*SECRETS, key, path.rpartition("/")[2]):
        assert secret not in watched.server.log


def test_model_errors_are_logged_without_content(watched: Watched, client: httpx.Client) -> None:
    path = create_turns(client, 12)
    watched.model.answers(
        lambda body: fails(400, f"Refused: {body['messages'][-1]['content'][-200:]}")
    )
    before, id = scrape(client), f"quoted-{uuid4()}"
    answer = client.post(f"{path}/compact", json={"force": True}, headers={"X-Request-Id": id})
    assert answer.json()["summary"]["author"] == "extractive"
    failed, *others = entries(watched.server, id)
    assert failed["event"] == "summary.model_failed"
    assert failed["reason"].endswith("refused the request (400)")
    assert [entry["event"] for entry in others] == ["summary.committed", "request"]
    assert "TK-10" not in watched.server.log
    after = scrape(client)
    called = {"purpose": "summary", "variant": "default", "outcome": "failed"}
    assert grown(before, after, "recollect_model_calls_total", **called) == 1
    assert grown(before, after, "recollect_digests_total", outcome="extractive") == 1


def test_metrics_count_requests_and_messages(watched: Watched, client: httpx.Client) -> None:
    before = scrape(client)
    path = create_turns(client, 12)
    one = {"messages": [{"role": "user", "content": "Montague"}]}
    for _ in range(2):  # the second stores nothing
        answer = client.post(f"{path}/messages", json=one, headers={"Idempotency-Key": "k"})
        assert answer.status_code == 201
    watched.model.answers("They bought tickets.")
    done = client.post(f"{path}/compact", json={"force": True})
    assert done.json()["summary"]["author"] == "model"
    client.request("BREW", f"{path}/messages")
    client.get(f"/nowhere/{uuid4()}")
    after = scrape(client)

    def requests(method: str, route: str, status: str) -> float:
        labels = {"method": method, "route": route, "status": status}
        return grown(before, after, "recollect_requests_total", **labels)

    messages = "/api/conversations/{conversation_id}/messages"
    assert requests("POST", messages, "201") == 2
    assert requests("other", messages, "405") == 1
    assert requests("GET", "other", "404") == 1
    assert grown(before, after, "recollect_request_seconds_count", route=messages) == 3
    assert grown(before, after, "recollect_appends_total") == 25
    called = {"purpose": "summary", "variant": "default"}
    assert grown(before, after, "recollect_model_calls_total", **called, outcome="ok") == 1
    assert grown(before, after, "recollect_model_seconds_count", **called) == 1
    tokens = "recollect_tokens_total"
    assert grown(before, after, tokens, purpose="summary", direction="in") == 1_000
    assert grown(before, after, tokens, purpose="summary", direction="out") == 20
    assert grown(before, after, "recollect_digests_total", outcome="model") == 1
    assert grown(before, after, "recollect_jobs", kind="topic", state="waiting") == 1
    assert after["recollect_job_lag_seconds", frozenset()] > 0
    assert after["recollect_database_up", frozenset()] == 1
    assert after["recollect_writer_queue", frozenset()] >= 0
    assert after["process_resident_memory_bytes", frozenset()] > 0


def test_metrics_follow_streamed_answers(watched: Watched, client: httpx.Client) -> None:
    def value(name: str, **labels: str) -> float:
        return scrape(client).get((name, frozenset(labels.items())), 0.0)

    def ended(status: str) -> float:
        return value("recollect_stream_ends_total", status=status)

    complete, interrupted = ended("complete"), ended("interrupted")
    left, stored = value("recollect_stream_aborts_total"), value("recollect_appends_total")
    watched.model.answers("Capulet.", stalls("Montague and "))
    whole = client.post("/api/chat", json={"message": "Who speaks?"})
    assert "Capulet." in whole.text
    wait_until(lambda: ended("complete") == complete + 1, "the answer has ended")
    assert value("recollect_appends_total") == stored + 2
    assert value("recollect_streams") == 0

    with client.stream("POST", "/api/chat", json={"message": "Who else?"}) as begun:
        lines = begun.iter_lines()
        start = json.loads(next(line for line in lines if '"start"' in line).partition(":")[2])
        assert any("Montague" in line for line in lines)
        assert value("recollect_streams") == 1
    wait_until(lambda: value("recollect_stream_aborts_total") == left + 1, "the reader is missed")
    assert value("recollect_streams") == 1  # nobody is reading, and it goes on
    assert client.post(f"/api/chat/{start['messageId']}/stop").status_code == 200
    wait_until(lambda: ended("interrupted") == interrupted + 1, "the answer has ended")
    assert value("recollect_streams") == 0
    assert "Montague and" not in watched.server.log


def test_metrics_contain_no_user_data(client: httpx.Client) -> None:
    user = client.get("/api/me").json()["user_id"]
    path = create_turns(client, 1)
    for address in (path, f"/api/messages/{uuid4()}/receipt", "/Capulet", "/api/search?q=Montague"):
        client.get(address)
    text = client.get("/metrics").text
    assert "/api/search" in text
    for secret in (*SECRETS, user, path.rpartition("/")[2]):
        assert secret not in text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)


def test_cors_allows_configured_origins(client: httpx.Client) -> None:
    asks = {
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization, content-type, x-stainless-os",
    }
    for origin in (ORIGIN, "http://localhost:5173"):
        allowed = client.options("/api/conversations", headers={"Origin": origin, **asks})
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == origin
        assert allowed.headers["access-control-allow-credentials"] == "true"
        assert "PATCH" in allowed.headers["access-control-allow-methods"]
        assert "x-stainless-os" in allowed.headers["access-control-allow-headers"]
        for address, status in (("/api/me", 200), ("/api/nowhere", 404)):
            answer = client.get(address, headers={"Origin": origin})
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == origin
            exposed = answer.headers["access-control-expose-headers"]
            assert set(exposed.split(", ")) == {
                "x-conversation-id",
                "x-thread-id",
                "x-request-id",
                "retry-after",
            }
    for origin in ("https://evil.example", "null", "https://app.example.evil"):
        refused = client.options("/api/conversations", headers={"Origin": origin, **asks})
        assert refused.status_code == 400
        assert "access-control-allow-origin" not in refused.headers
        answer = client.get("/api/me", headers={"Origin": origin})
        assert "access-control-allow-origin" not in answer.headers


def test_cors_is_off_by_default(local_server: Server) -> None:
    asks = {"Origin": ORIGIN, "Access-Control-Request-Method": "GET"}
    with local_server.client() as anyone:
        for answer in (
            anyone.options("/api/conversations", headers=asks),
            anyone.get("/healthz", headers={"Origin": ORIGIN}),
        ):
            assert not [name for name in answer.headers if name.startswith("access-control")]
        assert anyone.get("/api/me", headers={"Origin": ORIGIN}).status_code == 403


def test_private_responses_are_not_cached(
    client: httpx.Client,
) -> None:
    for address in ("/api/me", "/api/nowhere", "/v1/nowhere"):
        headers = client.get(address).headers
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert "microphone=()" in headers["permissions-policy"]
        assert "strict-transport-security" not in headers
    page = client.get("/").headers
    assert page["cache-control"] == "no-cache"
    assert "object-src 'none'" in page["content-security-policy"]
    assert "cache-control" not in client.get("/healthz").headers


def test_only_imports_may_be_large(client: httpx.Client) -> None:
    def post(path: str, size: int, *, announced: bool) -> int:
        text = b'{"title": "' + b"x" * size + b'"}'
        content: Any = text if announced else iter([text[:10_000], text[10_000:]])
        headers = {"Content-Type": "application/json"}
        return client.post(path, content=content, headers=headers).status_code

    for announced in (True, False):
        assert post("/api/conversations", BODY + 1, announced=announced) == 413
        assert post("/api/import", BODY + 1, announced=announced) != 413
        assert post("/api/importer", BODY + 1, announced=True) == 413
    for announced in (True, False):
        assert post("/api/import", IMPORT + 1, announced=announced) == 413


@asynccontextmanager
async def open_app(**settings: Any) -> AsyncIterator[tuple[Recollect, FastAPI]]:
    chosen = Settings(database_url="sqlite:///:memory:", embedder="none", **settings)
    async with Recollect.open(settings=chosen) as memory:
        yield memory, create_app(memory)


def talk_to(app: FastAPI, scheme: str = "http") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url=f"{scheme}://127.0.0.1")


def test_metrics_answer_while_the_database_is_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics_module, "_COUNT_TIMEOUT_SECONDS", 0.05)
    release = threading.Event()

    def hold(run: Run) -> None:
        assert release.wait(20)

    async def go() -> None:
        async with open_app() as (memory, app), talk_to(app) as client:
            assert (await client.get("/api/me")).status_code == 200
            held = asyncio.create_task(memory._database.system(hold))
            await asyncio.sleep(0)
            for _ in range(3):
                slow = parse((await client.get("/metrics")).text)
                assert slow["recollect_database_up", frozenset()] == 0
                assert slow["recollect_writer_queue", frozenset()] <= 1  # they do not pile up
            release.set()
            await held
            while not parse((await client.get("/metrics")).text)[
                "recollect_database_up", frozenset()
            ]:
                pass
            await memory.close()
            away = parse((await client.get("/metrics")).text)
            assert away["recollect_database_up", frozenset()] == 0
            assert isnan(away["recollect_job_lag_seconds", frozenset()])  # nobody knows
            me = {"method": "GET", "route": "/api/me", "status": "200"}
            assert away["recollect_requests_total", frozenset(me.items())] == 1

    asyncio.run(go())


def test_full_queue_answers_503_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_MAX_QUEUE", 2)
    release = threading.Event()
    holding = threading.Event()

    def hold(run: Run) -> None:
        holding.set()
        assert release.wait(20)

    async def go() -> None:
        async with open_app() as (memory, app), talk_to(app) as client:
            held = [asyncio.create_task(memory._database.system(hold))]
            await asyncio.to_thread(holding.wait, 20)
            held += [asyncio.create_task(memory._database.system(hold)) for _ in range(2)]
            await asyncio.sleep(0)
            refused = await client.post("/api/conversations", json={})
            assert refused.status_code == 503
            assert int(refused.headers["retry-after"]) >= 1
            assert refused.json()["detail"] == "Too many requests are waiting already."
            release.set()
            await asyncio.gather(*held)
            assert (await client.post("/api/conversations", json={})).status_code == 201

    asyncio.run(go())


def test_unexpected_error_is_a_problem_with_request_id(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail() -> None:
        raise ValueError("Montague")

    async def go() -> httpx.Response:
        async with open_app(cors_origins=ORIGIN) as (_, app):
            app.add_api_route("/api/fail", fail)
            async with talk_to(app, "https") as client:
                return await client.get("/api/fail", headers={"Origin": ORIGIN})

    answer = asyncio.run(go())
    shapes.problem(answer, 500)
    assert "Montague" not in answer.text
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-request-id"]
    (logged,) = [record for record in caplog.records if record.message == "request.failed"]
    assert vars(logged)["route"] == "/api/fail"
    assert logged.exc_info
    assert isinstance(logged.exc_info[1], ValueError)


def test_answers_have_their_own_rate_limit() -> None:
    async def answer(caller: AnswerCaller) -> str:
        return caller.user_id

    async def go() -> None:
        async with open_app(answers_per_minute=1) as (_, app):
            app.add_api_route("/api/answer", answer)
            async with talk_to(app) as client:
                assert (await client.get("/api/answer")).json() == "local"
                refused = await client.get("/api/answer")
                assert refused.status_code == 429
                assert 55 <= int(refused.headers["retry-after"]) <= 60
                assert (await client.get("/api/me")).status_code == 200

    asyncio.run(go())
