"""How much of a conversation is read for a context, on both databases."""

from typing import Any

import pytest

from recollect import PRESETS, MessageIn, Policy, Settings
from recollect.recall.context import service as context
from recollect.recall.context.types import Context
from recollect.sync import Recollect
from tests.recall.said import Draft, assistant, call, tool, turns, user


def build(memory: Recollect, *drafts: Draft, message: str | None = None, **more: Any) -> Context:
    chat = memory.conversations.create_conversation(user_id="ada").id
    memory.conversations.add_messages(
        [MessageIn(**draft) for draft in drafts], conversation_id=chat, user_id="ada"
    )
    return memory.contexts.build_context(message, conversation_id=chat, user_id="ada", **more)


def test_what_is_not_even_read_is_named_as_a_whole(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "_MOST_READ", 10)
    built = build(memory, *turns(20), message="hi")
    ((first, last, reason),) = [
        (item.first_seq, item.last_seq, item.reason)
        for item in built.receipt.items
        if item.source.startswith("messages")
    ]
    assert (first, last) == (1, 30)
    assert reason == "It was not even read: there is too much of it. It is not digested yet."
    rest = {item.first_seq for item in built.receipt.items if item.message_id}
    assert rest == set(range(31, 41))


@pytest.mark.parametrize("results", [1, 5, 30])
def test_the_current_message_is_there_however_many_results_came_since(
    memory: Recollect, results: int
) -> None:
    """Also with a budget that holds fewer messages."""
    ids = [f"call-{n}" for n in range(results)]
    built = build(
        memory,
        *turns(3),
        user("What is the weather?"),
        assistant(tool_calls=[call(id=id) for id in ids]),
        *(tool("sunny", of=id) for id in ids),
        budget=20,
    )
    contents = [message["content"] for message in built.messages or ()]
    assert contents[-results - 2 :] == ["What is the weather?", "", *["sunny"] * results]
    assert built.receipt.memory_tokens <= 20


def test_everything_is_read_when_everything_is_asked_for(memory: Recollect) -> None:
    built = build(memory, *turns(150), message="hi", mode="full")
    assert len(built.messages or ()) == 301
    assert all(item.outcome == "included" for item in built.receipt.items)


def test_the_current_message_is_there_also_where_not_all_results_are_read(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "_MOST_READ", 10)
    ids = [f"call-{n}" for n in range(12)]
    built = build(
        memory,
        user("What is the weather?"),
        assistant(tool_calls=[call(id=id) for id in ids]),
        *(tool("sunny", of=id) for id in ids),
    )
    assert "What is the weather?" in [message["content"] for message in built.messages or ()]


def steps(count: int, words: str = "") -> list[Draft]:
    """A client that runs tools again and again."""
    return [
        draft
        for n in range(count)
        for draft in (
            assistant(tool_calls=[call(id=f"call-{n}")]),
            tool(f"result {n}{words}", of=f"call-{n}"),
        )
    ]


def digested(memory: Recollect, policy: str, *drafts: Draft) -> str:
    """A conversation whose first messages only the summary has."""
    chat = memory.conversations.create_conversation(user_id="ada", policy=policy).id
    memory.conversations.add_messages(
        [MessageIn(**draft) for draft in drafts], conversation_id=chat, user_id="ada"
    )
    memory.summaries.compact(conversation_id=chat, user_id="ada")
    assert memory.summaries.get_summary(conversation_id=chat, user_id="ada").through_seq > 3
    return chat


def current(built: Context) -> list[int | None]:
    return [item.first_seq for item in built.receipt.items if item.section == "message"]


@pytest.mark.parametrize("policy", ["rolling", "tiered", "window"])
def test_the_current_message_is_there_also_where_a_digest_has_gone_past_it(
    memory: Recollect, policy: str
) -> None:
    chat = digested(memory, policy, user("Book flight AZ123, then stop."), *steps(17))
    built = memory.contexts.build_context(conversation_id=chat, user_id="ada")
    spoken = [one["content"] for one in built.messages or () if one["role"] == "user"]
    assert spoken == ["Book flight AZ123, then stop."]
    through_seq = memory.summaries.get_summary(conversation_id=chat, user_id="ada").through_seq
    assert current(built) == [1, *range(through_seq + 1, 36)]
    ended = memory.contexts.build_context(conversation_id=chat, user_id="ada", format="text")
    assert (ended.text or "").endswith("User: Book flight AZ123, then stop.")
    asked = memory.contexts.build_context("And now?", conversation_id=chat, user_id="ada")
    assert current(asked) == [None]


@pytest.mark.parametrize("policy", ["rolling", "tiered", "window"])
def test_what_was_answered_before_a_digest_is_not_current(memory: Recollect, policy: str) -> None:
    chat = digested(memory, policy, user("Book a flight."), assistant("It is."), *steps(17))
    assert current(memory.contexts.build_context(conversation_id=chat, user_id="ada")) == []


def test_what_is_answered_after_a_digest_is_not_current(memory: Recollect) -> None:
    chat = digested(memory, "rolling", user("Book a flight."), *steps(17))
    answer = MessageIn(role="assistant", content="It is.")
    memory.conversations.add_message(answer, conversation_id=chat, user_id="ada")
    assert current(memory.contexts.build_context(conversation_id=chat, user_id="ada")) == []


def test_a_long_loop_is_digested_before_it_outgrows_the_window(database_url: str) -> None:
    settings = Settings(database_url=database_url, context_window=2_500, answer_tokens=500)
    with Recollect.open(settings=settings) as memory:
        chat = digested(memory, "rolling", user("Book a flight."), *steps(30, " word" * 200))
        built = memory.contexts.build_context(conversation_id=chat, user_id="ada")
    assert current(built)[0] == 1
    assert built.tokens <= 2_000


def test_a_digested_question_that_is_answered_again_is_current(database_url: str) -> None:
    brief = Policy(name="brief", digest_over_messages=4, keep_messages=1)
    with Recollect.open(database_url, policies={**PRESETS, "brief": brief}) as memory:
        chat = digested(memory, "brief", *turns(3))
        built = memory.contexts.build_context(conversation_id=chat, user_id="ada", before_seq=6)
    assert current(built) == [5]
    assert (built.messages or ())[-1] == {"role": "user", "content": "question 3"}
