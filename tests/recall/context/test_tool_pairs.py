"""Tool calls are paired with their results."""

import pytest

from recollect.core.policy import PRESETS
from recollect.recall.context.budget import Limits
from recollect.recall.context.tool_pairs import pair_tool_calls
from recollect.recall.context.types import Context, ContextSources, Format
from tests.recall.provider_checks import check_gemini, check_openai
from tests.recall.sample_conversations import (
    NO_SUMMARY,
    Draft,
    a_request,
    assemble,
    assistant,
    call,
    messages_of,
    said,
    system,
    text_of,
    tool,
    user,
)


def build(*drafts: Draft, message: str | None = "next", format: Format = "openai") -> Context:
    messages = said(*drafts)
    sources = ContextSources(
        policy=PRESETS["chunked"],
        summary=NO_SUMMARY,
        backlog=messages,
        pinned=[message for message in messages if message.is_pinned],
    )
    return assemble(
        sources, a_request(message=message, format=format, count=len), limits=Limits(10_000)
    )


def pairs(*drafts: Draft) -> list[tuple[str, str]]:
    """Return the names and outputs of the paired calls."""
    entries, _ = pair_tool_calls(said(*drafts))
    return [(tool.name, tool.output) for entry in entries for tool in entry.tools]


def test_a_result_belongs_to_the_call_of_its_id() -> None:
    assert pairs(
        user("both"),
        assistant(tool_calls=[call("one", id="1"), call("two", id="2")]),
        tool("second", of="2"),
        tool("first", of="1"),
    ) == [("one", "first"), ("two", "second")]


def test_a_result_without_an_id_belongs_to_the_oldest_open_call() -> None:
    assert pairs(
        assistant(tool_calls=[call("one"), call("two")]), tool("first"), tool("second")
    ) == [("one", "first"), ("two", "second")]


def test_a_call_may_have_its_output() -> None:
    calls = [call("one", output={"a": "è"}), call("two", output="b")]
    assert pairs(assistant(tool_calls=calls)) == [("one", '{"a": "è"}'), ("two", "b")]


def test_half_a_pair_is_excluded_with_a_reason() -> None:
    entries, excluded = pair_tool_calls(
        said(
            assistant(tool_calls=[call("open", id="1")]),
            assistant("Wait.", tool_calls=[call("open", id="2")]),
            tool("whose?", of="3"),
        )
    )
    assert [(entry.text, entry.tools) for entry in entries] == [("Wait.", ())]
    assert [(item.message.seq, item.reason) for item in excluded] == [
        (3, "A tool result without its call."),
        (1, "A tool call without a result."),
    ]


@pytest.mark.parametrize(
    "drafts",
    [
        [assistant(tool_calls=[call(id="a", output="1")])] * 2,
        [assistant(tool_calls=[call(id="a", output="1"), call(id="a", output="2")])],
        [assistant(tool_calls=[call(id="call_2_1", output="1"), call(output="2")])],
        [assistant(tool_calls=[call(id="call_3_0", output="1")]),
         assistant(tool_calls=[call(output="2")])],
    ],
    ids=["in two messages", "in one message", "like ours", "like ours, in two messages"],
)  # fmt: skip
def test_no_two_calls_share_an_id(drafts: list[Draft]) -> None:
    check_openai(messages_of(build(user("go"), *drafts)))


def test_only_an_assistant_calls_tools() -> None:
    built = build(user("go", tool_calls=[call(output="1")]), system("be kind"))
    check_openai(messages_of(built))


@pytest.mark.parametrize("value", [None, {}, {"q": 1}, "plain words", [1, 2], 7])
def test_tool_arguments_are_an_object(value: object) -> None:
    """Gemini accepts nothing else."""
    built = build(
        user("go"),
        assistant(tool_calls=[call(input=value, output="1")]),
        format="gemini",
    )
    check_gemini(messages_of(built))


def test_a_pinned_result_of_the_current_turn_is_sent_once() -> None:
    built = build(
        user("go"),
        assistant(tool_calls=[call(id="a")]),
        tool("the one result", of="a", is_pinned=True),
        message=None,
    )
    assert str(messages_of(built)).count("the one result") == 1


def test_a_pinned_streaming_message_is_not_sent() -> None:
    built = build(user("go"), assistant("half a sent", status="streaming", is_pinned=True))
    assert "half a sent" not in str(messages_of(built))
    (item,) = [item for item in built.receipt.items if item.message_id == "id-2"]
    assert (item.outcome, item.reason) == ("dropped", "Still being written.")


@pytest.mark.parametrize("format", ["text", "turns"])
def test_text_ends_with_the_current_message_after_tool_calls(format: Format) -> None:
    built = build(
        user("What is the weather?"),
        assistant(tool_calls=[call(output="sunny")]),
        message=None,
        format=format,
    )
    assert text_of(built).endswith("User: What is the weather?")


def test_a_long_tool_name_is_counted() -> None:
    short = build(user("go"), assistant(tool_calls=[call("search", output="1")]))
    long = build(user("go"), assistant(tool_calls=[call("search" * 100, output="1")]))
    assert long.tokens >= short.tokens + 500


def test_a_result_is_never_truncated_to_nothing() -> None:
    calls = [call("search", id=f"call_{name}") for name in ("abcdefgh", "ijklmnop")]
    messages = said(
        user("go"),
        assistant(tool_calls=calls),
        tool("The first result is 42."),
        tool("The second result is 43."),
        assistant("word " * 200),
    )
    sources = ContextSources(policy=PRESETS["chunked"], summary=NO_SUMMARY, backlog=messages)
    for budget in range(20, 400):
        built = assemble(sources, a_request(message="next", room=10_000), limits=Limits(budget))
        results = [m["content"] for m in messages_of(built) if "tool_call_id" in m]
        assert all(results)
