"""Tools: run in rounds, stored with their output, within the model's window."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from recollect import (
    ChatRequest,
    ContextBuilt,
    Finished,
    MessageIn,
    PromptOptions,
    TextDelta,
    Tool,
    TooLarge,
    ToolCalled,
    ToolReturned,
)
from recollect.core.tokens import count
from recollect.record.conversation_target import ConversationTarget
from tests.chat.helpers import stored_messages
from tests.conftest import SMALL_WINDOW, Open
from tests.scripted_model import Answer, ScriptedModel

WEATHER = Tool(
    name="weather",
    description="The weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
    run=lambda city: {"celsius": len(city)},
)
CALL = {"id": "c1", "name": "weather", "arguments": '{"city": "Lisbon"}'}


def test_tool_is_run_and_stored_with_its_output(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model(tools=[WEATHER])
    model.answers(
        Answer(text="Let me see.", tool_calls=[CALL], finish="tool_calls"),
        "It is 6 degrees.",
        "Cold.",
    )
    stream = memory.chat.ask("How is the weather in Lisbon?", user_id="alice")
    said = [event for event in stream if not isinstance(event, ContextBuilt | Finished)]
    called = next(event for event in said if isinstance(event, ToolCalled))
    returned = next(event for event in said if isinstance(event, ToolReturned))
    assert (called.tool.input, returned.tool.output) == ({"city": "Lisbon"}, {"celsius": 6})
    text = [event.text for event in said if isinstance(event, TextDelta)]
    assert "".join(text) == "Let me see.\n\nIt is 6 degrees."
    assert said.index(called) > said.index(next(one for one in said if isinstance(one, TextDelta)))
    (answer,) = stored_messages(memory, stream)[1:]
    assert answer.tool_calls == [
        {
            "id": "c1",
            "tool_name": "weather",
            "input": {"city": "Lisbon"},
            "output": {"celsius": 6},
            "at": 11,
        }
    ]
    offered = model.requests[0].body["tools"][0]["function"]
    assert offered["name"] == "weather"
    assert model.requests[1].body["messages"][-1] == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": '{"celsius": 6}',
    }
    memory.chat.ask("And?", user_id="alice", conversation_id=stream.conversation_id).result()
    roles = [one["role"] for one in model.requests[2].body["messages"]]
    assert roles == ["user", "assistant", "tool", "user"]


def test_receipt_has_the_cached_tokens_of_the_first_call(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model(tools=[WEATHER])
    model.answers(
        Answer(text="", tool_calls=[CALL], finish="tool_calls", tokens_cached=256),
        Answer(text="It is 6 degrees.", tokens_cached=896),
    )
    result = memory.chat.ask("How is the weather in Lisbon?", user_id="alice").result()
    assert result.receipt is not None
    assert (result.receipt.cached_tokens, result.tokens_cached) == (256, 256 + 896)
    stored = memory.contexts.get_receipt(message_id=result.message.id, user_id="alice")
    assert stored == result.receipt


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_failing_tool_returns_an_error_output(open_with_model: Open, model: ScriptedModel) -> None:
    def broken(city: str) -> object:
        raise ValueError(city)

    tools: Sequence[Tool] = [
        Tool(name="weather", description="", parameters={}, run=broken),
        Tool(name="endless", description="", parameters={}, run=lambda: "x" * 1_000_000),
    ]
    memory = open_with_model(tools=tools)
    bad = [
        CALL,
        {"id": "c2", "name": "weather", "arguments": "Lisbon"},
        {"id": "c3", "name": "endless", "arguments": "{}"},
    ]
    model.answers(Answer(text="", tool_calls=bad, finish="tool_calls"), "I do not know.")
    result = memory.chat.ask("How is the weather?", user_id="alice").result()
    assert result.message.status == "complete"
    calls = result.message.tool_calls or []
    assert [call["is_error"] for call in calls] == [True, True, True]
    assert "ValueError" in calls[0]["output"]
    model.always = Answer(text="", tool_calls=[CALL], finish="tool_calls")
    assert memory.chat.ask("Again?", user_id="alice").result().message.status == "error"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_tools_and_their_results_count_against_the_window(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model()
    said = MessageIn(role="user", content="The river walk is long and pleasant. " * 40)
    chat = memory.conversations.create_conversation(user_id="alice", messages=[said] * 8).id
    page = "A long page of text. " * 3_000
    archive = Tool(
        name="archive",
        description="Looks something up in the archive of the town. " * 20,
        parameters={"type": "object", "properties": {}},
        run=lambda: page,
    )
    asked = {"id": "1", "name": "archive", "arguments": "{}"}
    model.answers(*[Answer(tool_calls=[asked], finish="tool_calls")] * 2, "It opened in 1911.")
    stream = memory.chat.ask(
        "When did it open?", user_id="alice", conversation_id=chat, model="small", tools=[archive]
    )
    answer = stream.result().message
    assert answer.content == "It opened in 1911."
    for request in model.requests:
        sent = [*request.body["messages"], *request.body["tools"]]
        assert sum(count(json.dumps(one)) for one in sent) <= SMALL_WINDOW
    shown = model.requests[-1].body["messages"][-1]["content"]
    assert "tokens left out" in shown
    assert [call["output"] for call in answer.tool_calls or ()] == [page] * 2
    many = [replace(archive, name=f"archive-{n}") for n in range(16)]
    with pytest.raises(TooLarge):
        memory.chat.ask("So?", user_id="alice", model="small", tools=many)


def test_tool_input_and_output_are_sanitized(open_with_model: Open, model: ScriptedModel) -> None:
    half = Tool(
        name="half", description="", parameters={}, run=lambda **given: ["\ud83d", float("nan")]
    )
    memory = open_with_model(tools=[half])
    strange = '{"text": "a\\u0000b \\ud83d", "number": NaN}'
    calls = [
        {"id": "c1", "name": "half", "arguments": strange},
        {"id": "c2", "name": "half", "arguments": "[" * 2_000},
        {"id": "c3", "name": "nobody", "arguments": "{}"},
    ]
    model.answers(Answer(text="", tool_calls=calls, finish="tool_calls"), "Done.")
    result = memory.chat.ask("Try it.", user_id="alice").result()
    assert (result.message.status, result.message.content) == ("complete", "Done.")
    first, second, third = result.message.tool_calls or []
    assert first["input"] == {"text": "ab \ufffd", "number": None}
    assert first["output"] == ["\ufffd", None]
    assert second["is_error"]
    assert third["is_error"]
    assert (result.tokens_in, result.tokens_out) == (2000, 5)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_client_tools_are_not_run(open_with_model: Open, model: ScriptedModel) -> None:
    memory = open_with_model(tools=[WEATHER])
    theirs = {"id": "c2", "name": "theirs", "arguments": "{}"}
    model.answers(Answer(text="", tool_calls=[CALL, theirs], finish="tool_calls"))
    offered = [{"type": "function", "function": {"name": "theirs", "parameters": {}}}]
    chat = memory.conversations.create_conversation(user_id="alice")
    question = ChatRequest.from_text(
        "How is the weather?", ConversationTarget(conversation_id=chat.id)
    )
    result = memory.chat.answer(
        question, PromptOptions(client_tools=offered), user_id="alice"
    ).result()
    calls = result.message.tool_calls or []
    assert [(call["tool_name"], call.get("output")) for call in calls] == [
        ("weather", {"celsius": 6}),
        ("theirs", None),
    ]
    assert result.finish == "tool_calls"
    assert len(model.requests) == 1
