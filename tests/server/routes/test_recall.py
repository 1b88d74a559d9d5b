"""Search, switch and references over HTTP."""

import http.client
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from recollect.core.errors import TooLarge
from tests.server import shapes
from tests.server.conftest import Keyed, NewKey
from tests.server.memory_client import remember, update
from tests.server.process import Server
from tests.server.sample_turns import messages
from tests.server.shapes import UNKNOWN, Json

HIT = {"kind", "id", "conversation_id", "seq", "text", "score", "created_at", "passages"}
PASSAGE = {"start", "end", "text", "score"}
KINDS = ("messages", "conversations", "memories")
NOTHING: Json = {"match": None, "candidates": [], "needs_confirmation": False}
NO_REFERENCE: Json = {"turn": None, "phrase": None, "kind": None}

MORTGAGE = (
    ("Should we fix the mortgage for ten years?", "At 2.9 percent I would: rates are moving."),
    ("And the notary?", "About 2,400 euros, paid on the day."),
)
LISBON = (
    ("Which neighbourhood of Lisbon is flat?", "Baixa. Alfama is prettier, but all steps 🦊."),
    ("Is there a direct flight on Friday?", "TP-837 at 7:40, back on Sunday evening."),
)


def told(turns: Sequence[tuple[str, str]], **fields: object) -> list[Json]:
    return [
        {"role": role, "content": text, **fields}
        for turn in turns
        for role, text in zip(("user", "assistant"), turn, strict=True)
    ]


def start(client: httpx.Client, turns: Sequence[tuple[str, str]], title: str | None = None) -> Json:
    body = {"title": title, "messages": told(turns)}
    return shapes.conversation(client.post("/api/conversations", json=body), 201)


def search(client: httpx.Client, q: str, **filters: Any) -> list[Json]:
    """Check the shape of the hits and return them."""
    answer = client.get("/api/search", params={"q": q, **filters})
    assert answer.status_code == 200, answer.text
    assert answer.json().keys() == {"items"}
    hits: list[Json] = answer.json()["items"]
    for hit in hits:
        assert hit.keys() == HIT
        assert hit["kind"] == filters.get("kind", "messages")
        assert shapes.is_id(hit["id"])
        assert shapes.is_time(hit["created_at"])
        assert hit["text"]
        for passage in hit["passages"]:
            assert passage.keys() == PASSAGE
            assert hit["text"][passage["start"] : passage["end"]] == passage["text"]
        assert bool(hit["passages"]) == (hit["kind"] == "messages")
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    return hits


def test_long_message_is_found_once_with_its_best_passages(client: httpx.Client) -> None:
    places = [" ".join([f"{name} has a view of the river."] * 20) for name in ("Baixa", "Belém")]
    start(client, [("Where is it flat?", "\n\n".join(places))])
    (hit,) = search(client, "Belém")
    assert hit["seq"] == 2
    assert hit["passages"][0]["text"] in places[1]
    (hit,) = search(client, "Belém", kind="conversations")
    assert hit["text"] in places[1]


def test_search_is_filtered_by_project(client: httpx.Client) -> None:
    for project_id in ("home", "trip", None):
        body = {"project_id": project_id, "messages": told(LISBON)}
        assert client.post("/api/conversations", json=body).json()["project_id"] == project_id
    (trip,) = client.get("/api/conversations", params={"project_id": "trip"}).json()["items"]
    for kind in KINDS[:2]:
        hits = search(client, "Baixa", kind=kind, project_id="trip")
        assert {hit["conversation_id"] for hit in hits} == {trip["id"]}
    for path in ("/api/conversations", "/api/search?q=x"):
        refused = client.get(path, params={"project_id": "x" * 201, "q": "x"})
        shapes.problem(refused, 422)


def switch(client: httpx.Client, q: str) -> Json:
    answer = client.get("/api/switch", params={"q": q})
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    assert body.keys() == NOTHING.keys()
    if body["match"] is not None:
        shapes.check_conversation(body["match"])
        assert body["match"] == body["candidates"][0]["conversation"]
        assert body["needs_confirmation"] is False
    for candidate in body["candidates"]:
        assert candidate.keys() == {"conversation", "passage", "score"}
        shapes.check_conversation(candidate["conversation"])
    return body


def resolve(client: httpx.Client, conversation: Json, text: str) -> Json:
    path = f"/api/conversations/{conversation['id']}"
    answer = client.post(f"{path}/references", json={"text": text})
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    assert body.keys() == NO_REFERENCE.keys()
    if (turn := body["turn"]) is not None:
        assert turn.keys() == {"turn", "messages"}
        whole = [one for one in messages(client, path) if one["turn"] == turn["turn"]]
        assert turn["messages"] == whole
    return body


@pytest.fixture
def talks(client: httpx.Client) -> list[Json]:
    return [start(client, MORTGAGE), start(client, LISBON, "The trip")]


@pytest.fixture
def stranger(server: Server, new_key: NewKey) -> Iterator[httpx.Client]:
    """Another user with the same content."""
    with server.client(key=new_key()) as other:
        start(other, LISBON, "The trip")
        yield other


def test_search_finds_messages_by_words(client: httpx.Client, talks: list[Json]) -> None:
    best, *others = search(client, "what did the mortgage cost in percent?")
    said = messages(client, f"/api/conversations/{talks[0]['id']}")
    assert (best["id"], best["conversation_id"]) == (said[0]["id"], talks[0]["id"])
    assert (best["seq"], best["text"]) == (1, "Should we fix the mortgage for ten years?")
    assert best["created_at"] == said[0]["created_at"]
    assert [hit["seq"] for hit in others] == [2]
    assert search(client, "volcanoes") == []


def test_search_ranks_conversations_by_their_best_message(
    client: httpx.Client, talks: list[Json]
) -> None:
    (hit,) = search(client, "the direct flight to Lisbon", kind="conversations")
    assert hit["id"] == hit["conversation_id"] == talks[1]["id"]
    assert (hit["seq"], hit["text"]) == (3, "Is there a direct flight on Friday?")
    assert hit["created_at"] == talks[1]["created_at"]


def test_search_finds_conversations_by_title(client: httpx.Client, talks: list[Json]) -> None:
    (hit,) = search(client, "trip", kind="conversations")
    assert (hit["id"], hit["seq"], hit["text"]) == (talks[1]["id"], None, "The trip")


def test_search_finds_memories(client: httpx.Client, stranger: httpx.Client) -> None:
    assert search(client, "coffee", kind="memories") == []
    talk = start(client, MORTGAGE)
    source = {"source_conversation_id": talk["id"]}
    kept = remember(client, "Alice drinks her coffee black", **source)
    update(client, remember(client, "Alice is fond of coffee", **source), is_archived=True)
    remember(stranger, "Bob drinks coffee all day")
    (hit,) = search(client, "black coffee", kind="memories")
    assert (hit["id"], hit["conversation_id"], hit["seq"]) == (kept["id"], talk["id"], None)
    assert hit["text"] == "Alice drinks her coffee black"
    assert search(client, "coffee", kind="memories", conversation_id=talk["id"]) == [
        hit | {"score": pytest.approx(hit["score"], abs=1)}
    ]


def test_search_filters(client: httpx.Client) -> None:
    spring = told(LISBON, event_at="2024-04-01T10:00:00Z")
    autumn = told(LISBON, event_at="2024-10-01T10:00:00Z")
    talks = [
        client.post("/api/conversations", json={"messages": said}).json()["id"]
        for said in (spring, autumn)
    ]

    def found(q: str = "Lisbon Alfama", **filters: Any) -> list[tuple[int, int]]:
        hits = search(client, q, **filters)
        return sorted((talks.index(hit["conversation_id"]), hit["seq"]) for hit in hits)

    assert found() == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert found(conversation_id=talks[1]) == found(conversation_id=talks[1].upper())
    assert found(conversation_id=talks[1]) == [(1, 1), (1, 2)]
    assert found(role="user") == [(0, 1), (1, 1)]
    assert found(role="tool") == []
    assert found(after="2024-10-01T10:00:00Z") == [(1, 1), (1, 2)]
    assert found(after="2024-10-01T10:00:00.001Z") == []
    assert found(before="2024-10-01T10:00:00Z") == [(0, 1), (0, 2)]
    assert found(before="2024-10-01T12:00:00.001+02:00") == found()
    assert len(found(limit=3)) == 3
    assert found(role="user", conversation_id=talks[0], before="2024-05-01T00:00:00Z") == [(0, 1)]
    for filters in ({"role": "user"}, {"after": "2024-05-01T00:00:00Z"}):
        assert found(kind="conversations", **filters)
    (only,) = search(client, "Lisbon", kind="conversations", before="2024-05-01T00:00:00Z")
    assert only["id"] == talks[0]


def test_recency_breaks_ties(client: httpx.Client) -> None:
    body = {"messages": told(LISBON[:1])}
    ids = [client.post("/api/conversations", json=body).json()["id"] for _ in range(3)]
    hits = search(client, "neighbourhood", role="user")
    assert [hit["conversation_id"] for hit in hits] == ids[::-1]


def test_search_is_limited_to_the_user(client: httpx.Client, stranger: httpx.Client) -> None:
    (theirs,) = search(stranger, "Lisbon", kind="conversations")
    for kind in KINDS:
        assert search(client, "Lisbon flight trip TP-837", kind=kind) == []
        filters = {"q": "Lisbon", "kind": kind}
        refused = [
            shapes.problem(client.get("/api/search", params=filters | {"conversation_id": id}), 404)
            for id in (theirs["id"], UNKNOWN, "nonsense", "")
        ]
        assert refused == refused[:1] * 4
    assert switch(client, "the trip to Lisbon") == NOTHING


def test_deleted_messages_are_not_found(client: httpx.Client, talks: list[Json]) -> None:
    path = f"/api/conversations/{talks[1]['id']}"
    (hit,) = search(client, "Alfama")
    shapes.deleted(client.delete(f"{path}/messages/{hit['id']}"))
    assert search(client, "Alfama") == []
    shapes.deleted(client.delete(path))
    assert search(client, "Lisbon") == search(client, "trip", kind="conversations") == []
    assert switch(client, "the trip to Lisbon") == NOTHING


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"q": None}, "q"),
        ({"q": ""}, "q"),
        ({"q": " \n"}, "q"),
        ({"q": "a\0b"}, "q"),
        ({"kind": "nonsense"}, "kind"),
        ({"kind": "message"}, "kind"),
        ({"role": "robot"}, "role"),
        ({"role": "system"}, "role"),
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"after": "2024-01-01T00:00:00"}, "after"),
        ({"after": "0001-01-01T00:00:00+14:00"}, "after"),
        ({"before": "2024-01-01"}, "before"),
        ({"before": "yesterday"}, "before"),
    ],
    ids=str,
)
def test_invalid_searches_are_refused(client: httpx.Client, filters: Json, field: str) -> None:
    params = {name: value for name, value in ({"q": "a"} | filters).items() if value is not None}
    refused = shapes.problem(client.get("/api/search", params=params), 422)
    assert [error["field"] for error in refused["errors"]] == [field]
    if field == "q":
        assert shapes.problem(client.get("/api/switch", params=params), 422) == refused


def test_query_operators_are_plain_text(client: httpx.Client, talks: list[Json]) -> None:
    for q in (
        '"lisbon" and not (x or near(y, 2))',
        "Lisbon*",
        "text:Lisbon",
        "Lisbon & !x | y:*",
        "'; drop table messages; -- Lisbon",
        "Lisbon\\",
        '"Lisbon',
        "((Lisbon",
        "^Lisbon%_",
        "LISBON",
        "Lísbon",
    ):
        assert search(client, q)[0]["text"] == LISBON[0][0], q
        assert switch(client, q)["match"]["id"] == talks[1]["id"], q


def test_any_text_is_a_valid_query(client: httpx.Client, talks: list[Json]) -> None:
    for q in ("?", "%", "👾", "ქართული ენა", "漢", "\u200b\u0301", "\ud7ff\uffff"):
        for kind in KINDS:
            assert search(client, q, kind=kind) == [], q
        assert switch(client, q) == NOTHING, q


def test_emoji_are_searchable(client: httpx.Client, talks: list[Json]) -> None:
    (hit,) = search(client, "🦊")
    assert hit["text"] == LISBON[0][1]


def test_long_queries_are_accepted(client: httpx.Client, keyed: Keyed, talks: list[Json]) -> None:
    """URLs are limited in length, so the longest queries go through the library."""
    q = "Lisbon " * 8_000
    assert search(client, q)[0]["text"] == LISBON[0][0]
    host = urlsplit(keyed.server.url).netloc
    headers = {"Authorization": client.headers["Authorization"]}
    for length in (100_000, 1_000_000):
        connection = http.client.HTTPConnection(host, timeout=60)
        try:
            connection.request("GET", f"/api/search?q={'x' * length}", headers=headers)
            assert connection.getresponse().status in (200, 400, 413, 431)
        except (ConnectionResetError, BrokenPipeError):
            pass  # it has answered 400, and did not wait for the rest
        finally:
            connection.close()
    user_id = client.get("/api/me").json()["user_id"]
    for look in (keyed.memory.recall.search, keyed.memory.recall.switch):
        assert look(("Lisbon " * 15_000)[:100_000], user_id=user_id)
        with pytest.raises(TooLarge):
            look("x" * 100_001, user_id=user_id)


def test_switch_finds_a_conversation(client: httpx.Client, talks: list[Json]) -> None:
    found = switch(client, "Take me back to the chat where we talked about the mortgage, please")
    assert found["match"]["id"] == talks[0]["id"]
    (candidate,) = found["candidates"]
    assert candidate["passage"] == MORTGAGE[0][0]
    assert 0 < candidate["score"] <= 1


def test_similar_conversations_need_confirmation(client: httpx.Client, talks: list[Json]) -> None:
    twin = start(client, (("Which part of Lisbon is flat?", "Baixa, by the river."), *LISBON[1:]))
    found = switch(client, "torniamo alla chat su Lisbon")
    assert (found["match"], found["needs_confirmation"]) == (None, True)
    listed = [one["conversation"]["id"] for one in found["candidates"]]
    assert sorted(listed) == sorted((talks[1]["id"], twin["id"]))
    scores = [one["score"] for one in found["candidates"]]
    assert scores == sorted(scores, reverse=True)


def test_switch_without_match_returns_null(client: httpx.Client) -> None:
    assert switch(client, "back to the mortgage") == NOTHING
    start(client, LISBON)
    assert switch(client, "back to the mortgage") == NOTHING


def test_switch_ignores_archived_conversations(client: httpx.Client, talks: list[Json]) -> None:
    path = f"/api/conversations/{talks[0]['id']}"
    assert switch(client, "the mortgage")["match"]["id"] == talks[0]["id"]
    client.patch(path, json={"is_archived": True})
    assert switch(client, "the mortgage") == NOTHING
    assert search(client, "the mortgage")
    client.patch(path, json={"is_archived": False})
    assert switch(client, "the mortgage")["match"]["id"] == talks[0]["id"]


PLANS = (
    ("What is our budget for the wedding?", "12,000 euros, a third of it for the food."),
    ("E il volo per gli ospiti?", "Il volo da Torino costa 89 euro a testa."),
    ("Who plays the music?", "The quartet, from six to nine."),
    ("Sino ang photographer?", "Si Ana ang kukuha ng mga larawan."),
)


REFERENCES: list[tuple[str, int | None, str | None, str | None]] = [
    ("What about the second one?", 2, "ordinal", "the second one"),
    ("yung pangatlo", 3, "ordinal", "yung pangatlo"),
    ("torna alla prima", 1, "ordinal", "alla prima"),
    ("first", 1, "ordinal", "first"),
    ("in turn 3 you said six", 3, "ordinal", "turn 3"),
    ("the last one", 4, "recent", "the last one"),
    ("kanina", 4, "recent", "kanina"),
    ("the previous answer", 4, "recent", "the previous answer"),
    ("what I asked earlier", 4, "recent", "asked earlier"),
    ("la penultima", 3, "recent", "la penultima"),
    ("the one about the budget", 1, "semantic", "the one about the budget"),
    ("Ripeti quella sul volo, dai", 2, "semantic", "quella sul volo"),
    ("yung tungkol sa budget", 1, "semantic", "yung tungkol sa budget"),
    ("yung tungkol sa photographer nga", 4, "semantic", "yung tungkol sa photographer"),
    ("lo de la music", 3, "semantic", "lo de la music"),
    ("the ninth one", None, "ordinal", "the ninth one"),
    ("turn 99", None, "ordinal", "turn 99"),
    ("turn 999999999", None, "ordinal", "turn 999999999"),
    ("the one about volcanoes", None, "semantic", "the one about volcanoes"),
    # With both, the number counts, unless it is no more than an "earlier".
    ("the first one, not the one about the music", 1, "ordinal", "the first one"),
    ("the one about the second photo of Rome", None, "semantic", None),
    ("what you said earlier about the budget", 1, "semantic", None),
    ("yung sinabi mo kanina tungkol sa budget", 1, "semantic", None),
    ("what you said earlier about volcanoes", 4, "recent", "said earlier"),
    ("the one about the budget in turn 2", 2, "ordinal", "turn 2"),
    ("What is the weather like?", None, None, None),
    ("quella casa è bella", None, None, None),
]
"""Text, turn and kind, and the phrase if it is not the whole text."""


def test_reference_resolves_to_a_turn(client: httpx.Client) -> None:
    talk = start(client, PLANS)
    for text, turn, kind, phrase in REFERENCES:
        found = resolve(client, talk, text)
        assert (found["turn"] and found["turn"]["turn"], found["kind"]) == (turn, kind), text
        assert found["phrase"] == (phrase or text if kind else None), text


def test_resolved_turn_is_complete(client: httpx.Client) -> None:
    call = {"tool_name": "weather", "input": {"city": "Turin"}, "id": "call-1"}
    said = [
        *told(PLANS[:1]),
        {"role": "user", "content": "Will it rain on the wedding?"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "content": "sunny", "metadata": {"tool_call_id": "call-1"}},
        {"role": "assistant", "content": "No, it will be sunny."},
        *told(PLANS[1:2]),
    ]
    talk = client.post("/api/conversations", json={"messages": said}).json()
    for text in ("the second one", "turn 2", "the one about the rain"):
        found = resolve(client, talk, text)["turn"]
        assert [one["seq"] for one in found["messages"]] == [3, 4, 5, 6], text


def test_deleted_turn_is_not_resolved(client: httpx.Client) -> None:
    talk = start(client, PLANS)
    path = f"/api/conversations/{talk['id']}"
    for message in messages(client, path)[2:4]:
        shapes.deleted(client.delete(f"{path}/messages/{message['id']}"))
    assert resolve(client, talk, "turn 2")["turn"] is None
    assert resolve(client, talk, "quella sul volo")["turn"] is None
    assert resolve(client, talk, "the second one")["turn"]["turn"] == 3


def test_stored_question_does_not_refer_to_itself(client: httpx.Client) -> None:
    talk = start(client, PLANS)
    path = f"/api/conversations/{talk['id']}"
    for question, turn in [
        ("Tell me more about the last one, please.", 4),
        ("What did you say about the budget?", 1),
        ("And the one about the fireworks?", None),
    ]:
        asked = {"messages": [{"role": "user", "content": question}]}
        (stored,) = shapes.messages(client.post(f"{path}/messages", json=asked), 201)
        found = resolve(client, talk, question)["turn"]
        assert (found and found["turn"]) == turn, question
        another = resolve(client, talk, "the last one of all")["turn"]
        assert another["messages"] == [stored]
        shapes.deleted(client.delete(f"{path}/messages/{stored['id']}"))


def test_empty_conversation_has_no_turn(client: httpx.Client) -> None:
    talk = client.post("/api/conversations", json={}).json()
    for text in ("the last one", "first", "turn 1", "the one about the budget"):
        found = resolve(client, talk, text)
        assert (found["turn"], found["phrase"]) == (None, text)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": " \n"}, "text"),
        ({"text": "a\0b"}, "text"),
        ({"text": 7}, "text"),
        ({"text": "first", "more": 1}, "more"),
        ([], ""),
    ],
    ids=repr,
)
def test_invalid_references_are_refused(client: httpx.Client, body: Any, field: str) -> None:
    talk = client.post("/api/conversations", json={}).json()
    address = f"/api/conversations/{talk['id']}/references"
    refused = shapes.problem(client.post(address, json=body), 422)
    assert [error["field"] for error in refused["errors"]] == [field]


def test_reference_in_a_long_text(client: httpx.Client) -> None:
    talk = start(client, PLANS)
    text = "Once upon a time there was a king. " * 2_800
    assert resolve(client, talk, f"{text} What about the one about the budget?")["turn"]
    address = f"/api/conversations/{talk['id']}/references"
    refused = shapes.problem(client.post(address, json={"text": text * 2}), 413)
    assert "100,000" in refused["detail"]
