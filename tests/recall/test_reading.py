"""How much of a conversation is read for a context, on both databases."""

from typing import Any

import pytest

from recollect import MessageIn
from recollect.recall import context
from recollect.recall.build import Context
from recollect.sync import Recollect
from tests.recall.said import Draft, assistant, call, tool, turns, user


def build(memory: Recollect, *drafts: Draft, message: str | None = None, **more: Any) -> Context:
    chat = memory.conversations.create_conversation("ada").id
    memory.conversations.add_messages(chat, "ada", [MessageIn(**draft) for draft in drafts])
    return memory.contexts.build_context(chat, "ada", message, **more)


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
