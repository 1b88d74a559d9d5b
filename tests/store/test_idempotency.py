"""A retry returns the first result; one key with two bodies is an error."""

from collections.abc import Callable
from functools import partial
from io import BytesIO

import pytest

from recollect import IdempotencyConflict, InvalidInput, Message, MessageIn, NotFound
from recollect.sync import Recollect
from tests.conftest import Clock

HELLO = [MessageIn(role="user", content="hello"), MessageIn(role="assistant", content="hi")]


def test_a_retry_returns_the_first_result(
    memory: Recollect, open_memory: Callable[[], Recollect]
) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    first = memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    again = memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    elsewhere = open_memory().conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    assert first == again == elsewhere
    assert len(memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")) == 2


def test_a_different_body_under_the_same_key_is_a_conflict(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    for messages in (HELLO[:1], HELLO[::-1]):
        with pytest.raises(IdempotencyConflict):
            memory.conversations.add_messages(
                messages, conversation_id=chat.id, user_id="alice", idempotency_key="k"
            )
    assert (
        memory.conversations.get_conversation(
            conversation_id=chat.id, user_id="alice"
        ).message_count
        == 2
    )


def test_keys_are_scoped_to_a_conversation(memory: Recollect) -> None:
    for _ in range(2):
        chat = memory.conversations.create_conversation(user_id="alice", idempotency_key="k")
        memory.conversations.add_messages(
            HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
        )
        assert (
            memory.conversations.get_conversation(
                conversation_id=chat.id, user_id="alice"
            ).message_count
            == 2
        )
    other = memory.conversations.create_conversation(user_id="alice")
    memory.conversations.add_messages(
        HELLO[:1], conversation_id=other.id, user_id="alice", idempotency_key="k"
    )
    assert (
        memory.conversations.get_conversation(
            conversation_id=other.id, user_id="alice"
        ).message_count
        == 1
    )


def test_generated_fields_do_not_change_the_body_hash(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retry may reach a newer release that counts tokens differently."""
    chat = memory.conversations.create_conversation(user_id="alice")
    first = memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    monkeypatch.setattr("recollect.core.tokens.count", lambda text: 77)
    assert (
        memory.conversations.add_messages(
            HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
        )
        == first
    )


def test_keys_are_scoped_to_a_user(memory: Recollect) -> None:
    for user_id in ("alice", "bob"):
        chat = memory.conversations.create_conversation(user_id=user_id)
        stored = memory.conversations.add_messages(
            HELLO, conversation_id=chat.id, user_id=user_id, idempotency_key="k"
        )
        assert [message.conversation_id for message in stored] == [chat.id] * 2


def test_failed_request_does_not_store_its_key(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(InvalidInput):
        memory.conversations.add_messages(
            [MessageIn(role="user", content="")],
            conversation_id=chat.id,
            user_id="alice",
            idempotency_key="k",
        )
    memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    assert (
        memory.conversations.get_conversation(
            conversation_id=chat.id, user_id="alice"
        ).message_count
        == 2
    )


def test_retry_does_not_restore_deleted_messages(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    first = memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    memory.conversations.delete_message(message_id=first[0].id, user_id="alice")
    again = memory.conversations.add_messages(
        HELLO, conversation_id=chat.id, user_id="alice", idempotency_key="k"
    )
    assert again == first[1:]


def test_retry_does_not_restore_a_deleted_conversation(memory: Recollect, clock: Clock) -> None:
    create = partial(
        memory.conversations.create_conversation,
        user_id="alice",
        messages=HELLO,
        idempotency_key="k",
    )
    memory.conversations.delete_conversation(conversation_id=create().id, user_id="alice")
    with pytest.raises(NotFound, match="deleted since"):
        create()
    assert not memory.conversations.list_conversations(user_id="alice")
    clock.advance(hours=25)
    memory.sweep()
    assert create().message_count == 2


def test_retry_does_not_restore_a_conversation_of_an_external_id(memory: Recollect) -> None:
    def add(key: str) -> list[Message]:
        return memory.conversations.add_messages(
            HELLO,
            conversation_id="lisbon",
            user_id="alice",
            create_missing=True,
            idempotency_key=key,
        )

    assert add("k") == add("k")
    memory.conversations.delete_conversation(conversation_id="lisbon", user_id="alice")
    with pytest.raises(NotFound, match="deleted since"):
        add("k")
    assert not memory.conversations.list_conversations(user_id="alice")
    assert len(add("another")) == 2


def test_retry_does_not_append_to_a_restored_conversation(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    exported = "".join(memory.data.export_lines(user_id="alice")).encode()
    add = partial(
        memory.conversations.add_messages,
        HELLO,
        conversation_id=chat.id,
        user_id="alice",
        idempotency_key="k",
    )
    add()
    memory.conversations.delete_conversation(conversation_id=chat.id, user_id="alice")
    memory.data.import_file(BytesIO(exported), user_id="alice", restore_deleted=True)
    with pytest.raises(NotFound):
        add()


def test_creating_a_conversation_is_idempotent(memory: Recollect) -> None:
    first = memory.conversations.create_conversation(
        "Trip", user_id="alice", messages=HELLO, idempotency_key="k"
    )
    again = memory.conversations.create_conversation(
        "Trip", user_id="alice", messages=HELLO, idempotency_key="k"
    )
    assert first == again
    with pytest.raises(IdempotencyConflict):
        memory.conversations.create_conversation("Other", user_id="alice", idempotency_key="k")
    assert len(memory.conversations.list_conversations(user_id="alice")) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "a\0b"])
def test_invalid_keys_are_rejected(memory: Recollect, key: str) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    with pytest.raises(InvalidInput):
        memory.conversations.add_messages(
            HELLO, conversation_id=chat.id, user_id="alice", idempotency_key=key
        )
    assert (
        memory.conversations.get_conversation(
            conversation_id=chat.id, user_id="alice"
        ).message_count
        == 0
    )
