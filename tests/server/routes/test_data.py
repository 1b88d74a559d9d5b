"""Exports and imports over HTTP."""

import asyncio
import json
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from recollect import Recollect, Settings
from recollect.server.app import create_app
from recollect.transfer.service import MAX_CONCURRENT_IMPORTS
from tests.chatgpt_export import conversations, export_chunks
from tests.server import shapes
from tests.server.conftest import Keyed, NewKey
from tests.server.process import Server, command, environment

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


def test_export_can_be_imported(client: httpx.Client, server: Server, new_key: NewKey) -> None:
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
        *("conversation", "message", "message", "memory", "memory_event", "end")
    ]
    assert json.loads(lines[-1]) == {"kind": "end", "lines": len(lines)}
    assert client.get("/api/export").content == exported.content

    again = bring_in(client, exported.content)
    assert set(again["imported"].values()) == {0}
    with server.client(key=new_key()) as other:
        assert len(other.get("/api/export").text.splitlines()) == 2
        report = bring_in(other, exported.content, **{"Content-Type": "text/plain"})
        assert report["imported"] == again["skipped"]
        assert other.get("/api/export").text.splitlines()[1:] == lines
        assert client.get("/api/export").content == exported.content


def test_chatgpt_export_is_imported_in_chunks(client: httpx.Client) -> None:
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


def test_claude_export_reports_failures(client: httpx.Client) -> None:
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
        (b'{"kind": "recollect", "version": 1}\n', 400),
        (b'[{"mapping": tru}]', 400),
        (b'[{"mapping": {"\xff": 1}}]', 400),
    ],
)
def test_unreadable_files_are_refused(client: httpx.Client, body: bytes, status: int) -> None:
    shapes.problem(client.post("/api/import", content=body), status)
    assert client.get("/api/conversations").json()["items"] == []


def test_truncated_file_can_be_sent_again(
    client: httpx.Client, server: Server, new_key: NewKey
) -> None:
    turn = [{"role": "user", "content": "Ciao"}, {"role": "assistant", "content": "Sì."}]
    for _ in range(2):
        client.post("/api/conversations", json={"messages": turn})
    whole = client.get("/api/export").content
    with server.client(key=new_key()) as other:
        for cut, found in ((-1, 1), (-2, 0), (-4, 0)):
            body = b"".join(whole.splitlines(keepends=True)[:cut])
            refused = shapes.problem(other.post("/api/import", content=body), 400)
            assert f"Imported before that: {found} conversation" in refused["detail"]
        report = bring_in(other, whole)
        assert (report["imported"]["conversations"], report["skipped"]["messages"]) == (1, 2)
        assert other.get("/api/export").content.splitlines()[1:] == whole.splitlines()[1:]


def test_number_of_parallel_imports_is_limited(
    server: Server, new_key: NewKey, client: httpx.Client
) -> None:
    with ExitStack() as stack:
        begun = [
            stack.enter_context(_begun(server, new_key())) for _ in range(MAX_CONCURRENT_IMPORTS)
        ]
        refused = client.post("/api/import", content=b"[]")
        shapes.problem(refused, 503)
        assert refused.headers["retry-after"] == "1"
        assert client.get("/api/conversations").json()["items"] == []
        for connection in begun:
            connection.sendall(b"[]")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    bring_in(client, b"[]")


@contextmanager
def _begun(server: Server, key: str) -> Iterator[socket.socket]:
    """An import whose headers were sent, and whose body the server waits for."""
    address = httpx.URL(server.url)
    with socket.create_connection((address.host, address.port or 80), timeout=60) as connection:
        connection.sendall(
            f"POST /api/import HTTP/1.1\r\nHost: {address.host}:{address.port}\r\n"
            f"Authorization: Bearer {key}\r\nContent-Length: 2\r\n"
            "Expect: 100-continue\r\n\r\n".encode()
        )
        assert connection.recv(65_536).startswith(b"HTTP/1.1 100 ")
        yield connection


def test_stalled_upload_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, to shorten the timeout."""
    monkeypatch.setattr("recollect.server.routes.data._CHUNK_TIMEOUT_SECONDS", 0.1)

    async def announced() -> AsyncIterator[bytes]:
        yield b"["
        await asyncio.Event().wait()

    async def go() -> None:
        settings = Settings(database_url="sqlite:///:memory:", embedder="none")
        async with Recollect.open(settings=settings) as memory:
            transport = httpx.ASGITransport(create_app(memory))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as local:
                for _ in range(MAX_CONCURRENT_IMPORTS):
                    refused = await local.post("/api/import", content=announced())
                    assert "No data for" in shapes.problem(refused, 400)["detail"]
                assert (await local.post("/api/import", content=b"[]")).status_code == 200

    asyncio.run(go())


def test_command_imports_while_the_server_writes(sqlite_keyed: Keyed, tmp_path: Path) -> None:
    """Both write to the same SQLite file."""
    server, keys = sqlite_keyed.server, sqlite_keyed.memory.keys
    donor, taker = (f"user-{uuid4()}" for _ in "ab")
    with server.client(key=keys.create_key(user_id=donor)) as client:
        bring_in(client, b"".join(export_chunks(5)))
        exported = client.get("/api/export").content
    file = tmp_path / "recollect.jsonl"
    file.write_bytes(exported)
    with server.client(key=keys.create_key(user_id=taker)) as client:
        chat = client.post("/api/conversations", json={}).json()
        importing = subprocess.Popen(
            command("import", str(file), "--user", taker, "--database", server.database_url),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        written = 0
        while importing.poll() is None:
            said = [{"role": "user", "content": f"Meanwhile, {written}."}]
            path = f"/api/conversations/{chat['id']}/messages"
            assert client.post(path, json={"messages": said}).status_code == 201
            written += 1
        told, complaints = importing.communicate()
        assert (importing.returncode, complaints) == (0, b""), complaints
        assert told.startswith(b"Imported: 5 conversations")
        kept = client.get("/api/export").content.splitlines()
    assert {*kept} > {*exported.splitlines()[1:-1]}
    assert sum(b"Meanwhile, " in line for line in kept) == written > 0


def test_export_needs_a_key(server: Server) -> None:
    with server.client() as anyone:
        shapes.problem(anyone.get("/api/export"), 401)
        shapes.problem(anyone.post("/api/import", content=b"[]"), 401)


CALL = {"tool_name": "run", "input": "```", "output": 1.0}


def _create_conversation(client: httpx.Client, count: int) -> str:
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


def test_json_lines_contain_the_stored_conversation(client: httpx.Client) -> None:
    path = _create_conversation(client, 450)
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
    """Parse times: a file and a response may format them differently."""
    return {
        name: datetime.fromisoformat(value) if name.endswith("_at") and value else value
        for name, value in fields.items()
    }


def test_markdown_export(client: httpx.Client) -> None:
    answer = client.get(f"{_create_conversation(client, 2)}/export")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# Viaggio a Lisbona\n\n## User, ")
    assert "\n\nciao 0 ; è già 0?\n\n## Assistant, 2019-05-04 10:00 UTC\n\nSì.\n" in answer.text
    assert "\n``````json\n" in answer.text  # longer than what it encloses


def test_unknown_format_is_refused(client: httpx.Client) -> None:
    shapes.problem(
        client.get(f"{_create_conversation(client, 1)}/export", params={"format": "pdf"}), 422
    )
