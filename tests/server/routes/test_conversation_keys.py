"""Conversations by the caller's own key (`external_id`), on every endpoint that takes an id."""

import httpx
import pytest

BODY = {"messages": [{"role": "user", "content": "When is it warm in Lisbon?"}]}


@pytest.mark.both_databases
def test_key_stands_for_the_id(client: httpx.Client) -> None:
    created = client.post("/api/conversations", json={"external_id": "trip: lisbon", **BODY})
    assert created.status_code == 201
    id = created.json()["id"]
    assert created.json()["external_id"] == "trip: lisbon"
    path = "/api/conversations/trip:%20lisbon"
    assert client.get(path).json()["id"] == id
    assert client.post(f"{path}/messages", json=BODY).status_code == 201
    assert len(client.get(f"{path}/messages").json()["items"]) == 2
    context = client.post(f"{path}/context", json={"message": "And in winter?"})
    assert context.json()["messages"][-1]["content"] == "And in winter?"
    assert client.get(f"{path}/summary").json()["version"] == 0
    assert client.post(f"{path}/compact").json()["compacted"] is False
    assert client.get(f"{path}/analytics").status_code == 200
    assert client.get(f"{path}/export", params={"format": "markdown"}).status_code == 200
    assert client.post(f"{path}/references", json={"text": "the first one"}).status_code == 200
    found = client.get("/api/search", params={"q": "warm", "conversation_id": "trip: lisbon"})
    assert {hit["conversation_id"] for hit in found.json()["items"]} == {id}
    extracted = client.post("/api/memories/extract", json={"conversation_id": "trip: lisbon"})
    assert extracted.status_code == 202
    assert client.patch(path, json={"title": "Lisbon"}).json()["external_id"] == "trip: lisbon"
    fork = client.post(f"{path}/fork", json={})
    assert (fork.status_code, fork.json()["external_id"]) == (201, None)
    message_id = client.get(f"{path}/messages").json()["items"][0]["id"]
    assert client.patch(f"{path}/messages/{message_id}", json={"is_pinned": True}).is_success
    assert client.delete(path).json()["deleted"]["messages"] == 2
    assert client.get(path).status_code == 404


def test_keys_are_unique_per_user(client: httpx.Client) -> None:
    assert client.post("/api/conversations", json={"external_id": "once"}).status_code == 201
    again = client.post("/api/conversations", json={"external_id": "once"})
    assert again.status_code == 409
    assert "once" in again.json()["detail"]


@pytest.mark.parametrize("key", ["", "current", "a/b", "x" * 201, "a\tb"])
def test_bad_keys_are_refused(client: httpx.Client, key: str) -> None:
    refused = client.post("/api/conversations", json={"external_id": key})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "external_id"


@pytest.mark.parametrize(
    "key", ["unknown", "018f0000-0000-7000-8000-000000000000", "a%2Fb", "%00", "x" * 300]
)
def test_unknown_keys_are_not_found(client: httpx.Client, key: str) -> None:
    for path in ("", "/messages", "/summary", "/analytics", "/export"):
        assert client.get(f"/api/conversations/{key}{path}").status_code == 404
