"""`memory.chat`: ask, regenerate, edit, read and stop answers."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from recollect.chat.active_answer import KEEP_ALIVE_SECONDS, ActiveAnswer, AnswerStream
from recollect.chat.heartbeat import HeartbeatThread
from recollect.chat.stream_events import (
    AnswerState,
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    events_after,
)
from recollect.chat.tool_loop import PromptOptions, ResolvedPrompt, generate
from recollect.chat.tools import Tool
from recollect.core.errors import (
    ModelFailed,
    NotFound,
    Overloaded,
    RecollectError,
    Stopping,
    TooLarge,
    Unavailable,
)
from recollect.core.ids import new_id
from recollect.core.offload import rough_size, run_off_loop
from recollect.core.policy import Layout, RecallScope
from recollect.core.types import Json, Message, MessageIn, Status
from recollect.llm.registry import ModelRegistry
from recollect.recall.context.assemble import check_room
from recollect.recall.context.receipt import Mode, Receipt
from recollect.recall.context.service import Contexts
from recollect.record.answer_start import AnswerOwner, ChatRequest, RetryKey, StartedAnswer
from recollect.record.answers import AnswerLookup, Answers
from recollect.record.conversation_target import ConversationTarget
from recollect.record.services import ServiceDependencies
from recollect.store import messages
from recollect.store.answers import LEASE

logger = logging.getLogger(__name__)

TOO_LARGE = "too_large"
"""Metadata key of an answer that failed because its context did not fit."""
_FLUSH_SECONDS = 0.8
_POLL_SECONDS = 0.25
_STOP_SECONDS = 5.0
_CANCEL_SECONDS = 0.5
"""For a model's stream to end after a stop; then the answer ends without it."""
_FINISH_RETRY_SECONDS = 300.0
"""How long storing a finished answer is retried while the database is unavailable."""


class Chat(AnswerLookup):
    def __init__(
        self,
        dependencies: ServiceDependencies,
        *,
        answers: Answers,
        contexts: Contexts,
        models: ModelRegistry,
        tools: Sequence[Tool],
        max_seconds: float,
    ) -> None:
        super().__init__(dependencies)
        self._max_seconds = max_seconds
        self._heartbeat = HeartbeatThread()
        self._answers = answers
        self._contexts = contexts
        self._models = models
        self._tools = tools
        self._process_id = new_id()
        self._active: dict[str, ActiveAnswer] = {}
        self._active_per_variant: Counter[str] = Counter()
        self._tasks: set[asyncio.Future[Any]] = set()
        self._compactions: set[asyncio.Future[Any]] = set()
        self.is_closing = False

    async def ask(
        self,
        message: str,
        *,
        user_id: str,
        conversation_id: str | None = None,
        policy: str | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[PromptOptions],
    ) -> AnswerStream:
        """Send a message, in a conversation or a new one, and return the stream of its answer.

        When this returns, the message and a row for the answer are committed. A retry with the
        same idempotency key gets the answer of the first attempt.
        """
        target = self.target(
            user_id=user_id, conversation_id=conversation_id or None, policy=policy
        )
        request = ChatRequest.from_text(message, target, idempotency_key)
        return await self.answer(request, options, user_id=user_id)

    async def answer(
        self, request: ChatRequest, options: PromptOptions, *, user_id: str
    ) -> AnswerStream:
        """Like `ask`, for a request that names its target, or has more than one message."""
        last = request.messages[-1]
        prompt = await self._resolve(last.content if last.role == "user" else None, options)
        retry = _retry_key(request.idempotency_key, options, request.target.retry_scope)
        return await self._start(
            prompt, lambda owner: self._answers.start(request, owner, retry), user_id=user_id
        )

    async def regenerate(
        self,
        *,
        message_id: str,
        user_id: str,
        idempotency_key: str | None = None,
        **options: Unpack[PromptOptions],
    ) -> AnswerStream:
        """Answer the question of a message again.

        The new answer supersedes the old one, or everything after a question, if it has any
        content. Superseded messages stay stored.
        """
        prompt = await self._resolve(None, options)
        retry = _retry_key(idempotency_key, options, "again")
        return await self._start(
            prompt,
            lambda owner: self._answers.start_regenerated(
                owner,
                message_id=message_id,
                check=lambda text: check_room(replace(prompt.request, message=text)),
                retry=retry,
            ),
            user_id=user_id,
        )

    async def edit(
        self,
        message: str | MessageIn,
        *,
        message_id: str,
        user_id: str,
        idempotency_key: str | None = None,
        **options: Unpack[PromptOptions],
    ) -> AnswerStream:
        """Replace a user's message, supersede everything after it, and answer the new one.

        A string changes only the text: the old message's payload is kept.
        """
        text = message if isinstance(message, str) else message.content
        prompt = await self._resolve(text, options)
        retry = _retry_key(idempotency_key, options, "edited")
        return await self._start(
            prompt,
            lambda owner: self._answers.start_edited(
                message, owner, message_id=message_id, retry=retry
            ),
            user_id=user_id,
        )

    def read(self, answer: Message, *, user_id: str) -> AnswerStream:
        """Return the stream of an answer, whichever process writes it."""

        def follow(cursor: Cursor) -> AsyncIterator[StreamEvent]:
            if active := self._active.get(answer.id):
                return active.follow(cursor)
            return self._follow_row(answer.id, user_id, cursor)

        return AnswerStream(answer, follow, self._active.get(answer.id))

    async def stop(self, id: str, *, user_id: str) -> Message | None:
        """Stop a streaming answer, by its id or its conversation's, and return it as stored.

        Returns None if nothing is streaming. Another process stops within about a second.
        """
        message = await self.find(id, user_id=user_id)
        if message is None or message.status != "streaming":
            return message
        if active := self._active.get(message.id):
            active.stopping.set()
        else:
            await self._answers.request_stop(message_id=message.id, user_id=user_id)
        deadline = time.monotonic() + _STOP_SECONDS
        while message.status == "streaming" and time.monotonic() < deadline:
            await asyncio.sleep(_POLL_SECONDS / 5)
            message = await self._get(message.id, user_id)
        return message

    @property
    def active_count(self) -> int:
        """The number of answers that this process is writing."""
        return len(self._active)

    async def close(self) -> None:
        """Interrupt the running answers, and end the thread of their heartbeats."""
        await self.drain(0)
        await self._heartbeat.close()

    async def drain(self, seconds: float) -> None:
        """Refuse new questions, wait for the running answers, then stop the rest.

        Answers that cannot be stored because the database is unavailable are left: their lease
        expires.
        """
        self.is_closing = True
        deadline = time.monotonic() + seconds
        while self._tasks and (left := deadline - time.monotonic()) > 0:
            await asyncio.wait(self._tasks, timeout=left)  # a task may start another one
        deadline = time.monotonic() + _STOP_SECONDS
        while self._tasks and (left := deadline - time.monotonic()) > 0:
            for active in self._active.values():
                active.stopping.set()
            for compaction in self._compactions:
                compaction.cancel()
            await asyncio.wait(self._tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def target(
        self,
        *,
        user_id: str,
        conversation_id: str | None = None,
        key: str | None = None,
        policy: str | None = None,
    ) -> ConversationTarget:
        """Return a request's target: an existing conversation, or else a new one.

        `key` is an id or the caller's own key; an unknown one becomes the new conversation's key.
        """
        if conversation_id is not None:
            return ConversationTarget(conversation_id=conversation_id)
        new = self._new_conversation(user_id, external_id=key, policy=policy)
        return ConversationTarget(new=new)

    async def _resolve(self, message: str | None, options: PromptOptions) -> ResolvedPrompt:
        """Validate the prompt options and the message, in a thread if they are long."""
        given = [options.get(name) for name in ("system", "context", "client_tools", "options")]
        return await run_off_loop(
            lambda: self._resolve_prompt(message, **options), size=rough_size(message, *given)
        )

    def _resolve_prompt(
        self,
        message: str | None = None,
        *,
        model: str | None = None,
        tools: Sequence[Tool] | None = None,
        client_tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
        mode: Mode = "compressed",
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        layout: Layout | None = None,
        recall_scope: RecallScope | None = None,
    ) -> ResolvedPrompt:
        """Validate the prompt options and the message, and look up the model and the tools."""
        variant_model = self._models.get(model)
        tools = self._tools if tools is None else tools
        tool_schemas = [*(tool.to_openai() for tool in tools), *client_tools]
        request = self._contexts.prepare(
            message,
            mode=mode,
            system=system,
            context=context,
            model=variant_model.variant.name,
            tools=tool_schemas,
            layout=layout,
            recall_scope=recall_scope,
        )
        check_room(request)
        return ResolvedPrompt(
            model=variant_model,
            request=replace(request, message=None),  # it is stored before the context is built
            tools={tool.name: tool for tool in tools},
            client_tools=client_tools,
            tool_schemas=tool_schemas,
            options=options,
        )

    async def _start(
        self,
        prompt: ResolvedPrompt,
        start: Callable[[AnswerOwner], Awaitable[StartedAnswer]],
        *,
        user_id: str,
    ) -> AnswerStream:
        if self.is_closing:
            raise Stopping
        maximum = prompt.model.variant.most_answers
        if self._active_per_variant[prompt.variant] >= maximum:
            raise Overloaded(
                f"{prompt.variant} is writing {maximum:,} answers, its maximum; try again later."
            )
        self._active_per_variant[prompt.variant] += 1
        owner = AnswerOwner(process_id=self._process_id, variant=prompt.variant, user_id=user_id)

        async def run() -> AnswerStream:
            is_running = False
            try:
                started = await start(owner)
                if started.is_new:
                    active = ActiveAnswer(started, max_bytes=self._max_bytes)
                    self._active[started.answer.id] = active
                    self._spawn(self._run_to_completion(active, prompt))
                    is_running = True
                return self.read(started.answer, user_id=user_id)
            finally:
                if not is_running:
                    self._active_per_variant[prompt.variant] -= 1

        # A caller that is cancelled now must not leave a row that nobody writes.
        return await asyncio.shield(self._spawn(run()))

    async def _run_to_completion(self, active: ActiveAnswer, prompt: ResolvedPrompt) -> None:
        """Generate the answer, flush it meanwhile, and store how it ended."""
        self._events.count("stream_started")
        generation = asyncio.create_task(generate(active, prompt, self._contexts))
        flushing = self._heartbeat.submit(self._flush_loop(active))
        stopping = asyncio.create_task(active.stopping.wait())
        tasks: Sequence[asyncio.Future[Any]] = (generation, flushing, stopping)
        done: set[asyncio.Future[Any]] = set()
        try:
            done, _ = await asyncio.wait(
                tasks, timeout=self._max_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            active.close()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)
        if not generation.done():
            generation.add_done_callback(_discard_error)
        if flushing.done() and not flushing.cancelled() and (error := flushing.exception()):
            fields = {"reason": type(error).__name__}
            logger.error("answer.flush_failed", extra=fields, exc_info=error)
        if generation in done and not generation.cancelled():
            status, metadata = _outcome(generation.exception(), active)
        elif done:
            status, metadata = "interrupted", {}
        else:
            late = ModelFailed(f"It took over {self._max_seconds:g} seconds.")
            status, metadata = _outcome(late, active)
        try:
            active.finish(await self._finish(active, status, metadata))
        except NotFound:
            active.fail(NotFound("The answer was deleted."))
        except RecollectError as error:  # its lease expires, and a sweep interrupts it
            logger.warning("answer.abandoned", extra={"reason": error.log_message})
            active.fail(error)
        except Exception as error:
            logger.exception("answer.abandoned", extra={"reason": type(error).__name__})
        finally:
            self._active_per_variant[prompt.variant] -= 1
            del self._active[active.answer.id]
            active.fail(Unavailable())
            self._events.count("stream_ended", status=status)

    async def _flush_loop(self, active: ActiveAnswer) -> None:
        """Store the answer so far every second, until it is deleted, ended, or to be stopped."""
        while True:
            await asyncio.sleep(_FLUSH_SECONDS)
            receipt, draft = active.receipt, active.draft
            try:
                signal = await self._answers.flush(active.started, draft)
            except NotFound:
                return
            except Unavailable as error:
                logger.warning("answer.flush_failed", extra={"reason": error.log_message})
                continue
            if signal != "lost":
                active.stored_receipt = receipt
            if signal != "continue":
                return

    async def _finish(self, active: ActiveAnswer, status: Status, metadata: Json) -> Message:
        """Store the end of an answer. Retries while the database is unavailable."""
        deadline = time.monotonic() + _FINISH_RETRY_SECONDS
        while True:
            try:
                finished = await self._answers.finish(
                    active.started, active.draft, status=status, metadata=metadata
                )
                break
            except Unavailable as error:
                if self.is_closing or time.monotonic() > deadline:
                    raise
                logger.warning("answer.finish_failed", extra={"reason": error.log_message})
                await asyncio.sleep(_FLUSH_SECONDS)
        if finished is None:
            return await self._get(active.answer.id, active.user_id)
        stored, needs_inline_compaction = finished
        if needs_inline_compaction:
            compaction = self._spawn(
                self._compactor.compact_now(
                    conversation_id=stored.conversation_id, user_id=active.user_id
                )
            )
            self._compactions.add(compaction)
            compaction.add_done_callback(self._compactions.discard)
        return stored

    async def _follow_row(
        self, message_id: str, user_id: str, cursor: Cursor
    ) -> AsyncIterator[StreamEvent]:
        """Read an answer from the database: another process writes it, or it has ended."""
        is_receipt_sent = cursor != Cursor()
        changed_at = sent_at = time.monotonic()
        while True:
            message = await self._get(message_id, user_id)
            is_finished = message.status != "streaming"
            receipt = None
            if is_finished or not is_receipt_sent:
                receipt = await self._find_receipt(message_id, user_id)
            if receipt is not None and not is_receipt_sent:
                is_receipt_sent = True
                yield ContextBuilt(receipt)
            for event in events_after(cursor, AnswerState.of(message)):
                cursor = event.cursor
                changed_at = sent_at = time.monotonic()
                yield event
            if is_finished:
                yield Finished(message, receipt)
                return
            if self.is_closing:
                raise Stopping
            if time.monotonic() - changed_at > LEASE.total_seconds():
                await self._answers.interrupt_if_expired(message_id=message_id, user_id=user_id)
                changed_at = time.monotonic()
            if time.monotonic() - sent_at > KEEP_ALIVE_SECONDS:
                sent_at = time.monotonic()
                yield KeepAlive()
            await asyncio.sleep(_POLL_SECONDS)

    async def _find_receipt(self, message_id: str, user_id: str) -> Receipt | None:
        """Return None if the context is not built yet."""
        try:
            return await self._contexts.get_receipt(message_id=message_id, user_id=user_id)
        except NotFound:
            return None

    async def _get(self, message_id: str, user_id: str) -> Message:
        return await self._read(lambda run: messages.get(run, message_id), user_id)

    def _spawn(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _outcome(error: BaseException | None, active: ActiveAnswer) -> tuple[Status, Json]:
    """Return how an answer has ended, and the metadata to store with it."""
    if error is None:
        finish = active.reply.finish if active.reply else "stop"
        return "complete", {} if finish in ("stop", "tool_calls") else {"finish": finish}
    variant = active.answer.model_variant
    if isinstance(error, RecollectError):
        logger.warning("answer.failed", extra={"variant": variant, "reason": error.log_message})
        metadata = {TOO_LARGE: True} if isinstance(error, TooLarge) else {}
        return "error", {"error": error.public_message, **metadata}
    fields = {"variant": variant, "reason": type(error).__name__}
    logger.error("answer.failed", extra=fields, exc_info=error)
    return "error", {"error": "Something went wrong on the server."}


def _discard_error(generation: "asyncio.Task[None]") -> None:
    """The answer has ended without it."""
    if not generation.cancelled():
        generation.exception()


def _retry_key(key: str | None, options: PromptOptions, scope: Json) -> RetryKey:
    repeated: list[Json] = [
        options.get("model"),
        options.get("mode", "compressed"),
        options.get("system"),
        dict(options.get("context") or {}),
    ]
    client_tools, model_options = options.get("client_tools"), options.get("options")
    if client_tools or model_options:
        repeated += [list(client_tools or ()), dict(model_options or {})]
    layout, recall_scope = options.get("layout"), options.get("recall_scope")
    if layout or recall_scope:
        repeated.append({"layout": layout, "recall_scope": recall_scope})
    return RetryKey(key=key, options=[scope, repeated])
