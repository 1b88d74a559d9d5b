"""Messages over HTTP, on both databases."""

from datetime import datetime

import httpx
import pytest

from recollect.server.routes.messages import MAX_PAGE_BYTES
from recollect.sync import Recollect
from tests.server import shapes
from tests.server.conftest import NewKey, Start
from tests.server.shapes import UNKNOWN, Json

pytestmark = pytest.mark.both_databases

FULL = {
    "id": "0199a1b2-0000-4000-8000-00000000ABCD",
    "role": "assistant",
    "content": "Ein Zitat: „schön“ 😀\r\n\tEnde ",
    "thinking": "hm",
    "tool_calls": [{"tool_name": "search", "input": {"q": "x"}, "output": [1, None]}],
    "suggested_values": ["a", 2],
    "suggested_actions": [{"label": "Go"}],
    "custom_payload": {"nested": {"deep": [True, 0.1]}},
    "model_variant": "small",
    "metadata": {"b": 1, "a": 2},
    "is_pinned": True,
    "event_at": "2020-02-29T23:30:00.123456+01:00",
}


@pytest.fixture
def path(client: httpx.Client) -> str:
    """The messages of a new conversation."""
    return f"/api/conversations/{client.post('/api/conversations', json={}).json()['id']}/messages"


def say(*contents: str) -> Json:
    return {"messages": [{"role": "user", "content": content} for content in contents]}


def contents(client: httpx.Client, path: str) -> list[str]:
    return [message["content"] for message in shapes.messages(client.get(path), 200)]


def test_append_stores_every_field(client: httpx.Client, path: str) -> None:
    id = FULL["id"]
    answer = client.post(path, json={"messages": [FULL]})
    (stored,) = shapes.messages(answer, 201)
    assert answer.json().keys() == {"items"}
    expected = FULL | {
        "id": str(id).lower(),
        "event_at": "2020-02-29T22:30:00.123456Z",
        "conversation_id": path.split("/")[3],
        "seq": 1,
        "turn": 0,
        "status": "complete",
        "tokens": stored["tokens"],
        "created_at": stored["created_at"],
        "superseded_at": None,
        "rating": None,
    }
    assert stored == expected
    assert shapes.messages(client.get(path), 200) == [expected]


def test_append_needs_only_role_and_content(client: httpx.Client, path: str) -> None:
    (stored,) = shapes.messages(client.post(path, json=say("hi")), 201)
    optional = shapes.MESSAGE_IN - {"role", "content", "metadata", "is_pinned", "event_at", "id"}
    assert all(stored[field] is None for field in optional)
    assert (stored["metadata"], stored["is_pinned"]) == ({}, False)
    assert datetime.fromisoformat(stored["event_at"]) == datetime.fromisoformat(
        stored["created_at"]
    )


def test_tool_call_needs_no_content(client: httpx.Client, path: str) -> None:
    message = {"role": "assistant", "tool_calls": [{"tool_name": "t"}]}
    (stored,) = shapes.messages(client.post(path, json={"messages": [message]}), 201)
    assert (stored["content"], stored["tool_calls"]) == ("", [{"tool_name": "t"}])


def test_messages_are_numbered(client: httpx.Client, path: str) -> None:
    roles = ["system", "user", "user", "assistant", "tool", "user"]
    body = {"messages": [{"role": role, "content": role} for role in roles]}
    stored = shapes.messages(client.post(path, json=body), 201)
    assert [message["seq"] for message in stored] == [1, 2, 3, 4, 5, 6]
    assert [message["turn"] for message in stored] == [0, 1, 1, 1, 1, 2]


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("limit", [1, 4, 9, 200])
def test_cursors_page_through_all_messages(
    client: httpx.Client, path: str, order: str, limit: int
) -> None:
    client.post(path, json=say(*"abcdefghi"))
    seen = ""
    params: dict[str, str | int] = {"limit": limit, "order": order}
    while True:
        items, cursor = shapes.page(client.get(path, params=params))
        assert 0 < len(items) <= limit
        seen += "".join(item["content"] for item in items)
        if cursor is None:
            break
        params["cursor"] = cursor
    assert seen == ("abcdefghi" if order == "asc" else "ihgfedcba")


def test_cursor_of_another_list_is_refused(client: httpx.Client, path: str) -> None:
    client.post(path, json=say("a", "b"))
    cursor = client.get(path, params={"limit": 1}).json()["next_cursor"]
    shapes.problem(client.get("/api/conversations", params={"cursor": cursor}), 400)
    shapes.problem(client.get(path, params={"cursor": cursor, "order": "desc"}), 400)


def test_from_seq_starts_in_the_middle(client: httpx.Client, path: str) -> None:
    client.post(path, json=say(*"abcdefghi"))
    for order, first, rest in [("asc", "efg", "hi"), ("desc", "edc", "ba")]:
        params = {"from_seq": "5", "order": order, "limit": "3"}
        items, cursor = shapes.page(client.get(path, params=params))
        assert "".join(item["content"] for item in items) == first
        assert cursor is not None
        items, cursor = shapes.page(client.get(path, params=params | {"cursor": cursor}))
        assert ("".join(item["content"] for item in items), cursor) == (rest, None)
    for wrong in ("0", "-1", "x", str(2**31)):
        shapes.problem(client.get(path, params={"from_seq": wrong}), 422)


def test_default_page_is_oldest_first_with_50_items(client: httpx.Client, path: str) -> None:
    client.post(path, json=say(*map(str, range(51))))
    items, cursor = shapes.page(client.get(path))
    assert [item["content"] for item in items] == [str(number) for number in range(50)]
    assert cursor is not None


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_are_limited_in_bytes(client: httpx.Client, path: str, order: str) -> None:
    """Whatever field has them; a page has at least one message."""
    large = MAX_PAGE_BYTES * 2 // 5
    for payload in ({"content": "é" * (large // 2)}, {"thinking": "x" * large}):
        body = {"role": "user", "content": "hi", "custom_payload": "x" * large, **payload}
        assert client.post(path, json={"messages": [body]}).status_code == 201
    client.post(path, json=say(*map(str, range(50))))
    params = {"limit": "200", "order": order}
    seqs: list[int] = []
    sizes = []
    while True:
        answer = client.get(path, params=params)
        items, cursor = shapes.page(answer)
        sizes.append(len(items))
        assert len(items) == 1 or len(answer.content) < 1.1 * MAX_PAGE_BYTES
        seqs += [item["seq"] for item in items]
        if cursor is None:
            break
        params["cursor"] = cursor
    assert seqs == sorted(range(1, 53), reverse=order == "desc")
    assert sizes == ([1, 51] if order == "asc" else [51, 1])
    latest = client.get(path.removesuffix("/messages"), params={"messages": 200}).json()
    assert [message["seq"] for message in latest["messages"]] == [*range(2, 53)]


def test_append_is_all_or_nothing(client: httpx.Client, path: str) -> None:
    client.post(path, json=say("before"))
    body = say("one", "two")
    body["messages"].append({"role": "user", "content": " "})
    shapes.problem(client.post(path, json=body), 422)
    assert contents(client, path) == ["before"]
    (stored,) = shapes.messages(client.post(path, json=say("after")), 201)
    assert stored["seq"] == 2


def test_duplicate_id_is_refused(client: httpx.Client, path: str) -> None:
    client.post(path, json={"messages": [FULL]})
    taken = [{"role": "user", "content": "new"}, FULL | {"role": "user"}]
    shapes.problem(client.post(path, json={"messages": taken}), 409)
    twice = [{"role": "user", "content": "a", "id": UNKNOWN}] * 2
    shapes.problem(client.post(path, json={"messages": twice}), 422)
    assert contents(client, path) == [FULL["content"]]


def test_retry_returns_the_stored_messages(client: httpx.Client, path: str) -> None:
    headers = {"Idempotency-Key": "k"}
    first = client.post(path, json=say("a", "b"), headers=headers)
    again = client.post(path, json=say("a", "b"), headers=headers)
    assert shapes.messages(first, 201) == shapes.messages(again, 201)
    shapes.problem(client.post(path, json=say("a", "c"), headers=headers), 409)
    shapes.messages(client.post(path, json=say("c"), headers={"Idempotency-Key": "other"}), 201)
    assert contents(client, path) == ["a", "b", "c"]


def test_idempotency_key_is_per_user_and_conversation(
    client: httpx.Client, path: str, new_key: NewKey
) -> None:
    headers = {"Idempotency-Key": "shared"}
    shapes.messages(client.post(path, json=say("mine"), headers=headers), 201)
    other = client.post("/api/conversations", json={}).json()["id"]
    elsewhere = f"/api/conversations/{other}/messages"
    (there,) = shapes.messages(client.post(elsewhere, json=say("too"), headers=headers), 201)
    assert (there["conversation_id"], there["content"]) == (other, "too")
    theirs = {"Authorization": f"Bearer {new_key()}"}
    created = client.post("/api/conversations", json={}, headers=theirs).json()["id"]
    answer = client.post(
        f"/api/conversations/{created}/messages", json=say("theirs"), headers=theirs | headers
    )
    (stored,) = shapes.messages(answer, 201)
    assert stored["content"] == "theirs"


def test_retry_after_restart_returns_the_stored_messages(start: Start, own_database: str) -> None:
    with Recollect.open(own_database) as memory:
        current = memory.conversations.current_conversation(user_id="local")
        path = f"/api/conversations/{current.id}/messages"
    headers = {"Idempotency-Key": "k"}
    answers = []
    for _ in range(2):
        server = start(own_database)
        with server.client() as client:
            answers.append(shapes.messages(client.post(path, json=say("a"), headers=headers), 201))
            shapes.problem(client.post(path, json=say("b"), headers=headers), 409)
            assert contents(client, path) == ["a"]
        server.stop()
    assert answers[0] == answers[1]


def test_message_can_be_pinned(client: httpx.Client, path: str) -> None:
    (stored,) = shapes.messages(client.post(path, json=say("hi")), 201)
    for is_pinned in (True, False):
        answer = client.patch(f"{path}/{stored['id']}", json={"is_pinned": is_pinned})
        assert answer.status_code == 200
        assert answer.json() == stored | {"is_pinned": is_pinned}
        assert shapes.messages(client.get(path), 200) == [answer.json()]


def test_message_can_be_read(client: httpx.Client, path: str) -> None:
    for stored in shapes.messages(client.post(path, json=say("a", "b")), 201):
        answer = client.get(f"{path}/{stored['id']}")
        assert (answer.status_code, answer.json()) == (200, stored)


def test_deleted_message_leaves_a_gap(client: httpx.Client, path: str) -> None:
    stored = shapes.messages(client.post(path, json=say("a", "b", "c")), 201)
    receipt = shapes.deleted(client.delete(f"{path}/{stored[1]['id']}"))
    assert receipt == {"messages": 1, "summaries": 0, "embeddings": 0, "memories": 0, "jobs": 0}
    assert shapes.messages(client.get(path), 200) == [stored[0], stored[2]]
    left = client.get(path.removesuffix("/messages")).json()
    assert (left["message_count"], left["token_count"]) == (2, 2)
    shapes.problem(client.delete(f"{path}/{stored[1]['id']}"), 404)
    (after,) = shapes.messages(client.post(path, json=say("d")), 201)
    assert after["seq"] == 4


@pytest.mark.parametrize(
    "body",
    [
        {"rating": "up"},
        {"rating": "down", "note": "Wrong town."},
        {"rating": None},
        {"rating": "up", "note": None},
    ],
)
def test_message_can_be_rated(client: httpx.Client, path: str, body: Json) -> None:
    (stored,) = shapes.messages(client.post(path, json=say("hi")), 201)
    for _ in range(2):
        answer = client.put(f"/api/messages/{stored['id']}/feedback", json=body)
        assert answer.status_code == 200
        shapes.check_message(answer.json())
        rated = stored | {"rating": body["rating"]}
        assert answer.json() == rated
        assert client.get(f"{path}/{stored['id']}").json() == rated
        for order in ("asc", "desc"):
            assert shapes.messages(client.get(path, params={"order": order}), 200) == [rated]
    assert client.get(path.removesuffix("/messages")).json()["messages"] == [rated]
    found = client.post(
        path.replace("/messages", "/references"), json={"text": "the first one"}
    ).json()
    assert found["turn"]["messages"] == [rated]


def test_message_is_found_only_in_its_conversation(client: httpx.Client, path: str) -> None:
    (stored,) = shapes.messages(client.post(path, json=say("hi")), 201)
    other = client.post("/api/conversations", json={}).json()["id"]
    wrong = f"/api/conversations/{other}/messages/{stored['id']}"
    shapes.problem(client.get(wrong), 404)
    shapes.problem(client.patch(wrong, json={"is_pinned": True}), 404)
    shapes.problem(client.delete(wrong), 404)
    assert shapes.messages(client.get(path), 200) == [stored]


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%00"])
def test_unknown_messages_are_not_found(client: httpx.Client, path: str, id: str) -> None:
    shapes.problem(client.get(f"{path}/{id}"), 404)
    shapes.problem(client.patch(f"{path}/{id}", json={"is_pinned": True}), 404)
    shapes.problem(client.delete(f"{path}/{id}"), 404)
    shapes.problem(client.put(f"/api/messages/{id}/feedback", json={"rating": "up"}), 404)
