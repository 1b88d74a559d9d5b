"""Large JSON bodies: limited in values, parsed and validated outside the event loop."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from recollect.server import json_body
from recollect.server.json_body import (
    INLINE_BODY_BYTES,
    MAX_JSON_VALUES,
    count_values,
    encode_in_parts,
)
from recollect.server.schemas import Items
from tests.server import shapes
from tests.server.conftest import Keyed, NewKey
from tests.server.process import Server

Json = Any
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='"\\,[{}]:ab\u00e9'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='"\\,[{'), inner),
)


def size(value: Json) -> int:
    """Commas and opening brackets."""
    if isinstance(value, Mapping):
        value = [*value.values()]
    if not isinstance(value, list):
        return 0
    return 1 + max(0, len(value) - 1) + sum(map(size, value))


@given(VALUES, st.integers(1, 9), st.booleans())
def test_values_are_counted(value: Json, part: int, ascii_only: bool) -> None:
    body = json.dumps(value, ensure_ascii=ascii_only).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_body, "_PART_BYTES", part)
        assert count_values(body) == size(value)
    assert count_values(body) == size(value)


@given(st.binary())
def test_any_bytes_are_counted(body: bytes) -> None:
    assert count_values(body) >= 0


@given(VALUES)
def test_parts_make_the_same_json(value: Json) -> None:
    assert encode_in_parts(value) == to_json(value)
    assert encode_in_parts(Items([value])) == to_json({"items": [value]})


def test_body_with_many_values_is_refused(client: httpx.Client) -> None:
    """Ten megabytes of brackets took more than a second to parse."""
    body: Json = {"metadata": {"x": [[]] * MAX_JSON_VALUES}}
    refused = client.post("/api/conversations", json=body)
    shapes.problem(refused, 413)
    assert "100,000 JSON values" in refused.json()["detail"]
    allowed = {"metadata": {"x": [1] * (MAX_JSON_VALUES - 10)}}
    assert client.post("/api/conversations", json=allowed).status_code == 201


PADDING = "x" * INLINE_BODY_BYTES


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"title": PADDING}, 422),
        ({"title": 1, "metadata": {"x": PADDING}}, 422),
        ({"unknown": PADDING}, 422),
        ([PADDING], 422),
        (PADDING, 422),
        (None, 201),
        ({"metadata": {"x": PADDING}}, 201),
    ],
)
def test_large_bodies_are_validated_like_small_ones(
    client: httpx.Client, body: Json, status: int
) -> None:
    large = client.post("/api/conversations", json=body)
    assert large.status_code == status
    if status == 422:
        short = json.loads(json.dumps(body).replace(PADDING, "x" * 300))
        small = client.post("/api/conversations", json=short)
        assert (
            shapes.problem(large, 422)["errors"][0]["field"] == small.json()["errors"][0]["field"]
        )


@pytest.mark.parametrize(
    "content",
    [
        b'{"metadata": ' + PADDING.encode(),
        b'{"metadata": {"x": "\xff' + PADDING.encode() + b'"}}',
        b"[" * 100_000,
        b'"' + b"\\" * 100_001,
    ],
)
def test_malformed_large_bodies_are_refused(client: httpx.Client, content: bytes) -> None:
    headers = {"content-type": "application/json"}
    refused = client.post("/api/conversations", content=content, headers=headers)
    shapes.problem(refused, 400)


def test_large_body_is_authenticated_first(server: Server) -> None:
    with server.client() as anyone:
        refused = anyone.post("/api/conversations", json={"unknown": PADDING})
        shapes.problem(refused, 401)


def test_large_responses_keep_their_status_and_headers(
    server: Server, new_key: NewKey, keyed: Keyed
) -> None:
    with server.client(key=new_key()) as client:
        message = {"role": "user", "content": "hi", "custom_payload": PADDING}
        created = client.post("/api/conversations", json={"messages": [message]})
        assert created.status_code == 201
        path = f"/api/conversations/{created.json()['id']}/messages"
        appended = client.post(path, json={"messages": [message]})
        assert appended.status_code == 201
        assert appended.headers["content-type"] == "application/json"
        shapes.messages(appended, 201)
        shapes.messages(client.get(path), 200)


def test_large_body_is_parsed_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    in_loop: list[bool] = []
    loads = json.loads

    def recorded(text: bytes) -> Json:
        try:
            in_loop.append(asyncio.get_running_loop() is not None)
        except RuntimeError:
            in_loop.append(False)
        return loads(text)

    monkeypatch.setattr("recollect.server.json_body.json.loads", recorded)

    async def parse(body: bytes) -> Json:
        async def receive() -> dict[str, Json]:
            return {"type": "http.request", "body": body, "more_body": False}

        scope = {"type": "http", "method": "POST", "headers": []}
        request = json_body._JsonRequest(scope, receive, validate=lambda value: value)
        return await request.json()

    assert asyncio.run(parse(b'"small"')) == "small"
    assert asyncio.run(parse(json.dumps(PADDING).encode())) == PADDING
    assert in_loop == [True, False]
