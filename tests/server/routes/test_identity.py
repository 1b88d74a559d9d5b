"""DELETE /api/me removes a user with all data."""

from pathlib import Path

import httpx

from recollect.sync import Recollect
from tests.server import shapes
from tests.server.conftest import NewKey, Start
from tests.server.process import Server

TURN = [{"role": "user", "content": "Which ship?"}, {"role": "assistant", "content": "The blue."}]
NOTE = {"memory_type": "fact", "content": "Has a boat."}
COUNTS = ("conversations", "messages", "summaries", "embeddings", "memories", "jobs", "keys")


def _live(client: httpx.Client) -> str:
    chat = shapes.conversation(client.post("/api/conversations", json={"messages": TURN}), 201)
    edited = {"text": "They saw a ship.", "version": 0}
    assert client.put(f"/api/conversations/{chat['id']}/summary", json=edited).status_code == 200
    assert client.post("/api/memories", json=NOTE).status_code == 201
    return str(chat["id"])


def test_delete_me_removes_everything(server: Server, new_key: NewKey) -> None:
    key, second, others = new_key("leaving"), new_key("leaving"), new_key()
    with (
        server.client(key=key) as client,
        server.client(key=second) as elsewhere,
        server.client(key=others) as other,
    ):
        mine, theirs = _live(client), _live(other)
        answer = client.delete("/api/me")
        assert answer.status_code == 200
        deleted = answer.json()["deleted"]
        assert tuple(sorted(deleted)) == tuple(sorted(COUNTS))
        assert deleted["jobs"] > 0
        assert {name: deleted[name] for name in COUNTS if name != "jobs"} == {
            "conversations": 1,
            "messages": 2,
            "summaries": 1,
            "embeddings": 0,
            "memories": 1,
            "keys": 2,
        }
        for gone in (client, elsewhere):
            shapes.problem(gone.get("/api/me"), 401)
            shapes.problem(gone.delete("/api/me"), 401)
        assert other.get(f"/api/conversations/{theirs}").json()["message_count"] == 2
        assert len(other.get("/api/memories").json()["items"]) == 1
    with server.client(key=new_key("leaving")) as again:
        shapes.problem(again.get(f"/api/conversations/{mine}"), 404)
        for path in ("conversations", "memories", "jobs", "search?q=ship"):
            assert again.get(f"/api/{path}").json()["items"] == []


def test_delete_me_signs_out(server: Server, new_key: NewKey) -> None:
    with server.client() as page:
        page.post("/api/session", json={"key": new_key()})
        elsewhere = {"Origin": "https://evil.example"}
        shapes.problem(page.delete("/api/me", headers=elsewhere), 403)
        assert page.get("/api/me").status_code == 200
        assert page.delete("/api/me").json()["deleted"]["keys"] == 1
        assert not page.cookies
        shapes.problem(page.get("/api/me"), 401)


def test_local_user_can_start_again(local_server: Server) -> None:
    with local_server.client() as local:
        local.delete("/api/me")
        _live(local)
        deleted = local.delete("/api/me").json()["deleted"]
        assert (deleted["conversations"], deleted["memories"], deleted["keys"]) == (1, 1, 0)
        assert local.get("/api/conversations").json()["items"] == []
        assert local.get("/api/me").json()["mode"] == "local"
        _live(local)
        local.delete("/api/me")


def test_deleting_the_last_user_does_not_enable_local_mode(start: Start, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(url) as memory:
        key = memory.keys.create_key(user_id="alice")
        memory.users.delete_user(user_id="alice")
    server = start(url)
    for client in (server.client(), server.client(key=key)):
        with client:
            shapes.problem(client.get("/api/me"), 401)
            shapes.problem(client.get("/api/conversations"), 401)
