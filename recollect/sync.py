"""The same interface for code without an event loop: every method blocks until it is done.

An event loop runs in its own thread, and each method waits there for the asynchronous one.
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
from typing import TYPE_CHECKING, Any, BinaryIO, Concatenate, NoReturn, ParamSpec, Self, TypeVar
from uuid import UUID

from recollect import engine, handles
from recollect.analytics import service as analytics
from recollect.chat import active_answer as answers
from recollect.chat import service as chat
from recollect.chat.stream_events import Cursor, StreamEvent
from recollect.chat.tools import Tool
from recollect.core.errors import Unavailable
from recollect.core.policy import Policy
from recollect.core.types import Message
from recollect.digest import jobs
from recollect.digest.summaries import service as summaries
from recollect.engine import Clock, utc_now
from recollect.llm.protocols import ChatModel, CompletionModel, Embedder
from recollect.recall import service as recall
from recollect.recall.context import service as context
from recollect.record import api_keys, audit, conversations, memories, turn_history, users
from recollect.settings import Settings
from recollect.transfer import service as data
from recollect.transfer.types import Imported

P = ParamSpec("P")
T = TypeVar("T")

_CHUNK = 1 << 16


class _Loop:
    """An event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="recollect-sync", daemon=True
        )
        self._closing = False
        self._lock = threading.Lock()
        """Prevents that a call is scheduled on a loop that has stopped."""
        self._thread.start()

    def wait(self, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        with self._lock:
            if self._closing:
                raise Unavailable("The database is closed.")
            started = asyncio.run_coroutine_threadsafe(start(), self._loop)
        return started.result()

    def close(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """Run `last`, wait for running calls, and stop the loop. Later callers wait, too."""
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
    """The stream of an answer: iterate over its events, or wait for its result."""

    def __init__(self, stream: answers.AnswerStream, loop: _Loop) -> None:
        self._stream = stream
        self._loop = loop
        self.conversation_id = stream.conversation_id
        self.message_id = stream.message_id
        self.model_variant = stream.model_variant

    def __iter__(self) -> Iterator[StreamEvent]:
        return self.follow()

    def follow(self, cursor: Cursor | None = None) -> Iterator[StreamEvent]:
        """Yield the events after a cursor."""
        events = self._stream.follow(cursor)

        async def next_event() -> StreamEvent | None:
            return await anext(events, None)

        while (event := self._loop.wait(next_event)) is not None:
            yield event

    def result(self) -> answers.AnswerResult:
        """Wait until the answer is complete, and return it."""
        return self._loop.wait(self._stream.result)


def _blocking_stream(
    method: Callable[Concatenate[Any, P], Awaitable[answers.AnswerStream]],
) -> Callable[Concatenate[_Service, P], AnswerStream]:
    blocking = _blocking(method)

    def call(self: _Service, /, *args: P.args, **kwargs: P.kwargs) -> AnswerStream:
        return AnswerStream(blocking(self, *args, **kwargs), self._loop)

    call.__name__ = method.__name__
    call.__doc__ = method.__doc__
    return call


class Chat(_Service):
    _service: chat.Chat

    ask = _blocking_stream(chat.Chat.ask)
    answer = _blocking_stream(chat.Chat.answer)
    regenerate = _blocking_stream(chat.Chat.regenerate)
    edit = _blocking_stream(chat.Chat.edit)
    find = _blocking(chat.Chat.find)
    find_conversation_id = _blocking(chat.Chat.find_conversation_id)
    find_edited = _blocking(chat.Chat.find_edited)
    last_answer = _blocking(chat.Chat.last_answer)
    stop = _blocking(chat.Chat.stop)
    drain = _blocking(chat.Chat.drain)

    def read(self, answer: Message, *, user_id: str) -> AnswerStream:
        """Return the stream of an answer that any process writes."""
        return AnswerStream(self._service.read(answer, user_id=user_id), self._loop)


class Conversations(_Service):
    create_conversation = _blocking(conversations.Conversations.create_conversation)
    get_conversation = _blocking(conversations.Conversations.get_conversation)
    list_conversations = _blocking(conversations.Conversations.list_conversations)
    current_conversation = _blocking(conversations.Conversations.current_conversation)
    update_conversation = _blocking(conversations.Conversations.update_conversation)
    delete_conversation = _blocking(conversations.Conversations.delete_conversation)
    get_or_create_conversation = _blocking(conversations.Conversations.get_or_create_conversation)
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
    store_receipt = _blocking(context.Contexts.store_receipt)


class Recall(_Service):
    search = _blocking(recall.Recall.search)
    switch = _blocking(recall.Recall.switch)
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

    def export_lines(self, *, user_id: str) -> Iterator[str]:
        """Yield everything that a user has as JSON lines, several at a time."""
        lines = self._service.export_lines(user_id=user_id)

        async def more() -> str | None:
            return await anext(lines, None)

        while (some := self._loop.wait(more)) is not None:
            yield some

    def import_file(
        self,
        file: BinaryIO,
        *,
        user_id: str,
        progress: data.OnProgress | None = None,
        restore_deleted: bool = False,
    ) -> Imported:
        async def chunks() -> AsyncIterator[bytes]:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk

        async def finish() -> Imported:
            return await self._service.import_file(
                chunks(), user_id=user_id, progress=progress, restore_deleted=restore_deleted
            )

        return self._loop.wait(finish)

    import_file.__doc__ = data.DataTransfer.import_file.__doc__


class Keys(_Service):
    create_key = _blocking(api_keys.Keys.create_key)
    issue_key = _blocking(api_keys.Keys.issue_key)
    rotate_key = _blocking(api_keys.Keys.rotate_key)
    find_key = _blocking(api_keys.Keys.find_key)
    has_keys = _blocking(api_keys.Keys.has_keys)
    list_keys = _blocking(api_keys.Keys.list_keys)
    page_keys = _blocking(api_keys.Keys.page_keys)
    revoke_key = _blocking(api_keys.Keys.revoke_key)


class AuditLog(_Service):
    record = _blocking(audit.AuditLog.record)
    list_entries = _blocking(audit.AuditLog.list_entries)
    flush = _blocking(audit.AuditLog.flush)
    delete_expired = _blocking(audit.AuditLog.delete_expired)


class Users(_Service):
    delete_user = _blocking(users.Users.delete_user)


class MemoriesHandle(_Service):
    list = _blocking(handles.MemoriesHandle.list)
    add = _blocking(handles.MemoriesHandle.add)
    update = _blocking(handles.MemoriesHandle.update)
    delete = _blocking(handles.MemoriesHandle.delete)
    relevant = _blocking(handles.MemoriesHandle.relevant)


class ConversationHandle(_Service):
    get = _blocking(handles.ConversationHandle.get)
    add = _blocking(handles.ConversationHandle.add)
    add_all = _blocking(handles.ConversationHandle.add_all)
    add_turn = _blocking(handles.ConversationHandle.add_turn)
    messages = _blocking(handles.ConversationHandle.messages)
    context = _blocking(handles.ConversationHandle.context)
    ask = _blocking_stream(handles.ConversationHandle.ask)
    summary = _blocking(handles.ConversationHandle.summary)
    update = _blocking(handles.ConversationHandle.update)
    delete = _blocking(handles.ConversationHandle.delete)


class UserHandle(_Service):
    _service: handles.UserHandle

    def __init__(self, service: handles.UserHandle, loop: _Loop) -> None:
        super().__init__(service, loop)
        self.id = service.id
        self.memories = MemoriesHandle(service.memories, loop)

    def conversation(self, key: str | UUID, *, policy: str | None = None) -> ConversationHandle:
        return ConversationHandle(self._service.conversation(key, policy=policy), self._loop)

    conversations = _blocking(handles.UserHandle.conversations)
    search = _blocking(handles.UserHandle.search)
    switch = _blocking(handles.UserHandle.switch)
    delete = _blocking(handles.UserHandle.delete)


class Recollect(_Service):
    """Conversation memory, blocking: `with Recollect("sqlite:///chat.db") as memory: ...`

    Takes the arguments of `recollect.Recollect`.
    """

    _service: engine.Recollect
    conversations: Conversations
    history: History
    summaries: Summaries
    contexts: Contexts
    recall: Recall
    memories: Memories
    analytics: Analytics
    jobs: Jobs
    data: DataTransfer
    keys: Keys
    audit: AuditLog
    users: Users
    chat: Chat

    def __init__(
        self,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        chat_model: ChatModel | None = None,
        summarizer: CompletionModel | None = None,
        embedder: Embedder | None = None,
        worker: bool = True,
        clock: Clock = utc_now,
    ) -> None:
        self._service = self._engine = engine.Recollect(
            url,
            settings=settings,
            policies=policies,
            tools=tools,
            chat_model=chat_model,
            summarizer=summarizer,
            embedder=embedder,
            worker=worker,
            clock=clock,
        )

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        chat_model: ChatModel | None = None,
        summarizer: CompletionModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock = utc_now,
    ) -> Self:
        """Open without the worker, for programs that call `work` themselves."""
        memory = cls(
            url,
            settings=settings,
            policies=policies,
            tools=tools,
            chat_model=chat_model,
            summarizer=summarizer,
            embedder=embedder,
            worker=False,
            clock=clock,
        )
        return memory.__enter__()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name == "_loop" or name in type(self).__annotations__:
                raise Unavailable(
                    "The database is not open: use `with Recollect(...) as memory`, or "
                    "`memory = Recollect.open(...)`."
                )
            raise AttributeError(f"Recollect has no attribute {name!r}.")

    def __enter__(self) -> Self:
        if "_loop" in vars(self):  # opened already
            return self
        loop = _Loop()
        try:
            opened = loop.wait(self._engine.__aenter__)
        except BaseException:
            loop.close()
            raise
        self._loop = loop
        self.settings = opened.settings
        self.conversations = Conversations(opened.conversations, loop)
        self.history = History(opened.history, loop)
        self.summaries = Summaries(opened.summaries, loop)
        self.contexts = Contexts(opened.contexts, loop)
        self.recall = Recall(opened.recall, loop)
        self.memories = Memories(opened.memories, loop)
        self.analytics = Analytics(opened.analytics, loop)
        self.jobs = Jobs(opened.jobs, loop)
        self.data = DataTransfer(opened.data, loop)
        self.keys = Keys(opened.keys, loop)
        self.audit = AuditLog(opened.audit, loop)
        self.users = Users(opened.users, loop)
        self.chat = Chat(opened.chat, loop)
        return self

    def user(self, user_id: str) -> UserHandle:
        """A handle to one user's conversations and memories."""
        return UserHandle(self._engine.user(user_id), self._loop)

    check = _blocking(engine.Recollect.check)
    warm_up = _blocking(engine.Recollect.warm_up)
    start_worker = _blocking(engine.Recollect.start_worker)
    work = _blocking(engine.Recollect.work)
    sweep = _blocking(engine.Recollect.sweep)
    drain = _blocking(engine.Recollect.drain)
    rebuild = _blocking(engine.Recollect.rebuild)
    count_pending_index_jobs = _blocking(engine.Recollect.count_pending_index_jobs)
    vector_version = _blocking(engine.Recollect.vector_version)

    @property
    def embedder(self) -> str | None:
        return self._engine.embedder

    def close(self) -> None:
        """Close the database. Closing twice does no harm."""
        if "_loop" in vars(self):
            self._loop.close(self._engine.close)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
