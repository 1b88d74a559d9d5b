"""Users who sign in elsewhere: tokens as bearers and in Supabase's cookie.

Two servers: one knows the issuer's secret, the other where its public keys are. Whatever is sent to
them as an Authorization or a Cookie is written down, and must not be in their logs in the end.
"""

import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import jwt
import pytest

from recollect.sync import Recollect
from tests.server import shapes
from tests.server.conftest import Start
from tests.server.issuer import (
    ISSUER,
    SECRET,
    Issuer,
    SigningKey,
    claims,
    secret_token,
    unsigned,
)
from tests.server.process import Server, command, environment, running, wait_until
from tests.server.sessions import REFRESH_TOKEN, session_cookies
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("jwt")

ALLOWED = "https://app.example"
FOREIGN = "https://evil.example"
HI = {"messages": [{"role": "user", "content": "hi"}]}
KEYS = {name: SigningKey.new(name) for name in ("RS256", "ES256", "ES512", "EdDSA")}
STRANGER = SigningKey.new("RS256")
"""Nobody has published it."""


@dataclass
class Door:
    """A server, and everything that was shown to it to get in."""

    server: Server
    shown: set[str] = field(default_factory=set)

    def client(self, token: str | None = None, **cookies: str) -> httpx.Client:
        client = self.server.client(key=token)
        client.event_hooks["request"].append(self._write_down)
        client.headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in cookies.items())
        return client

    def get(self, address: str, token: str | None = None, **cookies: str) -> httpx.Response:
        with self.client(token, **cookies) as client:
            return client.get(address)

    def user(self, token: str) -> str:
        answer = self.get("/api/me", token)
        assert answer.status_code == 200, answer.text
        me = answer.json()
        assert (me["mode"], me["is_admin"]) == ("jwt", False)
        return str(me["user_id"])

    def refusal(self, token: str) -> str:
        """Why it is refused, the same for reading and for writing."""
        refused = self.get("/api/conversations", token)
        detail: str = shapes.problem(refused, 401)["detail"]
        assert refused.headers["www-authenticate"] == "Bearer"
        with self.client(token) as client:
            again = client.post("/api/conversations", json={})
        assert shapes.problem(again, 401)["detail"] == detail
        return detail

    def check_log(self) -> None:
        assert self.shown
        assert "Traceback" not in self.server.log, self.server.log
        for secret in self.shown | {SECRET, REFRESH_TOKEN}:
            assert secret not in self.server.log

    def _write_down(self, request: httpx.Request) -> None:
        for name in ("authorization", "cookie"):
            parts = re.split(r"[ .=;]+", request.headers.get(name, ""))
            self.shown.update(part for part in parts if len(part) >= 20)


@contextmanager
def door(folder: pytest.TempPathFactory, variables: Mapping[str, str]) -> Iterator[Door]:
    url = f"sqlite:///{folder.mktemp('jwt')}/recollect.db"
    quiet = {"RECOLLECT_WORKER": "false", "RECOLLECT_CORS_ORIGINS": f"{ALLOWED},https://b.example"}
    with running(url, variables=quiet | dict(variables)) as server:
        opened = Door(server)
        yield opened
    opened.check_log()


@pytest.fixture(scope="module")
def secret_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    variables = {"RECOLLECT_JWT_SECRET": SECRET, "RECOLLECT_JWT_ISSUER": ISSUER}
    with door(tmp_path_factory, variables) as opened:
        yield opened


@dataclass(frozen=True)
class Published:
    door: Door
    issuer: Issuer
    before: httpx.Response
    """What a good token was answered while the issuer was not there yet."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with Issuer() as issuer:
        issuer.status = 503
        variables = {"RECOLLECT_JWKS_URL": issuer.url, "RECOLLECT_LOG_FORMAT": "json"}
        with door(tmp_path_factory, variables) as opened:
            token = KEYS["ES256"].token()
            before = opened.get("/api/me", token)
            issuer.publish(*KEYS.values())
            issuer.status = 200
            wait_until(
                lambda: opened.get("/api/me", token).status_code == 200, "the keys are fetched"
            )
            yield Published(opened, issuer, before)


def test_a_token_says_who_is_asking(secret_door: Door) -> None:
    user = str(uuid4())
    assert secret_door.user(secret_token(sub=user)) == user
    for audience in (["authenticated"], ["other", "authenticated"]):
        assert secret_door.user(secret_token(sub=user, aud=audience)) == user
    now = int(time.time())
    assert secret_door.user(secret_token(sub=user, iat=now + 5, nbf=now + 5)) == user
    assert secret_door.user(secret_token(sub=user, exp=now - 5)) == user
    assert secret_door.user(secret_token(sub="Zoë 東京")) == "Zoë 東京"


def test_a_user_is_known_from_the_first_request_on(secret_door: Door) -> None:
    user = str(uuid4())
    with secret_door.client(secret_token(sub=user)) as client:
        for address in ("conversations", "memories", "jobs", "search?q=hi"):
            assert client.get(f"/api/{address}").json()["items"] == []
        assert client.get("/api/switch?q=hi").json()["match"] is None
        assert client.get("/api/analytics").status_code == 200
        assert client.get(f"/api/conversations/{UNKNOWN}").status_code == 404
    first_writes: list[tuple[str, dict[str, Any]]] = [
        ("/api/conversations", HI),
        ("/api/memories", {"memory_type": "fact", "content": "Has a bicycle."}),
    ]
    for address, body in first_writes:
        with secret_door.client(secret_token()) as client:
            assert client.post(address, json=body).status_code == 201
            assert len(client.get(address).json()["items"]) == 1
    with secret_door.client(secret_token()) as client:
        shapes.conversation(client.get("/api/conversations/current"), 200)


def test_two_users_do_not_see_each_other(secret_door: Door) -> None:
    with secret_door.client(secret_token()) as one, secret_door.client(secret_token()) as other:
        mine = shapes.conversation(one.post("/api/conversations", json=HI), 201)
        path = f"/api/conversations/{mine['id']}"
        assert other.get("/api/conversations").json()["items"] == []
        shapes.problem(other.get(path), 404)
        shapes.problem(other.post(f"{path}/messages", json=HI), 404)
        shapes.problem(other.delete(path), 404)
        assert one.get(path).json()["message_count"] == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"exp": int(time.time()) - 60}, "has expired"),
        ({"exp": None}, "has no exp"),
        ({"exp": "soon"}, "not a valid token"),
        ({"exp": {}}, "not a valid token"),
        ({"exp": float("inf")}, "not a valid token"),
        ({"nbf": int(time.time()) + 600}, "not valid yet"),
        ({"iat": int(time.time()) + 600}, "not valid yet"),
        ({"iat": []}, "not a valid token"),
        ({"aud": None}, "has no aud"),
        ({"aud": "anon"}, "another audience"),
        ({"aud": []}, "has no aud"),
        ({"aud": ["anon", "authenticate"]}, "another audience"),
        ({"aud": {"authenticated": 1}}, "another audience"),
        ({"iss": None}, "has no iss"),
        ({"iss": "https://evil.example"}, "another issuer"),
        ({"iss": [ISSUER]}, "another issuer"),
        ({"sub": None}, "has no sub"),
        ({"sub": ""}, "not a user id"),
        ({"sub": 7}, "not a user id"),
        ({"sub": ["alice"]}, "not a user id"),
        ({"sub": "a\0b"}, "not a user id"),
        ({"sub": "a\nb"}, "not a user id"),
        ({"sub": "\ud800"}, "not a user id"),
        ({"sub": "x" * 256}, "not a user id"),
    ],
    ids=str,
)
def test_every_claim_must_be_right(secret_door: Door, changes: dict[str, Any], reason: str) -> None:
    token = secret_token(**changes)
    detail = secret_door.refusal(token)
    assert reason in detail
    assert not any(part in detail for part in token.split("."))


NONES: list[Any] = ["none", "None", "NONE", "nOnE", "none ", "", None, [], ["HS256"], {}, 0, "HS"]


@pytest.mark.parametrize("algorithm", NONES, ids=repr)
def test_nothing_goes_unsigned(secret_door: Door, published: Published, algorithm: Any) -> None:
    for opened in (secret_door, published.door):
        text = unsigned({"alg": algorithm, "typ": "JWT"}, claims())
        for token in (f"{text}.", f"{text}.AAAA", text):
            assert "token" in opened.refusal(token)
    assert "not accepted" in secret_door.refusal(unsigned({}, claims()) + ".")


def test_a_forged_signature_is_refused(secret_door: Door, published: Published) -> None:
    assert "signature" in secret_door.refusal(secret_token(SECRET.upper()))
    good = secret_token(sub="alice").split(".")
    other = secret_token(sub="bob").split(".")
    assert "signature" in secret_door.refusal(f"{good[0]}.{other[1]}.{good[2]}")
    known = KEYS["RS256"]
    forged = STRANGER.token(headers={"kid": known.id})
    assert "signature" in published.door.refusal(forged)


def test_no_header_can_confuse_the_keys(secret_door: Door, published: Published) -> None:
    for key in KEYS.values():
        assert "not accepted" in secret_door.refusal(key.token())
        public = key.pem.decode()
        for secret in (public, public.strip(), public.replace("\n", "")):
            assert "not accepted" in published.door.refusal(secret_token(secret))
    assert "not accepted" in published.door.refusal(secret_token())
    for algorithm in ("HS384", "HS512"):
        assert "not accepted" in secret_door.refusal(secret_token(algorithm=algorithm))
    rsa = KEYS["RS256"]
    for algorithm in ("RS512", "PS256"):  # it says that it is for RS256
        assert "not known" in published.door.refusal(rsa.token(algorithm=algorithm))
    assert "not known" in published.door.refusal(KEYS["ES256"].token(headers={"kid": rsa.id}))


def test_keys_that_a_token_brings_along_are_not_looked_at(published: Published) -> None:
    public = STRANGER.public()
    with Issuer() as evil:
        evil.publish(STRANGER)
        for kid in (KEYS["RS256"].id, None):
            headers = {
                "jwk": public,
                "jku": evil.url,
                "x5u": evil.url,
                "x5c": [],
            } | ({"kid": kid} if kid else {})
            assert "signature" in published.door.refusal(STRANGER.token(headers=headers))
        assert evil.fetches == 0


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "a.b.c",
        "....",
        "..",
        "é.é.é",
        "a.b.c.d.e",
        "x" * 20_000,
        unsigned([], {}) + ".AAAA",
        unsigned({"alg": "HS256", "kid": 7}, {}) + ".AAAA",
        unsigned({"alg": "HS256", "crit": ["exp"], "exp": 1}, {}) + ".AAAA",
        unsigned({"alg": "HS256", "b64": False, "crit": ["b64"]}, {}) + ".AAAA",
        jwt.api_jws.encode(b"[]", SECRET, "HS256"),
        jwt.api_jws.encode(b"[" * 5_000, SECRET, "HS256"),
        jwt.api_jws.encode(b"\xff", SECRET, "HS256"),
    ],
    ids=lambda token: token[:30],
)
def test_what_is_no_token_is_refused(secret_door: Door, token: str) -> None:
    with secret_door.client() as client:
        refused = client.get("/api/me", headers={b"Authorization": f"Bearer {token}".encode()})
    assert "token" in shapes.problem(refused, 401)["detail"]


def test_without_anything_it_is_said_what_is_wanted(secret_door: Door) -> None:
    for headers in ({}, {"Authorization": "Basic YTpi"}, {"Cookie": "sb-x-auth-token=nonsense"}):
        with secret_door.client() as client:
            refused = client.get("/api/me", headers=headers)
        assert "a token or an API key" in shapes.problem(refused, 401)["detail"]


@pytest.mark.parametrize("algorithm", KEYS)
def test_published_keys_verify(published: Published, algorithm: str) -> None:
    key = KEYS[algorithm]
    assert published.door.user(key.token(sub="alice")) == "alice"
    assert published.door.user(key.token(sub="alice", iss=None)) == "alice"
    anonymous = published.door.get("/api/me", key.token(headers={}))
    assert anonymous.status_code == 200
    assert "has expired" in published.door.refusal(key.token(exp=int(time.time()) - 60))


def test_while_the_issuer_is_away_nobody_can_come_in(published: Published) -> None:
    shapes.problem(published.before, 503)
    assert "retry-after" in published.before.headers
    assert "keys" in published.before.json()["detail"]
    assert "127.0.0.1 answers 503" in published.door.server.log


def test_keys_come_and_go_without_a_restart(published: Published) -> None:
    """In one go, since after a key that nobody has there is a pause."""
    door, issuer = published.door, published.issuer
    usual, new = KEYS["ES256"], SigningKey.new("ES256")
    issuer.publish(*KEYS.values(), new)
    assert door.user(new.token(sub="alice")) == "alice"

    issuer.publish(*KEYS.values())
    assert door.user(new.token(sub="alice")) == "alice"
    before = issuer.fetches
    for _ in range(50):
        stranger = STRANGER.token(headers={"kid": str(uuid4())})
        assert "not known" in shapes.problem(door.get("/api/me", stranger), 401)["detail"]
    assert issuer.fetches == before + 1
    assert "not known" in door.refusal(new.token())

    issuer.status = 500
    assert door.user(usual.token(sub="alice")) == "alice"
    issuer.status = 200


def test_api_keys_still_open(secret_door: Door) -> None:
    with Recollect.open(secret_door.server.database_url) as memory:
        key = memory.keys.create_key("alice")
        admin_key = memory.keys.create_key("root", is_admin=True)
    for given, user, is_admin in ((key, "alice", False), (admin_key, "root", True)):
        me = secret_door.get("/api/me", given).json()
        assert (me["user_id"], me["mode"], me["is_admin"]) == (user, "keys", is_admin)
    refused = secret_door.get("/api/me", key + "x")
    assert "API key is unknown" in shapes.problem(refused, 401)["detail"]

    with secret_door.client(key) as one, secret_door.client(secret_token(sub="alice")) as other:
        mine = one.post("/api/conversations", json={"title": "Mine"}).json()
        assert mine in other.get("/api/conversations").json()["items"]


def test_the_page_signs_in_from_an_allowed_origin(secret_door: Door) -> None:
    with Recollect.open(secret_door.server.database_url) as memory:
        key = memory.keys.create_key("signed in")
    for origin, is_fine in ((ALLOWED, True), (FOREIGN, False), ("https://app.example.evil", False)):
        with secret_door.client() as client:
            headers = {"Origin": origin}
            signed_in = client.post("/api/session", json={"key": key}, headers=headers)
            assert signed_in.status_code == (204 if is_fine else 403)
            assert ("set-cookie" in signed_in.headers) == is_fine
            headers["Cookie"] = f"recollect_key={key}"
            written = client.post("/api/conversations", json={}, headers=headers)
            assert written.status_code == (201 if is_fine else 403)
            assert client.get("/api/me", headers=headers).json()["user_id"] == "signed in"
    with secret_door.client() as client:  # a token is not kept here: it has its own way
        refused = client.post("/api/session", json={"key": secret_token()})
        shapes.problem(refused, 401)


def test_a_supabase_session_opens(secret_door: Door) -> None:
    token = secret_token(sub="alice")
    for cookies in (
        session_cookies(token),
        session_cookies(token, encoding="plain"),
        session_cookies(token, shape="list"),
        session_cookies(token, encoding="plain", shape="list"),
        session_cookies(token, chunk=300),
        session_cookies(token, encoding="plain", chunk=300),
        session_cookies(secret_token("x" * 40), project="another") | session_cookies(token),
        session_cookies(secret_token("x" * 40), project="zzz") | session_cookies(token),
    ):
        me = secret_door.get("/api/me", **cookies).json()
        assert (me["user_id"], me["mode"], me["is_admin"]) == ("alice", "jwt", False)


def test_what_stands_in_a_session_is_verified(secret_door: Door) -> None:
    with Recollect.open(secret_door.server.database_url) as memory:
        key = memory.keys.create_key("alice")
    for token, reason in (
        (secret_token(exp=int(time.time()) - 60), "has expired"),
        (secret_token("x" * 40), "signature"),
        (unsigned({"alg": "none"}, claims()) + ".", "not accepted"),
        (key, "not a valid token"),
        ("\ud800.a.b", "not a token"),
    ):
        refused = secret_door.get("/api/me", **session_cookies(token))
        assert reason in shapes.problem(refused, 401)["detail"]


def test_a_bearer_token_wins_over_cookies(secret_door: Door) -> None:
    cookies = session_cookies(secret_token(sub="cookie"))
    assert (
        secret_door.get("/api/me", secret_token(sub="bearer"), **cookies).json()["user_id"]
        == "bearer"
    )
    shapes.problem(secret_door.get("/api/me", "nonsense", **cookies), 401)


def test_another_page_cannot_use_a_supabase_session(secret_door: Door) -> None:
    own = secret_door.server.url
    allowed: list[dict[str, str]] = [
        {},
        {"Origin": own},
        {"Origin": ALLOWED},
        {"Origin": "https://b.example"},
        {"Origin": ALLOWED, "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ]
    refused: list[dict[str, str]] = [
        {"Origin": FOREIGN},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": f"{ALLOWED}:444"},
        {"Origin": f"{ALLOWED}.evil.example"},
        {"Origin": FOREIGN, "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]
    token = secret_token()
    with secret_door.client(**session_cookies(token)) as client:
        for headers in allowed:
            assert client.post("/api/conversations", json={}, headers=headers).status_code == 201
        stored = client.get("/api/conversations").json()["items"]
        path = f"/api/conversations/{stored[0]['id']}"
        for headers in refused:
            shapes.problem(client.post("/api/conversations", json={}, headers=headers), 403)
            shapes.problem(client.patch(path, json={"title": "theirs"}, headers=headers), 403)
            shapes.problem(client.delete(path, headers=headers), 403)
            assert client.get("/api/me", headers=headers).status_code == 200
        assert client.get("/api/conversations").json()["items"] == stored
    with secret_door.client(token) as client:  # no page can send what it does not have
        for headers in refused:
            assert client.post("/api/conversations", json={}, headers=headers).status_code == 201


def test_with_tokens_others_may_connect(tmp_path: Path, start: Start) -> None:
    database = f"sqlite:///{tmp_path}/recollect.db"
    variables = {"RECOLLECT_JWT_SECRET": SECRET}
    server = start(database, "--host", "0.0.0.0", variables=variables)
    server.url = server.url.replace("0.0.0.0", "127.0.0.1")
    with server.client(key=secret_token(sub="alice")) as client:
        answer = client.get("/api/me", headers={"Host": "recollect.example"})
        assert answer.json()["user_id"] == "alice"
    with server.client() as anyone:
        shapes.problem(anyone.get("/api/me"), 401)
    told = run_command("doctor", "--database", database, variables=variables)
    assert re.search(r"^identity +JWT", told.stdout, re.M)


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"RECOLLECT_JWT_SECRET": STRANGER.pem.decode()}, "RECOLLECT_JWT_SECRET is a public key"),
        ({"RECOLLECT_JWKS_URL": "file:///etc/passwd"}, "RECOLLECT_JWKS_URL must be an address"),
        ({"RECOLLECT_JWKS_URL": "https://["}, "RECOLLECT_JWKS_URL must be an address"),
    ],
)
def test_wrong_settings_stop_the_start(variables: dict[str, str], reason: str) -> None:
    refused = run_command("serve", "--database", "sqlite:///:memory:", variables=variables)
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"recollect: {reason}")


def run_command(
    *arguments: str, variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments),
        env=environment(variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
