"""The events of an answer's stream, resumable from any cursor.

An `AnswerState` is the content of an answer so far: thinking, text, and tool calls with their
offsets in the text. A `Cursor` says how much of that a reader has received. The events that a
reader lacks are computed from the two alone, so a stream can be resumed, and it does not matter
whether the state is in memory or was read from the database. A slow reader gets larger deltas.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from recollect.core.errors import InvalidInput
from recollect.core.types import Json, Message
from recollect.recall.context.receipt import Receipt

_CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallState:
    """A tool call, made after `at` characters of the text."""

    id: str
    name: str
    input: Json
    at: int
    output: Json = None
    is_done: bool = False
    is_error: bool = False

    def to_json(self) -> dict[str, Json]:
        """Return the form in which it is stored."""
        stored = {"id": self.id, "tool_name": self.name, "input": self.input, "at": self.at}
        if self.is_done:
            stored["output"] = self.output
        if self.is_error:
            stored["is_error"] = True
        return stored

    @classmethod
    def from_json(cls, stored: dict[str, Json], index: int) -> Self:
        at = stored.get("at")
        return cls(
            id=str(stored.get("id") or f"call_{index}"),
            name=stored["tool_name"],
            input=stored.get("input"),
            at=at if isinstance(at, int) else 0,
            output=stored.get("output"),
            is_done="output" in stored,
            is_error=bool(stored.get("is_error")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerState:
    """The content of an answer so far."""

    thinking: str = ""
    text: str = ""
    tools: tuple[ToolCallState, ...] = ()

    @classmethod
    def of(cls, message: Message) -> Self:
        calls = enumerate(message.tool_calls or ())
        return cls(
            thinking=message.thinking or "",
            text=message.content,
            tools=tuple(ToolCallState.from_json(stored, index) for index, stored in calls),
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """The number of characters of thinking and text, and of tool events, that a reader has."""

    thinking: int = 0
    text: int = 0
    steps: int = 0

    def __str__(self) -> str:
        return f"{self.thinking}.{self.text}.{self.steps}"

    @classmethod
    def parse(cls, text: str) -> Self:
        match = _CURSOR.fullmatch(text)
        if match is None:
            raise InvalidInput(f"{text!r} is not a cursor of an answer.", field="Last-Event-ID")
        return cls(*map(int, match.groups()))


@dataclass(frozen=True, slots=True)
class ContextBuilt:
    """The first event of a stream that is read from the start."""

    receipt: Receipt


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class ToolCalled:
    tool: ToolCallState
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class ToolReturned:
    tool: ToolCallState
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """Sent when nothing else was sent for a while."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event, with the answer and its receipt as stored."""

    message: Message
    receipt: Receipt | None = None


ContentEvent = ThinkingDelta | TextDelta | ToolCalled | ToolReturned
StreamEvent = ContextBuilt | ContentEvent | KeepAlive | Finished


def events_after(cursor: Cursor, state: AnswerState) -> Iterator[ContentEvent]:
    """Yield the events between a cursor and the state, in order."""
    if len(state.thinking) > cursor.thinking:
        delta = state.thinking[cursor.thinking :]
        cursor = replace(cursor, thinking=len(state.thinking))
        yield ThinkingDelta(delta, cursor)
    for step, (kind, tool) in enumerate(_tool_steps(state), start=1):
        if step <= cursor.steps:
            continue
        if tool.at > cursor.text:
            delta = state.text[cursor.text : tool.at]
            cursor = replace(cursor, text=tool.at)
            yield TextDelta(delta, cursor)
        cursor = replace(cursor, steps=step)
        yield kind(tool, cursor)
    if len(state.text) > cursor.text:
        yield TextDelta(state.text[cursor.text :], replace(cursor, text=len(state.text)))


def _tool_steps(
    state: AnswerState,
) -> Iterator[tuple[type[ToolCalled] | type[ToolReturned], ToolCallState]]:
    for tool in state.tools:
        yield ToolCalled, tool
        if tool.is_done:
            yield ToolReturned, tool
