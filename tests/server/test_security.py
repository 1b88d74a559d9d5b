"""Attacks on a running server; docs/security.md has the table.

Ids of other users are tested in test_canary.py, tokens in test_jwt.py, hosts and origins in
test_auth.py.
"""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import httpx
import pytest

from recollect import Settings
from recollect.engine import Recollect
from recollect.server.app import create_app
from recollect.transfer.service import MAX_CONCURRENT_IMPORTS, MAX_CONCURRENT_IMPORTS_PER_USER
from tests.scripted_model import ScriptedModel
from tests.server import shapes
from tests.server.conftest import Keyed
from tests.server.process import Server
from tests.server.shapes import Json

MANY = 30_000
SECRET = "zyzzyva"
ELSEWHERE = "http://169.254.169.254/latest/meta-data"
SAY = [{"role": "user", "content": "Hi"}]


@pytest.fixture
def attacker(sqlite_keyed: Keyed) -> Iterator[httpx.Client]:
    key = sqlite_keyed.memory.keys.create_key(user_id=f"user-{uuid4()}")
    with sqlite_keyed.server.client(key=key) as client:
        yield client


MISTAKES: list[tuple[str, Json]] = [
    ("/api/conversations", {"messages": [{"x": 1}] * MANY}),
    ("/api/conversations", {str(number): 1 for number in range(MANY)}),
    ("/api/conversations", {"messages": [{str(number): 1 for number in range(MANY)}]}),
    ("/api/conversations", {"messages": [{"role": "user", "tool_calls": [1] * MANY}]}),
    ("/api/chat", {"messages": [{"x": 1}] * MANY}),
    ("/api/chat", {"messages": [{"role": "user", "parts": [1] * MANY}]}),
    ("/api/chats", {"messages": [{"role": "user", "parts": [1] * MANY}]}),
    ("/v1/chat/completions", {"messages": [{"x": 1}] * MANY}),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": [1] * MANY}]}),
    ("/v1/chat/completions", {"messages": [], "tools": [1] * MANY, "stop": [1] * MANY}),
]


def test_large_body_needs_authentication_first(sqlite_keyed: Keyed) -> None:
    """Small bodies are read before authentication: sign-in has one. This body never ends."""
    address = httpx.URL(sqlite_keyed.server.url)
    for length in ("Content-Length: 5000000", "Transfer-Encoding: chunked"):
        with socket.create_connection((address.host, address.port), timeout=30) as connection:
            head = f"POST /api/conversations HTTP/1.1\r\nHost: x\r\n{length}\r\n"
            kind = "Content-Type: application/json\r\n\r\n"
            connection.sendall((head + kind).encode())
            assert b" 401 " in connection.recv(65_536).splitlines()[0]


def test_body_with_many_errors_is_refused_briefly(attacker: httpx.Client) -> None:
    """Listing a million errors would block the server for a minute."""
    for path, body in MISTAKES:
        refused = attacker.post(path, json=body)
        shapes.problem(refused, 422)
        assert len(refused.json()["errors"]) < 10, path
        assert len(refused.content) < 5_000, path


CLAIMS: list[tuple[str, str, Json]] = [
    ("POST", "/api/conversations", {"user_id": "somebody"}),
    ("POST", "/api/conversations", {"id": str(uuid4())}),
    ("POST", "/api/conversations", {"messages": [{"role": "user", "content": "x", "seq": 9}]}),
    ("PATCH", "{chat}", {"user_id": "somebody"}),
    ("PATCH", "{chat}", {"message_count": 0}),
    ("PATCH", "{chat}", {"topic": "x"}),
    ("POST", "{chat}/messages", {"messages": [{"role": "user", "content": "x", "turn": 1}]}),
    ("POST", "{chat}/messages", {"messages": [{"role": "root", "content": "x"}]}),
    ("PUT", "{chat}/summary", {"text": "x", "version": 0, "author": "model"}),
    ("POST", "/api/memories", {"memory_type": "fact", "content": "x", "user_id": "somebody"}),
    ("POST", "/api/memories", {"memory_type": "fact", "content": "x", "author": "user"}),
    ("POST", "/api/chat", {"message": "x", "user_id": "somebody"}),
    ("POST", "/v1/message/first", {"message": "x", "user_id": "somebody"}),
    ("POST", "/api/ai/chat", {"message": "x", "userId": "somebody"}),
]


def test_body_cannot_set_server_side_fields(attacker: httpx.Client) -> None:
    chat = f"/api/conversations/{attacker.post('/api/conversations', json={}).json()['id']}"
    for method, path, body in CLAIMS:
        refused = attacker.request(method, path.format(chat=chat), json=body)
        shapes.problem(refused, 422)
    me = attacker.get("/api/me").json()
    for headers in ({"x-user-id": "somebody"}, {"x-forwarded-user": "somebody"}):
        assert attacker.get("/api/me", headers=headers).json() == me
    metadata = {"user_id": "somebody", "is_admin": True}
    attacker.patch(chat, json={"metadata": metadata})
    assert attacker.get("/api/me").json() == me
    assert attacker.get("/api/keys").status_code == 403


def test_every_operation_needs_a_key() -> None:
    """All operations except health checks, metrics and sign-in."""
    opened = {"/healthz", "/readyz", "/metrics", "/api/session"}

    async def go() -> None:
        settings = Settings(database_url="sqlite:///:memory:", embedder="none")
        async with Recollect.open(settings=settings) as memory, _talking(memory) as client:
            await memory.keys.create_key(user_id="somebody")
            paths = create_app(memory).openapi()["paths"]
            assert opened < paths.keys()
            for path in paths.keys() - opened:
                for method in paths[path]:
                    answer = await client.request(method, path, json={})
                    assert answer.status_code == 401, (method, path)

    asyncio.run(go())


def test_static_paths_cannot_escape_their_folder(sqlite_keyed: Keyed) -> None:
    for path in (
        "/assets/../index.html",
        "/assets/..%2f..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets/..%5c..%5capp.py",
        "/assets//etc/passwd",
        "/assets/%00",
        "/assets/.",
        "/favicon.svg/../../app.py",
    ):
        answer = _raw(sqlite_keyed.server, f"GET {path} HTTP/1.1")
        assert answer.startswith(b"HTTP/1.1 404 "), path
        assert b"import " not in answer


def test_request_smuggling_is_refused(sqlite_keyed: Keyed) -> None:
    """Requests that a proxy may parse differently."""
    for headers in (
        "Content-Length: 2\r\nContent-Length: 30",
        "Content-Length: -1",
        "Content-Length: +2",
        "Content-Length: " + "9" * 5_000,
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: xchunked",
        "X: " + "x" * 1_000_000,
    ):
        answer = _raw(sqlite_keyed.server, f"POST /api/conversations HTTP/1.1\r\n{headers}")
        status = answer.split(b" ")[1]
        assert status in (b"400", b"413", b"431", b"501"), (headers[:40], answer[:80])


def _raw(server: Server, head: str) -> bytes:
    address = httpx.URL(server.url)
    with socket.create_connection((address.host, address.port or 80), timeout=60) as connection:
        connection.sendall(f"{head}\r\nHost: localhost\r\nConnection: close\r\n\r\n{{}}".encode())
        answer = b""
        try:
            while received := connection.recv(65_536):
                answer += received
        except ConnectionResetError:  # it had heard enough
            pass
    return answer


@contextmanager
def _importing(server: Server, key: str) -> Iterator[None]:
    """An upload that stalls before its first byte."""
    address = httpx.URL(server.url)
    with socket.create_connection((address.host, address.port or 80), timeout=60) as connection:
        connection.sendall(
            f"POST /api/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
            "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert connection.recv(65_536).startswith(b"HTTP/1.1 100 ")
        yield


def test_slow_uploads_do_not_block_other_imports(
    sqlite_keyed: Keyed, attacker: httpx.Client
) -> None:
    assert MAX_CONCURRENT_IMPORTS_PER_USER < MAX_CONCURRENT_IMPORTS
    key = sqlite_keyed.memory.keys.create_key(user_id=f"user-{uuid4()}")
    with ExitStack() as stack:
        for _ in range(MAX_CONCURRENT_IMPORTS_PER_USER):
            stack.enter_context(_importing(sqlite_keyed.server, key))
        with sqlite_keyed.server.client(key=key) as client:
            shapes.problem(client.post("/api/import", content=b"[]"), 503)
        assert attacker.post("/api/import", content=b"[]").status_code == 200


def test_api_hides_system_prompts_and_model_urls() -> None:
    """What an application tells its model beside a conversation is in no receipt, and on no record;
    and no request says where a model is: that is the settings' to say."""
    asyncio.run(_ask_for_secrets())


async def _ask_for_secrets() -> None:
    with ScriptedModel() as model:
        model.always = "Noted."
        settings = Settings(
            database_url="sqlite:///:memory:",
            chat_model="scripted",
            openai_base_url=model.url,
            openai_api_key=f"sk-{SECRET}",
            embedder="none",
            extraction="manual",
        )
        async with Recollect.open(settings=settings) as memory, _talking(memory) as client:
            body = {"message": "Hi", "system": f"Be {SECRET}.", "context": {"page": SECRET}}
            asked = await client.post("/api/chat?stream=false", json=body)
            assert SECRET in json.dumps(model.requests[-1].body)
            message = asked.json()["message"]["id"]
            for path in (f"/api/messages/{message}/receipt", "/api/export", "/api/models"):
                found = await client.get(path)
                assert found.status_code == 200
                assert SECRET not in found.text, path
                assert model.url not in found.text, path
            assert SECRET not in asked.text
            received = len(model.requests)
            for path, given, status in (
                ("/api/chat", {"message": "Hi", "model": ELSEWHERE}, 422),
                ("/api/chat", {"message": "Hi", "base_url": ELSEWHERE}, 422),
                ("/v1/chat/completions", {"messages": SAY, "model": ELSEWHERE}, 404),
                ("/v1/message/first", {"message": "Hi", "model_variant": ELSEWHERE}, 422),
            ):
                refused = await client.post(path, json=given)
                assert refused.status_code == status, (path, refused.text)
            assert len(model.requests) == received


def test_model_operations_count_against_the_answer_limit() -> None:
    async def go() -> None:
        settings = Settings(
            database_url="sqlite:///:memory:", embedder="none", answers_per_minute=3
        )
        async with Recollect.open(settings=settings) as memory, _talking(memory) as client:
            chat = (await client.post("/api/conversations", json={})).json()["id"]
            calls: list[tuple[str, Json | None]] = [
                (f"/api/conversations/{chat}/compact", {"force": True}),
                (f"/api/conversations/{chat}/summary/rebuild", None),
                ("/api/memories/extract?wait=true", {"conversation_id": chat}),
            ]
            for path, body in calls:
                assert (await client.post(path, json=body)).status_code == 200, path
            calls.append((f"/api/jobs/{uuid4()}/retry", None))
            for path, body in calls:
                assert (await client.post(path, json=body)).status_code == 429, path

    asyncio.run(go())


def _talking(memory: Recollect) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(create_app(memory))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
