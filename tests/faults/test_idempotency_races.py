"""Parallel requests under one idempotency key, with deletions and imports in between.

Whatever the interleaving, one request is stored: every response has ids of that one only, or an
error that says that its result was deleted.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import pytest

from recollect import MessageIn, NotFound
from recollect.core.types import Conversation
from recollect.engine import Recollect
from recollect.record.answer_start import AnswerOwner, ChatRequest, RetryKey
from recollect.record.conversation_target import ConversationTarget
from recollect.settings import Settings

_HELLO = [MessageIn(role="user", content="Hello"), MessageIn(role="assistant", content="Hi")]
_PARALLEL = 8

Ids = frozenset[str]
Step = Callable[[], Awaitable[object]]
Request = Callable[[], Awaitable[Ids]]


class _Race:
    """Requests under one key on several engines, which share one database."""

    def __init__(self, engines: Sequence[Recollect], name: str) -> None:
        self._engines, self._key = engines, f"key of {name}"
        self._place = f"place of {name}"

    @property
    def engine(self) -> Recollect:
        return random.choice(self._engines)

    async def run(self, request: Request, *others: Step, most: int) -> None:
        """Run requests and other steps in parallel. `most` is the number of ids of one request."""
        requests = [self._delayed(request) for _ in range(_PARALLEL)]
        outcomes = await asyncio.gather(
            *requests, *(self._delayed(step) for step in others), return_exceptions=True
        )
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, NotFound):
                raise outcome
        found = [outcome for outcome in outcomes[:_PARALLEL] if isinstance(outcome, frozenset)]
        ids = frozenset[str]().union(*found)
        assert len(ids) <= most, f"two requests were stored: {outcomes}"
        assert others or len(found) == _PARALLEL

    async def _delayed(self, step: Callable[[], Awaitable[object]]) -> object:
        await asyncio.sleep(random.uniform(0, 0.01))
        return await step()

    async def create(self) -> Ids:
        created = await self.engine.conversations.create_conversation(
            user_id="alice", messages=_HELLO, idempotency_key=self._key
        )
        return frozenset({created.id})

    async def append(self, id: str) -> Ids:
        return await self._add(id, create_missing=False)

    async def append_or_create(self) -> Ids:
        return await self._add(self._place, create_missing=True)

    async def _add(self, id: str, *, create_missing: bool) -> Ids:
        stored = await self.engine.conversations.add_messages(
            _HELLO,
            conversation_id=id,
            user_id="alice",
            create_missing=create_missing,
            idempotency_key=self._key,
        )
        return frozenset(message.id for message in stored)

    async def start_answer(self) -> Ids:
        engine = self.engine
        new = engine._answers._new_conversation("alice", external_id=self._place)
        request = ChatRequest.from_text("Hello?", ConversationTarget(new=new), self._key)
        owner = AnswerOwner(process_id="test", variant="none", user_id="alice")
        retry = RetryKey(key=self._key, options={})
        started = await engine._answers.start(request, owner, retry)
        return frozenset({started.answer.id})

    async def delete_newest(self) -> None:
        for chat in await self.engine.conversations.list_conversations(1, user_id="alice"):
            await self.delete(chat.id)

    async def delete_place(self) -> None:
        await self.delete(self._place)

    async def delete(self, id: str) -> None:
        await self.engine.conversations.delete_conversation(conversation_id=id, user_id="alice")

    async def delete_last_message(self, id: str) -> None:
        service = self.engine.conversations
        for message in await service.get_messages(
            1, conversation_id=id, user_id="alice", order="desc"
        ):
            await service.delete_message(message_id=message.id, user_id="alice")

    async def restore(self, exported: bytes) -> None:
        async def chunks() -> AsyncIterator[bytes]:
            yield exported

        await self.engine.data.import_file(chunks(), user_id="alice", restore_deleted=True)


@pytest.mark.parametrize(
    "rounds", [3, pytest.param(200, marks=[pytest.mark.torture, pytest.mark.timeout(600)])]
)
def test_one_request_is_stored_per_key(database_url: str, rounds: int) -> None:
    async def race() -> None:
        settings = Settings(database_url=database_url, worker=False, embedder="none")
        async with AsyncExitStack() as stack:
            engines = [
                await stack.enter_async_context(Recollect.open(settings=settings)) for _ in range(3)
            ]
            for number in range(rounds):
                await _race_all(engines, number)
                await engines[0].users.delete_user(user_id="alice")

    asyncio.run(race())


async def _race_all(engines: Sequence[Recollect], number: int) -> None:
    def start(name: str) -> _Race:
        return _Race(engines, f"{name} {number}")

    race = start("append")
    chat = await _conversation(engines[0])
    await race.run(lambda: race.append(chat.id), most=2)

    race = start("append, delete message")
    await race.run(lambda: race.append(chat.id), lambda: race.delete_last_message(chat.id), most=2)

    race = start("append, delete, import")
    exported = "".join([line async for line in engines[0].data.export_lines(user_id="alice")])
    await race.run(
        lambda: race.append(chat.id),
        lambda: race.delete(chat.id),
        lambda: race.restore(exported.encode()),
        most=2,
    )

    race = start("create")
    await race.run(race.create, most=1)
    race = start("create, delete")
    await race.run(race.create, race.delete_newest, race.delete_newest, most=1)

    for request, most in (("append_or_create", 2), ("start_answer", 1)):
        race = start(request)
        await race.run(getattr(race, request), most=most)
        race = start(f"{request}, delete")
        await race.run(getattr(race, request), race.delete_place, race.delete_place, most=most)


async def _conversation(engine: Recollect) -> Conversation:
    return await engine.conversations.create_conversation(user_id="alice", messages=_HELLO)
