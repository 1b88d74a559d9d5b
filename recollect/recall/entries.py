"""Messages as a model takes them: what was said, with each tool call beside its result.

An entry holds whole pairs, so half of one cannot be sent. A call stands in an assistant message's
`tool_calls`; its result stands there too, as `output`, or in a tool message that names the call in
`metadata.tool_call_id`, or else answers the first open one of the latest message of its turn. What
lacks its other half is left out, and said so.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.model import Message


@dataclass(frozen=True, slots=True)
class ToolUse:
    id: str
    name: str
    arguments: str
    """JSON."""
    output: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A message to send, and the messages whose results it has taken in."""

    message: Message
    text: str
    tools: tuple[ToolUse, ...] = ()
    results: tuple[Message, ...] = ()

    @property
    def turn(self) -> int:
        return self.message.turn

    @property
    def is_step(self) -> bool:
        """Whether it only calls tools, so that the answer is still to come."""
        return bool(self.results or (self.tools and not self.text.strip()))

    @property
    def messages(self) -> tuple[Message, ...]:
        return (self.message, *self.results)


@dataclass(frozen=True, slots=True)
class LeftOut:
    message: Message
    reason: str


@dataclass(slots=True)
class _Draft:
    message: Message
    open: list[ToolUse] = field(default_factory=list)
    done: list[ToolUse] = field(default_factory=list)
    results: list[Message] = field(default_factory=list)


def pair_up(messages: Iterable[Message]) -> tuple[list[Entry], list[LeftOut]]:
    """Entries in the messages' order, and what cannot be sent."""
    drafts: list[_Draft] = []
    left_out: list[LeftOut] = []
    for message in messages:
        if message.status == "streaming":
            left_out.append(LeftOut(message, "It is still being written."))
        elif message.role != "tool":
            drafts.append(_draft(message))
        elif not _take_result(drafts, message):
            left_out.append(LeftOut(message, "A tool result without its call."))
    entries = []
    for draft in drafts:
        text = draft.message.content
        if text.strip() or draft.done:
            order = {call.id: place for place, call in enumerate(_calls(draft.message))}
            tools = tuple(sorted(draft.done, key=lambda call: order[call.id]))
            entries.append(Entry(draft.message, text, tools, tuple(draft.results)))
        else:
            reason = "A tool call without a result." if draft.open else "There is nothing in it."
            left_out.append(LeftOut(draft.message, reason))
    return entries, left_out


def _draft(message: Message) -> _Draft:
    draft = _Draft(message)
    given = message.tool_calls or []
    for call, stored in zip(_calls(message), given, strict=True):
        (draft.done if "output" in stored else draft.open).append(call)
    return draft


def _calls(message: Message) -> list[ToolUse]:
    """Two calls of one message never share an id, whatever was stored."""
    calls: list[ToolUse] = []
    seen: set[str] = set()
    for number, stored in enumerate(message.tool_calls or []):
        id = stored.get("id")
        if not isinstance(id, str) or not id or id in seen:
            id = f"call_{message.seq}_{number}"
        seen.add(id)
        arguments = json.dumps(stored.get("input") or {}, ensure_ascii=False)
        calls.append(ToolUse(id, stored["tool_name"], arguments, _text(stored.get("output"))))
    return calls


def _take_result(drafts: list[_Draft], result: Message) -> bool:
    """Newest first, since ids may come again; a result that names no call is for its own turn."""
    named = result.metadata.get("tool_call_id")
    for draft in reversed(drafts):
        if named is None and draft.message.turn != result.turn:
            return False
        for call in draft.open:
            if named is None or call.id == named:
                draft.open.remove(call)
                draft.done.append(replace(call, output=result.content))
                draft.results.append(result)
                return True
    return False


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
