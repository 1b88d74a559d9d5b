"""Concurrent operations on both databases."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect import (
    ConversationStore,
    Deleted,
    Message,
    MessageIn,
    NotFound,
    Recollect,
    sync,
)


def test_parallel_appends_get_gapless_seqs(database_url: str) -> None:
    async def append_all() -> tuple[list[Message], list[Message]]:
        async with Recollect.open(database_url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            answered = await asyncio.gather(
                *(
                    memory.conversations.add_message(
                        _said(n), conversation_id=chat.id, user_id="alice"
                    )
                    for n in range(40)
                )
            )
            return answered, list(
                await memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
            )

    answered, stored = asyncio.run(append_all())
    assert [message.seq for message in stored] == list(range(1, 41))
    assert {message.content for message in stored} == {str(n) for n in range(40)}
    assert sorted(answered, key=lambda message: message.seq) == stored


def test_parallel_batches_stay_together(database_url: str) -> None:
    async def append_all() -> list[Message]:
        async with Recollect.open(database_url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            await asyncio.gather(
                *(
                    memory.conversations.add_messages(
                        [_said(n)] * 4, conversation_id=chat.id, user_id="alice"
                    )
                    for n in range(20)
                )
            )
            return list(
                await memory.conversations.get_messages(
                    200, conversation_id=chat.id, user_id="alice"
                )
            )

    stored = asyncio.run(append_all())
    assert [message.seq for message in stored] == list(range(1, 81))
    for start in range(0, 80, 4):
        assert len({message.content for message in stored[start : start + 4]}) == 1


@pytest.mark.parametrize("keyed", [False, True])
def test_append_concurrent_to_deletion_is_counted_or_not_found(
    database_url: str, keyed: bool
) -> None:
    async def append_and_delete() -> tuple[list[object], list[object]]:
        async with Recollect.open(database_url) as memory:
            service = memory.conversations
            chat = await service.create_conversation(user_id="alice")
            before = [_append(memory, chat.id, n, keyed) for n in range(20)]
            deletion = service.delete_conversation(conversation_id=chat.id, user_id="alice")
            after = [_append(memory, chat.id, n, keyed) for n in range(20, 40)]
            outcomes = await asyncio.gather(*before, deletion, *after, return_exceptions=True)
            for outcome in outcomes:
                if isinstance(outcome, Message):
                    with pytest.raises(NotFound):
                        await service.get_message(message_id=outcome.id, user_id="alice")
            with pytest.raises(NotFound):
                await service.get_conversation(conversation_id=chat.id, user_id="alice")
            # What was left under a key would answer now with messages that are gone.
            retries = await asyncio.gather(
                *(_append(memory, chat.id, n, keyed) for n in range(40)), return_exceptions=True
            )
            return list(outcomes), list(retries)

    outcomes, retries = asyncio.run(append_and_delete())
    (receipt,) = [outcome for outcome in outcomes if isinstance(outcome, Deleted)]
    stored = [outcome for outcome in outcomes if isinstance(outcome, Message)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, NotFound)]
    assert len(stored) + len(refused) == 40, outcomes
    assert receipt.messages == len(stored)
    assert [type(outcome) for outcome in retries] == [NotFound] * 40


def test_concurrent_requests_with_one_key_are_stored_once(database_url: str) -> None:
    async def append_all() -> tuple[list[list[Message]], list[Message]]:
        async with Recollect.open(database_url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            answered = await asyncio.gather(
                *(
                    memory.conversations.add_messages(
                        [_said(1), _said(2)],
                        conversation_id=chat.id,
                        user_id="alice",
                        idempotency_key="key",
                    )
                    for _ in range(16)
                )
            )
            return answered, list(
                await memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
            )

    answered, stored = asyncio.run(append_all())
    assert [message.content for message in stored] == ["1", "2"]
    assert answered == [stored] * 16


def test_concurrent_creations_with_one_key_create_one_conversation(database_url: str) -> None:
    async def create_all() -> set[str]:
        async with Recollect.open(database_url) as memory:
            service = memory.conversations
            created = await asyncio.gather(
                *(
                    service.create_conversation(
                        user_id="alice", messages=[_said(1)], idempotency_key="key"
                    )
                    for _ in range(16)
                )
            )
            (only,) = await service.list_conversations(user_id="alice")
            assert only.message_count == 1
            return {conversation.id for conversation in created} | {only.id}

    assert len(asyncio.run(create_all())) == 1


def test_turn_history_written_from_threads_has_no_gaps(memory: sync.Recollect) -> None:
    store = ConversationStore(memory)
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda n: store.store_turn("alice", f"q{n}", f"a{n}"), range(24))
        )
    assert answers == [True] * 24
    history = store.get_history("alice")
    assert [turn["turn_number"] for turn in history] == list(range(15, 25))
    assert all(turn["user_query"][1:] == turn["ai_response"][1:] for turn in history)


def test_parallel_turn_numbers_are_consecutive(memory: sync.Recollect) -> None:
    with ThreadPoolExecutor(8) as threads:
        turns = list(
            threads.map(
                lambda n: memory.history.add_turn(
                    user_id="bob", user_query=f"q{n}", ai_response="a"
                ),
                range(24),
            )
        )
    assert sorted(turn.number for turn in turns) == list(range(1, 25))


def test_event_loops_can_share_an_engine(database_url: str) -> None:
    """Two threads append at the same time, each with its own event loop."""
    memory = asyncio.run(_opened(database_url))
    chat = asyncio.run(memory.conversations.create_conversation(user_id="alice"))
    first_has_begun, second_has_begun = threading.Event(), threading.Event()

    async def first() -> None:
        append = asyncio.create_task(_append(memory, chat.id, 1, False))
        await asyncio.sleep(0)
        first_has_begun.set()
        second_has_begun.wait()  # this loop stands still meanwhile
        await append

    async def second() -> None:
        first_has_begun.wait()
        append = asyncio.create_task(_append(memory, chat.id, 2, False))
        await asyncio.sleep(0)
        second_has_begun.set()
        await append

    threads = [
        threading.Thread(target=lambda: asyncio.run(first()), daemon=True),
        threading.Thread(target=lambda: asyncio.run(second()), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads), "a caller was never answered"
    chat = asyncio.run(
        memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
    )
    asyncio.run(memory.close())
    assert chat.message_count == 2


async def _opened(url: str) -> Recollect:
    return await Recollect.open(url)


async def _append(memory: Recollect, chat_id: str, number: int, keyed: bool) -> Message:
    (stored,) = await memory.conversations.add_messages(
        [_said(number)],
        conversation_id=chat_id,
        user_id="alice",
        idempotency_key=f"key {number}" if keyed else None,
    )
    return stored


def _said(number: int) -> MessageIn:
    return MessageIn(role="user", content=str(number))
