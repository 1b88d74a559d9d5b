"""Tool calls beside their results."""

import pytest

from recollect.core.policy import PRESETS
from recollect.recall.context.assemble import build_context
from recollect.recall.context.formats import Format
from recollect.recall.context.tool_pairs import pair_tool_calls
from recollect.recall.context.types import Context, ContextSources, Limits, Request
from tests.recall.provider import check_gemini, check_openai
from tests.recall.said import (
    NO_SUMMARY,
    Draft,
    assistant,
    call,
    said,
    system,
    tool,
    user,
)


def build(*drafts: Draft, request: Request | None = None) -> Context:
    messages = said(*drafts)
    material = ContextSources(
        policy=PRESETS["chunked"],
        summary=NO_SUMMARY,
        backlog=messages,
        pinned=[message for message in messages if message.is_pinned],
    )
    limits = Limits(budget=10_000, room=20_000, count=len)
    return build_context(material, request or Request(message="next"), limits)


def pairs(*drafts: Draft) -> list[tuple[str, str]]:
    """(name, output) of the calls that can be sent."""
    entries, _ = pair_tool_calls(said(*drafts))
    return [(used.name, used.output) for entry in entries for used in entry.tools]


def test_a_result_goes_to_the_call_that_it_names() -> None:
    assert pairs(
        user("both"),
        assistant(tool_calls=[call("one", id="1"), call("two", id="2")]),
        tool("second", of="2"),
        tool("first", of="1"),
    ) == [("one", "first"), ("two", "second")]


def test_a_result_without_a_name_goes_to_the_oldest_open_call() -> None:
    assert pairs(
        assistant(tool_calls=[call("one"), call("two")]), tool("first"), tool("second")
    ) == [("one", "first"), ("two", "second")]


def test_an_output_may_stand_with_its_call() -> None:
    calls = [call("one", output={"a": "è"}), call("two", output="b")]
    assert pairs(assistant(tool_calls=calls)) == [("one", '{"a": "è"}'), ("two", "b")]


def test_half_a_pair_is_left_out_and_said_so() -> None:
    entries, left_out = pair_tool_calls(
        said(
            assistant(tool_calls=[call("open", id="1")]),
            assistant("Wait.", tool_calls=[call("open", id="2")]),
            tool("whose?", of="3"),
        )
    )
    assert [(entry.text, entry.tools) for entry in entries] == [("Wait.", ())]
    assert [(left.message.seq, left.reason) for left in left_out] == [
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
    built = build(user("go"), *drafts)
    assert built.messages is not None
    check_openai(built.messages)


def test_only_an_assistant_calls_tools() -> None:
    built = build(user("go", tool_calls=[call(output="1")]), system("be kind"))
    assert built.messages is not None
    check_openai(built.messages)


@pytest.mark.parametrize("given", [None, {}, {"q": 1}, "plain words", [1, 2], 7])
def test_what_a_tool_was_given_is_an_object(given: object) -> None:
    """Gemini takes nothing else."""
    built = build(
        user("go"),
        assistant(tool_calls=[call(input=given, output="1")]),
        request=Request(message="next", format="gemini"),
    )
    assert built.messages is not None
    check_gemini(built.messages)


def test_a_pinned_result_of_the_current_turn_is_sent_once() -> None:
    built = build(
        user("go"),
        assistant(tool_calls=[call(id="a")]),
        tool("the one result", of="a", is_pinned=True),
        request=Request(),
    )
    assert str(built.messages).count("the one result") == 1


def test_a_pinned_message_that_is_still_being_written_is_not_sent() -> None:
    built = build(user("go"), assistant("half a sent", status="streaming", is_pinned=True))
    assert "half a sent" not in str(built.messages)
    (item,) = [item for item in built.receipt.items if item.message_id == "id-2"]
    assert (item.outcome, item.reason) == ("dropped", "It is still being written.")


@pytest.mark.parametrize("format", ["text", "turns"])
def test_a_text_ends_with_the_current_message_also_after_tools_were_used(format: Format) -> None:
    built = build(
        user("What is the weather?"),
        assistant(tool_calls=[call(output="sunny")]),
        request=Request(format=format),
    )
    assert built.text is not None
    assert built.text.endswith("User: What is the weather?")


def test_a_long_tool_name_is_counted() -> None:
    short = build(user("go"), assistant(tool_calls=[call("search", output="1")]))
    long = build(user("go"), assistant(tool_calls=[call("search" * 100, output="1")]))
    assert long.tokens >= short.tokens + 500


def test_a_result_is_never_cut_to_nothing() -> None:
    calls = [call("search", id=f"call_{name}") for name in ("abcdefgh", "ijklmnop")]
    messages = said(
        user("go"),
        assistant(tool_calls=calls),
        tool("The first result is 42."),
        tool("The second result is 43."),
        assistant("word " * 200),
    )
    material = ContextSources(policy=PRESETS["chunked"], summary=NO_SUMMARY, backlog=messages)
    for budget in range(20, 400):
        limits = Limits(budget=budget, room=10_000, count=lambda text: (len(text) + 3) // 4)
        built = build_context(material, Request(message="next"), limits)
        assert all(
            message["content"] for message in built.messages or () if "tool_call_id" in message
        )
