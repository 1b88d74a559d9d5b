"""An answer that this process writes, and the handle by which any answer is read."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from recollect.chat.stream_events import (
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    State,
    StreamEvent,
    ToolUse,
    events_after,
)
from recollect.chat.tools import Outcome
from recollect.core.errors import RecollectError, TooLarge
from recollect.core.sanitize import sanitized
from recollect.core.types import Json, Message
from recollect.llm.protocols import Delta, Reply
from recollect.recall.context.receipt import Receipt
from recollect.store.answers import Draft

WAITING_SECONDS = 15.0
"""After which a reader is told that there is more to come: proxies hang up on silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """An answer that has ended, and what its model was shown; None if it was stopped before.

    `finish` is the model's word for why it ended: "stop" when it was done.
    """

    message: Message
    receipt: Receipt | None
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def conversation_id(self) -> str:
        return self.message.conversation_id


class ActiveAnswer:
    """An answer as it grows. Whoever reads it is woken by each change."""

    def __init__(self, answer: Message, user_id: str, *, before_seq: int, limit: int) -> None:
        self.answer = answer
        self.before_seq = before_seq
        self.user_id = user_id
        self.state = State()
        self.receipt: Receipt | None = None
        self.reply: Reply | None = None
        self.tokens_in = self.tokens_out = 0
        """Of all rounds: each tool's result is read in one more."""
        self.ended: Message | None = None
        self.stopping = asyncio.Event()
        self._limit = limit
        self._size = 0
        self._half = ""
        self._broken: RecollectError | None = None
        self._changed = asyncio.Event()

    @property
    def draft(self) -> Draft:
        """What there is of it, to be written down."""
        return Draft(
            content=self.state.text,
            thinking=self.state.thinking or None,
            tool_calls=[tool.to_json() for tool in self.state.tools],
        )

    def show(self, receipt: Receipt) -> None:
        self.receipt = receipt
        self._wake()

    def say(self, delta: Delta) -> None:
        """Raises TooLarge for a model that does not come to an end: what is too much is not kept,
        so that what is kept could have been sent to us as well."""
        text, thinking = self._next_text(delta.text), sanitized(delta.thinking)
        self._size += len(text.encode()) + len(thinking.encode())
        if self._size > self._limit:
            raise TooLarge(f"The answer is over the limit of {self._limit:,} bytes.")
        self.state = replace(
            self.state,
            text=self.state.text + text,
            thinking=self.state.thinking + thinking,
        )
        self._wake()

    def finish_round(self, reply: Reply | None) -> None:
        """What the model had to say for now."""
        self.reply = reply
        if reply is not None:
            self.tokens_in += reply.tokens_in
            self.tokens_out += reply.tokens_out

    def call_tool(self, id: str, name: str, input: Json) -> ToolUse:
        called = ToolUse(id=id, name=name, input=input, at=len(self.state.text))
        self.state = replace(self.state, tools=(*self.state.tools, called))
        self._wake()
        return called

    def return_tool(self, outcome: Outcome) -> ToolUse:
        """The result of the tool that was called last."""
        *others, called = self.state.tools
        returned = replace(called, output=outcome.output, is_done=True, is_error=outcome.is_error)
        self.state = replace(self.state, tools=(*others, returned))
        self._wake()
        return returned

    def end(self, stored: Message) -> None:
        self.ended = stored
        self._wake()

    def break_off(self, reason: RecollectError) -> None:
        """Tells the readers why the end is not on record; without effect where it is."""
        self._broken = self._broken or reason
        self._wake()

    def stop(self) -> None:
        self.stopping.set()

    async def follow(self, cursor: Cursor) -> AsyncIterator[StreamEvent]:
        is_shown = cursor != Cursor()
        while True:
            changed, ended, broken = self._changed, self.ended, self._broken
            if self.receipt is not None and not is_shown:
                is_shown = True
                yield ContextBuilt(self.receipt)
            for piece in events_after(cursor, self.state):
                cursor = piece.cursor
                yield piece
            if ended is not None:
                yield Finished(ended)
                return
            if broken is not None:
                raise broken
            try:
                async with asyncio.timeout(WAITING_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield KeepAlive()

    def _next_text(self, text: str) -> str:
        """What comes after a tool is a paragraph of its own. A character may come in two halves."""
        text, self._half = self._half + text, ""
        if text and _is_half(text[-1]):
            text, self._half = text[:-1], text[-1]
        tools, said = self.state.tools, self.state.text
        if text and said and tools and tools[-1].at == len(said) and not said[-1].isspace():
            text = f"\n\n{text}"
        return sanitized(text)

    def _wake(self) -> None:
        woken, self._changed = self._changed, asyncio.Event()
        woken.set()


def _is_half(character: str) -> bool:
    return "\ud800" <= character <= "\udbff"


Follow = Callable[[Cursor], AsyncIterator[StreamEvent]]


class AnswerStream:
    """An answer, while it is written or afterwards.

    `async for piece in answering` reads it from its beginning; who stops reading does not stop it.
    """

    def __init__(
        self, answer: Message, follow: Follow, running: ActiveAnswer | None = None
    ) -> None:
        self._answer = answer
        self._follow = follow
        self._running = running

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
        """The pieces after a cursor, to the last."""
        return self._follow(cursor or Cursor())

    async def finished(self) -> AnswerResult:
        """Waits for its end."""
        receipt, message = None, self._answer
        async for piece in self.follow():
            match piece:
                case ContextBuilt(shown):
                    receipt = shown
                case Finished(stored):
                    message = stored
        return self.answered(message, receipt)

    def answered(self, message: Message, receipt: Receipt | None = None) -> AnswerResult:
        """What is known of it, for those who have read to its end."""
        running = self._running
        reply = running.reply if running else None
        return AnswerResult(
            message=message,
            receipt=receipt,
            finish=reply.finish if reply else "stop",
            tokens_in=running.tokens_in if running else receipt.tokens if receipt else 0,
            tokens_out=running.tokens_out if running else message.tokens,
        )
