"""Pair tool calls with their results, so that a context never has half of a pair.

A call is an item of an assistant message's `tool_calls`. Its result is the item's `output`, or a
tool message that names the call in `metadata.tool_call_id`, or else the next tool message of the
same turn. Calls and results without their other half are excluded.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.core.types import Message
from recollect.recall.context import reasons
from recollect.recall.context.reasons import Reason


@dataclass(frozen=True, slots=True)
class ToolExchange:
    id: str
    name: str
    arguments: str
    """JSON."""
    output: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A message with its completed tool calls, and the tool messages that hold their results."""

    message: Message
    text: str
    tools: tuple[ToolExchange, ...] = ()
    results: tuple[Message, ...] = ()
    omitted: tuple[int, int] = (0, 0)
    """The range of the message that a shortened text leaves out."""
    tag: str = ""
    """Encloses the text in a plain-text history, if it could pass for a part of the prompt."""

    @property
    def enclosed_text(self) -> str:
        return f"<said {self.tag}>\n{self.text}\n</said {self.tag}>" if self.tag else self.text

    @property
    def turn(self) -> int:
        return self.message.turn

    @property
    def is_step(self) -> bool:
        """Whether it only calls tools, and the answer is still to come."""
        return bool(self.results or (self.tools and not self.text.strip()))

    @property
    def is_answer(self) -> bool:
        return self.message.role == "assistant" and not self.is_step

    @property
    def messages(self) -> tuple[Message, ...]:
        return (self.message, *self.results)


@dataclass(frozen=True, slots=True)
class ExcludedMessage:
    message: Message
    reason: Reason


@dataclass(slots=True)
class _EntryBuilder:
    """`calls` has each call with the id that it was stored with, `done` those with a result."""

    message: Message
    calls: list[tuple[str | None, ToolExchange]] = field(default_factory=list)
    done: dict[str, ToolExchange] = field(default_factory=dict)
    results: list[Message] = field(default_factory=list)


def pair_tool_calls(
    messages: Sequence[Message],
) -> tuple[list[HistoryEntry], list[ExcludedMessage]]:
    """Return the entries in the order of the messages, and the messages that cannot be sent."""
    builders: list[_EntryBuilder] = []
    excluded: list[ExcludedMessage] = []
    taken = {
        str(call["id"]) for message in messages for call in message.tool_calls or () if "id" in call
    }
    used: set[str] = set()
    for message in messages:
        if message.status == "streaming":
            excluded.append(ExcludedMessage(message, reasons.STILL_STREAMING))
        elif message.role != "tool":
            builders.append(_start_entry(message, taken, used))
        elif not _attach_result(builders, message):
            excluded.append(ExcludedMessage(message, reasons.RESULT_WITHOUT_CALL))
    entries = []
    for builder in builders:
        message = builder.message
        if message.content.strip() or builder.done:
            tools = tuple(builder.done[c.id] for _, c in builder.calls if c.id in builder.done)
            entries.append(HistoryEntry(message, message.content, tools, tuple(builder.results)))
        else:
            reason = reasons.CALL_WITHOUT_RESULT if builder.calls else reasons.EMPTY
            excluded.append(ExcludedMessage(message, reason))
    return entries, excluded


def find_unanswered(entries: Sequence[HistoryEntry]) -> int | None:
    """Return the index of the newest user message, or None if it has an answer."""
    for index in range(len(entries) - 1, -1, -1):
        if entries[index].message.role == "user":
            return index
        if entries[index].is_answer:
            break
    return None


def unanswered_message(messages: Sequence[Message]) -> Message | None:
    """Return the newest user message if it has no answer."""
    entries, _ = pair_tool_calls(messages)
    index = find_unanswered(entries)
    return None if index is None else entries[index].message


def _start_entry(message: Message, taken: set[str], used: set[str]) -> _EntryBuilder:
    builder = _EntryBuilder(message)
    calls = message.tool_calls or [] if message.role == "assistant" else []
    for number, stored in enumerate(calls):
        stored_id = stored.get("id")
        id = stored_id if isinstance(stored_id, str) and stored_id else None
        call = ToolExchange(
            _unique(id, f"call_{message.seq}_{number}", taken, used),
            stored["tool_name"],
            _arguments(stored.get("input")),
            _text(stored.get("output")),
        )
        builder.calls.append((id, call))
        if "output" in stored:
            builder.done[call.id] = call
    return builder


def _unique(id: str | None, generated: str, taken: set[str], used: set[str]) -> str:
    """Clients reuse ids from turn to turn, and theirs may look like generated ones."""
    if id is None or id in used:
        id = generated
        while id in taken or id in used:
            id += "_"
    used.add(id)
    return id


def _attach_result(builders: list[_EntryBuilder], result: Message) -> bool:
    """Attach a result to its call, newest first because ids are reused. Return False if it has
    none; a result without a call id belongs to its own turn."""
    call_id = result.metadata.get("tool_call_id")
    for builder in reversed(builders):
        if call_id is None and builder.message.turn != result.turn:
            return False
        for id, call in builder.calls:
            if call.id not in builder.done and (call_id is None or call_id in (id, call.id)):
                builder.done[call.id] = replace(call, output=result.content)
                builder.results.append(result)
                return True
    return False


def _arguments(value: Any) -> str:
    """Return a JSON object, the only type of arguments that providers accept."""
    if value is None:
        return "{}"
    return json.dumps(value if isinstance(value, dict) else {"input": value}, ensure_ascii=False)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
