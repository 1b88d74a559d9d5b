"""Closing the engine during other calls: every call gets a correct result or an error."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest

from recollect import Message, MessageIn, Recollect, Unavailable, sync

pytestmark = pytest.mark.timeout(60)

_LONGER_THAN_ANYTHING_TAKES = 5.0
_HELLO = MessageIn(role="user", content="hello")


def test_append_during_close_is_stored_or_refused(database_url: str) -> None:
    async def append_and_close() -> list[object]:
        memory = await Recollect.open(database_url)
        chat = await memory.conversations.create_conversation(user_id="alice")
        append = memory.conversations.add_message

        async def append_on() -> list[object]:
            outcomes: list[object] = []
            while not any(isinstance(outcome, Exception) for outcome in outcomes):
                outcomes += await asyncio.gather(
                    append(_HELLO, conversation_id=chat.id, user_id="alice"), return_exceptions=True
                )
            return outcomes

        tasks = [asyncio.create_task(append_on()) for _ in range(32)]
        await append(_HELLO, conversation_id=chat.id, user_id="alice")
        await memory.close()
        return [outcome for outcomes in await asyncio.gather(*tasks) for outcome in outcomes]

    outcomes = asyncio.run(append_and_close())
    stored = {outcome.id for outcome in outcomes if isinstance(outcome, Message)}
    refused = [outcome for outcome in outcomes if not isinstance(outcome, Message)]
    assert {type(outcome) for outcome in refused} == {Unavailable}
    assert stored < _stored_ids(database_url)


def test_reads_during_close_are_answered(database_url: str) -> None:
    async def read_and_close() -> list[object]:
        memory = await Recollect.open(database_url)
        chat = await memory.conversations.create_conversation(user_id="alice")
        reads = [
            asyncio.create_task(
                memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
            )
            for _ in range(64)
        ]
        await asyncio.sleep(0)
        await memory.close()
        outcomes = await asyncio.gather(*reads, return_exceptions=True)
        return [outcome for outcome in outcomes if outcome != chat]

    assert {type(outcome) for outcome in asyncio.run(read_and_close())} <= {Unavailable}


def test_close_is_idempotent(database_url: str) -> None:
    async def close_often() -> None:
        memory = await Recollect.open(database_url)
        await asyncio.gather(*(memory.close() for _ in range(4)))
        await memory.close()

    asyncio.run(close_often())


def test_closed_engine_raises(database_url: str) -> None:
    async def use_after_close() -> None:
        memory = await Recollect.open(database_url)
        chat = await memory.conversations.create_conversation(user_id="alice")
        await memory.close()
        with pytest.raises(Unavailable, match="closed"):
            await memory.conversations.add_message(_HELLO, conversation_id=chat.id, user_id="alice")
        with pytest.raises(Unavailable, match="closed"):
            await memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
        with pytest.raises(Unavailable, match="closed"):
            await memory.check()

    asyncio.run(use_after_close())


def test_closed_blocking_engine_raises(database_url: str) -> None:
    memory = sync.Recollect.open(database_url)
    chat = memory.conversations.create_conversation(user_id="alice")
    memory.close()
    memory.close()
    with pytest.raises(Unavailable, match="closed"):
        memory.conversations.add_message(_HELLO, conversation_id=chat.id, user_id="alice")
    with pytest.raises(Unavailable, match="closed"):
        memory.check()


@pytest.mark.parametrize("_", range(5))
def test_blocking_close_waits_for_running_calls(database_url: str, _: int) -> None:
    memory = sync.Recollect.open(database_url)
    chat = memory.conversations.create_conversation(user_id="alice")
    at_work = threading.Barrier(9)
    stored: list[str] = []

    def append_on() -> None:
        stored.append(
            memory.conversations.add_message(_HELLO, conversation_id=chat.id, user_id="alice").id
        )
        at_work.wait()
        while True:
            try:
                stored.append(
                    memory.conversations.add_message(
                        _HELLO, conversation_id=chat.id, user_id="alice"
                    ).id
                )
            except Unavailable:
                return

    def close() -> None:
        at_work.wait()
        memory.close()

    _run([append_on] * 8 + [close])
    assert len(set(stored)) == len(stored) >= 8
    assert set(stored) <= _stored_ids(database_url)


def test_concurrent_close_of_blocking_engine(database_url: str) -> None:
    memory = sync.Recollect.open(database_url)
    together = threading.Barrier(8)

    def close() -> None:
        together.wait()
        memory.close()

    _run([close] * 8)


def test_cancelled_append_does_not_affect_others(database_url: str) -> None:
    async def cancel_some() -> list[object]:
        async with Recollect.open(database_url) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            tasks = [
                asyncio.create_task(
                    memory.conversations.add_message(
                        _HELLO, conversation_id=chat.id, user_id="alice"
                    )
                )
                for _ in range(40)
            ]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            return list(await asyncio.gather(*tasks, return_exceptions=True))

    outcomes = asyncio.run(cancel_some())
    stored = {outcome.id for outcome in outcomes if isinstance(outcome, Message)}
    assert len(stored) >= 20
    assert stored <= _stored_ids(database_url)


def _run(functions: Sequence[Callable[[], None]]) -> None:
    """Run each call in a thread; a hanging thread fails the test."""
    failed: list[Exception] = []

    def run(function: Callable[[], None]) -> None:
        try:
            function()
        except Exception as error:  # noqa: BLE001  raised below
            failed.append(error)

    threads = [threading.Thread(target=run, args=(one,), daemon=True) for one in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_LONGER_THAN_ANYTHING_TAKES)
    if failed:
        raise ExceptionGroup("in threads", failed)
    assert not any(thread.is_alive() for thread in threads), "a caller was never answered"


def _stored_ids(url: str) -> set[str]:
    """Check seq after reopening; return the stored contents."""
    with sync.Recollect.open(url) as memory:
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        ids: list[str] = []
        cursor = None
        while True:
            page = memory.conversations.get_messages(
                200, conversation_id=chat.id, user_id="alice", cursor=cursor
            )
            ids += [message.id for message in page]
            assert [message.seq for message in page] == list(
                range(len(ids) - len(page) + 1, len(ids) + 1)
            )
            cursor = page.next_cursor
            if cursor is None:
                assert chat.message_count == len(ids)
                return set(ids)
