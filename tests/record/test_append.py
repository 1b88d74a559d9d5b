"""Limits of what is appended at once: each is named in its error."""

from collections.abc import Sequence

import pytest

from recollect import MessageIn
from recollect.core.errors import TooLarge
from recollect.record import append
from recollect.record.append import MAX_BATCH_MESSAGES, MAX_MESSAGE_WORDS
from recollect.sync import Recollect


def said(*contents: str) -> list[MessageIn]:
    return [MessageIn(role="user", content=content) for content in contents]


def refusal(memory: Recollect, messages: Sequence[MessageIn]) -> TooLarge:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(TooLarge) as refused:
        memory.conversations.add_messages(messages, conversation_id=chat.id, user_id="alice")
    assert memory.conversations.get_messages(conversation_id=chat.id, user_id="alice").items == ()
    with pytest.raises(TooLarge):
        memory.conversations.create_conversation(user_id="alice", messages=messages)
    return refused.value


def test_batch_is_limited(memory: Recollect) -> None:
    error = refusal(memory, said("hi") * (MAX_BATCH_MESSAGES + 1))
    assert (error.message, error.field) == (
        "There are 2,001 messages; the limit is 2,000 at once.",
        "messages",
    )


def test_length_after_normalization_is_limited(memory: Recollect) -> None:
    """192 kB of U+FDFA, which NFKC makes 18 times longer, took two seconds."""
    error = refusal(memory, said("ok", "\ufdfa" * 120_000))
    assert "2,000,000 characters after Unicode normalization" in error.message
    assert (error.location, error.field) == ("messages.1", "content")


def test_words_are_limited(memory: Recollect) -> None:
    error = refusal(memory, said("a," * (MAX_MESSAGE_WORDS + 1)))
    assert error.message == "content has over 600,000 words, the limit."


def test_tool_results_count(memory: Recollect) -> None:
    call = {"tool_name": "read", "input": {}, "output": "a " * (MAX_MESSAGE_WORDS + 1)}
    error = refusal(memory, [MessageIn(role="assistant", content="", tool_calls=[call])])
    assert "600,000 words" in error.message


def test_limits_themselves_are_allowed(memory: Recollect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append, "MAX_MESSAGE_WORDS", 50)
    drafts = [*said("word " * 50), *said("hi") * (MAX_BATCH_MESSAGES - 1)]
    created = memory.conversations.create_conversation(user_id="alice", messages=drafts)
    assert created.message_count == MAX_BATCH_MESSAGES
