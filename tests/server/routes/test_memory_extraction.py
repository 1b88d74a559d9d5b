"""Memory extraction by patterns, over HTTP, on both databases."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import httpx
import pytest

from tests.server import shapes
from tests.server.conftest import NewKey, Start
from tests.server.memory_client import (
    ask,
    contents,
    extract,
    get,
    history,
    list_memories,
    path_of,
    remember,
    say,
    talk,
    undo,
    update,
)
from tests.server.process import Server, wait_until
from tests.server.shapes import UNKNOWN, Json

Work = Callable[[], int]
LISBON, PORTO = "I live in Lisbon.", "I live in Porto now."
IN_LISBON, IN_PORTO = "Lives in Lisbon", "Lives in Porto"
NUTS, ALLERGIC = "I am allergic to peanuts.", "Is allergic to peanuts"


@pytest.fixture
def other(server: Server, new_key: NewKey) -> Iterator[httpx.Client]:
    """Another user."""
    with server.client(key=new_key()) as opened:
        yield opened


def id_of(path: str) -> str:
    return path.rsplit("/", 1)[1]


def jobs(client: httpx.Client) -> list[Json]:
    items, _ = shapes.page(client.get("/api/jobs"))
    return [item for item in items if item["kind"] == "extract"]


def found_by(client: httpx.Client, q: str) -> list[str]:
    answer = client.get("/api/search", params={"q": q, "kind": "memories"})
    return [hit["text"] for hit in answer.json()["items"]]


def test_extract_enqueues_a_job(client: httpx.Client, work: Work) -> None:
    path = talk(client, "Hello there!", LISBON)
    asked = ask(client, path)
    assert asked.status_code == 202, asked.text
    job = asked.json()
    shapes.check_job(job)
    assert (job["kind"], job["state"], job["conversation_id"]) == (
        "extract",
        "waiting",
        id_of(path),
    )
    assert jobs(client) == [job]
    assert ask(client, path, wait=False).json() == job | {"run_at": jobs(client)[0]["run_at"]}
    assert list_memories(client) == []
    work()
    (done,) = jobs(client)
    assert (done["id"], done["state"], done["attempts"]) == (job["id"], "done", 1)
    assert contents(client) == [IN_LISBON]


def test_wait_returns_the_memories(client: httpx.Client) -> None:
    path = talk(client, "Hello there!", LISBON, NUTS)
    said = client.get(path).json()["messages"]
    found = {memory["content"]: memory for memory in extract(client, path)}
    assert found.keys() == {IN_LISBON, ALLERGIC}
    for content, message in ((IN_LISBON, said[1]), (ALLERGIC, said[2])):
        memory = found[content]
        assert memory == get(client, memory)
        assert (memory["source_message_id"], memory["source_conversation_id"]) == (
            message["id"],
            id_of(path),
        )
        assert (memory["memory_type"], memory["author"]) == ("fact", "pattern")
        assert 0 < memory["confidence"] < 1
        assert memory["valid_from"] == message["event_at"]
        (created,) = history(client, memory)
        assert (created["action"], created["actor"]) == ("created", "pattern")
        assert created["source_message_id"] == message["id"]
    assert sorted(contents(client)) == sorted(found)
    assert found_by(client, "Lisbon") == [IN_LISBON]


def test_messages_are_read_once(client: httpx.Client, work: Work) -> None:
    path = talk(client, LISBON)
    ask(client, path)
    assert [memory["content"] for memory in extract(client, path)] == [IN_LISBON]
    assert jobs(client) == []  # what was asked for before is done as well
    before = list_memories(client)
    assert extract(client, path) == []
    ask(client, path)
    work()
    say(client, path, "And the weather?")
    assert extract(client, path) == []
    assert list_memories(client) == before


def test_wait_returns_only_changes(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    extract(client, path)
    (message,) = say(client, path, NUTS)
    (found,) = extract(client, path)
    assert (found["content"], found["source_message_id"]) == (ALLERGIC, message["id"])


def test_only_user_messages_are_read(client: httpx.Client) -> None:
    path = talk(client)
    said = [
        {"role": "system", "content": f"You are a tour guide. {LISBON}"},
        {"role": "assistant", "content": PORTO},
        {"role": "tool", "content": NUTS},
        {"role": "user", "content": "Do I live in Rome? My friend says: 'I live in Oslo.'"},
    ]
    shapes.messages(client.post(f"{path}/messages", json={"messages": said}), 201)
    assert extract(client, path) == []
    assert extract(client, talk(client)) == []
    assert list_memories(client) == []


def test_remember_false_blocks_extraction(client: httpx.Client, work: Work) -> None:
    path = talk(client, LISBON)
    client.patch(path, json={"remember": False})
    for wait in (False, True):
        refused = shapes.problem(ask(client, path, wait=wait), 409)
        assert "remember" in refused["detail"]
    assert jobs(client) == []
    client.patch(path, json={"remember": True})
    ask(client, path)
    client.patch(path, json={"remember": False})
    work()
    say(client, path, PORTO)
    client.patch(path, json={"remember": True})
    assert extract(client, path) == []  # nor is what was said till then read later
    say(client, path, NUTS)
    assert [memory["content"] for memory in extract(client, path)] == [ALLERGIC]
    client.patch(path, json={"remember": False})
    assert contents(client) == [ALLERGIC]  # what is known is known


def test_remember_false_can_be_set_at_creation(client: httpx.Client) -> None:
    path = talk(client, LISBON, remember=False)
    assert client.get(path).json()["remember"] is False
    shapes.problem(ask(client, path, wait=True), 409)
    body = {"remember": "perhaps"}
    refused = shapes.problem(client.post("/api/conversations", json=body), 422)
    assert [error["field"] for error in refused["errors"]] == ["remember"]


def test_extract_needs_an_own_conversation(client: httpx.Client, other: httpx.Client) -> None:
    path = talk(other, LISBON)
    refused = [
        shapes.problem(ask(client, f"/{id}", wait=wait), 404)
        for id in (id_of(path), UNKNOWN, "nonsense", "", "\0")
        for wait in (False, True)
    ]
    assert refused == refused[:1] * len(refused)
    assert jobs(client) == jobs(other) == list_memories(client) == list_memories(other) == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "conversation_id"),
        ({"conversation_id": None}, "conversation_id"),
        ({"conversation_id": 7}, "conversation_id"),
        ({"conversation_id": UNKNOWN, "more": 1}, "more"),
        ([], ""),
    ],
    ids=repr,
)
def test_invalid_bodies_are_refused(client: httpx.Client, body: object, field: str) -> None:
    refused = shapes.problem(client.post("/api/memories/extract", json=body), 422)
    assert [error["field"] for error in refused["errors"]] == [field]
    answer = client.post("/api/memories/extract?wait=perhaps", json={"conversation_id": UNKNOWN})
    assert [error["field"] for error in shapes.problem(answer, 422)["errors"]] == ["wait"]


def test_newer_fact_supersedes_older(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (old,) = extract(client, path)
    (message,) = say(client, path, PORTO)
    changed = {memory["content"]: memory for memory in extract(client, path)}
    assert changed.keys() == {IN_LISBON, IN_PORTO}
    new, past = changed[IN_PORTO], changed[IN_LISBON]
    assert (past["id"], past["superseded_by"]) == (old["id"], new["id"])
    assert past["valid_to"] == new["valid_from"] == message["event_at"]
    assert (new["valid_to"], new["superseded_by"]) == (None, None)
    assert list_memories(client) == [new]
    assert list_memories(client, superseded=True) == [past]
    assert found_by(client, "lives in Lisbon Porto") == [IN_PORTO]
    context = client.post(f"{talk(client)}/context", json={"message": "Hello!"}).json()
    assert f"\n- {IN_PORTO}" in context["messages"][0]["content"]
    assert IN_LISBON not in context["messages"][0]["content"]
    _, superseded = history(client, old)
    assert (superseded["action"], superseded["actor"]) == ("superseded", "pattern")
    assert superseded["source_message_id"] == message["id"]
    assert superseded["before"] == {"valid_to": None, "superseded_by": None}
    assert superseded["after"]["superseded_by"] == new["id"]


@pytest.mark.parametrize("by", ["the old one", "the new one"])
def test_superseding_can_be_undone(client: httpx.Client, by: str) -> None:
    path = talk(client, LISBON)
    (old,) = extract(client, path)
    say(client, path, PORTO)
    (new,) = [memory for memory in extract(client, path) if memory["id"] != old["id"]]
    undo(client, old if by == "the old one" else new)
    (holds,) = list_memories(client)
    (past,) = list_memories(client, superseded=True)
    assert (holds["id"], holds["content"]) == (old["id"], IN_LISBON)
    assert (holds["valid_to"], holds["superseded_by"]) == (None, None)
    assert (past["id"], past["superseded_by"]) == (new["id"], old["id"])
    assert found_by(client, "lives") == [IN_LISBON]
    say(client, path, "I live in Rome.")
    extract(client, path)
    assert contents(client) == [IN_LISBON]  # the user has decided


def test_repeated_fact_is_confirmed(client: httpx.Client) -> None:
    first = talk(client, LISBON)
    (memory,) = extract(client, first)
    second = talk(client, LISBON)
    (again,) = client.get(second).json()["messages"]
    (confirmed,) = extract(client, second)
    assert (confirmed["id"], confirmed["content"]) == (memory["id"], IN_LISBON)
    assert memory["confidence"] < confirmed["confidence"] < 1
    assert confirmed["source_message_id"] == memory["source_message_id"]
    _, event = history(client, memory)
    assert (event["action"], event["source_message_id"]) == ("confirmed", again["id"])
    assert len(list_memories(client)) == 1


def test_user_written_memory_is_not_superseded(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (memory,) = extract(client, path)
    edited = update(client, memory, content="Lives in Lisbon, in Alfama")
    assert edited["author"] == "user"
    say(client, path, PORTO)
    assert extract(client, path) == []
    assert list_memories(client) == [edited]


def test_pinned_memory_is_not_superseded(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (memory,) = extract(client, path)
    pinned = update(client, memory, is_pinned=True)
    say(client, path, PORTO)
    assert extract(client, path) == []
    assert list_memories(client) == [pinned]


def test_archived_memory_stays_archived(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (memory,) = extract(client, path)
    update(client, memory, is_archived=True)
    say(client, path, LISBON)
    assert extract(client, path) == []
    assert list_memories(client) == []


def test_user_written_memory_supersedes_extracted_one(client: httpx.Client) -> None:
    (read,) = extract(client, talk(client, LISBON))
    written = remember(client, IN_PORTO)
    assert list_memories(client) == [written]
    past = get(client, read)
    assert (past["superseded_by"], past["valid_to"]) == (written["id"], written["created_at"])
    assert history(client, read)[-1]["actor"] == "user"


def test_deleted_memory_is_not_extracted_again(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (memory,) = extract(client, path)
    say(client, path, LISBON)  # which nobody has read yet
    shapes.deleted(client.delete(path_of(memory)))
    say(client, path, "And the weather?", NUTS)
    assert [found["content"] for found in extract(client, path)] == [ALLERGIC]
    assert extract(client, path) == []
    assert contents(client) == [ALLERGIC]
    assert found_by(client, "Lisbon") == []


def test_deleted_memory_can_be_stated_again(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (memory,) = extract(client, path)
    shapes.deleted(client.delete(path_of(memory)))
    (message,) = say(client, path, LISBON)
    (found,) = extract(client, path)
    assert found["id"] != memory["id"]
    assert (found["content"], found["source_message_id"]) == (IN_LISBON, message["id"])


def test_deleting_a_memory_restores_the_superseded_one(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (old,) = extract(client, path)
    say(client, path, PORTO)
    (new,) = [memory for memory in extract(client, path) if memory["id"] != old["id"]]
    assert shapes.deleted(client.delete(path_of(new)))["memories"] == 1
    (holds,) = list_memories(client)
    assert (holds["id"], holds["valid_to"], holds["superseded_by"]) == (old["id"], None, None)
    assert history(client, old)[-1]["action"] == "restored"
    assert extract(client, path) == []


def test_corrected_memory_is_not_extracted_again(client: httpx.Client) -> None:
    path = talk(client, NUTS)
    (memory,) = extract(client, path)
    say(client, path, NUTS)
    update(client, memory, content="Is allergic to walnuts")
    assert extract(client, path) == []
    assert contents(client) == ["Is allergic to walnuts"]


def test_deleting_a_conversation_deletes_its_memories(client: httpx.Client) -> None:
    path = talk(client, LISBON, NUTS)
    extract(client, path)
    own = remember(client, "Has a blue bicycle.")
    receipt = shapes.deleted(client.delete(path))
    assert (receipt["messages"], receipt["memories"]) == (2, 2)
    assert list_memories(client) == [own]
    assert found_by(client, "Lisbon peanuts") == []


def test_deleting_a_message_deletes_its_memories(client: httpx.Client) -> None:
    path = talk(client, LISBON, NUTS)
    extract(client, path)
    message = client.get(path).json()["messages"][0]
    receipt = shapes.deleted(client.delete(f"{path}/messages/{message['id']}"))
    assert (receipt["messages"], receipt["memories"]) == (1, 1)
    assert contents(client) == [ALLERGIC]
    assert extract(client, path) == []


@pytest.mark.parametrize("whole", [True, False], ids=["conversations", "messages"])
def test_memory_with_two_sources_survives_one_deletion(client: httpx.Client, whole: bool) -> None:
    paths = [talk(client, LISBON), talk(client, LISBON)]
    said = [client.get(path).json()["messages"][0]["id"] for path in paths]
    for path in paths:
        extract(client, path)
    targets = paths if whole else [f"{paths[n]}/messages/{said[n]}" for n in (0, 1)]
    assert shapes.deleted(client.delete(targets[0]))["memories"] == 0
    (left,) = list_memories(client)
    assert (left["content"], left["source_message_id"]) == (IN_LISBON, said[1])
    assert left["source_conversation_id"] == id_of(paths[1])
    assert [event["source_message_id"] for event in history(client, left)] == [None, said[1]]
    assert shapes.deleted(client.delete(targets[1]))["memories"] == 1
    assert list_memories(client) == []


def test_memory_survives_in_a_fork(client: httpx.Client) -> None:
    path = talk(client, "Hello.", LISBON)
    (memory,) = extract(client, path)
    copy = shapes.conversation(client.post(f"{path}/fork", json={"at": 2}), 201)["id"]
    assert shapes.deleted(client.delete(path))["memories"] == 0
    (left,) = list_memories(client)
    (_, copied) = client.get(f"/api/conversations/{copy}").json()["messages"]
    assert (left["id"], left["source_message_id"]) == (memory["id"], copied["id"])
    assert extract(client, f"/api/conversations/{copy}") == []
    assert shapes.deleted(client.delete(f"/api/conversations/{copy}"))["memories"] == 1


def test_deleting_the_newer_message_restores_the_older_fact(client: httpx.Client) -> None:
    path = talk(client, LISBON)
    (old,) = extract(client, path)
    later = talk(client, PORTO)
    extract(client, later)
    assert contents(client) == [IN_PORTO]
    assert shapes.deleted(client.delete(later))["memories"] == 1
    (holds,) = list_memories(client)
    assert (holds["id"], holds["valid_to"], holds["superseded_by"]) == (old["id"], None, None)
    assert found_by(client, "lives") == [IN_LISBON]
    assert history(client, old)[-1]["action"] == "restored"


def test_worker_extracts_memories(start: Start, own_database: str) -> None:
    variables = {"RECOLLECT_EXTRACTION": "automatic", "RECOLLECT_EXTRACT_IDLE_SECONDS": "1"}
    with start(own_database, variables=variables).client() as client:
        talk(client, LISBON)
        wait_until(lambda: contents(client) == [IN_LISBON], "it has been read")


def test_extraction_waits_for_quiet_or_length(start: Start, own_database: str) -> None:
    variables = {"RECOLLECT_EXTRACTION": "automatic", "RECOLLECT_WORKER": "false"}
    with start(own_database, variables=variables).client() as client:
        path = talk(client, "Hello.")
        answer = {"role": "assistant", "content": "Hi."}
        (said,) = client.get(path).json()["messages"]
        (job,) = jobs(client)
        assert time(job["run_at"]) - time(said["created_at"]) == timedelta(seconds=120)
        for _ in range(3):
            client.post(f"{path}/messages", json={"messages": [answer]})
            say(client, path, "And then?")
        assert jobs(client) == [job]  # four turns: not due before it is idle
        client.post(f"{path}/messages", json={"messages": [answer]})
        (fifth,) = say(client, path, "And at last?")
        (expedited,) = jobs(client)
        assert expedited == job | {"run_at": fifth["created_at"]}


def test_policies_with_retention_extract_only_on_request(start: Start, own_database: str) -> None:
    variables = {"RECOLLECT_EXTRACTION": "automatic", "RECOLLECT_WORKER": "false"}
    with start(own_database, variables=variables).client() as client:
        forgotten = talk(client, LISBON, policy="ephemeral")
        kept_out = talk(client)
        client.patch(kept_out, json={"remember": False})
        say(client, kept_out, PORTO)
        answered = talk(client)
        hello = {"role": "assistant", "content": "Hello."}
        client.post(f"{answered}/messages", json={"messages": [hello]})
        assert jobs(client) == []
        assert [memory["content"] for memory in extract(client, forgotten)] == [IN_LISBON]


def time(text: str) -> datetime:
    return datetime.fromisoformat(text)
