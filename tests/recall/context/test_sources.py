"""Which messages of a conversation are read for a context."""

from typing import Any

import pytest

from recollect import PRESETS, MessageIn, Policy, Settings
from recollect.recall.context import sources
from recollect.recall.context.types import Context, MessagesContext
from recollect.sync import Recollect
from tests.recall.sample_conversations import Draft, assistant, call, tool, turns, user


def build(
    memory: Recollect, *drafts: Draft, message: str | None = None, **more: Any
) -> MessagesContext:
    chat = memory.conversations.create_conversation(user_id="ada").id
    memory.conversations.add_messages(
        [MessageIn(**draft) for draft in drafts], conversation_id=chat, user_id="ada"
    )
    built = memory.contexts.build_context(message, conversation_id=chat, user_id="ada", **more)
    assert isinstance(built, MessagesContext)
    return built


def test_unread_messages_are_one_item_of_the_receipt(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_MAX_BACKLOG_READ", 10)
    built = build(memory, *turns(20), message="hi")
    ((first, last, reason),) = [
        (item.first_seq, item.last_seq, item.reason)
        for item in built.receipt.items
        if item.source.startswith("messages")
    ]
    assert (first, last) == (1, 30)
    assert reason == "Not read: there are too many messages. Not digested yet."
    rest = {item.first_seq for item in built.receipt.items if item.message_id}
    assert rest == set(range(31, 41))


@pytest.mark.parametrize("results", [1, 5, 30])
def test_current_message_is_sent_with_all_tool_results(memory: Recollect, results: int) -> None:
    """Even if the budget holds fewer messages."""
    ids = [f"call-{n}" for n in range(results)]
    built = build(
        memory,
        *turns(3),
        user("What is the weather?"),
        assistant(tool_calls=[call(id=id) for id in ids]),
        *(tool("sunny", of=id) for id in ids),
        budget=20,
    )
    contents = [message["content"] for message in built.messages]
    assert contents[-results - 2 :] == ["What is the weather?", "", *["sunny"] * results]
    assert built.receipt.memory_tokens <= 20


def test_full_mode_reads_everything(memory: Recollect) -> None:
    built = build(memory, *turns(150), message="hi", mode="full")
    assert len(built.messages) == 301
    assert all(item.outcome == "included" for item in built.receipt.items)


def test_current_message_is_sent_if_its_turn_exceeds_the_read_limit(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_MAX_BACKLOG_READ", 10)
    ids = [f"call-{n}" for n in range(12)]
    built = build(
        memory,
        user("What is the weather?"),
        assistant(tool_calls=[call(id=id) for id in ids]),
        *(tool("sunny", of=id) for id in ids),
    )
    assert "What is the weather?" in [message["content"] for message in built.messages]


def steps(count: int, words: str = "") -> list[Draft]:
    """Tool calls with results, one after the other."""
    return [
        draft
        for n in range(count)
        for draft in (
            assistant(tool_calls=[call(id=f"call-{n}")]),
            tool(f"result {n}{words}", of=f"call-{n}"),
        )
    ]


def digested(memory: Recollect, policy: str, *drafts: Draft) -> str:
    """Return a conversation whose first messages are only in the summary."""
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
def test_a_digested_current_message_is_sent(memory: Recollect, policy: str) -> None:
    chat = digested(memory, policy, user("Book flight AZ123, then stop."), *steps(17))
    built = memory.contexts.build_context(conversation_id=chat, user_id="ada")
    questions = [message["content"] for message in built.messages if message["role"] == "user"]
    assert questions == ["Book flight AZ123, then stop."]
    through_seq = memory.summaries.get_summary(conversation_id=chat, user_id="ada").through_seq
    assert current(built) == [1, *range(through_seq + 1, 36)]
    ended = memory.contexts.build_context(conversation_id=chat, user_id="ada", format="text")
    assert (ended.text or "").endswith("User: Book flight AZ123, then stop.")
    asked = memory.contexts.build_context("And now?", conversation_id=chat, user_id="ada")
    assert current(asked) == [None]


@pytest.mark.parametrize("policy", ["rolling", "tiered", "window"])
def test_a_question_answered_before_the_digest_is_not_current(
    memory: Recollect, policy: str
) -> None:
    chat = digested(memory, policy, user("Book a flight."), assistant("It is."), *steps(17))
    assert current(memory.contexts.build_context(conversation_id=chat, user_id="ada")) == []


def test_a_question_answered_after_the_digest_is_not_current(memory: Recollect) -> None:
    chat = digested(memory, "rolling", user("Book a flight."), *steps(17))
    answer = MessageIn(role="assistant", content="It is.")
    memory.conversations.add_message(answer, conversation_id=chat, user_id="ada")
    assert current(memory.contexts.build_context(conversation_id=chat, user_id="ada")) == []


def test_a_long_tool_loop_stays_within_the_window(database_url: str) -> None:
    settings = Settings(database_url=database_url, context_window=2_500, answer_tokens=500)
    with Recollect.open(settings=settings) as memory:
        chat = digested(memory, "rolling", user("Book a flight."), *steps(30, " word" * 200))
        built = memory.contexts.build_context(conversation_id=chat, user_id="ada")
    assert current(built)[0] == 1
    assert built.tokens <= 2_000


def test_a_regenerated_question_is_current_if_digested(database_url: str) -> None:
    brief = Policy(name="brief", digest_over_messages=4, keep_messages=1)
    with Recollect.open(database_url, policies={**PRESETS, "brief": brief}) as memory:
        chat = digested(memory, "brief", *turns(3))
        built = memory.contexts.build_context(conversation_id=chat, user_id="ada", before_seq=6)
    assert current(built) == [5]
    assert built.messages[-1] == {"role": "user", "content": "question 3"}
