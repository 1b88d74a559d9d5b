"""A conversation as a file, on both databases."""

import json

import httpx

from tests.server import shapes

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


def test_json_lines_hold_everything(client: httpx.Client) -> None:
    path = _record(client, 450)
    answer = client.get(f"{path}/export", params={"format": "jsonl"})
    assert answer.headers["content-disposition"].endswith('.jsonl"')
    conversation, *messages = [json.loads(line) for line in answer.text.splitlines()]
    assert conversation.pop("type") == "conversation"
    stored = client.get(path, params={"messages": 0}).json()
    on_record = stored.keys() - {"messages", "is_answering"}
    assert {name: conversation[name] for name in on_record} == {
        name: stored[name] for name in on_record
    }
    assert "is_answering" not in conversation
    assert [message["seq"] for message in messages] == list(range(1, 451))
    last = client.get(f"{path}/messages", params={"order": "desc", "limit": 1}).json()["items"][0]
    exported = messages[-1]
    assert (exported["type"], exported["content"], exported["tool_calls"]) == (
        "message",
        last["content"],
        [CALL],
    )
    assert exported["event_at"] == "2019-05-04T10:00:00.000000Z"


def test_markdown_reads_well(client: httpx.Client) -> None:
    answer = client.get(f"{_record(client, 2)}/export")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# Viaggio a Lisbona\n\n## User, ")
    assert "\n\nciao 0 ; è già 0?\n\n## Assistant, 2019-05-04 10:00 UTC\n\nSì.\n" in answer.text
    assert "\n``````json\n" in answer.text  # longer than what it encloses


def test_an_unknown_form_is_refused(client: httpx.Client) -> None:
    shapes.problem(client.get(f"{_record(client, 1)}/export", params={"format": "pdf"}), 422)
