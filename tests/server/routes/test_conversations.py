"""Conversations over HTTP, on both databases."""

import httpx
import pytest

from tests.server import shapes
from tests.server.shapes import UNKNOWN, Json

pytestmark = pytest.mark.both_databases

USER = {"role": "user", "content": "Where shall we go?"}
ASSISTANT = {"role": "assistant", "content": "To Lisbon."}


def create(client: httpx.Client, **body: object) -> Json:
    return shapes.conversation(client.post("/api/conversations", json=body), 201)


def titles(response: httpx.Response) -> list[str]:
    items, _ = shapes.page(response)
    return [item["title"] for item in items]


def test_create_without_body(client: httpx.Client) -> None:
    created = create(client)
    assert (
        created
        | {
            "title": None,
            "title_source": "auto",
            "policy": "chunked",
            "remember": True,
            "topic": None,
            "metadata": {},
            "is_archived": False,
            "message_count": 0,
            "token_count": 0,
            "forked_from": None,
        }
        == created
    )


def test_create_stores_all_fields(client: httpx.Client) -> None:
    metadata = {"z": [1, 1.5, None, True], "a": {"é": "\u2028 😀"}}
    created = create(
        client, title=" Trip ", policy="window", metadata=metadata, messages=[USER, ASSISTANT]
    )
    assert (created["title"], created["title_source"]) == ("Trip", "user")
    assert (created["policy"], created["metadata"]) == ("window", metadata)
    assert list(created["metadata"]) == ["z", "a"]
    assert created["message_count"] == 2
    assert created["token_count"] > 0
    got = client.get(f"/api/conversations/{created['id']}", params={"messages": 0})
    assert shapes.conversation(got, 200) == created | {"messages": []}


def test_get_returns_latest_messages(client: httpx.Client) -> None:
    said = [{"role": "user", "content": str(number)} for number in range(60)]
    path = f"/api/conversations/{create(client, messages=said)['id']}"
    for params, expected in [
        ({}, range(10, 60)),
        ({"messages": 2}, range(58, 60)),
        ({"messages": 200}, range(60)),
    ]:
        got = shapes.conversation(client.get(path, params=params), 200)
        assert [message["content"] for message in got["messages"]] == [str(n) for n in expected]
        for message in got["messages"]:
            shapes.check_message(message)


def test_list_is_newest_activity_first(client: httpx.Client) -> None:
    created = [create(client, title=title) for title in "abc"]
    for conversation in shapes.page(client.get("/api/conversations"))[0]:
        shapes.check_conversation(conversation)
    assert titles(client.get("/api/conversations")) == ["c", "b", "a"]
    client.post(f"/api/conversations/{created[0]['id']}/messages", json={"messages": [USER]})
    assert titles(client.get("/api/conversations")) == ["a", "c", "b"]


@pytest.mark.parametrize("limit", [1, 3, 7, 200])
def test_cursors_page_through_the_whole_list(client: httpx.Client, limit: int) -> None:
    created = [create(client)["id"] for _ in range(7)]
    seen: list[str] = []
    params: dict[str, str | int] = {"limit": limit}
    while True:
        items, cursor = shapes.page(client.get("/api/conversations", params=params))
        assert 0 < len(items) <= limit
        seen += [item["id"] for item in items]
        if cursor is None:
            break
        params["cursor"] = cursor
    assert seen == created[::-1]


def test_list_is_filtered(client: httpx.Client) -> None:
    kept, archived = create(client, title="Città"), create(client, title="Old citta")
    client.patch(f"/api/conversations/{archived['id']}", json={"is_archived": True})
    create(client, title="Lisbon")

    def found(**params: str) -> list[str]:
        return titles(client.get("/api/conversations", params=params))

    assert found(q="CITTA") == [kept["title"]]
    assert found(q="citta", archived="false") == [kept["title"]]
    assert found(archived="true") == [archived["title"]]
    assert found(q="nothing like it") == []
    assert found(q="%") == []
    assert found(q="") == ["Lisbon", "Città"]


def test_current_is_the_latest_active_conversation(client: httpx.Client) -> None:
    first = shapes.conversation(client.get("/api/conversations/current"), 200)
    assert shapes.conversation(client.get("/api/conversations/current"), 200) == first
    newer = create(client)
    assert client.get("/api/conversations/current").json()["id"] == newer["id"]
    client.patch(f"/api/conversations/{newer['id']}", json={"is_archived": True})
    assert client.get("/api/conversations/current").json()["id"] == first["id"]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_update_changes_only_given_fields(client: httpx.Client, method: str) -> None:
    created = create(client, title="Old", metadata={"a": 1})
    path = f"/api/conversations/{created['id']}"

    def update(**body: object) -> Json:
        return shapes.conversation(client.request(method, path, json=body), 200)

    renamed = update(title="New")
    changed = {"title": "New", "updated_at": renamed["updated_at"]}
    assert renamed == created | changed
    assert renamed["updated_at"] > created["updated_at"]
    rest = {"is_archived": True, "metadata": {"b": [2]}, "policy": "rolling", "remember": False}
    rest |= {"project_id": "trip", "recall_scope": "project"}
    updated = update(**rest)
    assert updated == renamed | rest | {"updated_at": updated["updated_at"]}
    untitled = update(title=None)
    assert (untitled["title"], untitled["title_source"]) == (None, "auto")
    assert shapes.conversation(client.get(path), 200) == untitled | {"messages": []}


def test_delete_returns_counts(client: httpx.Client) -> None:
    kept = create(client, messages=[USER])
    path = f"/api/conversations/{create(client, messages=[USER, ASSISTANT])['id']}"
    receipt = shapes.deleted(client.delete(path))
    assert receipt == {"messages": 2, "summaries": 0, "embeddings": 0, "memories": 0, "jobs": 1}
    assert shapes.page(client.get("/api/jobs")) == ([], None)
    shapes.problem(client.get(path), 404)
    shapes.problem(client.get(f"{path}/messages"), 404)
    shapes.problem(client.delete(path), 404)
    assert [item["id"] for item in client.get("/api/conversations").json()["items"]] == [kept["id"]]


def test_fork_copies_messages_up_to_at(client: httpx.Client) -> None:
    source = create(client, title="Plan", metadata={"k": 1}, messages=[USER, ASSISTANT, USER])
    path = f"/api/conversations/{source['id']}"
    fork = shapes.conversation(client.post(f"{path}/fork", json={"at": 2}), 201)
    assert (fork["forked_from"], fork["title"], fork["message_count"]) == (source["id"], "Plan", 2)
    named = shapes.conversation(client.post(f"{path}/fork", json={"at": 3, "title": "B"}), 201)
    assert (named["title"], named["title_source"], named["message_count"]) == ("B", "user", 3)
    for body in ({}, {"at": None}):
        whole = shapes.conversation(client.post(f"{path}/fork", json=body), 201)
        assert (whole["forked_from"], whole["message_count"]) == (source["id"], 3)
    copies = shapes.messages(client.get(f"/api/conversations/{fork['id']}/messages"), 200)
    assert [(copy["seq"], copy["content"]) for copy in copies] == [
        (1, USER["content"]),
        (2, ASSISTANT["content"]),
    ]
    assert client.get(path).json()["message_count"] == 3


@pytest.mark.parametrize("at", [0, -1, 2, 10**30])
def test_fork_needs_an_existing_message(client: httpx.Client, at: int) -> None:
    path = f"/api/conversations/{create(client, messages=[USER])['id']}"
    shapes.problem(client.post(f"{path}/fork", json={"at": at}), 404)
    assert len(client.get("/api/conversations").json()["items"]) == 1


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense", "%00", "%ff", "' or 1=1 --"])
def test_unknown_and_malformed_ids_are_not_found(client: httpx.Client, id: str) -> None:
    create(client)
    path = f"/api/conversations/{id}"
    shapes.problem(client.get(path), 404)
    shapes.problem(client.patch(path, json={"title": "x"}), 404)
    shapes.problem(client.put(path, json={}), 404)
    shapes.problem(client.delete(path), 404)
    shapes.problem(client.post(f"{path}/fork", json={"at": 1}), 404)
    shapes.problem(client.post(f"{path}/fork", json={}), 404)
    shapes.problem(client.get(f"{path}/messages"), 404)
    shapes.problem(client.post(f"{path}/messages", json={"messages": [USER]}), 404)


def test_create_is_idempotent_with_a_key(client: httpx.Client) -> None:
    headers = {"Idempotency-Key": "create-1"}

    def post(title: str) -> httpx.Response:
        body = {"title": title, "messages": [USER]}
        return client.post("/api/conversations", json=body, headers=headers)

    first = shapes.conversation(post("One"), 201)
    assert shapes.conversation(post("One"), 201) == first
    shapes.problem(post("Two"), 409)
    assert titles(client.get("/api/conversations")) == ["One"]
