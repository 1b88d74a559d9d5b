"""The official OpenAI client against the server."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import openai
import pytest
from openai import AsyncOpenAI, OpenAI

from recollect.core.errors import NotFound
from recollect.llm.protocols import CallRecord
from recollect.llm.registry import ModelRegistry
from recollect.llm.variants import LOCAL
from recollect.server.openai_requests import find_variant
from recollect.sync import Recollect
from tests.scripted_model import Answer, Body, ScriptedModel, cut, fails, stalls
from tests.server.conftest import Keyed, Start
from tests.server.process import running, wait_until
from tests.server.shapes import UNKNOWN

ANSWERS_PER_MINUTE = 12
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
CALL = Answer(
    tool_calls=[{"id": "call_7", "name": "weather", "arguments": '{"city": "Turin"}'}],
    finish="tool_calls",
)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def keyed_with_model(
    model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Keyed]:
    url = f"sqlite:///{tmp_path_factory.mktemp('openai')}/recollect.db"
    variables = {
        "OPENAI_BASE_URL": model.url,
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_VARIANTS": json.dumps({"small": {"model": "tiny", "window": 300,
                                                    "answer_tokens": 100}}),
        "RECOLLECT_TOOLS": "tests.seeds.tools:TOOLS",
        "RECOLLECT_ANSWERS_PER_MINUTE": str(ANSWERS_PER_MINUTE),
        "RECOLLECT_WORKER": "false",
    }  # fmt: skip
    with Recollect.open(url) as memory:
        memory.keys.create_key(user_id="somebody")
        with running(url, variables=variables) as server:
            yield Keyed(server, memory)
    assert "Traceback" not in server.log, server.log


@contextmanager
def opened(url: str, key: str) -> Iterator[OpenAI]:
    """Without automatic retries."""
    nearby = openai.DefaultHttpxClient(trust_env=False)
    with OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, http_client=nearby) as client:
        yield client


@pytest.fixture
def key(keyed_with_model: Keyed, model: ScriptedModel) -> str:
    """The client of a new user, with a reset model."""
    model.reset()
    return keyed_with_model.memory.keys.create_key(user_id=f"user-{uuid4()}")


@pytest.fixture
def client(keyed_with_model: Keyed, key: str) -> Iterator[OpenAI]:
    with opened(keyed_with_model.server.url, key) as client:
        yield client


@pytest.fixture
def http(keyed_with_model: Keyed, key: str) -> Iterator[httpx.Client]:
    """The same user, on the canonical API."""
    with keyed_with_model.server.client(key=key) as client:
        yield client


def user(text: str) -> Any:
    return {"role": "user", "content": text}


def ask(client: OpenAI, *messages: Any, id: str | None = None, **more: Any) -> Any:
    """A completion; in the conversation `id`, if one is given."""
    headers = {"x-conversation-id": id} if id else {}
    return client.chat.completions.create(
        model="default", messages=[*messages], extra_headers=headers, **more
    )


def stored(http: httpx.Client, id: str) -> list[tuple[str, str]]:
    found = http.get(f"/api/conversations/{id}/messages", params={"limit": 200})
    return [(one["role"], one["content"]) for one in found.json()["items"]]


def sent(model: ScriptedModel) -> Body:
    """The latest request to the model."""
    return model.requests[-1].body


def test_completion(client: OpenAI, http: httpx.Client, model: ScriptedModel) -> None:
    model.answers(Answer(text="Hello!", thinking="They greet.", tokens_cached=512))
    raw = client.chat.completions.with_raw_response.create(
        model="default",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": "Be kind."},
            user("Hi"),
        ],
    )
    id = raw.headers["x-conversation-id"]
    completion = raw.parse()
    assert completion.object == "chat.completion"
    assert completion.model == "default"
    (choice,) = completion.choices
    assert (choice.index, choice.finish_reason) == (0, "stop")
    assert (choice.message.role, choice.message.content) == ("assistant", "Hello!")
    assert choice.message.tool_calls is None
    assert getattr(choice.message, "reasoning_content", None) == "They greet."
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (1000, 6)
    assert completion.usage.total_tokens == 1006
    assert completion.usage.prompt_tokens_details is not None
    assert completion.usage.prompt_tokens_details.cached_tokens == 512
    assert stored(http, id) == [("user", "Hi"), ("assistant", "Hello!")]
    answer = http.get(f"/api/conversations/{id}").json()["messages"][-1]
    assert completion.id == f"chatcmpl-{answer['id']}"
    assert (answer["model_variant"], answer["thinking"]) == ("default", "They greet.")
    assert sent(model)["messages"] == [
        {"role": "system", "content": "Be brief.\n\nBe kind."},
        user("Hi"),
    ]


def test_stream(client: OpenAI, http: httpx.Client, model: ScriptedModel) -> None:
    model.answers(Answer(text="One two three.", thinking="Count.", finish="length"))
    with client.chat.completions.with_streaming_response.create(
        model="scripted",
        messages=[user("Count")],
        stream=True,
        stream_options={"include_usage": True},
    ) as raw:
        id = raw.headers["x-conversation-id"]
        assert raw.headers["content-type"].startswith("text/event-stream")
        *chunks, last = list(raw.parse())
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk.id for chunk in (*chunks, last)}) == 1
    deltas = [chunk.choices[0].delta for chunk in chunks]
    assert (deltas[0].role, deltas[0].content) == ("assistant", "")
    assert "".join(delta.content or "" for delta in deltas) == "One two three."
    thoughts = [getattr(delta, "reasoning_content", None) or "" for delta in deltas]
    assert "".join(thoughts) == "Count."
    finishes = [chunk.choices[0].finish_reason for chunk in chunks]
    assert finishes == [*[None] * (len(chunks) - 1), "length"]
    assert last.choices == []
    assert last.usage is not None
    assert (last.usage.prompt_tokens, last.usage.completion_tokens) == (1000, 14)
    assert last.usage.prompt_tokens_details is None, "the model did not report cached tokens"
    assert stored(http, id) == [("user", "Count"), ("assistant", "One two three.")]


def test_async_client(
    keyed_with_model: Keyed, key: str, http: httpx.Client, model: ScriptedModel
) -> None:
    async def talk() -> str:
        nearby = openai.DefaultAsyncHttpxClient(trust_env=False)
        async with AsyncOpenAI(
            base_url=f"{keyed_with_model.server.url}/v1", api_key=key, http_client=nearby
        ) as client:
            raw = await client.chat.completions.with_raw_response.create(
                model="default", messages=[user("First")]
            )
            id: str = raw.headers["x-conversation-id"]
            assert raw.parse().choices[0].message.content == "First"
            stream = await client.chat.completions.create(
                model="default",
                messages=[user("Second")],
                stream=True,
                extra_body={"conversation": id},
            )
            said = [chunk.choices[0].delta.content or "" async for chunk in stream]
            assert "".join(said) == "Second"
            return id

    id = asyncio.run(talk())
    assert [text for _, text in stored(http, id)] == ["First", "First", "Second", "Second"]


def test_conversation_continues(client: OpenAI, http: httpx.Client, model: ScriptedModel) -> None:
    """Named by header or body; with only the new message, or the whole list."""
    id = ask(client, user("My name is Ada.")).conversation
    ask(client, user("I live in Turin."), id=id)
    assert [one["content"] for one in sent(model)["messages"]] == [
        *("My name is Ada.", "My name is Ada."),
        "I live in Turin.",
    ]
    answered = ask(client, user("Who am I?"), extra_body={"conversation": id})
    assert answered.conversation == id
    assert len(stored(http, id)) == 6

    said: list[Any] = [{"role": role, "content": text} for role, text in stored(http, id)]
    for number in range(3):
        question = user(f"Question {number}")
        said += [question]
        answer = ask(client, {"role": "system", "content": "Be brief."}, *said, id=id)
        said += [{"role": "assistant", "content": answer.choices[0].message.content}]
        assert stored(http, id) == [(one["role"], one["content"]) for one in said]
    trimmed = [*said[-2:], user("And?")]
    ask(client, *trimmed, id=id)
    assert len(stored(http, id)) == len(said) + 2


@pytest.mark.parametrize("external_id", ["thread_abc", UNKNOWN])
def test_unknown_key_names_a_new_conversation(
    client: OpenAI, http: httpx.Client, model: ScriptedModel, external_id: str
) -> None:
    model.answers("Hello!", "Hello again!")
    for _ in range(2):
        ask(client, user("Hi"), id=external_id)
    (only,) = http.get("/api/conversations").json()["items"]
    assert (only["external_id"], only["message_count"]) == (external_id, 4)
    assert http.get(f"/api/conversations/{external_id}").json()["id"] == only["id"]


def test_unknown_message_list_becomes_a_conversation(
    client: OpenAI, http: httpx.Client, model: ScriptedModel
) -> None:
    parts: Any = [{"type": "text", "text": "Hello"}, {"type": "text", "text": "there"}]
    said: list[Any] = [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": [{"type": "text", "text": "Hi!"}]},
        {"role": "assistant", "content": None},
        user("How are you?"),
    ]
    id = ask(client, *said).conversation
    assert stored(http, id) == [
        ("user", "Hello\n\nthere"),
        ("assistant", "Hi!"),
        ("user", "How are you?"),
        ("assistant", "How are you?"),
    ]


def test_same_question_again_is_answered_again(
    client: OpenAI, http: httpx.Client, model: ScriptedModel
) -> None:
    id = ask(client, user("One?")).conversation
    said = [user("One?"), {"role": "assistant", "content": "One?"}, user("Two?")]
    model.answers("First try.", "Second try.")
    for answer in ("First try.", "Second try."):
        assert ask(client, *said, id=id).choices[0].message.content == answer
    standing = http.get(f"/api/conversations/{id}").json()["messages"]
    texts = [one["content"] for one in standing if one["superseded_at"] is None]
    assert texts == ["One?", "One?", "Two?", "Second try."]


@pytest.mark.parametrize("whole", [True, False])
def test_client_runs_its_tools(
    client: OpenAI, http: httpx.Client, model: ScriptedModel, whole: bool
) -> None:
    model.answers(CALL, "Sunny, 21 degrees.", "You are welcome.")
    first = ask(client, user("Weather in Turin?"), tools=[WEATHER], tool_choice="auto")
    id, (choice,) = first.conversation, first.choices
    assert WEATHER in sent(model)["tools"]
    assert sent(model)["tool_choice"] == "auto"
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
    (call,) = choice.message.tool_calls
    assert (call.id, call.type, call.function.name) == ("call_7", "function", "weather")
    assert json.loads(call.function.arguments) == {"city": "Turin"}

    said = [user("Weather in Turin?"), choice.message.model_dump(exclude_none=True)]
    result = {"role": "tool", "tool_call_id": call.id, "content": '{"degrees": 21}'}
    second = ask(client, *(said if whole else []), result, id=id, tools=[WEATHER])
    assert second.choices[0].message.content == "Sunny, 21 degrees."
    asked, called, returned = sent(model)["messages"]
    assert asked == user("Weather in Turin?")
    (given,) = called["tool_calls"]
    assert given["function"] == {"name": "weather", "arguments": '{"city": "Turin"}'}
    assert returned == result | {"tool_call_id": given["id"]}

    said += [result, {"role": "assistant", "content": "Sunny, 21 degrees."}]
    ask(client, *(said if whole else []), user("Thanks!"), id=id)
    assert stored(http, id) == [
        ("user", "Weather in Turin?"),
        ("assistant", ""),
        ("tool", '{"degrees": 21}'),
        ("assistant", "Sunny, 21 degrees."),
        ("user", "Thanks!"),
        ("assistant", "You are welcome."),
    ]
    assert [one["role"] for one in sent(model)["messages"]] == [
        *("user", "assistant", "tool", "assistant", "user")
    ]


def test_streamed_tool_calls_and_results_without_output(
    client: OpenAI, model: ScriptedModel
) -> None:
    model.answers(CALL)
    chunks = list(ask(client, user("Weather?"), tools=[WEATHER], stream=True))
    (part,) = [one for chunk in chunks for one in chunk.choices[0].delta.tool_calls or ()]
    assert (part.index, part.id, part.function.name) == (0, "call_7", "weather")
    assert json.loads(part.function.arguments) == {"city": "Turin"}
    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    result = {"role": "tool", "tool_call_id": "call_7", "content": ""}
    model.answers("Nobody knows.")
    answered = ask(client, result, id=chunks[0].conversation, tools=[WEATHER])
    assert answered.choices[0].message.content == "Nobody knows."
    assert sent(model)["messages"][-1]["content"] == "(no output)"


def test_server_tools_are_hidden_from_the_client(client: OpenAI, model: ScriptedModel) -> None:
    arguments = '{"day": "Monday", "what": "lesson"}'
    called = [{"id": "a", "name": "add_event", "arguments": arguments}]
    for stream in (False, True):
        model.answers(Answer(text="I book.", tool_calls=called, finish="tool_calls"), "Booked.")
        answer = ask(client, user("Book a lesson."), stream=stream)
        if stream:
            deltas = [chunk.choices[0].delta for chunk in answer]
            assert not any(delta.tool_calls for delta in deltas)
            assert "".join(delta.content or "" for delta in deltas) == "I book.\n\nBooked."
        else:
            (choice,) = answer.choices
            assert (choice.finish_reason, choice.message.tool_calls) == ("stop", None)
            assert choice.message.content == "I book.\n\nBooked."


def test_options_reach_the_model(client: OpenAI, model: ScriptedModel) -> None:
    options: dict[str, Any] = {
        "temperature": 0.3,
        "top_p": 0.9,
        "stop": ["END"],
        "seed": 7,
        "presence_penalty": 0.1,
        "frequency_penalty": -0.1,
        "logit_bias": {"50256": -100},
        "response_format": {"type": "json_object"},
        "reasoning_effort": "low",
        "user": "ada",
    }
    ask(
        client,
        user("Hi"),
        **options,
        max_completion_tokens=17,
        store=True,
        metadata={"a": "b"},
        n=1,
        logprobs=False,
        parallel_tool_calls=True,
        extra_body={"whatever": 1},
    )
    body = sent(model)
    assert {name: body[name] for name in options} == options
    assert body["max_tokens"] == 17
    unknown = {"store", "metadata", "n", "whatever", "parallel_tool_calls", "conversation"}
    assert not body.keys() & unknown
    ask(client, user("Hi"), max_tokens=1_000_000)
    assert sent(model)["max_tokens"] == 4_096


def test_models(client: OpenAI, model: ScriptedModel) -> None:
    found = client.models.list()
    assert [one.id for one in found] == ["default", "small", "local"]
    assert {one.object for one in found} == {"model"}
    for name, asked in (("default", "scripted"), ("scripted", "scripted"), ("tiny", "tiny")):
        client.chat.completions.create(model=name, messages=[user("Hi")])
        assert sent(model)["model"] == asked


def test_errors_are_the_sdk_exceptions(
    client: OpenAI, keyed_with_model: Keyed, model: ScriptedModel
) -> None:
    completions = client.chat.completions

    def message(error: openai.APIStatusError) -> str:
        """The message that users of the client see."""
        assert isinstance(error.body, dict)
        assert error.body["message"] in error.message
        said: str = error.body["message"]
        return said

    with pytest.raises(openai.NotFoundError) as unknown:
        completions.create(model="gpt-9", messages=[user("Hi")])
    assert unknown.value.code == "model_not_found"
    assert unknown.value.param == "model"
    assert "gpt-9" in message(unknown.value)
    for key in ("a/b", "current", ""):
        with pytest.raises(openai.UnprocessableEntityError):
            ask(client, user("Hi"), extra_body={"conversation": key})
        with pytest.raises(openai.UnprocessableEntityError):
            completions.create(
                model="default", messages=[user("Hi")], extra_headers={"x-conversation-id": key}
            )
    with pytest.raises(openai.APIStatusError) as too_long:
        completions.create(model="small", messages=[user("word " * 1_000)])
    assert too_long.value.status_code == 413
    assert too_long.value.code == "context_length_exceeded"
    with opened(keyed_with_model.server.url, "rk_wrong") as stranger:
        with pytest.raises(openai.AuthenticationError) as wrong:
            stranger.models.list()
        assert wrong.value.code == "invalid_api_key"
    assert model.requests == []


IMAGE: Any = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("messages", {"messages": []}),
        ("messages", {"messages": [{"role": "system", "content": "Be kind."}]}),
        ("messages", {"messages": [user("Hi"), {"role": "assistant", "content": "Hello"}]}),
        ("messages.0.content.1", {"messages": [{"role": "user", "content": [
            {"type": "text", "text": "What is this?"}, IMAGE]}]}),
        ("messages.0.role", {"messages": [{"role": "function", "content": "x"}]}),
        ("message", {"messages": [user("")]}),
        ("n", {"messages": [user("Hi")], "n": 2}),
        ("temperature", {"messages": [user("Hi")], "temperature": 3}),
        ("functions", {"messages": [user("Hi")], "functions": [{"name": "f"}]}),
        ("stop", {"messages": [user("Hi")], "stop": "\0"}),
        ("conversation", {"messages": [user("Hi")], "conversation": UNKNOWN}),
    ],
)  # fmt: skip
def test_invalid_requests_are_refused(
    client: OpenAI, http: httpx.Client, field: str, body: dict[str, Any]
) -> None:
    """Before anything is stored. The last one names another conversation in its header."""
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        client.post(
            "/chat/completions",
            cast_to=object,
            body={"model": "default", **body},
            options={"headers": {"x-conversation-id": str(uuid4())}}
            if "conversation" in body
            else {},
        )
    assert refused.value.param == field
    assert http.get("/api/conversations").json()["items"] == []


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, {"messages": [user("Hi")], "conversation": "\ud800"}),
        (422, {"messages": [{"role": "user", "content": [{"type": "\ud800"}]}]}),
    ],
)
def test_lone_surrogates_are_refused(http: httpx.Client, status: int, body: dict[str, Any]) -> None:
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    content = json.dumps(body).encode()
    refused = http.post("/v1/chat/completions", content=content, headers=headers)
    assert refused.status_code == status, refused.text


def test_answer_limit_raises_rate_limit_error(client: OpenAI) -> None:
    def ask_on_and_on() -> None:
        """More requests than the limit allows, also on a slow machine."""
        for _ in range(10 * ANSWERS_PER_MINUTE):
            ask(client, user("Hi"))

    for _ in range(ANSWERS_PER_MINUTE):
        ask(client, user("Hi"))
    with pytest.raises(openai.RateLimitError) as limited:
        ask_on_and_on()
    assert limited.value.code == "rate_limit_exceeded"
    assert int(limited.value.response.headers["retry-after"]) > 0


def test_model_failure_is_an_error(
    client: OpenAI, http: httpx.Client, model: ScriptedModel
) -> None:
    """The question is stored once, despite retries."""
    id = ask(client, user("One?")).conversation
    model.answers(*[fails(400, "No.")] * 4)
    for _ in range(2):
        with pytest.raises(openai.InternalServerError) as failed:
            ask(client, user("Two?"), id=id)
        assert failed.value.status_code == 503
        assert "refused the request (400): No." in failed.value.message
        assert failed.value.response.headers["retry-after"]
    assert ask(client, user("Two?"), id=id).choices[0].message.content == "Two?"
    standing = http.get(f"/api/conversations/{id}").json()["messages"]
    assert [one["content"] for one in standing if one["superseded_at"] is None] == [
        *("One?", "One?", "Two?", "Two?")
    ]


def test_interrupted_model_is_an_error(
    client: OpenAI, http: httpx.Client, model: ScriptedModel
) -> None:
    model.answers(cut("So far "))
    stream = ask(client, user("Go on."), stream=True)
    chunks: list[Any] = []
    with pytest.raises(openai.APIError, match=r"The connection to scripted .* failed"):
        chunks.extend(stream)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "So far "
    id = chunks[0].conversation
    assert stored(http, id) == [("user", "Go on."), ("assistant", "So far ")]


def test_automatic_retry_asks_once(
    keyed_with_model: Keyed, key: str, http: httpx.Client, model: ScriptedModel
) -> None:
    model.answers(cut("Half of "), "All of it.")
    with opened(keyed_with_model.server.url, key) as client:
        id = http.post("/api/conversations", json={}).json()["id"]
        answer = ask(client.with_options(max_retries=2), user("Tell me."), id=id)
    assert answer.choices[0].message.content == "All of it."
    found = http.get(f"/api/conversations/{id}/messages").json()["items"]
    assert [one["content"] for one in found if one["superseded_at"] is None] == [
        *("Tell me.", "All of it.")
    ]


def test_failed_first_question_is_stored_once(
    keyed_with_model: Keyed, key: str, http: httpx.Client, model: ScriptedModel
) -> None:
    """The client does not know the conversation yet, so a retry would create another one."""
    model.answers(fails(401, "No."), "Yes.")
    with opened(keyed_with_model.server.url, key) as client:
        patient = client.with_options(max_retries=2)
        with pytest.raises(openai.InternalServerError) as failed:
            ask(patient, user("Where is it?"))
        id = failed.value.response.headers["x-conversation-id"]
        (only,) = http.get("/api/conversations").json()["items"]
        assert (only["id"], stored(http, id)) == (id, [("user", "Where is it?"), ("assistant", "")])
        assert ask(patient, user("Where is it?"), id=id).choices[0].message.content == "Yes."
    standing = http.get(f"/api/conversations/{id}").json()["messages"]
    assert [one["content"] for one in standing if one["superseded_at"] is None] == [
        *("Where is it?", "Yes.")
    ]


@pytest.mark.parametrize("streamed", [False, True])
def test_stopped_answer_is_not_retried(
    keyed_with_model: Keyed, key: str, http: httpx.Client, model: ScriptedModel, streamed: bool
) -> None:
    model.answers(stalls("So far "))
    id = http.post("/api/conversations", json={}).json()["id"]

    def told() -> tuple[str, str]:
        if not streamed:
            (choice,) = ask(patient, user("Go on."), id=id).choices
            return choice.message.content, choice.finish_reason
        choices = [one.choices[0] for one in ask(patient, user("Go on."), id=id, stream=True)]
        return "".join(one.delta.content or "" for one in choices), choices[-1].finish_reason

    with opened(keyed_with_model.server.url, key) as client, ThreadPoolExecutor() as pool:
        patient = client.with_options(max_retries=2)
        asking = pool.submit(told)
        wait_until(lambda: ("assistant", "So far ") in stored(http, id), "some of it is there")
        assert http.post(f"/api/chat/{id}/stop").json()["status"] == "interrupted"
        assert asking.result() == ("So far ", "stop")
    assert stored(http, id) == [("user", "Go on."), ("assistant", "So far ")]
    assert len(model.requests) == 1


def test_idempotency_key_is_for_one_request(client: OpenAI, http: httpx.Client) -> None:
    headers = {"Idempotency-Key": "k"}
    body: dict[str, Any] = {"messages": [user("Once?")]}
    assert http.post("/v1/chat/completions", json=body, headers=headers).status_code == 200
    for more in ({"temperature": 0.5}, {"tools": [WEATHER]}, {"conversation": UNKNOWN}):
        other = http.post("/v1/chat/completions", json=body | more, headers=headers)
        assert other.status_code in (404, 409), other.text


def test_retry_with_key_is_answered_once(client: OpenAI, model: ScriptedModel) -> None:
    headers = {"Idempotency-Key": "k"}
    first, second = (
        client.chat.completions.create(
            model="default", messages=[user("Once?")], extra_headers=headers
        )
        for _ in range(2)
    )
    assert first.id == second.id
    assert first.choices == second.choices
    assert len(model.requests) == 1


@pytest.mark.torture
def test_local_model_answers(start: Start, tmp_path: Path) -> None:
    """The default installation: no key, no settings, no network."""
    server = start(f"sqlite:///{tmp_path}/recollect.db", variables={"RECOLLECT_EMBEDDER": ""})
    with opened(server.url, "none") as client:
        first = client.chat.completions.create(
            model="local", messages=[user("Say hello.")], max_tokens=30, temperature=0
        )
        assert first.choices[0].message.content
        assert first.usage is not None
        assert 0 < first.usage.completion_tokens <= 30
        id: str = first.conversation  # type: ignore[attr-defined]
        stream = client.chat.completions.create(
            model="SmolLM2-135M-Instruct",
            messages=[user("And goodbye?")],
            max_tokens=30,
            stream=True,
            extra_headers={"x-conversation-id": id},
        )
        pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
        assert len(pieces) > 3
        with server.client() as http:
            roles = [role for role, _ in stored(http, id)]
            assert roles == ["user", "assistant", "user", "assistant"]
            assert stored(http, id)[-1][1] == "".join(pieces)


def test_model_default_is_the_default_variant() -> None:
    async def record(record: CallRecord) -> None:
        """Nothing is called."""

    models = ModelRegistry({"local": LOCAL}, default="local", usage_recorder=record)
    assert find_variant(models, "default") is LOCAL
    with pytest.raises(NotFound, match="only local"):
        find_variant(models, "gpt-9")
