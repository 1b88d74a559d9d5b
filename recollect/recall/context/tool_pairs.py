"""Messages as a model takes them: what was said, with each tool call beside its result.

An entry holds whole pairs, so half of one cannot be sent. A call stands in an assistant message's
`tool_calls`; its result stands there too, as `output`, or in a tool message that names the call in
`metadata.tool_call_id`, or else answers the first open one of the latest message of its turn. What
lacks its other half is left out, and said so.
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
    """A message to send, and the messages whose results it has taken in."""

    message: Message
    text: str
    tools: tuple[ToolExchange, ...] = ()
    results: tuple[Message, ...] = ()

    @property
    def turn(self) -> int:
        return self.message.turn

    @property
    def is_step(self) -> bool:
        """Whether it only calls tools, so that the answer is still to come."""
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
class _Draft:
    """An entry in the making. `open` has its calls without a result, by the ids they came with."""

    message: Message
    calls: list[ToolExchange] = field(default_factory=list)
    open: list[tuple[str | None, ToolExchange]] = field(default_factory=list)
    done: dict[str, ToolExchange] = field(default_factory=dict)
    results: list[Message] = field(default_factory=list)

    def entry(self) -> HistoryEntry:
        tools = tuple(self.done[call.id] for call in self.calls if call.id in self.done)
        return HistoryEntry(self.message, self.message.content, tools, tuple(self.results))


def pair_tool_calls(
    messages: Sequence[Message],
) -> tuple[list[HistoryEntry], list[ExcludedMessage]]:
    """Entries in the messages' order, and what cannot be sent."""
    drafts: list[_Draft] = []
    left_out: list[ExcludedMessage] = []
    taken = {
        str(call["id"]) for message in messages for call in message.tool_calls or () if "id" in call
    }
    used: set[str] = set()
    for message in messages:
        if message.status == "streaming":
            left_out.append(ExcludedMessage(message, reasons.STILL_WRITTEN))
        elif message.role != "tool":
            drafts.append(_draft(message, taken, used))
        elif not _take_result(drafts, message):
            left_out.append(ExcludedMessage(message, reasons.RESULT_WITHOUT_CALL))
    entries = []
    for draft in drafts:
        if draft.message.content.strip() or draft.done:
            entries.append(draft.entry())
        else:
            reason = reasons.CALL_WITHOUT_RESULT if draft.open else reasons.EMPTY
            left_out.append(ExcludedMessage(draft.message, reason))
    return entries, left_out


def find_current(entries: Sequence[HistoryEntry]) -> int | None:
    """Where the newest user message stands, if nobody has answered it yet."""
    for index in range(len(entries) - 1, -1, -1):
        if entries[index].message.role == "user":
            return index
        if entries[index].is_answer:
            break
    return None


def _draft(message: Message, taken: set[str], used: set[str]) -> _Draft:
    """Only an assistant calls tools."""
    draft = _Draft(message)
    given = message.tool_calls or [] if message.role == "assistant" else []
    for number, stored in enumerate(given):
        own = stored.get("id")
        id = own if isinstance(own, str) and own else None
        call = ToolExchange(
            _unique(id, f"call_{message.seq}_{number}", taken, used),
            stored["tool_name"],
            _arguments(stored.get("input")),
            _text(stored.get("output")),
        )
        draft.calls.append(call)
        if "output" in stored:
            draft.done[call.id] = call
        else:
            draft.open.append((id, call))
    return draft


def _unique(id: str | None, ours: str, taken: set[str], used: set[str]) -> str:
    """Ids come again from turn to turn, and may look like those we make up."""
    if id is None or id in used:
        id = ours
        while id in taken or id in used:
            id += "_"
    used.add(id)
    return id


def _take_result(drafts: list[_Draft], result: Message) -> bool:
    """Newest first, since ids come again; a result that names no call is for its own turn."""
    named = result.metadata.get("tool_call_id")
    for draft in reversed(drafts):
        if named is None and draft.message.turn != result.turn:
            return False
        for place, (id, call) in enumerate(draft.open):
            if named is None or named in (id, call.id):
                del draft.open[place]
                draft.done[call.id] = replace(call, output=result.content)
                draft.results.append(result)
                return True
    return False


def _arguments(given: Any) -> str:
    """An object, since no provider takes anything else."""
    if given is None:
        return "{}"
    return json.dumps(given if isinstance(given, dict) else {"input": given}, ensure_ascii=False)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
