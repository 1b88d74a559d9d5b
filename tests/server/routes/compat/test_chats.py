"""/api/chats beyond specification 000: other policies, long histories, no embedder."""

import httpx

from tests.server import shapes
from tests.server.sample_turns import create_turns, turns


def chat(client: httpx.Client, path: str) -> shapes.Json:
    answer = client.get("/api/chats", params={"id": path.rsplit("/", 1)[1]})
    assert answer.status_code == 200, answer.text
    body: shapes.Json = answer.json()
    return body


def spoken(history: list[shapes.Json]) -> list[str]:
    return ["".join(part["text"] for part in turn["parts"]) for turn in history]


def test_search_without_embedder_finds_nothing(client: httpx.Client) -> None:
    """Lexical search would find it, but the specification demands semantic search only."""
    create_turns(client, 1)
    refused = client.get("/api/chats", params={"search": "ticket TK-1001"})
    problem = shapes.problem(refused, 503)
    assert "embedder" in problem["detail"]
    assert refused.headers["retry-after"] == "1"


def test_long_history_is_complete(client: httpx.Client) -> None:
    """Histories are read in batches of 1,000; conversations of any policy can be read."""
    found = chat(client, create_turns(client, 505, policy="chunked"))
    assert spoken(found["full_history"]) == [message["content"] for message in turns(1, 505)]
    assert spoken(found["assistant_history"]) == spoken(found["full_history"])[-30:]
