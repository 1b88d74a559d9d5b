"""The audit log of requests."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.server.conftest import Keyed, NewKey
from tests.server.process import Server
from tests.server.shapes import UNKNOWN, page, problem

pytestmark = pytest.mark.both_databases

Entries = Callable[..., list[dict[str, Any]]]


def _entries(client: httpx.Client, **params: str) -> list[dict[str, Any]]:
    items, _ = page(client.get("/api/audit", params={"limit": "200", **params}))
    return [entry for entry in items if entry["operation"] != "listAuditEntries"][::-1]


def _summary(entries: list[dict[str, Any]]) -> list[tuple[str, str, str, int]]:
    return [
        (entry["action"], entry["operation"], entry["target"], entry["status"]) for entry in entries
    ]


def test_requests_are_recorded(server: Server, new_key: NewKey) -> None:
    with server.client(key=new_key()) as client:
        id = client.post("/api/conversations", json={"title": "Secret trip"}).json()["id"]
        path = f"/api/conversations/{id}"
        client.get(path)
        client.post(f"{path}/context", json={"message": "Where to?"})
        client.patch(path, json={"title": "Secret journey"})
        client.get("/api/search", params={"q": "secret words"})
        client.get("/api/export")
        client.get(f"/api/conversations/{UNKNOWN}")
        client.delete(path)
        found = _entries(client)
        assert _summary(found) == [
            ("change", "createConversation", f"/api/conversations/{id}", 201),
            ("read", "getConversation", path, 200),
            ("read", "buildContext", f"{path}/context", 200),
            ("change", "updateConversation", path, 200),
            ("read", "search", "/api/search", 200),
            ("export", "exportData", "/api/export", 200),
            ("read", "getConversation", f"/api/conversations/{UNKNOWN}", 404),
            ("delete", "deleteConversation", path, 200),
        ]
        assert "ecret" not in str(found)
        assert len({entry["actor"] for entry in found}) == 1
        assert found[0]["actor"].startswith("key:")


def test_denied_request_is_recorded(keyed: Keyed) -> None:
    key = keyed.memory.keys.create_key(user_id="denise", scope="read")
    with keyed.server.client(key=key) as client:
        problem(client.delete(f"/api/conversations/{UNKNOWN}"), 403)
        problem(client.get("/api/keys"), 403)
        assert [entry["status"] for entry in _entries(client)] == [403, 403]


def test_a_target_that_postgres_cannot_store_does_not_stop_the_log(keyed: Keyed) -> None:
    key = keyed.memory.keys.create_key(user_id="nils", scope="read")
    with keyed.server.client(key=key) as client:
        client.get("/api/conversations/a%00b")
        client.get("/api/conversations")
        operations = [entry["operation"] for entry in _entries(client)]
        assert operations == ["getConversation", "listConversations"]


def test_deletion_of_a_user_is_recorded(server: Server, new_key: NewKey) -> None:
    with server.client(key=new_key("audited-leaver")) as client:
        assert client.delete("/api/me").is_success
    with server.client(key=new_key(is_admin=True)) as admin:
        assert [entry["operation"] for entry in _entries(admin, user_id="audited-leaver")] == [
            "deleteMe"
        ]


def test_only_admins_read_entries_of_others(server: Server, new_key: NewKey) -> None:
    with server.client(key=new_key()) as client:
        for params in ({"user_id": "somebody"}, {"all_users": "true"}):
            problem(client.get("/api/audit", params=params), 403)
    with server.client(key=new_key(is_admin=True)) as admin:
        key = admin.post("/api/keys", json={"user_id": "new"}).json()
        everything = _entries(admin, all_users="true")
        assert ("change", "createKey", f"/api/keys/{key['id']}", 201) in _summary(everything)
        assert key["key"] not in str(everything)


def test_local_mode_is_not_recorded(local_server: Server) -> None:
    with local_server.client() as client:
        client.post("/api/conversations", json={})
        assert _entries(client, all_users="true") == []
