"""Invalid requests are refused with a reason and store nothing, on both databases."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.server import shapes
from tests.server.shapes import UNKNOWN, Json

JSON = {"Content-Type": "application/json"}
HI = {"role": "user", "content": "hi"}
SILENCE = {"role": "user", "content": " "}
TURN, NO_TURN = ({"role": "user", "parts": [{"text": text}]} for text in ("hi", " "))
LONE_SURROGATE = "\ud800"


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def given(**fields: object) -> Json:
    return {"messages": [HI, HI | fields]}


@pytest.fixture
def path(client: httpx.Client) -> str:
    """A conversation with one message."""
    created = client.post("/api/conversations", json={"title": "Kept", "messages": [HI]})
    return f"/api/conversations/{created.json()['id']}"


@pytest.fixture(autouse=True)
def _nothing_is_written(client: httpx.Client, path: str) -> Iterator[None]:
    before = everything(client, path)
    yield
    assert everything(client, path) == before


def everything(client: httpx.Client, path: str) -> list[Any]:
    addresses = ["/api/conversations", f"{path}/messages"]
    return [shapes.page(client.get(address)) for address in addresses]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (given(role="robot"), "messages.1.role"),
        (given(role=None), "messages.1.role"),
        (given(content=None), "messages.1.content"),
        (given(content=["a"]), "messages.1.content"),
        (given(thinking=1), "messages.1.thinking"),
        (given(tool_calls={}), "messages.1.tool_calls"),
        (given(tool_calls=["search"]), "messages.1.tool_calls.0"),
        (given(metadata=[]), "messages.1.metadata"),
        (given(is_pinned="perhaps"), "messages.1.is_pinned"),
        (given(event_at="yesterday"), "messages.1.event_at"),
        (given(event_at="2024-01-01T00:00:00"), "messages.1.event_at"),
        (given(id=7), "messages.1.id"),
        (given(seq=1), "messages.1.seq"),
        ({"messages": [{"content": "hi"}]}, "messages.0.role"),
        ({"messages": []}, "messages"),
        ({"messages": HI}, "messages"),
        ({"messages": [HI], "more": 1}, "more"),
        ({}, "messages"),
        ([], ""),
        (None, ""),
        ("text", ""),
        (given(content=""), "messages.1.content"),
        (given(content=" \n\t"), "messages.1.content"),
        (given(content="", tool_calls=[]), "messages.1.content"),
        (given(tool_calls=[{"name": "t"}]), "messages.1.tool_calls.0.tool_name"),
        (given(content="a\0b"), "messages.1.content"),
        (given(thinking="\0"), "messages.1.thinking"),
        (given(model_variant="\0"), "messages.1.model_variant"),
        (given(id="7"), "messages.1.id"),
        (given(id=UNKNOWN + "0"), "messages.1.id"),
        (given(event_at="0001-01-01T00:00:00+14:00"), "messages.1.event_at"),
        ({"messages": [HI | {"id": UNKNOWN}] * 2}, "messages.1.id"),
    ],
)
def test_invalid_messages_are_refused(
    client: httpx.Client, path: str, body: object, field: str
) -> None:
    refused = shapes.problem(client.post(f"{path}/messages", json=body), 422)
    assert field in [error["field"] for error in refused["errors"]]


@pytest.mark.parametrize(
    ("method", "address", "body", "field"),
    [
        ("POST", "/api/conversations", {"title": 1}, "title"),
        ("POST", "/api/conversations", {"title": "a\0b"}, "title"),
        ("POST", "/api/conversations", {"titel": "a"}, "titel"),
        ("POST", "/api/conversations", {"policy": "nonsense"}, "policy"),
        ("POST", "/api/conversations", {"metadata": "a"}, "metadata"),
        ("POST", "/api/conversations", {"messages": [HI, {}]}, "messages.1.role"),
        ("POST", "/api/conversations", {"messages": [HI, SILENCE]}, "messages.1.content"),
        ("POST", "/api/chats", {"messages": [TURN, NO_TURN]}, "messages.1.parts"),
        ("PATCH", "/api/chats", {"id": UNKNOWN, "messages": [NO_TURN]}, "messages.0.parts"),
        ("PATCH", "{path}", {"title": ["a"]}, "title"),
        ("PATCH", "{path}", {"policy": "nonsense"}, "policy"),
        ("PATCH", "{path}", {"policy": None}, "policy"),
        ("PATCH", "{path}", {"is_archived": None}, "is_archived"),
        ("PATCH", "{path}", {"metadata": None}, "metadata"),
        ("PUT", "{path}", {"message_count": 7}, "message_count"),
        ("PUT", "{path}", {"remember": "perhaps"}, "remember"),
        ("POST", "{path}/fork", {"at": "first"}, "at"),
        ("POST", "{path}/fork", {"at": 1.5}, "at"),
        ("POST", "{path}/fork", {"at": 1, "title": "\0"}, "title"),
        ("PATCH", "{message}", {}, "is_pinned"),
        ("PATCH", "{message}", {"is_pinned": None}, "is_pinned"),
        ("PATCH", "{message}", {"is_pinned": True, "content": "new"}, "content"),
        ("PUT", "{feedback}", {}, "rating"),
        ("PUT", "{feedback}", {"rating": "fine"}, "rating"),
        ("PUT", "{feedback}", {"rating": "up", "note": 1}, "note"),
        ("PUT", "{feedback}", {"rating": "up", "note": "\0"}, "note"),
        ("POST", "/api/session", {"key": None}, "key"),
    ],
)
def test_invalid_bodies_are_refused(
    client: httpx.Client, path: str, method: str, address: str, body: Json, field: str
) -> None:
    message = client.get(f"{path}/messages").json()["items"][0]["id"]
    url = address.format(
        path=path,
        message=f"{path}/messages/{message}",
        feedback=f"/api/messages/{message}/feedback",
    )
    refused = shapes.problem(client.request(method, url, json=body), 422)
    assert field in [error["field"] for error in refused["errors"]]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b'{"title": "a"} {}',
        b"{'title': 'a'}",
        b'{"title": "a\nb"}',
        b'{"title": "a\0b"}',
        b'{"title": "\xff"}',
        b"\x80",
        nested(10_000).encode(),
        b'{"metadata": {"a": %s}}' % nested(10_000).encode(),
        b'{"metadata": {"a": %s}}' % (b"9" * 5_000),
    ],
    ids=lambda body: repr(body[:24]),
)
def test_invalid_json_is_refused(client: httpx.Client, body: bytes) -> None:
    shapes.problem(client.post("/api/conversations", content=body, headers=JSON), 400)


@pytest.mark.parametrize(
    "body",
    [
        {"title": LONE_SURROGATE},
        {"metadata": {"a": [LONE_SURROGATE]}},
        {"metadata": {LONE_SURROGATE: 1}},
        {LONE_SURROGATE: 1},
        {"policy": LONE_SURROGATE},
        {"messages": [HI | {"content": LONE_SURROGATE}]},
        {"messages": [HI | {"role": LONE_SURROGATE}]},
        {"messages": [HI | {"custom_payload": float("nan")}]},
        {"metadata": {"a": float("nan")}},
        {"metadata": {"a": [float("inf")]}},
        {"metadata": {"a": float("-inf")}},
        {"title": float("nan")},
    ],
    ids=repr,
)
def test_json_that_cannot_be_stored_is_refused(client: httpx.Client, body: Json) -> None:
    text = json.dumps(body)  # escapes the surrogate, and writes NaN and Infinity as they are
    shapes.problem(client.post("/api/conversations", content=text, headers=JSON), 422)


def test_huge_numbers_are_refused(client: httpx.Client) -> None:
    body = '{"metadata": {"a": 1e999}}'
    shapes.problem(client.post("/api/conversations", content=body, headers=JSON), 422)


def test_invalid_utf8_is_refused(client: httpx.Client) -> None:
    body = b'{"title": "\xed\xa0\x80"}'
    shapes.problem(client.post("/api/conversations", content=body, headers=JSON), 422)


@pytest.mark.parametrize("depth", [300, 900])
def test_deeply_nested_json_is_refused(client: httpx.Client, path: str, depth: int) -> None:
    deep = json.loads(nested(depth))
    shapes.problem(client.post("/api/conversations", json={"metadata": {"a": deep}}), 422)
    shapes.problem(client.patch(path, json={"metadata": {"a": deep}}), 422)
    shapes.problem(client.post(f"{path}/messages", json=given(custom_payload=deep)), 422)


def test_missing_content_type_is_refused(client: httpx.Client) -> None:
    answer = client.post("/api/conversations", content=b'{"title": "a"}')
    assert "application/json" in shapes.problem(answer, 422)["detail"]


def test_message_over_the_limit_is_refused(client: httpx.Client, path: str) -> None:
    limit = client.get("/api/me").json()["limits"]["max_message_bytes"]
    for fields in ({"content": "x" * (limit + 1)}, {"metadata": {"a": "é" * (limit // 2)}}):
        shapes.problem(client.post(f"{path}/messages", json=given(**fields)), 413)


@pytest.mark.parametrize("is_chunked", [False, True])
@pytest.mark.parametrize("address", ["/api/conversations", "/api/session"])
def test_body_over_the_limit_is_refused(
    client: httpx.Client, address: str, is_chunked: bool
) -> None:
    piece = b" " * 1_000_000
    body = (piece for _ in range(20)) if is_chunked else 20 * piece
    shapes.problem(client.post(address, content=body, headers=JSON), 413)


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "W10", "bnVsbA", "%00", "%ff", "A" * 5_000])
def test_invalid_cursors_are_refused(client: httpx.Client, path: str, cursor: str) -> None:
    for address in ("/api/conversations", f"{path}/messages"):
        shapes.problem(client.get(f"{address}?cursor={cursor}"), 400)


@pytest.mark.parametrize("limit", ["0", "201", "-1", "abc", "1.5", "", "9" * 5_000])
def test_limit_must_be_between_1_and_200(client: httpx.Client, path: str, limit: str) -> None:
    for address in ("/api/conversations", f"{path}/messages"):
        refused = shapes.problem(client.get(address, params={"limit": limit}), 422)
        assert [error["field"] for error in refused["errors"]] == ["limit"]


@pytest.mark.parametrize(
    "query", ["?messages=-1", "?messages=201", "?messages=x", "/messages?order=up"]
)
def test_invalid_query_parameters_are_refused(client: httpx.Client, path: str, query: str) -> None:
    shapes.problem(client.get(path + query), 422)
    shapes.problem(client.get("/api/conversations?archived=perhaps"), 422)


@pytest.mark.parametrize("q", ["%00", "a%00b"])
def test_filter_with_nul_is_refused(client: httpx.Client, q: str) -> None:
    refused = shapes.problem(client.get(f"/api/conversations?q={q}"), 422)
    assert [error["field"] for error in refused["errors"]] == ["q"]


@pytest.mark.parametrize("q", ["%ff", "%ED%A0%80", "'", "%5C", "x" * 1_000])
def test_any_text_is_a_valid_filter(client: httpx.Client, q: str) -> None:
    assert shapes.page(client.get(f"/api/conversations?q={q}")) == ([], None)


def test_filter_over_the_limit_is_refused(client: httpx.Client) -> None:
    shapes.problem(client.get("/api/conversations", params={"q": "x" * 10_000}), 422)


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_invalid_idempotency_keys_are_refused(client: httpx.Client, path: str, key: str) -> None:
    headers = {"Idempotency-Key": key}
    body = {"messages": [HI]}
    shapes.problem(client.post(f"{path}/messages", json=body, headers=headers), 422)
    shapes.problem(client.post("/api/conversations", json=body, headers=headers), 422)


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/conversations/a/b/c", 404),
        ("GET", "/assets/../../app.py", 404),
        ("GET", "/..%2f..%2fapp.py", 404),
        ("GET", "/%00", 404),
        ("GET", "/" + "a" * 1_000, 404),
        ("POST", "/api/nowhere", 404),
        ("PUT", "/api/conversations", 405),
        ("DELETE", "/", 405),
        ("POST", "/healthz", 405),
        ("PATCH", "/api/me", 405),
    ],
    ids=lambda value: str(value)[:30],
)
def test_unknown_paths_answer_problems(
    client: httpx.Client, method: str, address: str, status: int
) -> None:
    shapes.problem(client.request(method, address), status)


@pytest.mark.parametrize(
    "number", [2**53 + 1, -(2**63) - 1, 2**64, 10**400, 0.1, 1e300, 5e-324, -0.0]
)
def test_numbers_are_stored_exactly(client: httpx.Client, number: float) -> None:
    body = json.dumps({"metadata": {"n": number}})
    created = client.post("/api/conversations", content=body, headers=JSON)
    assert created.status_code == 201
    address = f"/api/conversations/{created.json()['id']}"
    kept = client.get(address).json()["metadata"]["n"]
    assert (repr(kept), type(kept)) == (repr(number), type(number))
    client.delete(address)
