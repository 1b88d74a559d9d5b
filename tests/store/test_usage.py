"""The prefix of the last prompt of a conversation."""

from datetime import UTC, datetime, timedelta

from recollect import Message, MessageIn
from recollect.store import usage
from recollect.store.database import Run
from recollect.sync import Recollect

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_last_prefix_is_of_the_newest_receipt(memory: Recollect) -> None:
    said = [MessageIn(role="assistant", content=f"Answer {n}.") for n in range(3)]
    chat, other = (
        memory.conversations.create_conversation(user_id="alice", messages=said).id
        for _ in range(2)
    )
    first, second, third = memory.conversations.get_messages(conversation_id=chat, user_id="alice")
    assert last_prefix(memory, chat) == []
    store(memory, second, ["a:1", "b:2"], now=NOON)
    assert last_prefix(memory, chat) == ["a:1", "b:2"]
    store(memory, first, ["c:3"], now=NOON + timedelta(seconds=1))
    assert last_prefix(memory, chat) == ["c:3"], "the one sent last, not the last message's"
    store(memory, third, [], now=NOON - timedelta(days=1))
    assert last_prefix(memory, chat) == ["c:3"]
    store(memory, second, ["d:4"], now=NOON + timedelta(seconds=2))
    assert last_prefix(memory, chat) == ["d:4"]
    assert last_prefix(memory, other) == []


def store(memory: Recollect, message: Message, prefix: list[str], *, now: datetime) -> None:
    sizes = {"tokens": 9, "full_history_tokens": 9, "unchanged_tokens": 0, "cached_tokens": None}
    receipt = {"mode": "compressed", "prefix": prefix, **sizes}

    async def write() -> None:
        await memory._engine._database.write(
            lambda run: usage.put_receipt(run, message, receipt, now=now), user_id="alice"
        )

    memory._loop.wait(write)


def last_prefix(memory: Recollect, conversation_id: str) -> list[str]:
    def read(run: Run) -> list[str]:
        return usage.last_prefix(run, conversation_id)

    async def get() -> list[str]:
        return await memory._engine._database.read(read, user_id="alice")

    return memory._loop.wait(get)
