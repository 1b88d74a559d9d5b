"""The OpenAI client against a scripted endpoint."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count
from threading import Event
from typing import TypeVar

import pytest

from recollect.core import tokens
from recollect.core.errors import Misconfigured, ModelFailed, ModelRejected, ModelUnknown
from recollect.llm.endpoint import Endpoint, Retries
from recollect.llm.openai import OpenAIChatModel, OpenAIEmbedder
from recollect.llm.protocols import (
    CallContext,
    CallRecord,
    ChatMessage,
    Delta,
    Embedder,
    HostedPrompt,
    Reply,
    ToolCall,
    VariantModel,
)
from recollect.llm.variants import Variant
from tests.scripted_model import (
    Answer,
    Body,
    Plain,
    ScriptedModel,
    cut,
    endless,
    endless_arguments,
    endless_silence,
    fails,
    garbage,
    stalls,
)

HI: list[ChatMessage] = [{"role": "user", "content": "Hi there, how are you?"}]
CALL = CallContext(purpose="chat", user_id="ada", conversation_id="c1")
QUICK = Retries(first_pause=0.001, max_pause=0.05)
KEY = "sk-very-secret"
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
T = TypeVar("T")


class Caller:
    """Calls a scripted model, blocking, and collects the usage records."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        self.calls: list[CallRecord] = []
        self.retries = QUICK
        self.timeout = 10.0

    async def usage_recorder(self, call: CallRecord) -> None:
        self.calls.append(call)

    def variant(self) -> Variant:
        return Variant(
            name="arco",
            model="some-model",
            base_url=self.model.url,
            api_key=KEY,
            answer_tokens=77,
            timeout_seconds=self.timeout,
        )

    @asynccontextmanager
    async def chat(self) -> AsyncIterator[OpenAIChatModel]:
        chat = OpenAIChatModel(
            self.variant(), usage_recorder=self.usage_recorder, retries=self.retries
        )
        try:
            yield chat
        finally:
            await chat.close()

    def run(self, use: Callable[[OpenAIChatModel], Awaitable[T]]) -> T:
        async def in_a_loop() -> T:
            async with self.chat() as chat:
                return await use(chat)

        return asyncio.run(in_a_loop())

    def complete(self) -> Reply:
        return self.run(lambda chat: chat.complete(HI, call=CALL))

    def ask_for_json(self) -> Reply:
        return self.run(lambda chat: chat.complete(HI, call=CALL, schema=SCHEMA))

    def stream(self) -> list[Delta]:
        async def read(chat: OpenAIChatModel) -> list[Delta]:
            return [delta async for delta in chat.stream(HI, call=CALL)]

        return self.run(read)

    def hosted(self, prompt: HostedPrompt) -> Reply:
        return self.run(lambda chat: chat.complete_hosted(prompt, "Sum this up.", call=CALL))

    @property
    def only_call(self) -> CallRecord:
        (call,) = self.calls
        return call


@pytest.fixture
def caller(model: ScriptedModel) -> Caller:
    return Caller(model)


# Requests


def test_completion_request_body(caller: Caller) -> None:
    caller.complete()
    (request,) = caller.model.requests
    assert request.path == "/v1/chat/completions"
    assert request.body == {"model": "some-model", "messages": HI, "max_tokens": 77}
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_max_tokens_field_of_openai(caller: Caller) -> None:
    async def at_openai() -> Endpoint:
        return Endpoint(base_url=caller.model.url, api_key=KEY)

    async def ask() -> None:
        variant = Variant(name="gpt", model="gpt-5", api_key=KEY)
        chat = OpenAIChatModel(variant, usage_recorder=caller.usage_recorder, locate=at_openai)
        await chat.complete(HI, call=CALL, max_tokens=5)
        await chat.close()

    asyncio.run(ask())
    assert caller.model.requests[0].body["max_completion_tokens"] == 5
    assert "max_tokens" not in caller.model.requests[0].body


def test_client_ignores_the_environment(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    caller.complete()
    assert caller.model.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_environment_key_is_not_sent_elsewhere(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")

    async def ask() -> None:
        variant = Variant(name="ollama", model="llama", base_url=caller.model.url)
        chat = OpenAIChatModel(variant, usage_recorder=caller.usage_recorder)
        await chat.complete(HI, call=CALL)
        await chat.close()

    asyncio.run(ask())
    assert "environment" not in str(caller.model.requests[0].headers)


def test_local_variant_is_not_sent_to_openai(caller: Caller) -> None:
    with pytest.raises(ValueError, match="LocalChat"):
        OpenAIChatModel(
            Variant(name="local", model="SmolLM2"), usage_recorder=caller.usage_recorder
        )


def test_client_is_imported_on_first_use() -> None:
    lean = "import recollect, recollect.llm.openai, sys; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", lean], check=False).returncode == 0


def test_openai_model_is_a_chat_model(caller: Caller) -> None:
    chat: VariantModel = OpenAIChatModel(caller.variant(), usage_recorder=caller.usage_recorder)
    assert chat.variant.name == "arco"


# Answers


def test_completion(caller: Caller) -> None:
    caller.model.answers(Answer(text="Fine.", thinking="Polite?", finish="length"))
    assert caller.complete() == Reply(
        text="Fine.", thinking="Polite?", finish="length", tokens_in=1000, tokens_out=5
    )


def test_unreported_tokens_are_counted(caller: Caller) -> None:
    caller.model.answers(Answer(text="I am fine, thanks.", reports_usage=False))
    reply = caller.complete()
    assert reply.tokens_in == tokens.count("Hi there, how are you?")
    assert reply.tokens_out == tokens.count("I am fine, thanks.")


@pytest.mark.parametrize("said", [10**30, 2**40, -7, True, 1.5, "12", None])
def test_implausible_usage_is_ignored(caller: Caller, said: object) -> None:
    message = {"message": {"content": "Fine."}, "finish_reason": "stop"}
    usage = {"prompt_tokens": said, "completion_tokens": said}
    caller.model.answers(garbage(json.dumps({"choices": [message], "usage": usage})))
    reply = caller.complete()
    assert (reply.tokens_in, reply.tokens_out) == (
        tokens.count("Hi there, how are you?"),
        tokens.count("Fine."),
    )
    assert not caller.only_call.is_reported


OPENAI_USAGE = {"prompt_tokens": 1_000, "completion_tokens": 5}


@pytest.mark.parametrize(
    ("usage", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 768}}, 768),
        ({"prompt_tokens_details": {"cached_tokens": 0}}, 0),
        ({"prompt_cache_hit_tokens": 768, "prompt_cache_miss_tokens": 232}, 768),
        ({"cached_tokens": 768}, 768),
        ({"cache_read_input_tokens": 768, "cache_creation_input_tokens": 100}, 768),
        ({"prompt_tokens_details": {"cached_tokens": "768"}, "cache_read_input_tokens": 768}, 768),
        ({"prompt_tokens_details": {"cached_tokens": -1}}, None),
        ({"prompt_tokens_details": {"cached_tokens": True}}, None),
        ({"prompt_tokens_details": {"audio_tokens": 0}}, None),
        ({"prompt_tokens_details": [768], "cached_tokens": None}, None),
        ({"prompt_tokens_details": None, "cached_tokens": 10**30}, None),
        ({}, None),
    ],
)
def test_cached_tokens(caller: Caller, usage: Body, cached: int | None) -> None:
    message = {"message": {"content": "Fine."}, "finish_reason": "stop"}
    body = {"choices": [message], "usage": OPENAI_USAGE | usage}
    caller.model.answers(garbage(json.dumps(body)))
    reply = caller.complete()
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (1_000, 5, cached)
    assert caller.only_call.reported_cached == cached


def test_cached_tokens_of_anthropic_are_not_in_its_input_tokens(caller: Caller) -> None:
    message = {"message": {"content": "Fine."}, "finish_reason": "stop"}
    usage = {
        "input_tokens": 132,
        "output_tokens": 5,
        "cache_read_input_tokens": 768,
        "cache_creation_input_tokens": 100,
    }
    caller.model.answers(garbage(json.dumps({"choices": [message], "usage": usage})))
    reply = caller.complete()
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (1_000, 5, 768)


def test_refusal_is_marked(caller: Caller) -> None:
    refusal = {"content": None, "refusal": "I'd rather not."}
    choice = {"message": refusal, "delta": refusal, "finish_reason": "stop"}
    event = json.dumps({"choices": [choice]})
    caller.model.answers(
        garbage(event),
        garbage(f"data: {event}\n\ndata: [DONE]\n\n", "text/event-stream"),
        "I'd rather not.",
    )
    whole = caller.complete()
    assert (whole.text, whole.finish, whole.is_refusal) == ("I'd rather not.", "stop", True)
    piece, last = caller.stream()
    assert (piece.text, last.reply) == ("I'd rather not.", whole)
    assert not caller.complete().is_refusal


def test_empty_answer_is_accepted(caller: Caller) -> None:
    caller.model.answers("")
    assert caller.complete().text == ""


def test_tool_calls(caller: Caller) -> None:
    call = {"id": "t1", "name": "look_up", "arguments": '{"word": "tern"}'}
    caller.model.answers(Answer(tool_calls=[call], finish="tool_calls"))
    assert caller.complete().tool_calls == (ToolCall(**call),)


@pytest.mark.parametrize(
    "body",
    [
        "<html>Bad gateway</html>",
        "null",
        "[]",
        '{"choices": []}',
        '{"choices": null}',
        '{"choices": [{"message": null}]}',
        '{"choices": [{"message": {"content": {"odd": 1}}}]}',
        '{"choices": [{"message": {"tool_calls": [7]}}]}',
        '{"object": "chat.completion", "choi',
        "\xff\xfe",
        "[" * 100_000 + "]" * 100_000,
        f'{{"choices": [], "usage": {{"prompt_tokens": {"9" * 5_000}}}}}',
    ],
    ids=lambda body: body[:40],
)
@pytest.mark.parametrize("content_type", ["application/json", "text/html"])
def test_unexpected_answers_fail(caller: Caller, body: str, content_type: str) -> None:
    caller.model.answers(garbage(body, content_type))
    with pytest.raises(ModelFailed):
        caller.complete()
    assert len(caller.model.requests) == 1
    assert caller.only_call.error


# Structured output


def test_schema_is_sent_as_response_format(caller: Caller) -> None:
    caller.model.answers('{"name": "Ada"}')
    assert json.loads(caller.ask_for_json().text) == {"name": "Ada"}
    (request,) = caller.model.requests
    assert request.body["messages"] == HI
    assert request.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize("status", [400, 422])
def test_schema_falls_back_to_json_mode(caller: Caller, status: int) -> None:
    def knows_only_json_mode(body: Body) -> Plain:
        if body.get("response_format", {}).get("type") == "json_schema":
            return fails(status, "response_format.type must be json_object")
        return '```json\n{"name": "Ada"}\n```'

    caller.model.always = knows_only_json_mode

    async def ask_twice(chat: OpenAIChatModel) -> Reply:
        await chat.complete(HI, call=CALL, schema=SCHEMA)
        return await chat.complete(HI, call=CALL, schema=SCHEMA)

    assert caller.run(ask_twice).text == '{"name": "Ada"}'
    formats = [request.body.get("response_format") for request in caller.model.requests]
    assert [each and each["type"] for each in formats] == [
        "json_schema",
        "json_object",
        "json_object",
    ]
    instruction = caller.model.requests[1].body["messages"][0]
    assert instruction["role"] == "system"
    assert json.dumps(SCHEMA) in instruction["content"]
    assert [call.error for call in caller.calls] == [None, None]


def test_schema_falls_back_to_the_prompt(caller: Caller) -> None:
    caller.model.always = lambda body: (
        fails(400, "unknown field") if "response_format" in body else '{"name": "Ada"}'
    )
    system: ChatMessage = {"role": "system", "content": "Be brief."}

    async def ask(chat: OpenAIChatModel) -> Reply:
        return await chat.complete([system, *HI], call=CALL, schema=SCHEMA)

    assert caller.run(ask).text == '{"name": "Ada"}'
    messages = caller.model.requests[-1].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[0]["content"].startswith("Be brief.\n\nAnswer with JSON only")


def test_request_rejected_in_every_form(caller: Caller) -> None:
    caller.model.always = fails(400, "The context is too long.")
    with pytest.raises(ModelRejected, match="The context is too long"):
        caller.ask_for_json()
    assert len(caller.model.requests) == 3
    assert len(caller.calls) == 1


# Streams


def test_stream(caller: Caller) -> None:
    caller.model.answers(Answer(text="I am fine.", thinking="Polite?", tokens_cached=512))
    *deltas, last = caller.stream()
    assert [delta.text for delta in deltas if delta.text] == ["I ", "am ", "fine."]
    assert [delta.thinking for delta in deltas if delta.thinking] == ["Polite?"]
    assert last == Delta(
        reply=Reply(
            text="I am fine.",
            thinking="Polite?",
            finish="stop",
            tokens_in=1000,
            tokens_out=10,
            tokens_cached=512,
        )
    )
    assert caller.model.requests[0].body["stream_options"] == {"include_usage": True}


def test_stream_without_usage(caller: Caller) -> None:
    caller.model.always = lambda body: (
        fails(400, "stream_options?") if "stream_options" in body else "I am fine."
    )

    async def read_twice(chat: OpenAIChatModel) -> list[Delta]:
        _ = [delta async for delta in chat.stream(HI, call=CALL)]
        return [delta async for delta in chat.stream(HI, call=CALL)]

    last = caller.run(read_twice)[-1]
    assert last.reply
    assert last.reply.tokens_out == tokens.count("I am fine.")
    asked = ["stream_options" in request.body for request in caller.model.requests]
    assert asked == [True, False, False]


def test_streamed_tool_calls_are_joined(caller: Caller) -> None:
    calls = [
        {"id": "t1", "name": "look_up", "arguments": '{"word": "tern"}'},
        {"id": "t2", "name": "look_up", "arguments": '{"word": "skua"}'},
    ]
    caller.model.answers(Answer(text="Let me see.", tool_calls=calls, finish="tool_calls"))
    tool: Body = {"type": "function", "function": {"name": "look_up", "parameters": {}}}

    async def read(chat: OpenAIChatModel) -> list[Delta]:
        return [delta async for delta in chat.stream(HI, call=CALL, tools=[tool])]

    reply = caller.run(read)[-1].reply
    assert reply
    assert reply.tool_calls == tuple(ToolCall(**call) for call in calls)
    assert reply.finish == "tool_calls"
    assert caller.model.requests[0].body["tools"] == [tool]


@pytest.mark.parametrize("index", ['"index": 0, ', ""], ids=["one index for all", "no index"])
def test_tool_calls_are_distinguished_by_id(caller: Caller, index: str) -> None:
    events = "".join(
        f'data: {{"choices": [{{"delta": {{"tool_calls": [{{{index}"id": "{id}", '
        f'"function": {{"name": "f", "arguments": "{{}}"}}}}]}}, "finish_reason": "stop"}}]}}\n\n'
        for id in ("a", "b")
    )
    caller.model.answers(garbage(events, "text/event-stream"))
    reply = caller.stream()[-1].reply
    assert reply
    assert [call.id for call in reply.tool_calls] == ["a", "b"]


def test_thinking_in_the_reasoning_field(caller: Caller) -> None:
    event = '{"choices": [{"delta": {"reasoning": "Hm."}, "finish_reason": "stop"}]}'
    caller.model.answers(garbage(f"data: {event}\n\n", "text/event-stream"))
    assert caller.stream()[0] == Delta(thinking="Hm.")


def test_broken_stream_fails(caller: Caller) -> None:
    caller.model.answers(cut("I am fi"))
    with pytest.raises(ModelFailed):
        caller.stream()
    assert len(caller.model.requests) == 1
    assert caller.only_call.error
    assert caller.only_call.tokens_out == tokens.count("I am fi")


@pytest.mark.parametrize(
    "events",
    [
        "",
        "data: [DONE]\n\n",
        'data: {"choices": [{"delta": {"content": "I am"}}]}\n\ndata: [DONE]\n\n',
        'data: {"choices": [{"delta": {"content": "I am"}}]}\n\ndata: {"cho\n\n',
        'data: {"choices": [{"delta": {"content": "I am"}}]}\n\ndata: {"error": {"code": 1}}\n\n',
    ],
)
def test_stream_without_finish_reason_fails(caller: Caller, events: str) -> None:
    caller.model.answers(garbage(events, "text/event-stream"))
    with pytest.raises(ModelFailed):
        caller.stream()
    assert caller.only_call.error


def test_finished_answer_survives_a_lost_connection(caller: Caller) -> None:
    event = '{"choices": [{"delta": {"content": "Fine."}, "finish_reason": "stop"}]}'
    caller.model.answers(garbage(f"data: {event}\n\ndata: {{broken\n\n", "text/event-stream"))
    reply = caller.stream()[-1].reply
    assert reply
    assert reply.text == "Fine."
    assert caller.only_call.error is None


def test_stalled_stream_fails(caller: Caller) -> None:
    caller.timeout = 0.3
    caller.model.answers(stalls("I am"))
    with pytest.raises(ModelFailed, match=r"stalled for 0\.3 seconds"):
        caller.stream()
    caller.model.wait_for_hangup()
    assert "stalled" in (caller.only_call.error or "")


def test_empty_deltas_are_no_progress(caller: Caller) -> None:
    """Each of them used to start the timeout anew."""
    caller.timeout = 0.3
    caller.model.answers(endless_silence())
    with pytest.raises(ModelFailed, match=r"stalled for 0\.3 seconds"):
        caller.stream()
    caller.model.wait_for_hangup()


@pytest.mark.parametrize("size", [0, 10_000])
def test_endless_tool_arguments_are_refused(caller: Caller, size: int) -> None:
    """In size, or as calls without any arguments, in number."""
    part = {"id": "c", "function": {"name": "search", "arguments": "x" * size}}
    number = count()
    caller.model.answers(
        endless_arguments(size)
        if size
        else lambda _: garbage(
            "".join(
                f"data: {json.dumps({'choices': [{'delta': {'tool_calls': [call]}}]})}\n\n"
                for call in ({**part, "id": f"c{next(number)}"} for _ in range(200))
            ),
            "text/event-stream",
        )
    )
    with pytest.raises(ModelFailed, match="called over 128 tools, or with over 1,000,000"):
        caller.stream()


def test_our_own_silence_is_not_the_models(caller: Caller) -> None:
    """The loop is blocked for longer than the timeout, while the model goes on."""
    caller.timeout = 0.3
    has_spoken = Event()
    caller.model.answers(Answer(text="It goes on", halfway=lambda: has_spoken.wait(20)))

    async def read(chat: OpenAIChatModel) -> str:
        text = ""
        async for delta in chat.stream(HI, call=CALL):
            if not text:
                asyncio.get_running_loop().call_later(0.01, block)
            text += delta.text
        return text

    def block() -> None:
        has_spoken.set()
        time.sleep(2 * caller.timeout)

    assert caller.run(read) == "It goes on"


def test_closing_a_stream_disconnects(caller: Caller) -> None:
    caller.model.answers(endless())

    async def read_a_little(chat: OpenAIChatModel) -> None:
        async with aclosing(chat.stream(HI, call=CALL)) as deltas:
            async for _ in deltas:
                break
        await asyncio.to_thread(caller.model.wait_for_hangup)

    caller.run(read_a_little)
    assert caller.only_call.error == "cancelled"
    assert caller.only_call.tokens_out > 0


def test_closing_after_the_last_delta_is_not_a_cancellation(caller: Caller) -> None:
    async def read(chat: OpenAIChatModel) -> None:
        async with aclosing(chat.stream(HI, call=CALL)) as deltas:
            async for delta in deltas:
                if delta.reply:
                    break

    caller.run(read)
    assert caller.only_call.error is None


def test_cancelling_the_reader_disconnects(caller: Caller) -> None:
    caller.model.answers(stalls("I am"))

    async def cancel(chat: OpenAIChatModel) -> None:
        async def read() -> None:
            async for _ in chat.stream(HI, call=CALL):
                started.set()

        started = asyncio.Event()
        reader = asyncio.create_task(read())
        await started.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        await asyncio.to_thread(caller.model.wait_for_hangup)

    caller.run(cancel)
    assert caller.only_call.error == "cancelled"


# Hosted prompts


def test_hosted_prompt(caller: Caller) -> None:
    caller.model.answers(Answer(text="A summary.", thinking="Hm.", tokens_cached=512))
    reply = caller.hosted(HostedPrompt(id="pmpt_1", version="3"))
    assert reply == Reply(
        text="A summary.",
        thinking="Hm.",
        finish="stop",
        tokens_in=1000,
        tokens_out=10,
        tokens_cached=512,
    )
    (request,) = caller.model.requests
    assert request.path == "/v1/responses"
    assert request.body == {"prompt": {"id": "pmpt_1", "version": "3"}, "input": "Sum this up."}
    assert caller.only_call.model == "hosted-model"


def test_hosted_prompt_without_version_and_out_of_tokens(caller: Caller) -> None:
    caller.model.answers(Answer(text="A summ", finish="length"))
    assert caller.hosted(HostedPrompt(id="pmpt_1")).finish == "length"
    assert caller.model.requests[0].body["prompt"] == {"id": "pmpt_1"}


@pytest.mark.parametrize(
    "body", ["{}", '{"output": 1}', '{"status": "failed", "error": {"message": "Out of order"}}']
)
def test_failed_hosted_prompt(caller: Caller, body: str) -> None:
    caller.model.answers(garbage(body))
    with pytest.raises(ModelFailed):
        caller.hosted(HostedPrompt(id="pmpt_1"))
    assert caller.only_call.error


# Retries and errors


@pytest.mark.parametrize("fault", [*map(fails, (408, 409, 429, 500, 502, 503)), cut()])
def test_retryable_errors_are_retried(caller: Caller, fault: Plain) -> None:
    caller.model.answers(fault, fault, "Fine.")
    assert caller.complete().text == "Fine."
    assert len(caller.model.requests) == 3
    assert caller.only_call.error is None


def test_attempts_are_bounded(caller: Caller) -> None:
    caller.model.always = fails(500, "Out of order")
    with pytest.raises(ModelFailed, match="Out of order") as failure:
        caller.complete()
    assert not isinstance(failure.value, ModelRejected)
    assert len(caller.model.requests) == QUICK.attempts
    assert caller.only_call.error == failure.value.message


def test_opening_a_stream_is_retried(caller: Caller) -> None:
    caller.model.answers(fails(503), cut(), "Fine.")
    with pytest.raises(ModelFailed):
        caller.stream()  # the second had begun to answer
    assert len(caller.model.requests) == 2
    assert caller.stream()[-1].reply


def test_unreachable_endpoint(caller: Caller) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        caller.model.url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(ModelFailed, match=r"some-model at 127\.0\.0\.1"):
            caller.complete()
    assert caller.only_call.error


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_rejection_is_not_retried(caller: Caller, status: int) -> None:
    caller.model.answers(fails(status, f"No, not with {KEY}."))
    with pytest.raises(ModelRejected) as refusal:
        caller.complete()
    assert "some-model at 127.0.0.1" in refusal.value.message
    assert str(status) in refusal.value.message
    assert KEY not in refusal.value.message
    assert len(caller.model.requests) == 1
    assert caller.only_call.error == refusal.value.message


def test_404_hints_at_a_missing_v1(caller: Caller) -> None:
    root = caller.model.url
    assert root.endswith("/v1")
    for url, is_told in (
        (root, False),
        (f"{root}/", False),
        (f"{root.removesuffix('/v1')}/v1beta/openai", False),
        (root.removesuffix("/v1"), True),
        (f"{root.removesuffix('/v1')}/api", True),
    ):
        caller.model.url = url
        caller.model.answers(fails(404))
        with pytest.raises(ModelUnknown) as refusal:
            caller.complete()
        assert ("its base URL does not end in /v1" in refusal.value.log_message) is is_told, url


@pytest.mark.parametrize(
    "fault",
    [
        fails(401, "Incorrect API key provided: sk-very***cret."),
        fails(429, "You exceeded your quota.", code="insufficient_quota"),
    ],
)
def test_error_does_not_quote_the_key(caller: Caller, fault: Plain) -> None:
    caller.model.answers(fault)
    with pytest.raises(ModelRejected) as refusal:
        caller.complete()
    assert "sk-very" not in refusal.value.message
    assert len(caller.model.requests) == 1


@pytest.mark.parametrize("asked", ["0.2", "date"])
def test_retry_after_is_respected(caller: Caller, asked: str) -> None:
    caller.retries = Retries(first_pause=0.0, max_pause=5)
    if asked == "date":  # which knows whole seconds only
        asked = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    caller.model.answers(fails(429, retry_after=asked), "Fine.")
    started = time.monotonic()
    assert caller.complete().text == "Fine."
    assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize(
    ("longest", "timeout"),
    [(1, 60), (60, 1)],
    ids=["too long for us", "beyond the deadline"],
)
def test_long_retry_after_ends_the_attempts(caller: Caller, longest: float, timeout: float) -> None:
    caller.retries = Retries(max_pause=longest)
    caller.timeout = timeout
    caller.model.answers(fails(429, retry_after="5"), "Fine.")
    with pytest.raises(ModelFailed, match="429"):
        caller.complete()
    assert len(caller.model.requests) == 1


def test_invalid_retry_after_is_ignored(caller: Caller) -> None:
    for unreadable in (
        "soon",
        "1.2.3",
        "Fri, 31 Dec 9999 23:59:59 -0100",
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
    ):
        caller.model.answers(fails(429, retry_after=unreadable), "Fine.")
        assert caller.complete().text == "Fine."


def test_timeout_covers_all_attempts(caller: Caller) -> None:
    caller.model.answers(fails(500), stalls())

    async def ask(chat: OpenAIChatModel) -> Reply:
        return await chat.complete(HI, call=CALL, timeout_seconds=0.5)

    started = time.monotonic()
    with pytest.raises(ModelFailed, match=r"within 0\.5 seconds"):
        caller.run(ask)
    assert time.monotonic() - started < 5
    assert len(caller.model.requests) == 2
    assert caller.only_call.error


def test_slow_answer_within_the_timeout(caller: Caller) -> None:
    caller.model.answers(Answer(text="Fine.", delay=0.2))
    assert caller.complete().text == "Fine."
    assert caller.only_call.duration_ms >= 200


def test_cancelling_a_completion(caller: Caller) -> None:
    caller.model.answers(stalls())

    async def cancel(chat: OpenAIChatModel) -> None:
        call = asyncio.create_task(chat.complete(HI, call=CALL))
        await asyncio.to_thread(caller.model.wait_for_requests, 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.to_thread(caller.model.wait_for_hangup)

    caller.run(cancel)
    assert caller.only_call.error == "cancelled"


def test_endpoint_is_located_before_every_attempt(caller: Caller) -> None:
    with ScriptedModel() as moved:
        places = iter([caller.model.url, moved.url])

        async def locate() -> Endpoint:
            return Endpoint(base_url=next(places))

        async def ask() -> Reply:
            chat = OpenAIChatModel(
                caller.variant(), usage_recorder=caller.usage_recorder, locate=locate, retries=QUICK
            )
            reply = await chat.complete(HI, call=CALL)
            await chat.close()
            return reply

        caller.model.answers(fails(503))
        moved.answers("Here I am.")
        assert asyncio.run(ask()).text == "Here I am."


# Usage records


def test_call_is_recorded(caller: Caller) -> None:
    caller.model.answers("Fine.")
    caller.complete()
    call = caller.only_call
    assert call.call == CALL
    assert (call.model, call.variant) == ("some-model", "arco")
    assert (call.tokens_in, call.tokens_out) == (1000, 5)
    assert call.estimated_in == tokens.count("Hi there, how are you?")
    assert call.error is None
    assert call.is_reported


def test_unreported_usage_is_marked(caller: Caller) -> None:
    caller.model.answers(Answer(text="Fine.", reports_usage=False))
    caller.complete()
    assert caller.only_call.tokens_in == caller.only_call.estimated_in
    assert not caller.only_call.is_reported


def test_call_is_recorded_after_two_cancellations(caller: Caller) -> None:
    caller.model.answers(stalls())
    metering, metered = asyncio.Event(), asyncio.Event()

    async def slow_meter(call: CallRecord) -> None:
        metering.set()
        await asyncio.sleep(0.05)
        caller.calls.append(call)
        metered.set()

    async def cancel_twice() -> None:
        chat = OpenAIChatModel(caller.variant(), usage_recorder=slow_meter)
        call = asyncio.create_task(chat.complete(HI, call=CALL))
        await asyncio.to_thread(caller.model.wait_for_requests, 1)
        call.cancel()
        await metering.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await metered.wait()
        await chat.close()

    asyncio.run(cancel_twice())
    assert caller.only_call.error == "cancelled"


# Embeddings


def embed(
    model: ScriptedModel, texts: list[str], calls: list[CallRecord], *, dimensions: int = 8
) -> list[list[float]]:
    async def usage_recorder(call: CallRecord) -> None:
        calls.append(call)

    async def run() -> list[list[float]]:
        embedder = OpenAIEmbedder(
            Endpoint(base_url=model.url, api_key=KEY),
            model="embedding-model",
            dimensions=dimensions,
            usage_recorder=usage_recorder,
            retries=QUICK,
        )
        port: Embedder = embedder
        try:
            return await port.embed(texts, call=CallContext(purpose="embedding", user_id="ada"))
        finally:
            await embedder.close()

    return asyncio.run(run())


def test_embeddings_are_batched_in_order(model: ScriptedModel) -> None:
    texts = [f"text {n}" for n in range(130)]
    calls: list[CallRecord] = []
    vectors = embed(model, texts, calls)
    assert vectors == [model._vector(text) for text in texts]
    assert [len(request.body["input"]) for request in model.requests] == [64, 64, 2]
    (call,) = calls
    assert (call.model, call.variant, call.tokens_in, call.tokens_out) == (
        "embedding-model",
        None,
        1300,
        0,
    )
    assert call.estimated_in == sum(map(tokens.count, texts))


def test_no_call_without_texts(model: ScriptedModel) -> None:
    calls: list[CallRecord] = []
    assert embed(model, [], calls) == []
    assert not model.requests
    assert not calls


ZEROS, ONES = {"embedding": [0.0] * 8}, {"embedding": [1.0] * 8}


@pytest.mark.parametrize(
    "data",
    [
        [{"index": 1, **ONES}, {"index": 0, **ZEROS}],
        [ZEROS, {"index": 1, **ONES}],  # Gemini omits an index of 0
        [{"index": 1, **ONES}, ZEROS],
        [ZEROS, ONES],
    ],
)
def test_vectors_are_ordered_by_index(model: ScriptedModel, data: list[Body]) -> None:
    model.embeds(garbage(json.dumps({"data": data})))
    assert embed(model, ["a", "b"], []) == [[0.0] * 8, [1.0] * 8]


def test_ambiguous_vector_order_fails(model: ScriptedModel) -> None:
    data = [ZEROS, ONES, {"index": 2, "embedding": [1.0]}]
    model.embeds(garbage(json.dumps({"data": data})))
    with pytest.raises(ModelFailed, match="one vector for each text"):
        embed(model, ["a", "b", "c"], [])


def test_wrong_dimensions_raise_misconfigured(model: ScriptedModel) -> None:
    calls: list[CallRecord] = []
    with pytest.raises(Misconfigured, match="8 numbers, not 12"):
        embed(model, ["a"], calls, dimensions=12)
    assert [call.error is None for call in calls] == [False]


@pytest.mark.parametrize("body", ["<html>", "{}", '{"data": [{"embedding": []}]}', '{"data": []}'])
def test_invalid_vectors_fail(model: ScriptedModel, body: str) -> None:
    model.embeds(garbage(body))
    with pytest.raises(ModelFailed):
        embed(model, ["a"], [])


@pytest.mark.parametrize("number", ["1e999", "1e300", "NaN", "true", "null", "1" + "0" * 400])
def test_vector_out_of_float32_range_fails(model: ScriptedModel, number: str) -> None:
    vector = ", ".join([number, *["0.5"] * 7])
    model.embeds(garbage(f'{{"data": [{{"index": 0, "embedding": [{vector}]}}]}}'))
    with pytest.raises(ModelFailed, match="invalid number"):
        embed(model, ["a"], [])


def test_partly_estimated_usage_is_not_reported(model: ScriptedModel) -> None:
    data = [{"index": n, "embedding": [0.5] * 8} for n in range(64)]
    calls: list[CallRecord] = []
    for usage in ({"prompt_tokens": 10}, {}):
        model.embeds(garbage(json.dumps({"data": data, "usage": {"prompt_tokens": 10}})))
        model.embeds(garbage(json.dumps({"data": data, "usage": usage})))
        embed(model, ["text"] * 128, calls)
    assert [(call.tokens_in, call.is_reported) for call in calls] == [
        (20, True),
        (10 + 64 * tokens.count("text"), False),
    ]


def test_embeddings_are_retried(model: ScriptedModel) -> None:
    model.embeds(fails(503))
    assert len(embed(model, ["a"], [])) == 1
    assert len(model.requests) == 2
