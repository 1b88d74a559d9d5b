"""An answer that this process is writing, and the stream by which any answer is read."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from recollect.chat.stream_events import (
    AnswerState,
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    ToolCallState,
    events_after,
)
from recollect.chat.tools import ToolOutcome
from recollect.core.errors import RecollectError, Stopping, TooLarge
from recollect.core.sanitize import sanitized
from recollect.core.types import Json, Message
from recollect.llm.protocols import Delta, Reply
from recollect.recall.context.receipt import Receipt
from recollect.record.answer_start import StartedAnswer
from recollect.store.answers import AnswerDraft

KEEP_ALIVE_SECONDS = 15.0
"""Proxies close a connection that is silent for longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """A finished answer, and the receipt of its context: None if it was stopped before that.

    `finish` is the model's finish reason, or "error": then `message.metadata["error"]` says why.
    """

    message: Message
    receipt: Receipt | None
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int | None = None
    """Those of `tokens_in` that the provider read from its cache; None if it did not say."""

    @property
    def conversation_id(self) -> str:
        return self.message.conversation_id


class ActiveAnswer:
    """The state of an answer while it is generated. Every change wakes its readers."""

    def __init__(self, started: StartedAnswer, *, max_bytes: int) -> None:
        self.started = started
        self.answer = started.answer
        self.user_id = started.owner.user_id
        self._state = AnswerState()
        self._pending_text: list[str] = []
        self._pending_thinking: list[str] = []
        """Deltas that are not in the state yet: adding each one at once would copy the text."""
        self.receipt: Receipt | None = None
        self.stored_receipt: Receipt | None = None
        """The receipt as the database has it."""
        self.reply: Reply | None = None
        self.tokens_in = self.tokens_out = 0
        """Totals of all rounds."""
        self.tokens_cached: int | None = None
        self.stopping = asyncio.Event()
        self._is_closed = False
        self._lock = threading.Lock()  # heartbeats read the state in another thread
        self._finished: Message | None = None
        self._error: RecollectError | None = None
        self._max_bytes = max_bytes
        self._size = 0
        self._high_surrogate = ""
        self._changed = asyncio.Event()

    @property
    def state(self) -> AnswerState:
        with self._lock:
            if self._pending_text or self._pending_thinking:
                self._state = replace(
                    self._state,
                    text=self._state.text + "".join(self._pending_text),
                    thinking=self._state.thinking + "".join(self._pending_thinking),
                )
                self._pending_text.clear()
                self._pending_thinking.clear()
            return self._state

    @property
    def draft(self) -> AnswerDraft:
        unstored = None if self.receipt is self.stored_receipt else self.receipt
        state = self.state
        return AnswerDraft(
            content=state.text,
            thinking=state.thinking or None,
            tool_calls=[tool.to_json() for tool in state.tools],
            receipt=unstored.to_json() if unstored else None,
        )

    def set_receipt(self, receipt: Receipt) -> None:
        self.receipt = receipt
        self._wake()

    def add_delta(self, delta: Delta) -> None:
        """Append a model's delta; raise TooLarge, and drop the delta, if the limit is exceeded.

        After `close` it raises too: a model that cannot be cancelled must not change the answer.
        """
        if self._is_closed:
            raise Stopping("The answer was stopped.")
        text, thinking = self._next_text(delta.text), sanitized(delta.thinking)
        self._size += len(text.encode()) + len(thinking.encode())
        if self._size > self._max_bytes:
            raise TooLarge(f"The answer is over the limit of {self._max_bytes:,} bytes.")
        with self._lock:
            self._pending_text.append(text)
            self._pending_thinking.append(thinking)
        self._wake()

    def finish_round(self, reply: Reply | None) -> None:
        """Count the tokens of a call of the model.

        The receipt gets the cached tokens of the first call: it describes that call's prompt. Those
        of later rounds contain the first one, and most of them would be counted again.
        """
        is_first, self.reply = self.reply is None, reply
        if reply is None:
            return
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        if reply.tokens_cached is not None:
            self.tokens_cached = (self.tokens_cached or 0) + reply.tokens_cached
            if is_first and self.receipt is not None:
                self.receipt = replace(self.receipt, cached_tokens=reply.tokens_cached)

    def start_tool_call(self, id: str, name: str, input: Json) -> None:
        state = self.state
        call = ToolCallState(id=id, name=name, input=input, at=len(state.text))
        self._state = replace(state, tools=(*state.tools, call))
        self._wake()

    def finish_tool_call(self, outcome: ToolOutcome) -> None:
        """Set the result of the last tool call."""
        state = self.state
        *others, call = state.tools
        done = replace(call, output=outcome.output, is_done=True, is_error=outcome.is_error)
        self._state = replace(state, tools=(*others, done))
        self._wake()

    def close(self) -> None:
        """Take no more text."""
        self._is_closed = True

    def finish(self, stored: Message) -> None:
        self._finished = stored
        self._wake()

    def fail(self, error: RecollectError) -> None:
        """End the readers' streams with an error, unless the answer is finished or has failed."""
        self._error = self._error or error
        self._wake()

    async def follow(self, cursor: Cursor) -> AsyncIterator[StreamEvent]:
        is_receipt_sent = cursor != Cursor()
        while True:
            changed, finished, error = self._changed, self._finished, self._error
            if self.receipt is not None and not is_receipt_sent:
                is_receipt_sent = True
                yield ContextBuilt(self.receipt)
            for event in events_after(cursor, self.state):
                cursor = event.cursor
                yield event
            if finished is not None:
                yield Finished(finished, self.receipt)
                return
            if error is not None:
                raise error
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield KeepAlive()

    def _next_text(self, text: str) -> str:
        """Sanitize a delta: join split surrogate pairs, start a paragraph after a tool call."""
        text, self._high_surrogate = self._high_surrogate + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._high_surrogate = text[:-1], text[-1]
        if text and self._state.tools:
            tools, before = self.state.tools, self.state.text
            if before and tools[-1].at == len(before) and not before[-1].isspace():
                text = f"\n\n{text}"
        return sanitized(text)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


class AnswerStream:
    """An answer, while it is written or afterwards.

    `async for event in stream` reads it from the start. The answer goes on if the reader stops.
    """

    def __init__(
        self,
        answer: Message,
        follow: Callable[[Cursor], AsyncIterator[StreamEvent]],
        active: ActiveAnswer | None = None,
    ) -> None:
        self._answer = answer
        self._follow = follow
        self._active = active

    @property
    def conversation_id(self) -> str:
        return self._answer.conversation_id

    @property
    def message_id(self) -> str:
        return self._answer.id

    @property
    def model_variant(self) -> str | None:
        return self._answer.model_variant

    def __aiter__(self) -> AsyncIterator[StreamEvent]:
        return self.follow()

    def follow(self, cursor: Cursor | None = None) -> AsyncIterator[StreamEvent]:
        """Yield the events after a cursor, to the end."""
        return self._follow(cursor or Cursor())

    async def result(self) -> AnswerResult:
        """Wait until the answer is finished, and return it."""
        receipt, message = None, self._answer
        async for event in self.follow():
            if isinstance(event, Finished):
                receipt, message = event.receipt, event.message
        return self.result_of(message, receipt)

    def result_of(self, message: Message, receipt: Receipt | None = None) -> AnswerResult:
        """Build the result from the message and the receipt of a `Finished` event."""
        active = self._active
        reply = active.reply if active else None
        finish = "error" if message.status == "error" else reply.finish if reply else "stop"
        if active is not None:
            tokens_in, tokens_cached = active.tokens_in, active.tokens_cached
        elif receipt is not None:  # another process wrote the answer
            tokens_in, tokens_cached = receipt.tokens, receipt.cached_tokens
        else:
            tokens_in, tokens_cached = 0, None
        return AnswerResult(
            message=message,
            receipt=receipt,
            finish=finish,
            tokens_in=tokens_in,
            tokens_out=active.tokens_out if active else message.tokens,
            tokens_cached=tokens_cached,
        )
