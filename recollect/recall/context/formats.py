"""Render the parts of a context, in their final order, in one of the formats."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, assert_never, overload

from recollect.core.sanitize import TOOL_INTERACTION
from recollect.core.types import Json, Message
from recollect.recall.context.receipt import Receipt
from recollect.recall.context.tool_pairs import HistoryEntry, pair_tool_calls
from recollect.recall.context.types import (
    Context,
    Format,
    MessagesContext,
    MessagesFormat,
    TextContext,
    TextFormat,
)

TURNS_HEADING = "Previous conversation:\n"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """The system prompt, the summary, quotes, the current message: text that is no stored entry.

    In the layout `entry`, the assistant says the summary.
    """

    text: str
    role: Literal["system", "assistant", "user"] = "system"


ContextPart = TextBlock | HistoryEntry


def render(
    parts: Sequence[ContextPart], format: Format, *, one_system_message: bool, receipt: Receipt
) -> Context:
    rendered = _render(parts, format)
    if isinstance(rendered, str):
        return TextContext(text=rendered, tokens=receipt.tokens, receipt=receipt)
    system = None
    if format == "gemini":
        blocks = (part for part in parts if isinstance(part, TextBlock))
        system = "\n\n".join(block.text for block in blocks if block.role == "system") or None
    elif one_system_message:
        rendered = [*_join_system(rendered)]
    return MessagesContext(
        messages=tuple(rendered), system=system, tokens=receipt.tokens, receipt=receipt
    )


@overload
def render_messages(
    messages: Sequence[Message], format: MessagesFormat
) -> list[Mapping[str, Json]]: ...
@overload
def render_messages(messages: Sequence[Message], format: TextFormat) -> str: ...
def render_messages(messages: Sequence[Message], format: Format) -> list[Mapping[str, Json]] | str:
    """Return stored messages in one of the formats, without incomplete tool calls."""
    entries, _ = pair_tool_calls(messages)
    return _render(entries, format)


def _render(parts: Sequence[ContextPart], format: Format) -> list[Mapping[str, Json]] | str:
    match format:
        case "openai":
            return [message for part in parts for message in _openai_messages(part)]
        case "gemini":
            return [turn for part in parts for turn in _gemini_turns(part)]
        case "text":
            return "\n\n".join(_labelled(part, "Assistant") for part in parts)
        case "turns":
            return "\n\n".join(_numbered_turns(parts))
        case _:
            assert_never(format)


def _openai_messages(part: ContextPart) -> Iterable[Mapping[str, Json]]:
    if isinstance(part, TextBlock):
        yield {"role": part.role, "content": part.text}
        return
    message: dict[str, Json] = {"role": part.message.role, "content": part.text}
    if part.tools:
        message["tool_calls"] = [
            {
                "id": tool.id,
                "type": "function",
                "function": {"name": tool.name, "arguments": tool.arguments},
            }
            for tool in part.tools
        ]
    yield message
    for tool in part.tools:
        yield {"role": "tool", "tool_call_id": tool.id, "content": tool.output}


def _join_system(messages: Sequence[Mapping[str, Json]]) -> Iterable[Mapping[str, Json]]:
    """Join the system messages at the start: many models expect a single one."""
    is_first = True
    for role, group in groupby(messages, key=lambda message: message["role"]):
        if role == "system" and is_first:
            yield {"role": "system", "content": "\n\n".join(member["content"] for member in group)}
        else:
            yield from group
        is_first = False


def _gemini_turns(part: ContextPart) -> Iterable[Mapping[str, Json]]:
    """The system instruction is not among the turns."""
    if isinstance(part, TextBlock):
        if part.role != "system":
            role = "model" if part.role == "assistant" else "user"
            yield {"role": role, "parts": [{"text": part.text}]}
        return
    parts: list[dict[str, Any]] = [{"text": part.text}] if part.text else []
    parts += [
        {"functionCall": {"name": tool.name, "args": json.loads(tool.arguments)}}
        for tool in part.tools
    ]
    yield {"role": "model" if part.message.role == "assistant" else "user", "parts": parts}
    if part.tools:
        results = [
            {"functionResponse": {"name": tool.name, "response": {"output": tool.output}}}
            for tool in part.tools
        ]
        yield {"role": "user", "parts": results}


def _numbered_turns(parts: Sequence[ContextPart]) -> Iterable[str]:
    """All history entries as one block under "Previous conversation:", each turn numbered."""
    entries = [part for part in parts if isinstance(part, HistoryEntry)]
    for part in parts:
        if not isinstance(part, HistoryEntry):
            yield _labelled(part, "AI")
        elif part is entries[0]:
            yield TURNS_HEADING + "\n\n".join(
                f"Turn {number}:\n" + "\n".join(_labelled(entry, "AI") for entry in turn)
                for number, turn in groupby(entries, key=lambda entry: entry.turn)
            )


def _labelled(part: ContextPart, assistant: str) -> str:
    if isinstance(part, TextBlock):
        return f"User: {part.text}" if part.role == "user" else part.text
    speaker = {"user": "User", "system": "System"}.get(part.message.role, assistant)
    return f"{speaker}: {part.text or TOOL_INTERACTION}"
