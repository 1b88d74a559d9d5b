"""Seed 000, "Chat Memory & Conversation Compaction": a voice assistant's chats.

Comments name the sections of the specification that the tests cover.
"""

import json
from typing import Any
from uuid import uuid4

import apsw
import httpx
import psycopg
import pytest

from recollect import PRESETS
from tests.raw import RawDatabase
from tests.scripted_model import stalls
from tests.seeds import stream
from tests.seeds.conftest import Service
from tests.seeds.model import SUMMARY, last_text, said
from tests.server import shapes
from tests.server.memory_client import remember
from tests.server.process import wait_until
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("seeds")

Json = dict[str, Any]

SUMMARY_WINDOW_SIZE = 30
CHAT = {
    "id",
    "title",
    "full_history",
    "assistant_history",
    "summary_text",
    "last_activity_at",
    "created_at",
}


def turn(role: str, text: str, **more: str) -> Json:
    """A ConversationTurn."""
    return {"role": role, "parts": [{"text": text}], **more}


def turns(first: int, last: int, *, about: str = "the garden") -> list[Json]:
    """Different turns."""
    return [
        turn("user", f"What about bed {number} of {about}?")
        if number % 2
        else turn("model", f"Bed {number} of {about} wants water.")
        for number in range(first, last + 1)
    ]


def chat_of(answer: httpx.Response, status: int = 200) -> Json:
    assert answer.status_code == status, answer.text
    chat: Json = answer.json()
    assert chat.keys() == CHAT
    assert len(chat["assistant_history"]) <= SUMMARY_WINDOW_SIZE
    return chat


def create(client: httpx.Client, **body: Any) -> Json:
    return chat_of(client.post("/api/chats", json=body), 201)


def get(client: httpx.Client, id: str) -> Json:
    return chat_of(client.get("/api/chats", params={"id": id}))


def append(client: httpx.Client, id: str, *messages: Json) -> Json:
    return chat_of(client.patch("/api/chats", json={"id": id, "messages": messages}))


def search(client: httpx.Client, query: str) -> Json:
    answer = client.get("/api/chats", params={"search": query})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    assert found.keys() == {"match", "candidates", "needs_confirmation"}
    for candidate in found["candidates"]:
        assert candidate.keys() == {"chat", "similarity"}
        assert candidate["chat"].keys() == CHAT
    return found


# Contesto progetto: the binding rule


def test_every_vector_has_its_text(raw: RawDatabase, user_id: str) -> None:
    """Enforced by the databases."""
    now = "2026-01-05T10:30:00.000000Z"
    raw.insert("users", user_id=user_id, created_at=now)
    row = {
        "user_id": user_id,
        "kind": "topic",
        "owner_id": UNKNOWN,
        "model": "m",
        "dimensions": 8,
        "vector": bytes(32) if raw.dialect == "sqlite" else str([0] * 8),
        "created_at": now,
    }
    with pytest.raises((apsw.ConstraintError, psycopg.errors.NotNullViolation), match="text"):
        raw.insert("embeddings", **row, text=None)
    raw.insert("embeddings", **row, text="Planning the garden beds.")
    assert raw.count("embeddings") == 1


# Database: tabella `chats`; forma turni


def test_post_creates_a_chat(client: httpx.Client) -> None:
    """`full_history` and `assistant_history` are the same, the summary is empty."""
    chat = chat_of(client.post("/api/chats"), 201)
    assert shapes.is_id(chat["id"])
    assert (chat["full_history"], chat["assistant_history"]) == ([], [])
    assert (chat["title"], chat["summary_text"]) == (None, None)
    assert shapes.is_time(chat["created_at"])
    assert shapes.is_time(chat["last_activity_at"])

    said = [turn("user", "Che tempo fa?"), turn("model", "Sole.", thinking="Guardo fuori.")]
    chat = create(client, title="Il tempo", messages=said)
    assert chat["title"] == "Il tempo"
    assert chat["full_history"] == chat["assistant_history"] == said
    assert get(client, chat["id"]) == chat


def test_turns_have_the_specified_form(client: httpx.Client) -> None:
    for wrong in (
        {"role": "assistant", "parts": [{"text": "hi"}]},
        {"role": "user", "parts": []},
        {"role": "user", "parts": [{"text": " "}]},
        {"role": "user", "parts": [{"image": "…"}]},
        {"role": "user", "content": "hi"},
    ):
        shapes.problem(client.post("/api/chats", json={"messages": [wrong]}), 422)
    parts = [{"text": "Che ore "}, {"text": "sono?"}]
    chat = create(client, messages=[{"role": "user", "parts": parts}])
    assert chat["full_history"] == [turn("user", "Che ore sono?")]


@pytest.mark.torture
@pytest.mark.parametrize("service", ["postgres"], indirect=True)
def test_table_has_the_specified_columns(service: Service, client: httpx.Client) -> None:
    """On PostgreSQL, `chats` can be read in SQL."""
    about = f"plot {uuid4()}"
    chat = create(client, title="Garden", messages=turns(1, 33, about=about))
    assert len(chat["full_history"]) == 33
    with psycopg.connect(service.server.database_url) as connection:
        row = connection.execute(
            "select title, full_history, assistant_history from chats where id = %s", (chat["id"],)
        ).fetchone()
    assert row == (chat["title"], chat["full_history"], chat["assistant_history"])


# Costanti compattazione


def test_window_size_is_thirty() -> None:
    window = PRESETS["window"]
    assert window.digest_over_messages == SUMMARY_WINDOW_SIZE
    assert window.keep_messages == SUMMARY_WINDOW_SIZE - 1
    assert (window.timing, window.eager_at) == ("eager", "append")


def test_more_than_thirty_turns_are_compacted(service: Service, client: httpx.Client) -> None:
    """Up to 30 nothing happens. Above: the summary as a turn, and the last 29."""
    about = f"plot {uuid4()}"
    summary = f"The user asked about {about}, and was told to water it."
    service.model.when(about, summary, use="summary")
    chat = create(client, messages=turns(1, 28, about=about))
    chat = append(client, chat["id"], *turns(29, 30, about=about))
    assert chat["assistant_history"] == chat["full_history"] == turns(1, 30, about=about)
    assert service.model.asked(about, use="summary") == []

    chat = append(client, chat["id"], *turns(31, 31, about=about))
    assert chat["full_history"] == turns(1, 31, about=about)
    assert chat["assistant_history"] == [turn("model", summary), *turns(3, 31, about=about)]
    (asked,) = service.model.asked(about, use="summary")
    folded = last_text(asked)
    assert "=== EXISTING_SUMMARY ===\nNONE\n" in folded
    assert f"Bed 2 of {about}" in folded
    assert f"Bed 3 of {about}" not in folded


def test_window_never_exceeds_its_size(service: Service, client: httpx.Client) -> None:
    """Each compaction continues the previous summary; the full history keeps every turn."""
    about = f"plot {uuid4()}"
    chat = create(client, messages=turns(1, 40, about=about))
    for number in range(41, 49, 2):
        chat = append(client, chat["id"], *turns(number, number + 1, about=about))
        first, *rest = chat["assistant_history"]
        assert first == turn("model", SUMMARY)
        assert rest == turns(number - 27, number + 1, about=about)
    assert chat["full_history"] == turns(1, 48, about=about)
    folded = [last_text(asked) for asked in service.model.asked(about, use="summary")]
    assert len(folded) == 5
    assert "=== EXISTING_SUMMARY ===\nNONE\n" in folded[0]
    assert all(f"=== EXISTING_SUMMARY ===\n{SUMMARY}\n" in text for text in folded[1:])


def test_useless_model_does_not_break_the_window(service: Service, client: httpx.Client) -> None:
    about = f"plot {uuid4()}"
    service.model.when(about, "<think>Hm.</think>", use="summary")
    chat = create(client, messages=turns(1, 35, about=about))
    (summary, *rest) = chat["assistant_history"]
    assert rest == turns(7, 35, about=about)
    assert summary["role"] == "model"
    assert about in summary["parts"][0]["text"]


# API `/api/chats`


def test_get_takes_an_id_or_a_search(service: Service, client: httpx.Client) -> None:
    mine = create(client)["id"]
    shapes.problem(client.get("/api/chats"), 400)
    shapes.problem(client.get("/api/chats", params={"id": mine, "search": "x"}), 400)
    shapes.problem(client.get("/api/chats", params={"search": " "}), 422)
    with service.client(f"other-{uuid4()}") as other:
        for id in (mine, UNKNOWN, "1"):
            shapes.problem(other.get("/api/chats", params={"id": id}), 404)
            body = {"id": id, "messages": [turn("user", "hi")]}
            shapes.problem(other.patch("/api/chats", json=body), 404)
            shapes.problem(other.delete("/api/chats", params={"id": id}), 404)


def test_patch_appends_once_and_counts_as_activity(client: httpx.Client) -> None:
    before = create(client, messages=turns(1, 2))
    body = {"id": before["id"], "messages": turns(3, 4)}
    for _ in range(2):
        answer = client.patch("/api/chats", json=body, headers={"Idempotency-Key": "idle-1"})
        chat = chat_of(answer)
        assert chat["full_history"] == turns(1, 4)
    assert chat["last_activity_at"] > before["last_activity_at"]
    assert chat["created_at"] == before["created_at"]
    other = {**body, "messages": turns(5, 6)}
    refused = client.patch("/api/chats", json=other, headers={"Idempotency-Key": "idle-1"})
    shapes.problem(refused, 409)
    shapes.problem(client.patch("/api/chats", json={"id": before["id"], "messages": []}), 422)


def test_delete_returns_counts(client: httpx.Client) -> None:
    id = create(client, messages=turns(1, 31))["id"]
    counts = shapes.deleted(client.delete("/api/chats", params={"id": id}))
    assert (counts["messages"], counts["summaries"]) == (31, 1)
    shapes.problem(client.get("/api/chats", params={"id": id}), 404)
    shapes.problem(client.delete("/api/chats", params={"id": id}), 404)


# Generazione summary e titolo


def test_title_follows_the_topic(service: Service, client: httpx.Client) -> None:
    """From the first complete turn on, so that short chats can be found too."""
    about = f"plot {uuid4()}"

    def named(topic: str, title: str) -> None:
        answer = json.dumps({"topic": topic, "title": title})
        service.model.when(about, answer, use="topic")

    named("Planning the garden beds.", "Garden beds")
    chat = create(client, messages=turns(1, 2, about=about))
    id = chat["id"]
    assert chat["title"] is None
    wait_until(lambda: get(client, id)["title"] == "Garden beds", "the chat has a title")
    assert get(client, id)["summary_text"] == "Planning the garden beds."

    named("Planning the garden beds and their water.", "Garden beds and water")
    append(client, id, *turns(3, 31, about=about))  # the compaction tells the topic anew
    wait_until(lambda: "water" in get(client, id)["summary_text"], "the topic is told anew")
    assert get(client, id)["title"] == "Garden beds"

    named("Repairing the bicycle.", "Bicycle repair")
    append(client, id, *turns(32, 33, about=about))
    wait_until(lambda: get(client, id)["title"] == "Bicycle repair", "the focus has moved")

    mine = create(client, title="Mine", messages=turns(1, 2, about=about))["id"]
    wait_until(lambda: get(client, mine)["summary_text"] is not None, "the topic is known")
    assert get(client, mine)["title"] == "Mine"


# Ricerca semantica e switch


@pytest.fixture
def chats(service: Service, client: httpx.Client) -> dict[str, str]:
    """The ids of chats about a holiday, a mortgage, and two about bread."""
    model = service.model
    model.means("holiday", "vacanza", "lisbon", "portogallo")
    model.means("mortgage", "mutuo", "bank")
    model.means("bread", "pane", "dough")
    topics = {
        "holiday": "A holiday in Lisbon",
        "mortgage": "The mortgage of the bank",
        "rye": "Bread of dough",
        "wheat": "Dough of bread",
    }
    ids = {}
    for name, topic in topics.items():
        mark = f"{name} {uuid4()}"
        model.when(mark, json.dumps({"topic": topic, "title": None}), use="topic")
        messages = [turn("user", f"{mark}: tell me about cheese."), turn("model", "Gladly.")]
        ids[name] = create(client, messages=messages)["id"]
    for name, id in ids.items():
        wait_until(
            lambda id=id, topic=topics[name]: any(  # type: ignore[misc]
                one["chat"]["id"] == id for one in search(client, topic)["candidates"]
            ),
            f"the chat about {name} is embedded",
        )
    return ids


def test_search_finds_the_chat_by_meaning(
    service: Service, client: httpx.Client, chats: dict[str, str]
) -> None:
    """One clear match, several candidates, or none: by meaning, never by words."""
    found = search(client, "Passiamo alla chat in cui parlavamo della vacanza in Portogallo")
    assert found["match"]["id"] == chats["holiday"] == found["candidates"][0]["chat"]["id"]
    assert not found["needs_confirmation"]
    assert found["match"] == get(client, chats["holiday"])
    similarities = [one["similarity"] for one in found["candidates"]]
    assert similarities == sorted(similarities, reverse=True)

    append(client, chats["rye"], turn("user", "And the oven?"))
    found = search(client, "pane")
    assert found["match"] is None
    assert found["needs_confirmation"]
    asked_about = [one["chat"]["id"] for one in found["candidates"]][:2]
    assert asked_about == [chats["rye"], chats["wheat"]]  # the later activity comes first

    by_words = search(client, "cheese")  # all of them say it, none is about it
    assert by_words["match"] is None
    with service.client(f"other-{uuid4()}") as other:
        nothing = search(other, "vacanza")
    assert nothing == {"match": None, "candidates": [], "needs_confirmation": False}

    client.patch(f"/api/conversations/{chats['mortgage']}", json={"is_archived": True})
    client.delete("/api/chats", params={"id": chats["holiday"]})
    for query in ("mutuo", "vacanza"):
        left = {one["chat"]["id"] for one in search(client, query)["candidates"]}
        assert left <= {chats["rye"], chats["wheat"]}


# Integrazione client (voice chat)


def test_voice_client_starts_saves_and_resumes(
    service: Service, client: httpx.Client, chats: dict[str, str]
) -> None:
    started = create(client)  # without a chatId
    turns_so_far = turns(1, 4)
    append(client, started["id"], *turns_so_far[:2])  # goToIdle
    append(client, started["id"], *turns_so_far[2:])  # before it switches

    match = search(client, "torniamo al mutuo")["match"]
    assert match["id"] == chats["mortgage"]
    assert match["assistant_history"]  # for sendHistory()

    again = get(client, started["id"])  # another device, with the chatId
    assert again["assistant_history"] == again["full_history"] == turns_so_far


# Regole assistente e memorie


def test_assistant_gets_only_the_assistant_history(service: Service, client: httpx.Client) -> None:
    """Never the full history, and nothing retrieved from it."""
    about = f"plot {uuid4()}"
    chat = create(client, messages=turns(1, 31, about=about))
    question = f"What about bed 1 of {about}?"
    body = {"message": question, "conversation_id": chat["id"]}
    stream.text(client.post("/api/chat", json=body))
    (asked,) = service.model.asked(question)
    roles = {"user": "user", "model": "assistant"}
    history = [(roles[one["role"]], one["parts"][0]["text"]) for one in chat["assistant_history"]]
    first, *rest = said(asked)
    assert first[0] == "assistant"
    assert first[1].startswith(SUMMARY)
    assert rest == [*history[2:], ("user", question)]  # the question is one of the 29


def test_memories_and_tools_are_not_turns(service: Service, client: httpx.Client) -> None:
    remember(client, "Has a garden with nine beds.", is_pinned=True)
    question = f"Book the gardener, order {uuid4()}."
    call = {"tool_name": "add_event", "input": {"day": "Monday"}, "output": "booked"}
    body = {
        "policy": "window",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": question},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "assistant", "content": "Done."},
        ],
    }
    id = client.post("/api/conversations", json=body).json()["id"]
    chat = get(client, id)
    spoken = [turn("user", question), turn("model", "[Tool interaction]"), turn("model", "Done.")]
    assert chat["full_history"] == chat["assistant_history"] == spoken


def test_interrupted_answers_are_in_the_histories(service: Service, client: httpx.Client) -> None:
    """A running answer is only in the full history, a superseded one in neither."""
    id = create(client)["id"]
    question = turn("user", f"What is ready, order {uuid4()}?")
    service.model.when(question["parts"][0]["text"], "The first.")
    body = {"message": question["parts"][0]["text"], "conversation_id": id}
    answer_id = stream.parts(client.post("/api/chat", json=body))[0]["messageId"]
    service.model.when(body["message"], stalls("The second. "))
    with client.stream("POST", f"/api/chat/{answer_id}/regenerate"):
        first, second = turn("model", "The first."), turn("model", "The second. ")
        both = [question, first, second]
        wait_until(lambda: get(client, id)["full_history"] == both, "it is written down")
        assert get(client, id)["assistant_history"] == [question, first]
        assert client.post(f"/api/chat/{id}/stop").json()["status"] == "interrupted"
    chat = get(client, id)
    assert chat["full_history"] == chat["assistant_history"] == [question, second]
