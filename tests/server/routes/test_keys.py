"""API keys over HTTP."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from recollect.engine import Recollect
from recollect.server.app import create_app
from tests.server import shapes
from tests.server.conftest import NewKey
from tests.server.process import Server
from tests.server.shapes import UNKNOWN, Json

KEY = {
    "id",
    "user_id",
    "prefix",
    "is_admin",
    "created_at",
    "revoked_at",
    "name",
    "scope",
    "expires_at",
    "last_used_at",
}


@pytest.fixture
def admin(server: Server, new_key: NewKey) -> Iterator[httpx.Client]:
    with server.client(key=new_key(is_admin=True)) as client:
        yield client


def create(client: httpx.Client, **body: object) -> Json:
    """Create a key and check the shape of the response."""
    made = client.post("/api/keys", json=body)
    assert made.status_code == 201, made.text
    assert made.headers["cache-control"] == "no-store"
    issued: Json = made.json()
    assert issued.keys() == KEY | {"key"}
    assert shapes.is_id(issued["id"])
    assert shapes.is_time(issued["created_at"])
    assert issued["key"].startswith(issued["prefix"])
    return issued


def listed(client: httpx.Client) -> dict[str, Json]:
    return {item["id"]: item for page in pages(client, limit=200) for item in page}


def pages(client: httpx.Client, *, limit: int) -> list[list[Json]]:
    items, cursor = shapes.page(client.get("/api/keys", params={"limit": limit}))
    found = [items]
    while cursor:
        where: dict[str, str | int] = {"limit": limit, "cursor": cursor}
        items, cursor = shapes.page(client.get("/api/keys", params=where))
        found.append(items)
    return found


def test_key_is_created_shown_once_and_revoked(admin: httpx.Client, server: Server) -> None:
    before = listed(admin)
    issued = create(admin, user_id="carol")
    key = issued.pop("key")
    assert (issued["user_id"], issued["is_admin"], issued["revoked_at"]) == ("carol", False, None)
    assert listed(admin) == before | {issued["id"]: issued}
    assert all(item.keys() == KEY for item in listed(admin).values())
    assert key not in admin.get("/api/keys", params={"limit": 200}).text
    with server.client(key=key) as carol:
        me = carol.get("/api/me").json()
        assert (me["user_id"], me["is_admin"]) == ("carol", False)
        revoked = admin.delete(f"/api/keys/{issued['id']}")
        assert (revoked.status_code, revoked.content) == (204, b"")
        shapes.problem(carol.get("/api/me"), 401)
    now = listed(admin)[issued["id"]]
    assert shapes.is_time(now["revoked_at"])
    assert now | {"revoked_at": None} == issued
    shapes.problem(admin.delete(f"/api/keys/{issued['id']}"), 404)
    assert key not in server.log


def test_key_is_rotated(admin: httpx.Client, server: Server) -> None:
    old = create(
        admin, user_id="carol", name="app", scope="read", expires_at="2999-01-01T00:00:00Z"
    )
    assert (old["name"], old["scope"]) == ("app", "read")
    rotated = admin.post(f"/api/keys/{old['id']}/rotate")
    assert rotated.status_code == 201
    new = rotated.json()
    assert new.keys() == KEY | {"key"}
    assert (new["user_id"], new["name"], new["scope"]) == ("carol", "app", "read")
    assert listed(admin)[old["id"]]["expires_at"] < new["expires_at"]
    for key in (old["key"], new["key"]):
        with server.client(key=key) as carol:
            assert carol.get("/api/me").json()["scope"] == "read"
    again = admin.post(f"/api/keys/{new['id']}/rotate", json={"grace_seconds": 0})
    assert again.status_code == 201
    with server.client(key=new["key"]) as carol:
        shapes.problem(carol.get("/api/me"), 401)
    shapes.problem(admin.post(f"/api/keys/{new['id']}/rotate"), 404)
    shapes.problem(admin.post(f"/api/keys/{UNKNOWN}/rotate"), 404)


def test_keys_are_paged_newest_first(admin: httpx.Client) -> None:
    made = [create(admin, user_id="heidi")["id"] for _ in range(5)]
    found = pages(admin, limit=2)
    assert {len(page) for page in found[:-1]} == {2}
    ids = [item["id"] for page in found for item in page]
    assert ids == list(listed(admin))
    assert ids[:5] == made[::-1]
    times = [item["created_at"] for page in found for item in page]
    assert times == sorted(times, reverse=True)
    for wrong, status in (({"limit": 0}, 422), ({"limit": 201}, 422), ({"cursor": "x"}, 400)):
        shapes.problem(admin.get("/api/keys", params=wrong), status)
    for _ in range(2):
        assert admin.post("/api/conversations").status_code == 201
    _, elsewhere = shapes.page(admin.get("/api/conversations", params={"limit": 1}))
    assert elsewhere is not None
    shapes.problem(admin.get("/api/keys", params={"cursor": elsewhere}), 400)


def test_admin_can_create_another_admin(admin: httpx.Client, server: Server) -> None:
    with server.client(key=create(admin, user_id="dave", is_admin=True)["key"]) as dave:
        assert dave.get("/api/me").json()["is_admin"]
        create(dave, user_id="erin")


def test_own_key_cannot_be_revoked(admin: httpx.Client, server: Server) -> None:
    own = create(admin, user_id="frank", is_admin=True)
    with server.client(key=own["key"]) as by_header, server.client() as by_cookie:
        assert by_cookie.post("/api/session", json={"key": own["key"]}).status_code == 204
        for frank in (by_header, by_cookie):
            for id in (own["id"], own["id"].upper()):
                refused = shapes.problem(frank.delete(f"/api/keys/{id}"), 409)
                assert "signed in with this key" in refused["detail"]
            assert frank.get("/api/me").status_code == 200
    assert admin.delete(f"/api/keys/{own['id']}").status_code == 204


def test_only_admins_manage_keys(client: httpx.Client, admin: httpx.Client) -> None:
    own = create(admin, user_id="grace")
    before = listed(admin)
    shapes.problem(client.get("/api/keys"), 403)
    shapes.problem(client.post("/api/keys", json={"user_id": "grace"}), 403)
    for id in (own["id"], UNKNOWN):
        shapes.problem(client.delete(f"/api/keys/{id}"), 403)
    assert listed(admin) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "user_id"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": "a\0b"}, "user_id"),
        ({"user_id": "x", "is_admin": "yes"}, "is_admin"),
        ({"user_id": "x", "key": "rk_mine"}, "key"),
    ],
)
def test_invalid_keys_are_refused(admin: httpx.Client, body: Json, field: str) -> None:
    refused = shapes.problem(admin.post("/api/keys", json=body), 422)
    assert refused["errors"][0]["field"] == field


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%00"])
def test_unknown_keys_cannot_be_revoked(admin: httpx.Client, id: str) -> None:
    shapes.problem(admin.delete(f"/api/keys/{id}"), 404)


def test_first_key_ends_local_mode() -> None:
    async def first() -> None:
        async with Recollect.open("sqlite:///:memory:") as memory:
            transport = httpx.ASGITransport(create_app(memory))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as local:
                assert (await local.get("/api/keys")).json() == {
                    "items": [],
                    "next_cursor": None,
                }
                made = await local.post("/api/keys", json={"user_id": "local", "is_admin": True})
                assert made.status_code == 201, made.text
                shapes.problem(await local.get("/api/me"), 401)
                shapes.problem(await local.post("/api/keys", json={"user_id": "mallory"}), 401)
                headers = {"Authorization": f"Bearer {made.json()['key']}"}
                me = (await local.get("/api/me", headers=headers)).json()
        assert (me["user_id"], me["mode"], me["is_admin"]) == ("local", "keys", True)

    asyncio.run(first())
