"""An answer in pieces, from any point on.

What there is of an answer is a `State`: thoughts, text, and the tools that were called, each at its
place in the text. How much of it a reader has is a `Cursor`. The pieces that a reader lacks are a
function of the two, so it makes no difference whether the state is in memory or comes from the
database, how often a reader looked, or whether it went away in between: nothing comes twice, and
nothing is left out. Who reads slowly gets larger pieces.
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
class ToolUse:
    """A tool that the model called after `at` characters of its text."""

    id: str
    name: str
    input: Json
    at: int
    output: Json = None
    is_done: bool = False
    is_error: bool = False

    def to_json(self) -> dict[str, Json]:
        """As it is stored."""
        stored = {"id": self.id, "tool_name": self.name, "input": self.input, "at": self.at}
        if self.is_done:
            stored["output"] = self.output
        if self.is_error:
            stored["is_error"] = True
        return stored

    @classmethod
    def from_json(cls, stored: dict[str, Json], number: int) -> Self:
        at = stored.get("at")
        return cls(
            id=str(stored.get("id") or f"call_{number}"),
            name=stored["tool_name"],
            input=stored.get("input"),
            at=at if isinstance(at, int) else 0,
            output=stored.get("output"),
            is_done="output" in stored,
            is_error=bool(stored.get("is_error")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What there is of an answer."""

    thinking: str = ""
    text: str = ""
    tools: tuple[ToolUse, ...] = ()

    @classmethod
    def of(cls, message: Message) -> Self:
        calls = enumerate(message.tool_calls or ())
        return cls(
            thinking=message.thinking or "",
            text=message.content,
            tools=tuple(ToolUse.from_json(stored, number) for number, stored in calls),
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """How much a reader has: characters of thoughts and of text, and steps of tools."""

    thinking: int = 0
    text: int = 0
    steps: int = 0

    def __str__(self) -> str:
        return f"{self.thinking}.{self.text}.{self.steps}"

    @classmethod
    def parse(cls, text: str) -> Self:
        found = _CURSOR.fullmatch(text)
        if found is None:
            raise InvalidInput("This is no place in an answer.", field="Last-Event-ID")
        return cls(*map(int, found.groups()))


@dataclass(frozen=True, slots=True)
class ContextBuilt:
    """What the model was shown; the first piece, for those who read from the beginning."""

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
    tool: ToolUse
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class ToolReturned:
    tool: ToolUse
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """Nothing has come for a while, and there is more to come."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The last piece: the answer as it is stored."""

    message: Message


Said = ThinkingDelta | TextDelta | ToolCalled | ToolReturned
StreamEvent = ContextBuilt | Said | KeepAlive | Finished


def events_after(cursor: Cursor, state: State) -> Iterator[Said]:
    """What a reader lacks of what there is, in order."""
    if len(state.thinking) > cursor.thinking:
        lacking = state.thinking[cursor.thinking :]
        cursor = replace(cursor, thinking=len(state.thinking))
        yield ThinkingDelta(lacking, cursor)
    for step, (kind, tool) in enumerate(_steps(state), start=1):
        if step <= cursor.steps:
            continue
        if tool.at > cursor.text:
            lacking = state.text[cursor.text : tool.at]
            cursor = replace(cursor, text=tool.at)
            yield TextDelta(lacking, cursor)
        cursor = replace(cursor, steps=step)
        yield kind(tool, cursor)
    if len(state.text) > cursor.text:
        yield TextDelta(state.text[cursor.text :], replace(cursor, text=len(state.text)))


def _steps(
    state: State,
) -> Iterator[tuple[type[ToolCalled] | type[ToolReturned], ToolUse]]:
    for tool in state.tools:
        yield ToolCalled, tool
        if tool.is_done:
            yield ToolReturned, tool
