"""Sessions in Supabase's cookies, valid and invalid."""

import base64
import json
from itertools import product
from typing import get_args

import pytest

from recollect.server.supabase import access_tokens
from tests.server.sessions import PROJECT, Encoding, Shape, session_cookies

NAME = f"sb-{PROJECT}-auth-token"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl"


def base64_session(text: str) -> str:
    return "base64-" + base64.urlsafe_b64encode(text.encode()).decode()


def test_token_is_found_in_every_encoding() -> None:
    forms = product(get_args(Encoding), get_args(Shape), (None, 30, 100))
    for encoding, shape, chunk in forms:
        cookies = session_cookies(TOKEN, encoding=encoding, shape=shape, chunk=chunk)
        assert chunk is None or len(cookies) > 1
        assert access_tokens({"theme": "dark", **cookies, "x": "y"}) == [TOKEN]
        backwards = dict(reversed(cookies.items()))
        assert access_tokens(backwards) == [TOKEN]


def test_unencoded_json_and_extra_padding_are_accepted() -> None:
    session = json.dumps({"access_token": TOKEN})
    assert access_tokens({NAME: session}) == [TOKEN]
    assert access_tokens({NAME: base64_session(session)}) == [TOKEN]


def test_unsplit_cookie_wins_over_chunks() -> None:
    chunks = session_cookies("an.older.one", chunk=100)
    assert access_tokens(chunks | session_cookies(TOKEN)) == [TOKEN]
    assert access_tokens(session_cookies(TOKEN, chunk=100) | {NAME: ""}) == [TOKEN]


def test_missing_chunk_invalidates_the_session() -> None:
    chunks = session_cookies(TOKEN, chunk=100)
    for missing in chunks:
        assert access_tokens({name: chunks[name] for name in chunks.keys() - {missing}}) == []


def test_sessions_of_several_projects_are_found() -> None:
    cookies = session_cookies("b.b.b", project="bb") | session_cookies("a.a.a", project="aa")
    assert access_tokens(cookies) == ["a.a.a", "b.b.b"]


@pytest.mark.parametrize(
    "name",
    [
        "sb-auth-token",
        "sb--auth-token",
        f"{NAME}-code-verifier",
        f"{NAME}-user",
        f"{NAME}.x",
        f"{NAME}.0.0",
        f"{NAME}.1",
        f"x{NAME}",
        f"{NAME} ",
        "supabase-auth-token",
    ],
)
def test_other_cookies_are_ignored(name: str) -> None:
    (value,) = session_cookies(TOKEN).values()
    assert access_tokens({name: value}) == []


@pytest.mark.parametrize(
    "value",
    [
        "",
        TOKEN,
        "base64-",
        "base64-€",
        "base64-!",
        "base64-eyJ",
        "base64-_w",
        "%7B",
        "%FF",
        "null",
        "7",
        "[]",
        "[null]",
        '{"access_token": null}',
        '{"access_token": ["a"]}',
        '{"access_token": ""}',
        '"text"',
        "[" * 60_000,
        base64_session("[" * 40_000),
        json.dumps({"access_token": TOKEN, "user": "x" * 65_536}),
    ],
    ids=lambda value: value[:20],
)
def test_invalid_sessions_are_ignored(value: str) -> None:
    assert access_tokens({NAME: value}) == []


def test_number_and_size_of_cookies_are_limited() -> None:
    chunks = session_cookies(TOKEN, chunk=4)
    assert len(chunks) > 20
    assert access_tokens(chunks) == []
    projects = [session_cookies(TOKEN, project=f"project{number}") for number in range(100)]
    many = {name: value for cookies in projects for name, value in cookies.items()}
    assert len(access_tokens(many)) < 10
