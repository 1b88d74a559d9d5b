"""Helpers for memories over HTTP."""

from typing import Any

import httpx

from tests.server import shapes
from tests.server.shapes import Json


def remember(client: httpx.Client, content: str, **fields: object) -> Json:
    """Create a memory as the user."""
    body = {"memory_type": "fact", "content": content, **fields}
    return shapes.memory(client.post("/api/memories", json=body), 201)


def update(client: httpx.Client, memory: Json, **fields: object) -> Json:
    return shapes.memory(client.patch(path_of(memory), json=fields), 200)


def get(client: httpx.Client, memory: Json) -> Json:
    return shapes.memory(client.get(path_of(memory)), 200)


def undo(client: httpx.Client, memory: Json) -> Json:
    return shapes.memory(client.post(f"{path_of(memory)}/undo"), 200)


def list_memories(client: httpx.Client, **filters: Any) -> list[Json]:
    items, _ = shapes.page(client.get("/api/memories", params=filters))
    for item in items:
        shapes.check_memory(item)
    return items


def contents(client: httpx.Client, **filters: Any) -> list[str]:
    return [item["content"] for item in list_memories(client, **filters)]


def history(client: httpx.Client, memory: Json) -> list[Json]:
    """Oldest first."""
    items, _ = shapes.page(client.get(f"{path_of(memory)}/history", params={"limit": 200}))
    for item in items:
        shapes.check_event(item)
        assert item["memory_id"] == memory["id"]
    return items[::-1]


def path_of(memory: Json) -> str:
    return f"/api/memories/{memory['id']}"


def say(client: httpx.Client, path: str, *sentences: str) -> list[Json]:
    """Append user messages."""
    said = [{"role": "user", "content": sentence} for sentence in sentences]
    return shapes.messages(client.post(f"{path}/messages", json={"messages": said}), 201)


def talk(client: httpx.Client, *sentences: str, **fields: object) -> str:
    """Create a conversation with user messages and return its path."""
    said = [{"role": "user", "content": sentence} for sentence in sentences]
    body = {"messages": said, **fields}
    created = shapes.conversation(client.post("/api/conversations", json=body), 201)
    return f"/api/conversations/{created['id']}"


def extract(client: httpx.Client, path: str) -> list[Json]:
    """Extract memories and return them."""
    answer = ask(client, path, wait=True)
    assert answer.status_code == 200, answer.text
    assert answer.json().keys() == {"items"}
    items: list[Json] = answer.json()["items"]
    for item in items:
        shapes.check_memory(item)
    return items


def ask(client: httpx.Client, path: str, **params: Any) -> httpx.Response:
    body = {"conversation_id": path.rsplit("/", 1)[1]}
    return client.post("/api/memories/extract", json=body, params=params)
