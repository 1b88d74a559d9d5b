"""/api/chat: streams, and the stored messages afterwards."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from recollect.server.stream_schemas import UI_EVENT
from recollect.sync import Recollect
from tests.scripted_model import Answer, ScriptedModel, cut, stalls
from tests.server import shapes
from tests.server.process import Server, running, wait_until
from tests.server.shapes import UNKNOWN, Json

Part = tuple[str, Json]
"""An event's id and its data."""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def chatting(
    tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel
) -> Iterator[tuple[Server, Recollect]]:
    url = f"sqlite:///{tmp_path_factory.mktemp('chat')}/recollect.db"
    variables = {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "k",
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_WORKER": "false",
    }
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
        with running(url, variables=variables) as server:
            yield server, memory
    assert "Traceback" not in server.log, server.log


@pytest.fixture
def client(chatting: tuple[Server, Recollect], model: ScriptedModel) -> Iterator[httpx.Client]:
    server, memory = chatting
    model.reset()
    with server.client(key=memory.keys.create_key(user_id=f"user-{uuid4()}")) as opened:
        yield opened


def parts_of(text: str) -> list[Part]:
    """The events of a complete stream, checked against their schema."""
    *events, last = [block for block in text.split("\n\n") if block and block[0] != ":"]
    assert last == "data: [DONE]"
    found = []
    for event in events:
        id, data = event.split("\n")
        found.append((id.removeprefix("id: "), json.loads(data.removeprefix("data: "))))
        assert UI_EVENT.validate_python(found[-1][1]) == found[-1][1]
    return found


def types_of(parts: list[Part]) -> list[str]:
    return [part["type"] for _, part in parts]


def text_of(parts: list[Part]) -> str:
    return "".join(part["delta"] for _, part in parts if part["type"] == "text-delta")


def messages_of(client: httpx.Client, id: str) -> list[Json]:
    items: list[Json] = client.get(f"/api/conversations/{id}/messages").json()["items"]
    return items


def running_answer(client: httpx.Client, text: str) -> tuple[str, str, list[str]]:
    """Starts an answer, and leaves when some of its text has come: its conversation, its id, and
    the ids of the events that were heard."""
    heard: list[str] = []
    with client.stream("POST", "/api/chat", json={"message": "Tell me."}) as answer:
        conversation = answer.headers["x-conversation-id"]
        for line in answer.iter_lines():
            if line.startswith("id: "):
                heard.append(line.removeprefix("id: "))
            if "text-delta" in line:
                break
    (message,) = [one for one in messages_of(client, conversation) if one["role"] == "assistant"]
    assert message["status"] == "streaming"
    return conversation, message["id"], heard


def test_stream_has_the_parts_of_a_ui_message(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers(Answer(text="From May to October.", thinking="Portugal."))
    answer = client.post("/api/chat", json={"message": "When is it warm in Lisbon?"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert answer.headers["cache-control"] == "no-cache, no-transform"
    assert answer.headers["x-accel-buffering"] == "no"
    parts = parts_of(answer.text)
    once = list(dict.fromkeys(types_of(parts)))
    assert once == [
        *("start", "data-receipt", "reasoning-start", "reasoning-delta", "reasoning-end"),
        *("text-start", "text-delta", "text-end", "finish"),
    ]
    start = parts[0][1]
    conversation = answer.headers["x-conversation-id"]
    assert start["messageMetadata"]["conversation_id"] == conversation
    question, stored = messages_of(client, conversation)
    assert start["messageId"] == stored["id"]
    assert (stored["content"], stored["status"]) == ("From May to October.", "complete")
    assert text_of(parts) == stored["content"]
    receipt = client.get(f"/api/messages/{stored['id']}/receipt").json()
    assert receipt["items"][-1]["message_id"] == question["id"]


def test_stream_reports_early_finish(client: httpx.Client, model: ScriptedModel) -> None:
    for finish, reason in [
        ("stop", None),
        ("length", "length"),
        ("content_filter", "content-filter"),
        ("eos_of_their_own", "other"),
    ]:
        model.answers(Answer(text="From May to", finish=finish))
        answer = client.post("/api/chat", json={"message": "When is it warm?"})
        end = parts_of(answer.text)[-1][1]
        assert (end["type"], end.get("finishReason")) == ("finish", reason)
        assert end["messageMetadata"]["status"] == "complete"


def test_stream_false_returns_json(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers("From May on.")
    answer = client.post("/api/chat?stream=false", json={"message": "When is it warm?"})
    body = answer.json()
    assert body.keys() == {"conversation_id", "message", "receipt"}
    assert body["message"]["content"] == "From May on."
    assert body["receipt"].keys() >= shapes.RECEIPT
    assert messages_of(client, body["conversation_id"])[1] == body["message"]


def test_all_options_reach_the_model(client: httpx.Client, model: ScriptedModel) -> None:
    body = {
        "message": "What is on this page?",
        "system": "Be brief.",
        "context": {"page": {"title": "Trams"}},
        "policy": "tiered",
        "mode": "full",
        "model": "default",
    }
    answer = client.post("/api/chat?stream=false", json=body).json()
    sent = [one["content"] for one in model.requests[-1].body["messages"]]
    assert sent[0] == "Be brief."
    assert "Trams" in sent[1]
    assert sent[-1] == "What is on this page?"
    assert answer["receipt"]["mode"] == "full"
    found = client.get(f"/api/conversations/{answer['conversation_id']}").json()
    assert found["policy"] == "tiered"


def test_context_is_sent_again_on_regenerate(client: httpx.Client, model: ScriptedModel) -> None:
    manner = {
        "system": "Be brief.",
        "context": {"page": {"title": "Trams"}},
        "mode": "full",
        "model": "default",
    }
    asked = client.post("/api/chat?stream=false", json={"message": "Which?", **manner}).json()
    shown = model.requests[-1].body["messages"]
    assert "Trams" in shown[1]["content"]
    path = f"/api/chat/{asked['message']['id']}/regenerate?stream=false"
    again = client.post(path, json=manner).json()
    assert model.requests[-1].body["messages"] == shown
    question = messages_of(client, asked["conversation_id"])[0]["id"]
    edited = client.post(
        f"/api/chat/{question}/edit?stream=false", json={"message": "Which tram?", **manner}
    ).json()
    *before, last = model.requests[-1].body["messages"]
    assert (before, last["content"]) == (shown[:-1], "Which tram?")
    for answer in (again, edited):
        assert answer["receipt"]["mode"] == "full"
        sections = {item["section"] for item in answer["receipt"]["items"]}
        assert sections >= {"system", "contexts"}
    for call, body in (("regenerate", {}), ("edit", {"message": "x"})):
        refused = client.post(f"/api/chat/{question}/{call}", json={**body, "policy": "tiered"})
        assert shapes.problem(refused, 422)["errors"][0]["field"] == "policy"


def test_disconnect_does_not_stop_the_answer(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers(stalls("It goes on and "))
    conversation, id, heard = running_answer(client, "It goes")
    stopped = client.post(f"/api/chat/{conversation}/stop")
    assert stopped.status_code == 200
    assert (stopped.json()["id"], stopped.json()["status"]) == (id, "interrupted")
    rest = parts_of(client.get(f"/api/chat/{id}/stream", headers={"Last-Event-ID": heard[-1]}).text)
    assert types_of(rest)[-1] == "abort"
    assert stopped.json()["content"].endswith(text_of(rest))
    assert client.post(f"/api/chat/{conversation}/stop").status_code == 204
    assert client.get(f"/api/chat/{conversation}/stream").status_code == 204


def test_stream_resumes_after_every_event(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers(Answer(text="One two three four five.", thinking="Counting."))
    answer = client.post("/api/chat", json={"message": "Count."})
    whole = parts_of(answer.text)
    id = whole[0][1]["messageId"]
    for place, (event_id, _) in enumerate(whole[:-1]):
        if event_id.endswith(":0.0.0:"):
            continue  # from the beginning on, start and receipt come again
        for address in (id, answer.headers["x-conversation-id"]):
            again = client.get(f"/api/chat/{address}/stream", headers={"Last-Event-ID": event_id})
            rest = parts_of(again.text)
            assert _joined(whole[: place + 1] + rest) == _joined(whole)


def _joined(parts: list[Part]) -> list[tuple[str, str]]:
    """Types and texts, with consecutive deltas merged."""
    joined: list[tuple[str, str]] = []
    for _, part in parts:
        kind, text = part["type"], part.get("delta", "")
        if joined and joined[-1][0] == kind and kind.endswith("-delta"):
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined


def test_resume_without_event_id_starts_at_the_beginning(
    client: httpx.Client, model: ScriptedModel
) -> None:
    model.answers(stalls("It goes on and "))
    conversation, id, _ = running_answer(client, "It goes")
    text = ""
    with client.stream("GET", f"/api/chat/{conversation}/stream") as answer:
        for line in answer.iter_lines():
            part = json.loads(line.removeprefix("data: ")) if line.startswith("data: {") else {}
            text += part.get("delta", "")
            if text == "It goes on and ":
                break
    client.post(f"/api/chat/{id}/stop")


@pytest.mark.parametrize("id", [UNKNOWN, "nonsense"])
def test_unknown_answer_cannot_be_resumed_or_stopped(client: httpx.Client, id: str) -> None:
    event = {"Last-Event-ID": f"{UNKNOWN}:0.0.0:"}
    shapes.problem(client.get(f"/api/chat/{id}/stream", headers=event), 404)
    shapes.problem(client.post(f"/api/chat/{id}/stop"), 404)
    shapes.problem(client.post(f"/api/chat/{id}/regenerate"), 404)
    shapes.problem(client.post(f"/api/chat/{id}/edit", json={"message": "x"}), 404)


@pytest.mark.parametrize("event", ["1", "x:0.0.0:", f"{UNKNOWN}:0.0:", f"{UNKNOWN}:0.0.0:z"])
def test_invalid_last_event_id_is_refused(client: httpx.Client, event: str) -> None:
    answer = client.get(f"/api/chat/{UNKNOWN}/stream", headers={"Last-Event-ID": event})
    shapes.problem(answer, 400)


def test_regenerate_and_edit_supersede(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers("one", "two", "three")
    first = client.post("/api/chat?stream=false", json={"message": "First?"}).json()
    id, old = first["conversation_id"], first["message"]["id"]
    second = client.post(f"/api/chat/{old}/regenerate?stream=false").json()
    assert second["message"]["content"] == "two"
    shapes.problem(client.post(f"/api/chat/{old}/regenerate"), 409)
    question = messages_of(client, id)[0]["id"]
    parts = parts_of(client.post(f"/api/chat/{question}/edit", json={"message": "Second?"}).text)
    assert text_of(parts) == "three"
    found = [(one["content"], one["superseded_at"] is None) for one in messages_of(client, id)]
    assert found == [
        *(("First?", False), ("one", False), ("two", False)),
        *(("Second?", True), ("three", True)),
    ]
    sent = [one["content"] for one in model.requests[-1].body["messages"]]
    assert sent == ["Second?"]


def test_model_failure_is_a_stream_event(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers(cut("It goes "))
    answer = client.post("/api/chat", json={"message": "Tell me."})
    parts = parts_of(answer.text)
    assert types_of(parts)[-2:] == ["text-end", "error"]
    question, stored = messages_of(client, answer.headers["x-conversation-id"])
    assert question["content"] == "Tell me."
    assert (stored["status"], stored["content"]) == ("error", "It goes ")
    model.answers(cut())
    whole = client.post("/api/chat?stream=false", json={"message": "Tell me."})
    said = shapes.problem(whole, 503)["detail"]
    assert whole.headers["retry-after"]
    model.answers(cut())
    told = parts_of(client.post("/api/chat", json={"message": "Tell me."}).text)[-1][1]
    assert told == {"type": "error", "errorText": said}
    assert "scripted at 127.0.0.1:" in said


@pytest.mark.parametrize(
    ("path", "header"), [("/api/chat", "x-conversation-id"), ("/api/ai/chat", "x-thread-id")]
)
def test_conversation_continues_after_a_failure(
    client: httpx.Client, model: ScriptedModel, path: str, header: str
) -> None:
    model.answers(cut())
    failed = client.post(f"{path}?stream=false", json={"message": "Tell me."})
    shapes.problem(failed, 503)
    question, _ = messages_of(client, failed.headers[header])
    assert question["content"] == "Tell me."


def test_empty_thread_id_is_refused(client: httpx.Client) -> None:
    shapes.problem(client.post("/api/ai/chat", json={"message": "hi", "threadId": ""}), 404)
    assert client.get("/api/conversations").json()["items"] == []


def test_retry_returns_the_first_answer(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers("one", "two")
    headers = {"Idempotency-Key": "k"}
    first = client.post("/api/chat", json={"message": "Hi"}, headers=headers)
    again = client.post("/api/chat", json={"message": "Hi"}, headers=headers)
    assert again.headers["x-conversation-id"] == first.headers["x-conversation-id"]
    assert text_of(parts_of(again.text)) == "one"
    shapes.problem(client.post("/api/chat", json={"message": "Ho"}, headers=headers), 409)
    assert len(model.requests) == 1
    keeping = {"id": "one", "messages": [UI_HI]}
    headers = {"Idempotency-Key": "l"}
    client.post("/api/chat", json=keeping, headers=headers)
    assert text_of(parts_of(client.post("/api/chat", json=keeping, headers=headers).text)) == "two"
    shapes.problem(client.post("/api/chat", json=keeping | {"id": "two"}, headers=headers), 409)


UI_HI = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"message": ""}, 422),
        ({"message": "hi", "more": 1}, 422),
        ({"message": "hi", "model": "nobody"}, 422),
        ({"message": "hi", "policy": "none"}, 422),
        ({"message": "hi", "mode": "some"}, 422),
        ({"message": "hi", "conversation_id": "a/b"}, 422),
        ({"message": "hi", "conversation_id": "current"}, 422),
        ({"message": "hi", "conversation_id": ""}, 422),
        ({"message": "word " * 200_000}, 413),
        ({"id": "x", "messages": []}, 422),
        ({"id": "x", "messages": [{"role": "assistant", "parts": []}]}, 422),
        ({"id": "", "messages": [UI_HI]}, 422),
    ],
)
def test_invalid_requests_store_nothing(client: httpx.Client, body: Json, status: int) -> None:
    shapes.problem(client.post("/api/chat", json=body), status)
    assert client.get("/api/conversations").json()["items"] == []


@pytest.mark.parametrize("key", ["my thread", UNKNOWN])
def test_unknown_key_names_a_new_conversation(
    client: httpx.Client, model: ScriptedModel, key: str
) -> None:
    model.answers("Hello!", "Hello again!")
    body = {"message": "Hi", "conversation_id": key}
    ids = {client.post("/api/chat", json=body).headers["x-conversation-id"] for _ in range(2)}
    (only,) = client.get("/api/conversations").json()["items"]
    assert ({only["id"]}, only["external_id"], only["message_count"]) == (ids, key, 4)
    assert client.post(f"/api/chat/{key}/stop").status_code == 204


def test_client_side_message_list_is_merged(client: httpx.Client, model: ScriptedModel) -> None:
    model.answers("Hello!", "Hello again!", "Ciao!")
    chat: dict[str, Any] = {"id": "my-own-id", "messages": [UI_HI], "trigger": "submit-message"}
    first = client.post("/api/chat", json=chat)
    conversation = first.headers["x-conversation-id"]
    answer = parts_of(first.text)[0][1]["messageId"]
    hello = {"id": answer, "role": "assistant", "parts": [{"type": "text", "text": "Hello!"}]}
    again = client.post("/api/chat", json=chat | {"trigger": "regenerate-message"})
    assert again.headers["x-conversation-id"] == conversation
    hello["parts"] = [{"type": "step-start"}, {"type": "text", "text": "Hello again!"}]
    ciao = {"id": "m2", "role": "user", "parts": [{"type": "text", "text": "How do you say it?"}]}
    client.post("/api/chat", json=chat | {"messages": [UI_HI, hello, ciao]})
    found = [one for one in messages_of(client, conversation) if one["superseded_at"] is None]
    assert [one["content"] for one in found] == [
        *("Hi", "Hello again!"),
        *("How do you say it?", "Ciao!"),
    ]
    assert client.get("/api/chat/my-own-id/stream").status_code == 204
    assert client.get("/api/chat/never-used/stream").status_code == 204


def test_silent_stream_sends_keep_alives(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, to shorten the timeout."""
    from recollect import KeepAlive, Settings

    monkeypatch.setattr("recollect.chat.active_answer.KEEP_ALIVE_SECONDS", 0.01)
    settings = Settings(
        database_url="sqlite:///:memory:",
        chat_model="scripted",
        openai_base_url=model.url,
        embedder="none",
    )
    model.answers(stalls("It goes on"))
    with Recollect.open(settings=settings) as memory:
        answering = memory.chat.ask("Tell me.", user_id="alice")
        assert any(isinstance(piece, KeepAlive) for piece in answering)
        wait_until(
            lambda: memory.chat.stop(answering.message_id, user_id="alice") is not None,
            "it has stopped",
        )
