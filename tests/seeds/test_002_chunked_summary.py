"""Seed 002, "Conversation Memory - Chunked Summary Design (v2)": a teacher of string players.

Comments name the sections of the specification that the tests cover.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from threading import Event
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pydantic import TypeAdapter

from recollect import PRESETS, Settings
from recollect.digest.summaries.summarizer import SummarizerSelector
from recollect.llm.protocols import CallRecord, HostedPrompt
from recollect.llm.registry import ModelRegistry
from recollect.server.stream_schemas import NAMED_EVENTS
from tests.scripted_model import Answer, Body, fails, garbage
from tests.seeds.conftest import PROMPT_VERSION, VARIANTS, Service
from tests.seeds.model import SeedModel, said
from tests.server import shapes
from tests.server.process import wait_until
from tests.server.shapes import UNKNOWN

pytestmark = pytest.mark.xdist_group("seeds")

Json = dict[str, Any]

K = 3
SUMMARY_TOKEN_CAP = 500
PROMPT_MEMORY_BUDGET = 3_000
CHUNK_SUMMARIZE_THRESHOLD = 6_000
PROMPT_ID_SUMMARY_GLOBAL = "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"
BACKGROUND = "BACKGROUND – PRIOR CONVERSATION SUMMARY (use only if relevant):"  # noqa: RUF001
LESSON = "Keep the wrist loose, let the weight of the arm do the work, and breathe with the bow. "


@pytest.fixture
def own(own_service: Service) -> Iterator[httpx.Client]:
    with own_service.server.client() as client:
        yield client


class Chat:
    """A chat of the mobile app. Its subject identifies its requests to the model."""

    def __init__(self, client: httpx.Client, model: SeedModel, *, lesson: str = "Fine.") -> None:
        self.client = client
        self.model = model
        self.subject = f"piece-{uuid4().hex[:8]}"
        self.turns: list[tuple[str, str]] = []
        self.id = ""
        self._lesson = lesson

    def say(self, question: str = "What now?", **body: Any) -> list[tuple[str, Json]]:
        """Send a message and return the events."""
        number = len(self.turns) + 1
        text = f"{question} ({self.subject}, {number})"
        answer = f"On {self.subject}, {number}: {self._lesson}".strip()
        self.model.when(text, answer)
        address = "/v1/message" if self.id else "/v1/message/first"
        given = {"message": text, **({"chat_id": self.id} if self.id else {}), **body}
        sent = self.client.post(address, json=given)
        events = events_of(sent)
        self.id = events[0][1]["chat_id"]
        assert sent.headers["x-conversation-id"] == self.id
        self.turns.append((text, answer))
        return events

    @property
    def prompt(self) -> Body:
        """The latest request for an answer."""
        return self.model.asked(self.subject)[-1]

    @property
    def summary(self) -> Json:
        return shapes.summary(self.client.get(f"/api/conversations/{self.id}/summary"))

    @property
    def messages(self) -> list[Json]:
        found = self.client.get(f"/api/conversations/{self.id}/messages", params={"limit": 200})
        items: list[Json] = found.json()["items"]
        return items

    def wait_for_summary(self, version: int) -> Json:
        wait_until(lambda: self.summary["version"] >= version, f"there is version {version}")
        return self.summary


def events_of(answer: httpx.Response) -> list[tuple[str, Json]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [parse(block) for block in answer.text.split("\n\n") if block and block[0] != ":"]


def parse(block: str) -> tuple[str, Json]:
    name, data = block.splitlines()
    assert name.startswith("event: ")
    assert data.startswith("data: ")
    body = json.loads(data[6:])
    assert TypeAdapter(NAMED_EVENTS[name[7:]]).validate_python(body) == body
    return name[7:], body


def of_the_chat(body: Body) -> list[tuple[str, Any]]:
    """The chat messages of a request."""
    return [(role, content) for role, content in said(body) if role != "system"]


def as_messages(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for user, model in turns for pair in (("user", user), ("assistant", model))]


# 2. High-level behavior; 9.3 Mobile app behavior


def test_first_message_creates_a_chat(service: Service, client: httpx.Client) -> None:
    chat = Chat(client, service.model, lesson="Long bows, every day.")
    events = chat.say("How do I warm up?")
    ((question, answer),) = chat.turns

    assert [name for name, _ in events][:1] == ["chat.created"]
    assert {name for name, _ in events[1:-1]} == {"content.delta"}
    created, done = events[0][1], events[-1]
    assert created.keys() == {"chat_id", "message_id"}
    assert "".join(data["delta"] for _, data in events[1:-1]) == answer
    assert done == ("content.done", {"message_id": created["message_id"], "content": answer})

    again = chat.say("And then?")
    assert [name for name, _ in again][:1] == ["chat.created"]
    assert again[0][1]["chat_id"] == created["chat_id"]
    assert again[0][1]["message_id"] != created["message_id"]
    assert again[-1][0] == "content.done"
    stored = chat.messages
    assert [(one["role"], one["content"]) for one in stored] == as_messages(chat.turns)
    assert stored[1]["id"] == created["message_id"]
    assert of_the_chat(chat.prompt)[:-1] == [("user", question), ("assistant", answer)]
    conversation = client.get(f"/api/conversations/{chat.id}").json()
    assert conversation["policy"] == "chunked"


def test_short_chat_has_no_summary(service: Service, client: httpx.Client) -> None:
    """8.2: the global summary stays empty."""
    chat = Chat(client, service.model)
    for _ in range(2 * K):
        chat.say()
    assert (chat.summary["version"], chat.summary["text"]) == (0, "")
    assert chat.summary["last_summarized_message_id"] is None
    assert not any(content.startswith(BACKGROUND) for _, content in said(chat.prompt))
    assert service.model.asked(chat.subject, use="summary") == []


# 3.4, 3.5, 5.1, 5.2: the raw tail, the budgets, and the summary of what is older


def test_older_turns_are_summarized_and_three_stay(own_service: Service, own: httpx.Client) -> None:
    model = own_service.model
    chat = Chat(own, model, lesson=LESSON * 40)
    model.when(chat.subject, f"They study {chat.subject}, and breathe.", use="summary")
    summaries = 0
    prompts = 0
    folded = [0]
    while summaries < 2:
        chat.say(model_variant=["arco", "deep-dive"][len(chat.turns) % 2])
        prompts += 1
        # What the model was sent: the summary, if there is one, the last K turns, the question.
        system = [text for role, text in said(chat.prompt) if role == "system"]
        background = [text for text in system if not text.startswith(("## Earlier", "Today is"))]
        assert [text.startswith(BACKGROUND) for text in background] == [True] * bool(summaries)
        assert not background or said(chat.prompt)[0] == ("system", background[0])
        question = chat.turns[-1][0]
        tail = chat.turns[max(folded[-1], len(chat.turns) - 1 - K) : -1]
        assert of_the_chat(chat.prompt) == [*as_messages(tail), ("user", question)]

        standing = chat.summary
        undigested = [one for one in chat.messages if one["seq"] > 2 * folded[-1]]
        size = (standing["tokens"] if summaries else 0) + sum(m["tokens"] for m in undigested)
        if standing["version"] == summaries and size <= CHUNK_SUMMARIZE_THRESHOLD:
            assert len(model.asked(chat.subject, use="summary")) == summaries
            continue
        # Over the threshold: all but the last K turns are folded, and nothing of them is lost.
        summaries += 1
        summary = chat.wait_for_summary(summaries)
        folded.append(len(chat.turns) - K)
        last = chat.messages[2 * folded[-1] - 1]
        assert last["role"] == "assistant"
        assert summary["last_summarized_message_id"] == last["id"]
        assert summary["through_seq"] == last["seq"] == 2 * folded[-1]
        assert 0 < summary["tokens"] <= SUMMARY_TOKEN_CAP
        assert summary["author"] == "model"
    assert prompts > 2 * K

    requests = model.asked(chat.subject, use="summary")
    existing = ["NONE", f"They study {chat.subject}, and breathe."]
    prompt = {"id": PROMPT_ID_SUMMARY_GLOBAL, "version": PROMPT_VERSION}
    assert requests == [
        {"prompt": prompt, "input": summarizer_input(before, chat.turns[first:last])}
        for before, (first, last) in zip(existing, pairwise(folded), strict=True)
    ]


def summarizer_input(existing: str, turns: list[tuple[str, str]]) -> str:
    """5.2, step 4: "a single input string in this exact format"."""
    written = "".join(
        f"Turn {number}:\nUser: {user}\nAssistant: {assistant}\n\n"
        for number, (user, assistant) in enumerate(turns, start=1)
    )
    return (
        "=== EXISTING_SUMMARY ===\n"
        f"{existing}\n"
        "=== END_EXISTING_SUMMARY ===\n"
        "\n"
        "=== NEW_TURNS ===\n"
        f"{written[:-1]}"
        "=== END_NEW_TURNS ==="
    )


def test_oldest_tail_turns_are_dropped_first(own_service: Service, own: httpx.Client) -> None:
    chat = Chat(own, own_service.model, lesson=LESSON * 90)
    for _ in range(K):
        chat.say()
    first, second = (sum(one["tokens"] for one in chat.messages[n : n + 2]) for n in (0, 2))
    assert second < PROMPT_MEMORY_BUDGET < first + second
    chat.say("Explain the second-to-last one.")
    assert of_the_chat(chat.prompt) == [
        *as_messages(chat.turns[2:3]),
        ("user", chat.turns[3][0]),
    ]
    receipt = own.get(f"/api/messages/{chat.messages[-1]['id']}/receipt").json()
    sections = {one["section"]: one["tokens"] for one in receipt["sections"]}
    assert sum(sections.values()) - sections.get("retrieved", 0) <= PROMPT_MEMORY_BUDGET
    assert receipt["memory_tokens"] <= receipt["budget"]
    # What is asked now is not the last one yet, though its answer has begun.
    named = [item for item in receipt["items"] if item["section"] == "references"]
    assert [(item["first_seq"], item["outcome"]) for item in named] == [
        (3, "dropped"),
        (4, "dropped"),
    ]


# 4.3, 6. Multi-model behavior


def test_memory_does_not_depend_on_the_variant(own_service: Service, own: httpx.Client) -> None:
    chat = Chat(own, own_service.model)
    asked: list[str | None] = ["arco", "deep-dive", "arco-pro", None]
    for variant in asked:
        chat.say(**({"model_variant": variant} if variant else {}))
    models = [body["model"] for body in own_service.model.asked(chat.subject)]
    used = [variant or "arco" for variant in asked]
    assert models == [VARIANTS[variant]["model"] for variant in used]
    answers = [one for one in chat.messages if one["role"] == "assistant"]
    assert [one["model_variant"] for one in answers] == used
    assert of_the_chat(chat.prompt)[:-1] == as_messages(chat.turns[:3])


def test_unknown_variant_is_refused(own: httpx.Client) -> None:
    refused = own.post("/v1/message/first", json={"message": "hi", "model_variant": "largo"})
    (error,) = shapes.problem(refused, 422)["errors"]
    assert error["field"] == "model_variant"


# 8.3 Logging


def test_compaction_and_trimming_are_logged(own_service: Service, own: httpx.Client) -> None:
    chat = Chat(own, own_service.model, lesson=LESSON * 130)
    own_service.model.when(chat.subject, "They breathe.", use="summary")
    for _ in range(K + 1):
        chat.say()
    chat.wait_for_summary(1)
    wait_until(
        lambda: any(
            "summary.committed" in line and chat.id in line
            for line in own_service.server.log.splitlines()
        ),
        "the digest is logged",
    )
    lines = [json.loads(line) for line in own_service.server.log.splitlines()]
    mine = [line for line in lines if line.get("conversation_id") == chat.id]
    (digested,) = [line for line in mine if line["event"] == "summary.committed"]
    assert digested["turns"] == 1
    assert digested["tokens_before"] > digested["tokens_after"] > 0
    assert digested["duration_ms"] >= 0
    assert digested["stored_ms"] >= 0
    (*_, trimmed) = [line for line in mine if line["event"] == "context.trimmed"]
    assert trimmed["dropped_messages"] > 0
    assert not trimmed["summary_shortened"]

    answer = own.post(f"/api/conversations/{chat.id}/context", json={"message": "?", "budget": 20})
    id = answer.headers["x-request-id"]
    (cut,) = [
        json.loads(line)
        for line in own_service.server.log.splitlines()
        if id in line and "context.trimmed" in line
    ]
    assert cut["summary_shortened"]
    assert cut["tokens"] <= cut["budget"] == 20
    assert "breathe" not in own_service.server.log


# 9. Background behavior & UX impact


def test_stream_does_not_wait_for_the_summary(own_service: Service, own: httpx.Client) -> None:
    model, released = own_service.model, Event()

    def summarize(body: Body) -> str:
        assert released.wait(30)
        return "They play long bows."

    chat = Chat(own, model, lesson=LESSON * 90)
    model.when(chat.subject, summarize, use="summary")
    try:
        for _ in range(K + 1):
            events = chat.say()
        wait_until(lambda: bool(model.asked(chat.subject, use="summary")), "it is asked for")
        assert {name for name, _ in events} == {"chat.created", "content.delta", "content.done"}
        assert chat.summary["version"] == 0
        chat.say()  # meanwhile the chat goes on
    finally:
        released.set()
    assert chat.wait_for_summary(1)["text"] == "They play long bows."


def test_failed_summary_does_not_affect_the_chat(own_service: Service, own: httpx.Client) -> None:
    chat = Chat(own, own_service.model, lesson=LESSON * 90)
    own_service.model.when(chat.subject, garbage(), use="summary")
    for _ in range(K + 1):
        assert chat.say()[-1][0] == "content.done"
    assert chat.wait_for_summary(1)["author"] == "extractive"
    assert "summary.model_failed" in own_service.server.log


def test_answer_is_stored_after_a_disconnect(service: Service, client: httpx.Client) -> None:
    released = Event()
    name = f"sonata-{uuid4().hex[:8]}"
    whole = f"The {name} begins slowly, and ends in a great hurry."
    service.model.when(name, Answer(text=whole, halfway=lambda: released.wait(30)))
    try:
        with client.stream("POST", "/v1/message/first", json={"message": f"And {name}?"}) as sent:
            chat_id = sent.headers["x-conversation-id"]
            assert any("content.delta" in line for line in sent.iter_lines())
    finally:
        released.set()
    address = f"/api/conversations/{chat_id}"

    def latest() -> Json:
        message: Json = client.get(address).json()["messages"][-1]
        return message

    wait_until(lambda: latest()["status"] != "streaming", "it has ended")
    assert (latest()["status"], latest()["content"]) == ("complete", whole)


def test_model_failure_is_an_event(service: Service, client: httpx.Client) -> None:
    """The status is already sent. The question is stored."""
    name = f"scherzo-{uuid4().hex[:8]}"
    service.model.when(name, fails(400, "No scherzos."))
    events = events_of(client.post("/v1/message/first", json={"message": f"A {name}?"}))
    assert [event for event, _ in events] == ["chat.created", "error"]
    assert "No scherzos." in events[-1][1]["message"]
    chat_id = events[0][1]["chat_id"]
    service.model.when(name, "Here it is.")
    retried = client.post("/v1/message", json={"chat_id": chat_id, "message": f"Please, a {name}"})
    assert events_of(retried)[-1][0] == "content.done"
    messages = client.get(f"/api/conversations/{chat_id}").json()["messages"]
    assert [one["status"] for one in messages] == ["complete", "error", "complete", "complete"]


def test_retry_with_key_returns_the_first_answer(service: Service, client: httpx.Client) -> None:
    body = {"message": f"Which rosin? {uuid4()}"}
    headers = {"Idempotency-Key": "first"}
    attempts = [client.post("/v1/message/first", json=body, headers=headers) for _ in range(2)]
    first, second = map(events_of, attempts)
    assert first[0] == second[0]
    assert first[-1] == second[-1]
    assert len(service.model.asked(body["message"])) == 1
    changed = client.post("/v1/message/first", json={"message": "Other"}, headers=headers)
    shapes.problem(changed, 409)


def test_unknown_chat_is_not_found(client: httpx.Client) -> None:
    for id in (UNKNOWN, "nonsense", ""):
        refused = client.post("/v1/message", json={"chat_id": id, "message": "hi"})
        shapes.problem(refused, 404)
    for message in ("", "  "):
        shapes.problem(client.post("/v1/message/first", json={"message": message}), 422)


# 10. Configuration knobs


def test_settings_have_the_specified_defaults() -> None:
    policy, settings = PRESETS["chunked"], Settings(database_url="sqlite:///:memory:")
    assert policy.keep_turns == settings.memory_k_raw_turns == K
    assert policy.summary_tokens == settings.memory_summary_token_cap == SUMMARY_TOKEN_CAP
    assert policy.prompt_tokens == settings.memory_prompt_token_budget == PROMPT_MEMORY_BUDGET
    threshold = settings.memory_chunk_summarize_threshold
    assert policy.digest_over_tokens == threshold == CHUNK_SUMMARIZE_THRESHOLD
    assert policy.summarizer_model == settings.memory_summarizer_model == "gpt-5.1-nano"
    assert settings.prompt_id_summary_global == PROMPT_ID_SUMMARY_GLOBAL
    assert settings.prompt_version_summary_global == ""


def test_specified_models_and_prompt_are_used_if_available() -> None:
    """On OpenAI's own endpoint; elsewhere the chat model summarizes."""
    for url, nano, mini in (
        ("https://api.openai.com/v1", "gpt-5.1-nano", "gpt-5-mini"),
        ("http://127.0.0.1:9/v1", "house", "house"),
    ):
        given = {"RECOLLECT_CHAT_MODEL": "house", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "k"}
        settings = Settings.from_environment(given)
        models = ModelRegistry(
            settings.chat_variants(), default="default", usage_recorder=_unmetered
        )
        summarizers = SummarizerSelector(
            models,
            default_policy=settings.policies()["chunked"],
            hosted_prompt=settings.hosted_prompt(is_openai=models.variants["default"].is_openai),
        )
        chunked, tiered = (summarizers.get(PRESETS[name]) for name in ("chunked", "tiered"))
        assert chunked._model is not None
        assert tiered._model is not None
        assert (chunked._model.model, tiered._model.model) == (nano, mini)
        hosted = HostedPrompt(id=PROMPT_ID_SUMMARY_GLOBAL, version=None)
        assert chunked._hosted == (hosted if nano != "house" else None)
        assert tiered._hosted is None


async def _unmetered(call: CallRecord) -> None:
    """No model is called."""
