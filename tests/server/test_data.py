"""Your data over HTTP: everything as a file, and such files in again."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.chatgpt_export import conversations, export_chunks
from tests.server import shapes
from tests.server.conftest import NewKey
from tests.server.process import Server

Json = Any
COUNTS = {
    *("conversations", "messages", "summaries", "receipts", "feedback"),
    *("memories", "memory_events", "tombstones", "model_calls"),
}


def bring_in(client: httpx.Client, content: Any, **headers: str) -> Json:
    answer = client.post("/api/import", content=content, headers=headers)
    assert answer.status_code == 200, answer.text
    report = answer.json()
    assert report.keys() == {"imported", "skipped", "failed", "failures"}
    assert report["imported"].keys() == report["skipped"].keys() == COUNTS
    return report


def test_a_file_goes_out_and_comes_in(
    client: httpx.Client, server: Server, new_key: NewKey
) -> None:
    turn = [{"role": "user", "content": "Ciao\u2028è"}, {"role": "assistant", "content": "Sì."}]
    client.post("/api/conversations", json={"title": "Mine", "messages": turn})
    client.post("/api/memories", json={"memory_type": "fact", "content": "Has a boat."})
    exported = client.get("/api/export")
    assert exported.status_code == 200
    assert exported.headers["content-type"] == "application/jsonl"
    assert exported.headers["content-disposition"] == 'attachment; filename="recollect.jsonl"'
    header, *lines = exported.text.splitlines()
    assert json.loads(header) == {
        "kind": "recollect",
        "version": 1,
        "user_id": client.get("/api/me").json()["user_id"],
    }
    assert [json.loads(line)["kind"] for line in lines] == [
        *("conversation", "message", "message", "memory", "memory_event")
    ]
    assert client.get("/api/export").content == exported.content

    again = bring_in(client, exported.content)
    assert set(again["imported"].values()) == {0}
    with server.client(key=new_key()) as other:
        assert len(other.get("/api/export").text.splitlines()) == 1
        report = bring_in(other, exported.content, **{"Content-Type": "text/plain"})
        assert report["imported"] == again["skipped"]
        assert other.get("/api/export").text.splitlines()[1:] == lines
        assert client.get("/api/export").content == exported.content


def test_a_chatgpt_export_in_pieces(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for chunk in export_chunks(10):
            for start in range(0, len(chunk), 1_777):
                yield chunk[start : start + 1_777]

    report = bring_in(client, pieces())
    assert (report["imported"]["conversations"], report["failed"]) == (10, [])
    again = bring_in(client, b"".join(export_chunks(10)))
    assert (again["imported"]["messages"], again["skipped"]) == (0, report["imported"])
    listed = client.get("/api/conversations").json()["items"]
    newest = max(conversations(10), key=lambda one: one["update_time"])
    assert listed[0]["metadata"] == {"source": "chatgpt", "source_id": newest["id"]}
    shapes.conversation(client.get(f"/api/conversations/{listed[0]['id']}"), 200)


def test_a_claude_export_and_what_failed_of_it(client: httpx.Client) -> None:
    said = {"uuid": "m", "sender": "human", "text": "Hi", "created_at": "2024-05-01T10:00:00Z"}
    fine = {"uuid": "a", "name": "Ships", "chat_messages": [said]}
    broken = {"uuid": "b", "name": "Boats", "chat_messages": [{**said, "sender": "god"}]}
    report = bring_in(client, json.dumps([broken, fine]))
    assert (report["imported"]["conversations"], report["failures"]) == (1, 1)
    assert report["failed"] == [
        {"where": "conversation 1, 'Boats'", "reason": "A sender must be human or assistant."}
    ]
    (chat,) = client.get("/api/conversations").json()["items"]
    assert (chat["title"], chat["created_at"]) == ("Ships", "2024-05-01T10:00:00Z")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"hello", 422),
        (b'{"title": "x"}', 422),
        (b"PK\x03\x04", 422),
        (b'[{"mapping": {', 400),
        (b'{"kind": "recollect", "version": 1}\n{"kind": ', 400),
        (b'[{"mapping": tru}]', 400),
        (b'[{"mapping": {"\xff": 1}}]', 400),
    ],
)
def test_what_cannot_be_read_is_refused(client: httpx.Client, body: bytes, status: int) -> None:
    shapes.problem(client.post("/api/import", content=body), status)
    assert client.get("/api/conversations").json()["items"] == []


def test_nobody_gets_anything_without_a_key(server: Server) -> None:
    with server.client() as anyone:
        shapes.problem(anyone.get("/api/export"), 401)
        shapes.problem(anyone.post("/api/import", content=b"[]"), 401)
