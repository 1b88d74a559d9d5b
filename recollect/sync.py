"""The engine for code without an event loop: the same methods, blocking.

An event loop runs in a thread of its own, and every method here is the asynchronous one with the
waiting put in; there is no second implementation.
"""

import asyncio
import threading
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from types import TracebackType
from typing import Any, BinaryIO, Concatenate, ParamSpec, Self, TypeVar

from recollect import chat, engine
from recollect.analytics import service as analytics
from recollect.core.errors import Unavailable
from recollect.core.policy import Policy
from recollect.core.types import Message
from recollect.digest import jobs
from recollect.digest.summaries import service as summaries
from recollect.engine import Clock, utc_now
from recollect.recall import service as recall
from recollect.recall.context import service as context
from recollect.record import api_keys, conversations, memories, turn_history, users
from recollect.settings import Settings
from recollect.transfer import service as data
from recollect.transfer.types import Imported

P = ParamSpec("P")
T = TypeVar("T")

_CHUNK = 1 << 16


class _Loop:
    """An event loop in a thread, and what runs on it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="recollect-sync", daemon=True
        )
        self._closing = False
        self._lock = threading.Lock()
        """So that nothing is started on a loop that is about to stop, and would never run."""
        self._thread.start()

    def wait(self, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        with self._lock:
            if self._closing:
                raise Unavailable("The database is closed.")
            started = asyncio.run_coroutine_threadsafe(start(), self._loop)
        return started.result()

    def close(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """Runs `last`, answers everybody who still waits, and ends. Once: who is late waits."""
        with self._lock:
            is_first, self._closing = not self._closing, True
        if is_first:
            try:
                asyncio.run_coroutine_threadsafe(self._finish(last), self._loop).result()
            finally:
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if is_first:
            self._loop.close()

    async def _finish(self, last: Callable[[], Awaitable[None]] | None) -> None:
        if last is not None:
            await last()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_default_executor()


class _Service:
    def __init__(self, service: object, loop: _Loop) -> None:
        self._service = service
        self._loop = loop


def _blocking(
    method: Callable[Concatenate[Any, P], Awaitable[T]],
) -> Callable[Concatenate[_Service, P], T]:
    def call(self: _Service, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async def finish() -> T:
            return await method(self._service, *args, **kwargs)

        return self._loop.wait(finish)

    call.__name__ = method.__name__
    call.__doc__ = method.__doc__
    return call


class AnswerStream:
    """An answer, while it is written or afterwards: iterate over it, or wait for its end."""

    def __init__(self, answering: chat.AnswerStream, loop: _Loop) -> None:
        self._answering = answering
        self._loop = loop
        self.conversation_id = answering.conversation_id
        self.message_id = answering.message_id
        self.model_variant = answering.model_variant

    def __iter__(self) -> Iterator[chat.StreamEvent]:
        return self.follow()

    def follow(self, cursor: chat.Cursor | None = None) -> Iterator[chat.StreamEvent]:
        """The pieces after a cursor, to the last."""
        pieces = self._answering.follow(cursor)

        async def next_piece() -> chat.StreamEvent | None:
            return await anext(pieces, None)

        while (piece := self._loop.wait(next_piece)) is not None:
            yield piece

    def result(self) -> chat.AnswerResult:
        """Waits for its end."""
        return self._loop.wait(self._answering.result)


def _answering(
    method: Callable[Concatenate[Any, P], Awaitable[chat.AnswerStream]],
) -> Callable[Concatenate[_Service, P], AnswerStream]:
    blocking = _blocking(method)

    def call(self: _Service, /, *args: P.args, **kwargs: P.kwargs) -> AnswerStream:
        return AnswerStream(blocking(self, *args, **kwargs), self._loop)

    call.__name__ = method.__name__
    call.__doc__ = method.__doc__
    return call


class Chat(_Service):
    _service: chat.Chat

    ask = _answering(chat.Chat.ask)
    answer = _answering(chat.Chat.answer)
    regenerate = _answering(chat.Chat.regenerate)
    edit = _answering(chat.Chat.edit)
    find = _blocking(chat.Chat.find)
    find_edited = _blocking(chat.Chat.find_edited)
    last_answer = _blocking(chat.Chat.last_answer)
    stop = _blocking(chat.Chat.stop)
    drain = _blocking(chat.Chat.drain)

    def read(self, answer: Message, user_id: str) -> AnswerStream:
        """To read an answer, wherever it is written."""
        return AnswerStream(self._service.read(answer, user_id=user_id), self._loop)


class Conversations(_Service):
    create_conversation = _blocking(conversations.Conversations.create_conversation)
    get_conversation = _blocking(conversations.Conversations.get_conversation)
    list_conversations = _blocking(conversations.Conversations.list_conversations)
    current_conversation = _blocking(conversations.Conversations.current_conversation)
    update_conversation = _blocking(conversations.Conversations.update_conversation)
    delete_conversation = _blocking(conversations.Conversations.delete_conversation)
    fork_conversation = _blocking(conversations.Conversations.fork_conversation)
    add_message = _blocking(conversations.Conversations.add_message)
    add_messages = _blocking(conversations.Conversations.add_messages)
    get_message = _blocking(conversations.Conversations.get_message)
    get_messages = _blocking(conversations.Conversations.get_messages)
    pin_message = _blocking(conversations.Conversations.pin_message)
    rate_message = _blocking(conversations.Conversations.rate_message)
    delete_message = _blocking(conversations.Conversations.delete_message)


class History(_Service):
    add_turn = _blocking(turn_history.History.add_turn)
    turns = _blocking(turn_history.History.turns)
    expire = _blocking(turn_history.History.expire)


class Summaries(_Service):
    get_summary = _blocking(summaries.Summaries.get_summary)
    get_coverage = _blocking(summaries.Summaries.get_coverage)
    list_versions = _blocking(summaries.Summaries.list_versions)
    compare_versions = _blocking(summaries.Summaries.compare_versions)
    edit_summary = _blocking(summaries.Summaries.edit_summary)
    roll_back_summary = _blocking(summaries.Summaries.roll_back_summary)
    rebuild_summary = _blocking(summaries.Summaries.rebuild_summary)
    compact = _blocking(summaries.Summaries.compact)


class Contexts(_Service):
    build_context = _blocking(context.Contexts.build_context)
    get_receipt = _blocking(context.Contexts.get_receipt)
    keep_receipt = _blocking(context.Contexts.keep_receipt)


class Recall(_Service):
    search = _blocking(recall.Recall.search)
    switch = _blocking(recall.Recall.switch)
    get_chat = _blocking(recall.Recall.get_chat)
    search_chats = _blocking(recall.Recall.search_chats)
    resolve_reference = _blocking(recall.Recall.resolve_reference)


class Memories(_Service):
    create_memory = _blocking(memories.Memories.create_memory)
    get_memory = _blocking(memories.Memories.get_memory)
    get_memories = _blocking(memories.Memories.get_memories)
    update_memory = _blocking(memories.Memories.update_memory)
    delete_memory = _blocking(memories.Memories.delete_memory)
    get_history = _blocking(memories.Memories.get_history)
    undo = _blocking(memories.Memories.undo)
    extract_memories = _blocking(memories.Memories.extract_memories)
    request_extraction = _blocking(memories.Memories.request_extraction)
    get_context_memories = _blocking(memories.Memories.get_context_memories)


class Analytics(_Service):
    get_analytics = _blocking(analytics.Analytics.get_analytics)


class Jobs(_Service):
    list_jobs = _blocking(jobs.Jobs.list_jobs)
    retry_job = _blocking(jobs.Jobs.retry_job)
    count_jobs = _blocking(jobs.Jobs.count_jobs)


class DataTransfer(_Service):
    _service: data.DataTransfer

    def export_lines(self, user_id: str) -> Iterator[str]:
        """All that a user has, as JSON lines: whole ones, some at a time."""
        lines = self._service.export_lines(user_id=user_id)

        async def more() -> str | None:
            return await anext(lines, None)

        while (some := self._loop.wait(more)) is not None:
            yield some

    def import_file(
        self, user_id: str, file: BinaryIO, *, progress: data.OnProgress | None = None
    ) -> Imported:
        async def chunks() -> AsyncIterator[bytes]:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk

        async def finish() -> Imported:
            return await self._service.import_file(chunks(), user_id=user_id, progress=progress)

        return self._loop.wait(finish)

    import_file.__doc__ = data.DataTransfer.import_file.__doc__


class Keys(_Service):
    create_key = _blocking(api_keys.Keys.create_key)
    issue_key = _blocking(api_keys.Keys.issue_key)
    find_key = _blocking(api_keys.Keys.find_key)
    any_keys = _blocking(api_keys.Keys.any_keys)
    list_keys = _blocking(api_keys.Keys.list_keys)
    page_keys = _blocking(api_keys.Keys.page_keys)
    revoke_key = _blocking(api_keys.Keys.revoke_key)


class Users(_Service):
    delete_user = _blocking(users.Users.delete_user)


class Recollect(_Service):
    """`with Recollect.open("sqlite:///chat.db") as memory: …`"""

    def __init__(self, engine: engine.Recollect, loop: _Loop) -> None:
        super().__init__(engine, loop)
        self._engine = engine
        self.settings = engine.settings
        self.conversations = Conversations(engine.conversations, loop)
        self.history = History(engine.history, loop)
        self.summaries = Summaries(engine.summaries, loop)
        self.contexts = Contexts(engine.contexts, loop)
        self.recall = Recall(engine.recall, loop)
        self.memories = Memories(engine.memories, loop)
        self.analytics = Analytics(engine.analytics, loop)
        self.jobs = Jobs(engine.jobs, loop)
        self.data = DataTransfer(engine.data, loop)
        self.keys = Keys(engine.keys, loop)
        self.chat = Chat(engine.chat, loop)
        self.users = Users(engine.users, loop)

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[chat.Tool] | None = None,
        clock: Clock = utc_now,
    ) -> "Recollect":
        loop = _Loop()

        async def opened() -> engine.Recollect:
            return await engine.Recollect.open(
                url, settings=settings, policies=policies, tools=tools, clock=clock
            )

        try:
            return cls(loop.wait(opened), loop)
        except BaseException:
            loop.close()
            raise

    check = _blocking(engine.Recollect.check)
    warm_up = _blocking(engine.Recollect.warm_up)
    start_worker = _blocking(engine.Recollect.start_worker)
    work = _blocking(engine.Recollect.work)
    sweep = _blocking(engine.Recollect.sweep)
    drain = _blocking(engine.Recollect.drain)
    rebuild = _blocking(engine.Recollect.rebuild)
    unfinished = _blocking(engine.Recollect.unfinished)
    vector_version = _blocking(engine.Recollect.vector_version)

    @property
    def embedder(self) -> str | None:
        return self._engine.embedder

    def close(self) -> None:
        """Closing twice does no harm."""
        self._loop.close(self._engine.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
