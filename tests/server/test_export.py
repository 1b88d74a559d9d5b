"""A conversation as a file, on both databases."""

import json
from datetime import datetime

import httpx

from tests.server import shapes
from tests.server.shapes import Json

CALL = {"tool_name": "run", "input": "```", "output": 1.0}


def _record(client: httpx.Client, count: int) -> str:
    messages = [{"role": "user", "content": f"ciao {n} ; è già {n}?"} for n in range(count - 1)]
    answer = {
        "role": "assistant",
        "content": "Sì.",
        "tool_calls": [CALL],
        "event_at": "2019-05-04T10:00:00Z",
    }
    created = client.post(
        "/api/conversations", json={"title": "Viaggio\na Lisbona", "messages": [*messages, answer]}
    )
    return f"/api/conversations/{shapes.conversation(created, 201)['id']}"


def test_json_lines_hold_what_is_on_record(client: httpx.Client) -> None:
    path = _record(client, 450)
    last = client.get(f"{path}/messages", params={"order": "desc", "limit": 1}).json()["items"][0]
    rated = client.put(f"/api/messages/{last['id']}/feedback", json={"rating": "up"}).json()
    answer = client.get(f"{path}/export", params={"format": "jsonl"})
    assert answer.headers["content-disposition"].endswith('.jsonl"')
    conversation, *messages = [json.loads(line) for line in answer.text.splitlines()]
    stored = client.get(path, params={"messages": 0}).json()
    assert conversation.pop("type") == "conversation"
    assert conversation.pop("user_id") == client.get("/api/me").json()["user_id"]
    assert conversation.keys() == stored.keys() - {"messages", "is_answering"}
    assert _times_read(conversation) == _times_read({name: stored[name] for name in conversation})
    assert [message["seq"] for message in messages] == list(range(1, 451))
    assert {message.pop("type") for message in messages} == {"message"}
    exported = messages[-1]
    assert rated["rating"] == "up"
    assert exported.keys() == rated.keys() - {"rating"}, "feedback has lines of its own"
    assert _times_read(exported) == _times_read({name: rated[name] for name in exported})
    assert (exported["content"], exported["tool_calls"]) == ("Sì.", [CALL])
    assert exported["event_at"] == "2019-05-04T10:00:00.000000Z"


def _times_read(fields: Json) -> Json:
    """A file and an answer may write the same time in two ways."""
    return {
        name: datetime.fromisoformat(value) if name.endswith("_at") and value else value
        for name, value in fields.items()
    }


def test_markdown_reads_well(client: httpx.Client) -> None:
    answer = client.get(f"{_record(client, 2)}/export")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# Viaggio a Lisbona\n\n## User, ")
    assert "\n\nciao 0 ; è già 0?\n\n## Assistant, 2019-05-04 10:00 UTC\n\nSì.\n" in answer.text
    assert "\n``````json\n" in answer.text  # longer than what it encloses


def test_an_unknown_form_is_refused(client: httpx.Client) -> None:
    shapes.problem(client.get(f"{_record(client, 1)}/export", params={"format": "pdf"}), 422)
