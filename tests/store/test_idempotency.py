"""A retry returns what the first attempt stored; one key with two bodies is an error."""

from collections.abc import Callable

import pytest

from recollect import IdempotencyConflict, InvalidInput, MessageIn
from recollect.sync import Recollect

HELLO = [MessageIn(role="user", content="hello"), MessageIn(role="assistant", content="hi")]


def test_a_retry_returns_the_first_result(
    memory: Recollect, open_memory: Callable[[], Recollect]
) -> None:
    chat = memory.conversations.create_conversation("alice")
    first = memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    again = memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    elsewhere = open_memory().conversations.add_messages(
        chat.id, "alice", HELLO, idempotency_key="k"
    )
    assert first == again == elsewhere
    assert len(memory.conversations.get_messages(chat.id, "alice")) == 2


def test_a_different_body_under_the_same_key_is_a_conflict(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation("alice")
    memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    for messages in (HELLO[:1], HELLO[::-1]):
        with pytest.raises(IdempotencyConflict):
            memory.conversations.add_messages(chat.id, "alice", messages, idempotency_key="k")
    assert memory.conversations.get_conversation(chat.id, "alice").message_count == 2


def test_a_key_is_good_for_one_conversation(memory: Recollect) -> None:
    for _ in range(2):
        chat = memory.conversations.create_conversation("alice", idempotency_key="k")
        memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
        assert memory.conversations.get_conversation(chat.id, "alice").message_count == 2
    other = memory.conversations.create_conversation("alice")
    memory.conversations.add_messages(other.id, "alice", HELLO[:1], idempotency_key="k")
    assert memory.conversations.get_conversation(other.id, "alice").message_count == 1


def test_what_we_add_to_a_message_does_not_make_it_another(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next release may count tokens differently, and a retry may reach that one."""
    chat = memory.conversations.create_conversation("alice")
    first = memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    monkeypatch.setattr("recollect.core.tokens.count", lambda text: 77)
    assert memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k") == first


def test_keys_belong_to_their_user(memory: Recollect) -> None:
    for user_id in ("alice", "bob"):
        chat = memory.conversations.create_conversation(user_id)
        stored = memory.conversations.add_messages(chat.id, user_id, HELLO, idempotency_key="k")
        assert [message.conversation_id for message in stored] == [chat.id] * 2


def test_a_failed_attempt_does_not_use_up_its_key(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation("alice")
    with pytest.raises(InvalidInput):
        memory.conversations.add_messages(
            chat.id, "alice", [MessageIn(role="user", content="")], idempotency_key="k"
        )
    memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    assert memory.conversations.get_conversation(chat.id, "alice").message_count == 2


def test_a_retry_does_not_bring_back_what_was_deleted(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation("alice")
    first = memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    memory.conversations.delete_message(first[0].id, "alice")
    again = memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key="k")
    assert again == first[1:]


def test_creating_a_conversation_is_idempotent_too(memory: Recollect) -> None:
    first = memory.conversations.create_conversation(
        "alice", "Trip", messages=HELLO, idempotency_key="k"
    )
    again = memory.conversations.create_conversation(
        "alice", "Trip", messages=HELLO, idempotency_key="k"
    )
    assert first == again
    with pytest.raises(IdempotencyConflict):
        memory.conversations.create_conversation("alice", "Other", idempotency_key="k")
    assert len(memory.conversations.list_conversations("alice")) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "a\0b"])
def test_wrong_keys_are_refused(memory: Recollect, key: str) -> None:
    chat = memory.conversations.create_conversation("alice")
    with pytest.raises(InvalidInput):
        memory.conversations.add_messages(chat.id, "alice", HELLO, idempotency_key=key)
    assert memory.conversations.get_conversation(chat.id, "alice").message_count == 0
