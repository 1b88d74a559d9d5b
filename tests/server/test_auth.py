"""Authentication: local mode, API keys, the web app's session."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from recollect.sync import Recollect
from tests.server import shapes
from tests.server.conftest import NewKey, Start
from tests.server.process import Server, command, environment, wait_until
from tests.server.shapes import UNKNOWN

HI = {"messages": [{"role": "user", "content": "hi"}]}


@pytest.fixture
def local(local_server: Server) -> Iterator[httpx.Client]:
    with local_server.client() as client:
        yield client


@pytest.fixture
def anyone(server: Server) -> Iterator[httpx.Client]:
    """A client without a key, at a server in keys mode."""
    with server.client() as client:
        yield client


def test_everyone_is_local_without_keys(local: httpx.Client) -> None:
    answer = local.get("/api/me")
    assert answer.status_code == 200
    me = answer.json()
    assert (me["user_id"], me["mode"], me["is_admin"]) == ("local", "local", True)
    assert me["limits"]["max_message_bytes"] > 0


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "10.0.0.1",
        "",
        "[",
        "a@b",
        "evil.example@localhost",
        "evil.example@localhost:{port}",
        "localhost:{port}@evil.example",
        "localhost/evil.example",
        "localhost?evil.example",
        "localhost#evil.example",
        "localhost:",
        "localhost:80:80",
        "localhost:1x",
        "localhost:100000",
        "localhost.",
        "127.0.0.1.evil.example",
        "[::1]evil.example",
    ],
)
def test_foreign_host_is_refused(local: httpx.Client, host: str) -> None:
    headers = {"Host": host.format(port=local.base_url.port)}
    shapes.problem(local.get("/api/conversations", headers=headers), 403)
    shapes.problem(local.post("/api/conversations", json={}, headers=headers), 403)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST", "localhost:8000", "127.0.0.1", "127.9.9.9:1", "[::1]:8000"]
)
def test_loopback_hosts_are_accepted(local: httpx.Client, host: str) -> None:
    assert local.get("/api/me", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1:1",
        "http://[",
        "",
        "file://",
        "file://{host}",
        "ftp://{host}",
        "chrome-extension://{host}",
        "javascript://{host}",
        "://{host}",
        "{host}",
        "http://evil.example@{host}",
        "http://{host}/",
    ],
)
def test_foreign_origin_is_refused(local: httpx.Client, origin: str) -> None:
    headers = {"Origin": origin.format(host=local.base_url.netloc.decode())}
    before = local.get("/api/conversations").json()
    shapes.problem(local.get("/api/conversations", headers=headers), 403)
    shapes.problem(local.post("/api/conversations", json={}, headers=headers), 403)
    shapes.problem(local.request("DELETE", "/api/session", headers=headers), 403)
    assert local.get("/api/conversations").json() == before


def test_own_origin_is_accepted(local: httpx.Client) -> None:
    """With https too: a proxy may do the encryption."""
    host = local.base_url.netloc.decode()
    for scheme in ("http", "https"):
        headers = {"Origin": f"{scheme}://{host}"}
        assert local.get("/api/me", headers=headers).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_server_without_keys_listens_on_loopback_only(tmp_path: Path, host: str) -> None:
    database = f"sqlite:///{tmp_path}/recollect.db"
    refused = subprocess.run(
        command("serve", "--host", host, "--port", "0", "--database", database),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith("recollect: Without an API key")
    assert "recollect keys create" in line


def test_server_with_a_key_may_listen_elsewhere(start: Start, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(database) as memory:
        key = memory.keys.create_key(user_id="alice")
    server = start(database, "--host", "0.0.0.0")
    server.url = server.url.replace("0.0.0.0", "127.0.0.1")
    with server.client(key=key) as client:
        answer = client.get("/api/me", headers={"Host": "recollect.example"})
        assert answer.json()["user_id"] == "alice"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer rk_nonsense"},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic cmtfOg=="},
        {"Cookie": "recollect_key=rk_nonsense"},
        {"Cookie": "recollect_key="},
        {"Cookie": "recollect_key=%00\\"},
    ],
)
@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "/api/me"),
        ("DELETE", "/api/me"),
        ("GET", "/api/conversations"),
        ("POST", "/api/conversations"),
        ("GET", "/api/analytics"),
        ("GET", "/api/jobs"),
        ("GET", "/api/keys"),
        ("POST", "/api/keys"),
        ("DELETE", f"/api/keys/{UNKNOWN}"),
        ("GET", "/api/models"),
        ("POST", f"/api/conversations/{UNKNOWN}/context"),
        ("GET", "/api/memories"),
        ("POST", "/api/memories"),
        ("POST", "/api/memories/extract"),
        ("GET", "/api/search?q=hi"),
        ("GET", "/api/switch?q=hi"),
        ("POST", f"/api/conversations/{UNKNOWN}/references"),
        ("POST", "/v1/message/first"),
        ("POST", "/v1/message"),
        ("POST", "/v1/chat/completions"),
        ("GET", "/v1/models"),
        ("POST", "/chat"),
    ],
)
def test_invalid_key_is_unauthorized(
    anyone: httpx.Client, headers: dict[str, str], method: str, address: str
) -> None:
    refused = anyone.request(method, address, headers=headers)
    shapes.problem(refused, 401)
    assert refused.headers["www-authenticate"] == "Bearer"


def test_key_identifies_the_user(anyone: httpx.Client, new_key: NewKey) -> None:
    for scheme, is_admin in [("Bearer", False), ("bearer", True)]:
        key = new_key("alice", is_admin=is_admin)
        me = anyone.get("/api/me", headers={"Authorization": f"{scheme} {key}"}).json()
        assert (me["user_id"], me["mode"], me["is_admin"]) == ("alice", "keys", is_admin)


def test_revoked_key_is_refused(server: Server, new_key: NewKey) -> None:
    key = new_key("revoked")
    with server.client(key=key) as client:
        assert client.get("/api/me").status_code == 200
        with Recollect.open(server.database_url) as memory:
            for known in memory.keys.list_keys():
                if key.startswith(known.prefix):
                    memory.keys.revoke_key(key_id=known.id)
        shapes.problem(client.get("/api/me"), 401)
        shapes.problem(client.post("/api/session", json={"key": key}), 401)


def test_first_key_ends_local_mode_of_a_running_server(start: Start, own_database: str) -> None:
    server = start(own_database)
    with server.client() as anyone, Recollect.open(own_database) as memory:
        mine = shapes.conversation(anyone.post("/api/conversations", json={"title": "Mine"}), 201)
        key = memory.keys.create_key(user_id="local")
        wait_until(lambda: anyone.get("/api/me").status_code == 401, "the key is wanted")
        with server.client(key=key) as local:
            assert local.get("/api/me").json()["user_id"] == "local"
            assert local.get("/api/conversations").json()["items"] == [mine]
        (known,) = memory.keys.list_keys()
        memory.keys.revoke_key(key_id=known.id)
        shapes.problem(anyone.get("/api/me"), 401)
    server.stop()
    with start(own_database).client() as anyone:
        shapes.problem(anyone.get("/api/me"), 401)


def test_sign_in_and_out(anyone: httpx.Client, new_key: NewKey) -> None:
    key = new_key("alice")
    signed_in = anyone.post("/api/session", json={"key": key})
    assert signed_in.status_code == 204
    cookie = signed_in.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain=" not in cookie
    assert anyone.get("/api/me").json()["user_id"] == "alice"
    assert anyone.post("/api/conversations", json={}).status_code == 201

    assert anyone.delete("/api/session").status_code == 204
    assert not anyone.cookies
    shapes.problem(anyone.get("/api/me"), 401)


def test_wrong_key_does_not_sign_in(anyone: httpx.Client, new_key: NewKey) -> None:
    new_key()
    for key in ("", "rk_nonsense", "\0", "é"):
        refused = anyone.post("/api/session", json={"key": key})
        shapes.problem(refused, 401)
        assert "set-cookie" not in refused.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://["])
def test_other_origins_cannot_use_the_session(
    anyone: httpx.Client, new_key: NewKey, origin: str
) -> None:
    key = new_key()
    headers = {"Origin": origin}
    shapes.problem(anyone.post("/api/session", json={"key": key}, headers=headers), 403)
    anyone.post("/api/session", json={"key": key})
    created = anyone.post(
        "/api/conversations", json={}, headers={"Origin": str(anyone.base_url).rstrip("/")}
    )
    path = f"/api/conversations/{created.json()['id']}"
    for method, address, body in [
        ("POST", "/api/conversations", {}),
        ("POST", f"{path}/messages", HI),
        ("PATCH", path, {"title": "theirs"}),
        ("DELETE", path, None),
        ("DELETE", "/api/me", None),
        ("DELETE", "/api/session", None),
    ]:
        shapes.problem(anyone.request(method, address, json=body, headers=headers), 403)
    assert anyone.get("/api/conversations").json()["items"] == [created.json()]


def test_message_ids_are_unique_per_user(
    client: httpx.Client, server: Server, new_key: NewKey
) -> None:
    """A conflict must not reveal ids of other users."""
    body = {"messages": [{"role": "user", "content": "hi", "id": UNKNOWN}]}
    assert client.post("/api/conversations", json=body).status_code == 201
    with server.client(key=new_key()) as other:
        assert other.post("/api/conversations", json=body).status_code == 201


def test_keys_are_not_logged(start: Start, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(database) as memory:
        key = memory.keys.create_key(user_id="alice")
    server = start(database)
    wrong = "rk_wrong_but_secret"
    with server.client() as client:
        for secret in (key, wrong):
            headers = {"Authorization": f"Bearer {secret}"}
            client.get("/api/me", headers=headers)
            client.get(f"/api/me?key={secret}", headers=headers)
            client.get("/api/me", headers={"Cookie": f"recollect_key={secret}"})
            client.post("/api/session", json={"key": secret, "more": 1})
            client.post("/api/session", json={"key": secret})
            client.post("/api/session", content=secret.encode())
    server.stop()
    assert f"Recollect is at {server.url} with {database} (stop" in server.log
    assert key not in server.log
    assert wrong not in server.log
