"""What keys of each scope may do, over all routes."""

import re

import httpx
import pytest

from tests.server.conftest import Keyed
from tests.server.shapes import UNKNOWN, problem

_READING = {"buildContext", "resolveReference"}
"""Operations that change nothing although their method is POST."""
_WITHOUT_KEY = {"signIn", "signOut"}
_CREATING = {"getCurrentConversation"}
"""Operations that may create something although their method is GET."""


def _changing(client: httpx.Client) -> list[tuple[str, str, str]]:
    """Return method, path and name of each operation that changes something."""
    paths = client.get("/openapi.json").json()["paths"]
    return [
        (method, re.sub(r"\{\w+\}", UNKNOWN, path), operation["operationId"])
        for path, operations in paths.items()
        for method, operation in operations.items()
        if operation["operationId"] not in _WITHOUT_KEY
        and (method != "get" or operation["operationId"] in _CREATING)
    ]


@pytest.mark.both_databases
def test_read_key_changes_nothing(keyed: Keyed) -> None:
    key = keyed.memory.keys.create_key(user_id="reader", scope="read")
    with keyed.server.client(key=key) as client:
        operations = _changing(client)
        assert len(operations) > 30
        for method, path, name in operations:
            response = client.request(method, path, params={"id": UNKNOWN}, json={})
            expected = (404, 422) if name in _READING else (403,)
            assert response.status_code in expected, (name, response.text)
        assert client.get("/api/conversations").json()["items"] == []
        assert client.get("/api/export").is_success


@pytest.mark.both_databases
def test_read_key_reads(keyed: Keyed) -> None:
    memory = keyed.memory
    chat = memory.conversations.create_conversation("Ferries", user_id="rita")
    key = memory.keys.create_key(user_id="rita", scope="read")
    with keyed.server.client(key=key) as client:
        assert client.get(f"/api/conversations/{chat.id}").json()["title"] == "Ferries"
        context = client.post(
            f"/api/conversations/{chat.id}/context", json={"message": "When does it leave?"}
        )
        assert context.is_success, context.text
        problem(client.delete(f"/api/conversations/{chat.id}"), 403)
        problem(client.get("/api/keys"), 403)


@pytest.mark.both_databases
def test_write_key_does_not_manage_keys(keyed: Keyed) -> None:
    key = keyed.memory.keys.create_key(user_id="walter", scope="write")
    with keyed.server.client(key=key) as client:
        assert client.post("/api/conversations", json={}).is_success
        for method, path in (("GET", ""), ("POST", ""), ("POST", f"/{UNKNOWN}/rotate")):
            problem(client.request(method, f"/api/keys{path}", json={"user_id": "x"}), 403)
