"""`memory.chat`: asking, asking again, reading on, stopping."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from recollect.chat.active_answer import KEEP_ALIVE_SECONDS, ActiveAnswer, AnswerStream
from recollect.chat.stream_events import (
    AnswerState,
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    events_after,
)
from recollect.chat.tool_loop import PromptOptions, ToolLoop
from recollect.chat.tools import Tool
from recollect.core.errors import (
    NotFound,
    Overloaded,
    RecollectError,
    Stopping,
    TooLarge,
    Unavailable,
)
from recollect.core.ids import new_id
from recollect.core.instrumentation import Events
from recollect.core.ports import InlineCompaction
from recollect.core.types import Conversation, Json, Message, MessageIn, Status
from recollect.llm.protocols import VariantModel
from recollect.llm.registry import ModelRegistry
from recollect.recall.context.receipt import Mode
from recollect.recall.context.service import Contexts
from recollect.record.answers import AnswerOwner, Answers, ChatRequest, Retry, StartedAnswer
from recollect.record.drafts import ConversationFactory
from recollect.record.message_diff import KnownPrefix
from recollect.store.answers import LEASE

logger = logging.getLogger(__name__)

TOO_LARGE = "too_large"
"""In the metadata of an answer that failed because what it was to be shown did not fit."""
_FLUSH_SECONDS = 0.8
_POLL_SECONDS = 0.25
_STOP_SECONDS = 5.0
_PATIENCE_SECONDS = 300.0
"""For a database that is away when an answer ends."""


class Chat:
    def __init__(
        self,
        *,
        answers: Answers,
        contexts: Contexts,
        models: ModelRegistry,
        drafts: ConversationFactory,
        tools: Sequence[Tool],
        compactor: InlineCompaction,
        max_answer: int,
        events: Events,
    ) -> None:
        self._answers = answers
        self._contexts = contexts
        self._models = models
        self._factory = drafts
        self._tool_loop = ToolLoop(contexts, tools)
        self._compactor = compactor
        self._max_answer = max_answer
        self._events = events
        self._owner = new_id()
        self._running: dict[str, ActiveAnswer] = {}
        self._busy: Counter[str] = Counter()
        self._tasks: set[asyncio.Future[Any]] = set()
        self._digests: set[asyncio.Future[Any]] = set()
        self._is_closing = False

    async def ask(
        self,
        message: str,
        *,
        user_id: str,
        conversation_id: str | None = None,
        policy: str | None = None,
        model: str | None = None,
        mode: Mode = "compressed",
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        tools: Sequence[Tool] | None = None,
        idempotency_key: str | None = None,
    ) -> AnswerStream:
        """Says something, in a conversation or a new one, and has it answered.

        When this returns, the message is on disk, and so is a row for the answer. A retry under the
        same idempotency key gets the first attempt's answer.
        """
        place = conversation_id or self._factory.conversation(user_id, policy=policy)
        prompt = PromptOptions(model=model, mode=mode, system=system, context=context, tools=tools)
        return await self.answer(
            ChatRequest.of(message, place, idempotency_key), prompt, user_id=user_id
        )

    async def answer(
        self, question: ChatRequest, prompt: PromptOptions, *, user_id: str
    ) -> AnswerStream:
        """As `ask`, for those who know more about the place or the messages."""
        last = question.messages[-1]
        self._check(prompt, last.content if last.role == "user" else "…")
        place = question.place if isinstance(question.place, str) else question.client_id
        retry = _retry(question.idempotency_key, prompt, place)
        return await self._start(
            user_id,
            prompt,
            lambda writer: self._answers.begin(question, writer, user_id=user_id, retry=retry),
        )

    async def regenerate(
        self,
        *,
        message_id: str,
        user_id: str,
        mode: Mode = "compressed",
        model: str | None = None,
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        idempotency_key: str | None = None,
    ) -> AnswerStream:
        """Another answer in the place of one, or of all that followed a question.

        Both stay on record, one is in the context: the new one, if there is at least a word of it.
        """
        prompt = PromptOptions(mode=mode, model=model, system=system, context=context)
        self._check(prompt, "…")
        retry = _retry(idempotency_key, prompt, "again")
        return await self._start(
            user_id,
            prompt,
            lambda writer: self._answers.begin_again(
                writer,
                message_id=message_id,
                user_id=user_id,
                check=partial(self._check, prompt),
                retry=retry,
            ),
        )

    async def edit(
        self,
        message: str | MessageIn,
        *,
        message_id: str,
        user_id: str,
        mode: Mode = "compressed",
        model: str | None = None,
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        idempotency_key: str | None = None,
    ) -> AnswerStream:
        """Asks again from an edited message. What followed is superseded, and stays on record.

        Where only the words are given, what came with the old message stays with the new one.
        """
        prompt = PromptOptions(mode=mode, model=model, system=system, context=context)
        self._check(prompt, message if isinstance(message, str) else message.content)
        retry = _retry(idempotency_key, prompt, "edited")
        return await self._start(
            user_id,
            prompt,
            lambda writer: self._answers.begin_edited(
                message, writer, message_id=message_id, user_id=user_id, retry=retry
            ),
        )

    async def find(self, id: str, *, user_id: str) -> Message | None:
        """An answer by its id, or the one that is being written in a conversation."""
        return await self._answers.find(id, user_id=user_id)

    async def last_answer(self, *, conversation_id: str, user_id: str) -> Message:
        return await self._answers.last_of(conversation_id=conversation_id, user_id=user_id)

    async def find_edited(
        self,
        given: Sequence[MessageIn],
        *,
        conversation_id: str,
        user_id: str,
        known: KnownPrefix | None = None,
    ) -> Message | None:
        """The stored message that an edited one, the last of a client's list, is to stand for."""
        return await self._answers.find_edited(
            given, conversation_id=conversation_id, user_id=user_id, known=known
        )

    def read(self, answer: Message, *, user_id: str) -> AnswerStream:
        """To read an answer, wherever it is written."""

        def follow(cursor: Cursor) -> AsyncIterator[StreamEvent]:
            if running := self._running.get(answer.id):
                return running.follow(cursor)
            return self._follow_row(answer.id, user_id, cursor)

        return AnswerStream(answer, follow, self._running.get(answer.id))

    async def stop(self, id: str, *, user_id: str) -> Message | None:
        """Ends a running answer, and returns what there is of it; None where nothing is running.

        One that another process writes ends within about a second.
        """
        message = await self._answers.find(id, user_id=user_id)
        if message is None or message.status != "streaming":
            return message
        if running := self._running.get(message.id):
            running.stop()
        else:
            await self._answers.ask_to_stop(message_id=message.id, user_id=user_id)
        deadline = time.monotonic() + _STOP_SECONDS
        while message.status == "streaming" and time.monotonic() < deadline:
            await asyncio.sleep(_POLL_SECONDS / 5)
            message = await self._get(message.id, user_id)
        return message

    @property
    def is_closing(self) -> bool:
        return self._is_closing

    @property
    def running(self) -> int:
        """How many answers this process writes."""
        return len(self._running)

    async def drain(self, seconds: float) -> None:
        """Takes no new questions, gives running answers so long to end, and stops the rest.

        What a database that is away keeps from ending is left behind: its heartbeat will lapse.
        """
        self._is_closing = True
        deadline = time.monotonic() + seconds
        while self._tasks and (left := deadline - time.monotonic()) > 0:
            await asyncio.wait(self._tasks, timeout=left)  # one that ends may begin another
        deadline = time.monotonic() + _STOP_SECONDS
        while self._tasks and (left := deadline - time.monotonic()) > 0:
            for running in self._running.values():
                running.stop()
            for digest in self._digests:
                digest.cancel()
            await asyncio.wait(self._tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def place(
        self, *, user_id: str, id: str | None = None, policy: str | None = None
    ) -> Conversation:
        """A conversation for a question, made with it if it is not there yet."""
        return self._factory.conversation(user_id, id=id, policy=policy)

    def _check(self, prompt: PromptOptions, message: str) -> None:
        """Raises what is wrong with a question before anything of it is on record."""
        self._contexts.check_request(
            message,
            mode=prompt.mode,
            system=prompt.system,
            context=prompt.context,
            model=self._models.get(prompt.model).variant.name,
            tools=self._tool_loop.offered(prompt),
        )

    async def _start(
        self,
        user_id: str,
        prompt: PromptOptions,
        begin: Callable[[AnswerOwner], Awaitable[StartedAnswer]],
    ) -> AnswerStream:
        if self._is_closing:
            raise Stopping
        model = self._models.get(prompt.model)
        name = model.variant.name
        if self._busy[name] >= model.variant.most_answers:
            raise Overloaded(f"{name} has as many answers to write as it can; try again later.")
        self._busy[name] += 1
        # A caller that goes away now must not leave a row behind that nobody writes.
        starting = self._spawn(self._begin(user_id, prompt, begin, model))
        return await asyncio.shield(starting)

    async def _begin(
        self,
        user_id: str,
        prompt: PromptOptions,
        begin: Callable[[AnswerOwner], Awaitable[StartedAnswer]],
        model: VariantModel,
    ) -> AnswerStream:
        name = model.variant.name
        is_running = False
        try:
            begun = await begin(AnswerOwner(owner=self._owner, variant=name))
            if begun.is_new:
                running = ActiveAnswer(
                    begun.answer, user_id, before_seq=begun.before_seq, limit=self._max_answer
                )
                self._running[begun.answer.id] = running
                self._spawn(self._run_to_completion(running, prompt, model))
                is_running = True
            return self.read(begun.answer, user_id=user_id)
        finally:
            if not is_running:
                self._busy[name] -= 1

    async def _run_to_completion(
        self, running: ActiveAnswer, prompt: PromptOptions, model: VariantModel
    ) -> None:
        """To the end, in whatever way it comes, and on record."""
        self._events.count("stream_started")
        work = asyncio.create_task(self._tool_loop.speak(running, prompt, model))
        pulse = asyncio.create_task(self._flush_loop(running))
        stopping = asyncio.create_task(running.stopping.wait())
        try:
            await asyncio.wait({work, pulse, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (work, pulse, stopping):
                task.cancel()
            _, beat, _ = await asyncio.gather(work, pulse, stopping, return_exceptions=True)
        if isinstance(beat, Exception):
            logger.error("An answer could not be written down.", exc_info=beat)
        status, metadata = _outcome(work, running)
        try:
            running.end(await self._end(running, status, metadata))
        except NotFound:
            running.break_off(NotFound("The answer was deleted."))
        except RecollectError as error:  # its heartbeat will lapse
            logger.warning("answer_given_up", extra={"reason": error.unquoted})
            running.break_off(error)
        except Exception:
            logger.exception("An answer could not be ended.")
        finally:
            self._busy[model.variant.name] -= 1
            del self._running[running.answer.id]
            running.break_off(Unavailable())
            self._events.count("stream_ended", status=status)

    async def _flush_loop(self, running: ActiveAnswer) -> None:
        """Writes down what there is, until somebody wants it to stop, or it is gone."""
        is_kept = False
        while True:
            await asyncio.sleep(_FLUSH_SECONDS)
            try:
                if running.receipt is not None and not is_kept:
                    await self._contexts.keep_receipt(
                        running.receipt, message_id=running.answer.id, user_id=running.user_id
                    )
                    is_kept = True
                heard = await self._answers.flush(
                    running.draft,
                    message_id=running.answer.id,
                    user_id=running.user_id,
                    owner=self._owner,
                )
            except NotFound:
                return
            except Unavailable as error:  # the next beat may find it back
                logger.warning("answer_not_flushed", extra={"reason": error.unquoted})
                continue
            if heard != "go on":
                return

    async def _end(self, running: ActiveAnswer, status: Status, metadata: Json) -> Message:
        """On record, as soon as the database can be reached."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                ended = await self._answers.end(
                    running.draft,
                    message_id=running.answer.id,
                    user_id=running.user_id,
                    owner=self._owner,
                    status=status,
                    metadata=metadata,
                    receipt=running.receipt.to_json() if running.receipt else None,
                )
                break
            except Unavailable as error:
                if self._is_closing or time.monotonic() > deadline:
                    raise
                logger.warning("answer_not_ended", extra={"reason": error.unquoted})
                await asyncio.sleep(_FLUSH_SECONDS)
        if ended is None:
            return await self._get(running.answer.id, running.user_id)
        stored, needs_inline_compaction = ended
        if needs_inline_compaction:
            digest = self._spawn(
                self._compactor.compact_now(
                    conversation_id=stored.conversation_id, user_id=running.user_id
                )
            )
            self._digests.add(digest)
            digest.add_done_callback(self._digests.discard)
        return stored

    async def _follow_row(
        self, message_id: str, user_id: str, cursor: Cursor
    ) -> AsyncIterator[StreamEvent]:
        """Reads an answer that another process writes, or that has ended."""
        is_shown = cursor != Cursor()
        changed = heard = time.monotonic()
        while True:
            message = await self._get(message_id, user_id)
            if not is_shown:
                try:
                    yield ContextBuilt(
                        await self._contexts.get_receipt(message_id=message_id, user_id=user_id)
                    )
                    is_shown = True
                except NotFound:  # not built yet
                    is_shown = message.status != "streaming"
            for piece in events_after(cursor, AnswerState.of(message)):
                cursor, changed = piece.cursor, time.monotonic()
                heard = changed
                yield piece
            if message.status != "streaming":
                yield Finished(message)
                return
            if self._is_closing:
                raise Stopping
            if time.monotonic() - changed > LEASE.total_seconds():
                await self._answers.release(message_id=message_id, user_id=user_id)
                changed = time.monotonic()
            if time.monotonic() - heard > KEEP_ALIVE_SECONDS:
                heard = time.monotonic()
                yield KeepAlive()
            await asyncio.sleep(_POLL_SECONDS)

    async def _get(self, message_id: str, user_id: str) -> Message:
        message = await self._answers.find(message_id, user_id=user_id)
        if message is None:
            raise NotFound("The answer was deleted.")
        return message

    def _spawn(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _outcome(work: "asyncio.Task[None]", running: ActiveAnswer) -> tuple[Status, Json]:
    """How an answer has ended, and what is noted about it."""
    reply = running.reply
    if work.cancelled():
        return "interrupted", {}
    error = work.exception()
    if error is None:
        is_done = reply is None or reply.finish in ("stop", "tool_calls")
        return "complete", {} if is_done or reply is None else {"finish": reply.finish}
    if isinstance(error, RecollectError):
        about = {"variant": running.answer.model_variant, "reason": error.unquoted}
        logger.warning("answer_failed", extra=about)
        noted = {TOO_LARGE: True} if isinstance(error, TooLarge) else {}
        return "error", {"error": error.shown, **noted}
    logger.error("An answer failed.", exc_info=error)
    return "error", {"error": "Something went wrong on the server."}


def _retry(key: str | None, prompt: PromptOptions, where: Json) -> Retry | None:
    if key is None:
        return None
    manner: list[Json] = [prompt.model, prompt.mode, prompt.system, dict(prompt.context or {})]
    if prompt.client_tools or prompt.options:
        manner += [list(prompt.client_tools), dict(prompt.options or {})]
    return Retry(key=key, about=[where, manner])
