"""JSON Web Tokens, as bearer tokens and in Supabase's cookie.

One server has the issuer's secret, the other the URL of its key set. All tokens and cookies that
were sent must not appear in their logs.
"""

import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import jwt
import pytest

from recollect.core.errors import Misconfigured
from recollect.settings import Settings
from recollect.sync import Recollect
from tests.server import shapes
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
from tests.server.shapes import UNKNOWN, Json

pytestmark = pytest.mark.xdist_group("jwt")

ALLOWED = "https://app.example"
FOREIGN = "https://evil.example"
HI = {"messages": [{"role": "user", "content": "hi"}]}
NOTE = {"memory_type": "fact", "content": "Has a blue bicycle."}
KEYS = {name: SigningKey.new(name) for name in ("RS256", "ES256", "ES512", "EdDSA")}
STRANGER = SigningKey.new("RS256")
"""Not in the key set."""
PAST, FUTURE = int(time.time()) - 60, int(time.time()) + 86_400
WITH_SECRET = {"RECOLLECT_JWT_SECRET": SECRET, "RECOLLECT_JWT_ISSUER": ISSUER}


@dataclass(frozen=True)
class Door:
    """A server, and all tokens that were sent to it."""

    server: Server
    client: httpx.Client
    shown: set[str] = field(default_factory=set)

    def ask(
        self,
        method: str,
        address: str,
        *,
        token: str | None = None,
        cookies: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        json: Json | None = None,
    ) -> httpx.Response:
        given = dict(headers or {})
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        if cookies is not None:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        for shown in (given.get("Authorization", ""), given.get("Cookie", "")):
            self.shown.update(part for part in re.split(r"[ .=;]+", shown) if len(part) >= 20)
        sent = {name.encode(): value.encode() for name, value in given.items()}
        answer = self.client.request(method, address, headers=sent, json=json)
        self.client.cookies.clear()
        return answer

    def get(self, address: str, token: str) -> Any:
        answer = self.ask("GET", address, token=token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def user(self, token: str) -> str:
        me = self.get("/api/me", token)
        assert (me["mode"], me["is_admin"]) == ("jwt", False)
        return str(me["user_id"])

    def refusal(self, token: str) -> str:
        """The reason of the refusal, which is the same for reads and writes."""
        refused = self.ask("GET", "/api/conversations", token=token)
        assert refused.headers["www-authenticate"] == "Bearer"
        again = self.ask("POST", "/api/conversations", token=token, json={})
        detail: str = shapes.problem(refused, 401)["detail"]
        assert shapes.problem(again, 401)["detail"] == detail
        return detail

    def new_key(self, user: str, *, is_admin: bool = False) -> str:
        with Recollect.open(self.server.database_url) as memory:
            return memory.keys.create_key(user_id=user, is_admin=is_admin)

    def check_log(self) -> None:
        assert self.shown
        assert "Traceback" not in self.server.log, self.server.log
        for secret in self.shown | {SECRET, REFRESH_TOKEN}:
            assert secret not in self.server.log


@contextmanager
def opened(
    folder: pytest.TempPathFactory, *arguments: str, variables: Mapping[str, str]
) -> Iterator[Door]:
    url = f"sqlite:///{folder.mktemp('jwt')}/recollect.db"
    usual = {"RECOLLECT_WORKER": "false", "RECOLLECT_CORS_ORIGINS": f"{ALLOWED},https://b.example"}
    with running(url, *arguments, variables=usual | dict(variables)) as server:
        server.url = server.url.replace("0.0.0.0", "127.0.0.1")
        with server.client() as client:
            door = Door(server, client)
            yield door
    door.check_log()


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A server with a JWT secret, which may listen on any address."""
    with opened(tmp_path_factory, "--host", "0.0.0.0", variables=WITH_SECRET) as one:
        yield one


@dataclass(frozen=True)
class Published:
    door: Door
    issuer: Issuer
    before: httpx.Response
    """The response to a valid token while the issuer was unreachable."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    """A server with the issuer's key set."""
    with Issuer() as issuer:
        issuer.status = 503
        variables = {"RECOLLECT_JWKS_URL": issuer.url, "RECOLLECT_LOG_FORMAT": "json"}
        with opened(tmp_path_factory, variables=variables) as door:
            token = KEYS["ES256"].token()

            def me() -> httpx.Response:
                return door.ask("GET", "/api/me", token=token)

            before = me()
            issuer.publish(*KEYS.values())
            issuer.status = 200
            wait_until(lambda: me().status_code == 200, "the keys are fetched")
            yield Published(door, issuer, before)


def test_token_identifies_the_user(door: Door) -> None:
    user = str(uuid4())
    assert door.user(secret_token(sub=user)) == user
    for audience in (["authenticated"], ["other", "authenticated"]):
        assert door.user(secret_token(sub=user, aud=audience)) == user
    now = int(time.time())
    assert door.user(secret_token(sub=user, iat=now + 5, nbf=now + 5)) == user
    assert door.user(secret_token(sub=user, exp=now - 5)) == user
    assert door.user(secret_token(sub="Zoë 東京")) == "Zoë 東京"
    elsewhere = {"Host": "recollect.example"}
    answer = door.ask("GET", "/api/me", token=secret_token(sub=user), headers=elsewhere)
    assert answer.json()["user_id"] == user


def test_user_exists_from_the_first_request(door: Door) -> None:
    token = secret_token()
    for address in ("conversations", "memories", "jobs", "search?q=hi"):
        assert door.get(f"/api/{address}", token)["items"] == []
    assert door.get("/api/switch?q=hi", token)["match"] is None
    assert door.get("/api/analytics", token)["compactions"] == 0
    shapes.problem(door.ask("GET", f"/api/conversations/{UNKNOWN}", token=token), 404)
    first_writes: list[tuple[str, Json]] = [("/api/conversations", HI), ("/api/memories", NOTE)]
    for address, body in first_writes:
        token = secret_token()
        assert door.ask("POST", address, token=token, json=body).status_code == 201
        assert len(door.get(address, token)["items"]) == 1
    assert door.get("/api/conversations/current", secret_token())["message_count"] == 0


def test_users_are_isolated(door: Door) -> None:
    one, other = secret_token(), secret_token()
    mine = door.ask("POST", "/api/conversations", token=one, json=HI).json()
    path = f"/api/conversations/{mine['id']}"
    assert door.get("/api/conversations", other)["items"] == []
    shapes.problem(door.ask("GET", path, token=other), 404)
    shapes.problem(door.ask("POST", f"{path}/messages", token=other, json=HI), 404)
    shapes.problem(door.ask("DELETE", path, token=other), 404)
    assert door.get(path, one)["message_count"] == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"exp": PAST}, "has expired"),
        ({"exp": None}, "has no exp"),
        ({"exp": "soon"}, "not a valid token"),
        ({"exp": {}}, "not a valid token"),
        ({"exp": float("inf")}, "not a valid token"),
        ({"nbf": FUTURE}, "not valid yet"),
        ({"iat": FUTURE}, "not valid yet"),
        ({"iat": []}, "not a valid token"),
        ({"aud": None}, "has no aud"),
        ({"aud": []}, "has no aud"),
        ({"aud": "anon"}, "another audience"),
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
)
def test_every_claim_is_checked(door: Door, changes: Json, reason: str) -> None:
    token = secret_token(**changes)
    detail = door.refusal(token)
    assert reason in detail
    assert not any(part in detail for part in token.split("."))


def test_unsigned_tokens_are_refused(door: Door, published: Published) -> None:
    nones: list[Any] = ["none", "None", "NONE", "nOnE", "none ", "", None, [], ["HS256"], {}, 0]
    headers = [{"alg": algorithm, "typ": "JWT"} for algorithm in nones] + [{"typ": "JWT"}]
    for server in (door, published.door):
        for header in headers:
            text = unsigned(header, claims())
            for signature in ("", "AAAA"):
                assert "not accepted" in server.refusal(f"{text}.{signature}")
            assert "not a valid token" in server.refusal(text)


def test_forged_signature_is_refused(door: Door, published: Published) -> None:
    assert "signature" in door.refusal(secret_token(SECRET.upper()))
    header, _, signature = secret_token(sub="alice").split(".")
    _, payload, _ = secret_token(sub="bob").split(".")
    assert "signature" in door.refusal(f"{header}.{payload}.{signature}")
    assert "signature" in door.refusal(f"{header}.{payload}.")
    forged = STRANGER.token(headers={"kid": KEYS["RS256"].id})
    assert "signature" in published.door.refusal(forged)


def test_algorithm_confusion_is_refused(door: Door, published: Published) -> None:
    for key in KEYS.values():
        assert "not accepted" in door.refusal(key.token())
        pem = key.pem.decode()
        for public in (pem, pem.strip(), pem.replace("\n", "")):
            assert "not accepted" in published.door.refusal(secret_token(public))
    assert "not accepted" in published.door.refusal(secret_token())
    for algorithm in ("HS384", "HS512"):
        assert "not accepted" in door.refusal(secret_token(algorithm=algorithm))
    rsa = KEYS["RS256"]
    for algorithm in ("RS512", "PS256"):  # it is published for RS256
        assert "not known" in published.door.refusal(rsa.token(algorithm=algorithm))
    assert "not known" in published.door.refusal(KEYS["ES256"].token(headers={"kid": rsa.id}))


def test_keys_in_the_header_are_ignored(published: Published) -> None:
    with Issuer() as evil:
        evil.publish(STRANGER)
        brought = {"jwk": STRANGER.public(), "jku": evil.url, "x5u": evil.url, "x5c": []}
        for kid in ({"kid": KEYS["RS256"].id}, {}):
            assert "signature" in published.door.refusal(STRANGER.token(headers=brought | kid))
        assert evil.fetches == 0


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "a.b.c",
        "....",
        "é.é.é",
        "a.b.c.d.e",
        "x" * 20_000,
        secret_token(padding="x" * 8_000),
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
def test_malformed_tokens_are_refused(door: Door, token: str) -> None:
    assert re.search("not a (valid )?token", door.refusal(token))


def test_missing_token_is_explained(door: Door) -> None:
    for headers in ({}, {"Authorization": "Basic YTpi"}, {"Cookie": "sb-x-auth-token=nonsense"}):
        for method in ("GET", "POST"):
            refused = door.ask(method, "/api/conversations", headers=headers, json={})
            assert "a token or an API key" in shapes.problem(refused, 401)["detail"]


def test_issuer_keys_verify_tokens(published: Published) -> None:
    for key in KEYS.values():
        assert published.door.user(key.token(sub="alice")) == "alice"
        assert published.door.user(key.token(sub="alice", iss=None)) == "alice"
        assert published.door.user(key.token(sub="alice", headers={})) == "alice"
        assert "has expired" in published.door.refusal(key.token(exp=PAST))


def test_unreachable_issuer_answers_503(published: Published) -> None:
    assert "keys" in shapes.problem(published.before, 503)["detail"]
    assert "retry-after" in published.before.headers
    assert "127.0.0.1 answers 503" in published.door.server.log


def test_issuer_keys_rotate_without_restart(published: Published) -> None:
    """In one test, since an unknown key is followed by a pause."""
    door, issuer = published.door, published.issuer
    usual, new = KEYS["ES256"], SigningKey.new("ES256")
    issuer.publish(*KEYS.values(), new)
    assert door.user(new.token(sub="alice")) == "alice"

    issuer.publish(*KEYS.values())
    assert door.user(new.token(sub="alice")) == "alice"
    before = issuer.fetches
    for _ in range(50):
        stranger = STRANGER.token(headers={"kid": str(uuid4())})
        assert "not known" in door.refusal(stranger)
    assert issuer.fetches == before + 1
    assert "not known" in door.refusal(new.token())

    issuer.status = 500
    assert door.user(usual.token(sub="alice")) == "alice"
    issuer.status = 200


def test_api_keys_work_beside_tokens(door: Door) -> None:
    for user, is_admin in (("alice", False), ("root", True)):
        key = door.new_key(user, is_admin=is_admin)
        me = door.get("/api/me", key)
        assert (me["user_id"], me["mode"], me["is_admin"]) == (user, "keys", is_admin)
        assert "API key is unknown" in door.refusal(key + "x")
        mine = door.ask("POST", "/api/conversations", token=key, json={}).json()
        assert mine in door.get("/api/conversations", secret_token(sub=user))["items"]


def test_sign_in_works_from_an_allowed_origin(door: Door) -> None:
    key = door.new_key("signed in")
    for origin, is_fine in ((ALLOWED, True), (FOREIGN, False), (f"{ALLOWED}.evil", False)):
        headers = {"Origin": origin}
        signed_in = door.ask("POST", "/api/session", headers=headers, json={"key": key})
        assert signed_in.status_code == (204 if is_fine else 403)
        assert ("set-cookie" in signed_in.headers) == is_fine
        cookies = {"recollect_key": key}
        written = door.ask("POST", "/api/conversations", headers=headers, cookies=cookies, json={})
        assert written.status_code == (201 if is_fine else 403)
        read = door.ask("GET", "/api/me", headers=headers, cookies=cookies)
        assert read.json()["user_id"] == "signed in"
    token = secret_token()  # which is not kept here: it has its own way
    shapes.problem(door.ask("POST", "/api/session", json={"key": token}), 401)


def test_supabase_session_is_accepted(door: Door) -> None:
    token, other = secret_token(sub="alice"), secret_token("x" * 40)
    for cookies in (
        session_cookies(token),
        session_cookies(token, encoding="plain"),
        session_cookies(token, shape="list"),
        session_cookies(token, encoding="plain", shape="list"),
        session_cookies(token, chunk=300),
        session_cookies(token, encoding="plain", chunk=300),
        session_cookies(other, project="another") | session_cookies(token),
        session_cookies(token) | session_cookies(other, project="yet-another"),
    ):
        me = door.ask("GET", "/api/me", cookies=cookies).json()
        assert (me["user_id"], me["mode"], me["is_admin"]) == ("alice", "jwt", False)


def test_supabase_token_is_verified(door: Door) -> None:
    for token, reason in (
        (secret_token(exp=PAST), "has expired"),
        (secret_token("x" * 40), "signature"),
        (unsigned({"alg": "none"}, claims()) + ".", "not accepted"),
        (door.new_key("alice"), "not a valid token"),
    ):
        refused = door.ask("GET", "/api/me", cookies=session_cookies(token))
        assert reason in shapes.problem(refused, 401)["detail"]
    half = {"sb-x-auth-token": r"[%22\ud800.a.b%22]"}
    shapes.problem(door.ask("GET", "/api/me", cookies=half), 401)


def test_bearer_token_wins_over_cookies(door: Door) -> None:
    cookies = session_cookies(secret_token(sub="cookie"))
    bearer = secret_token(sub="bearer")
    answer = door.ask("GET", "/api/me", token=bearer, cookies=cookies)
    assert answer.json()["user_id"] == "bearer"
    shapes.problem(door.ask("GET", "/api/me", token="nonsense", cookies=cookies), 401)


def test_other_origins_cannot_use_a_supabase_session(door: Door) -> None:
    ours: list[Json] = [
        {},
        {"Origin": door.server.url},
        {"Origin": ALLOWED},
        {"Origin": "https://b.example"},
        {"Origin": ALLOWED, "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ]
    foreign: list[Json] = [
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
    cookies = session_cookies(token)

    def write(method: str, address: str, headers: Json) -> httpx.Response:
        return door.ask(method, address, headers=headers, cookies=cookies, json={"title": "New"})

    for headers in ours:
        assert write("POST", "/api/conversations", headers).status_code == 201
    stored = door.get("/api/conversations", token)["items"]
    path = f"/api/conversations/{stored[0]['id']}"
    for headers in foreign:
        shapes.problem(write("POST", "/api/conversations", headers), 403)
        shapes.problem(write("PATCH", path, headers), 403)
        shapes.problem(write("DELETE", path, headers), 403)
        read = door.ask("GET", "/api/me", headers=headers, cookies=cookies)
        assert read.status_code == 200
    assert door.get("/api/conversations", token)["items"] == stored
    for headers in foreign:  # no page can send a token that it does not have
        answer = door.ask("POST", "/api/conversations", token=token, headers=headers, json={})
        assert answer.status_code == 201


def test_doctor_reports_jwt(door: Door) -> None:
    told = subprocess.run(
        command("doctor", "--database", door.server.database_url),
        env=environment(WITH_SECRET),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert re.search("^identity +JWT", told.stdout, re.M)
    assert SECRET not in told.stdout + told.stderr


def test_jwks_url_must_be_http() -> None:
    for url in ("https://a.example/jwks", "http://[::1]:9/jwks?a=b", "http://auth:9999"):
        Settings.from_environment({"RECOLLECT_JWKS_URL": url})
    for url in ("file:///etc/passwd", "https://[", "a.example/jwks", "https://", "https://a b"):
        with pytest.raises(Misconfigured, match="RECOLLECT_JWKS_URL"):
            Settings.from_environment({"RECOLLECT_JWKS_URL": url})
