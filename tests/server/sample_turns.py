"""Conversations in which every turn has a unique value."""

import httpx

from tests.server import shapes
from tests.server.shapes import Json


def turn(number: int) -> list[Json]:
    return [
        {"role": "user", "content": f"On day {number} I bought the ticket TK-{1000 + number}."},
        {"role": "assistant", "content": f"TK-{1000 + number} cost {number}.50 euros, noted."},
    ]


def turns(first: int, last: int) -> list[Json]:
    return [message for number in range(first, last + 1) for message in turn(number)]


def create_turns(client: httpx.Client, count: int, *, policy: str = "rolling") -> str:
    """Create a conversation with `count` turns and return its path."""
    body = {"policy": policy, "messages": turns(1, count)} if count else {"policy": policy}
    created = shapes.conversation(client.post("/api/conversations", json=body), 201)
    return f"/api/conversations/{created['id']}"


def append_turns(client: httpx.Client, path: str, first: int, last: int) -> None:
    answer = client.post(f"{path}/messages", json={"messages": turns(first, last)})
    assert answer.status_code == 201, answer.text


def messages(client: httpx.Client, path: str) -> list[Json]:
    return shapes.messages(client.get(f"{path}/messages", params={"limit": 200}), 200)
