"""Render the parts of a context, in their final order, in one of the formats."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, assert_never, overload

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
    """The system prompt, the summary, quotes: text that is not a message of the conversation."""

    text: str
    is_assistant: bool = False
    """Whether the assistant says it, as the summary in the layout `entry`."""


@dataclass(frozen=True, slots=True)
class CurrentMessage:
    text: str


ContextPart = TextBlock | HistoryEntry | CurrentMessage


def render(
    parts: Sequence[ContextPart], format: Format, *, one_system_message: bool, receipt: Receipt
) -> Context:
    match format:
        case "openai":
            messages = tuple(_openai_messages(parts))
            if one_system_message:
                messages = tuple(_join_system(messages))
            return MessagesContext(messages=messages, tokens=receipt.tokens, receipt=receipt)
        case "gemini":
            blocks = (part for part in parts if isinstance(part, TextBlock))
            return MessagesContext(
                messages=tuple(_gemini_turns(parts)),
                system="\n\n".join(b.text for b in blocks if not b.is_assistant) or None,
                tokens=receipt.tokens,
                receipt=receipt,
            )
        case "text":
            text = "\n\n".join(_labelled(part, "Assistant") for part in parts)
        case "turns":
            text = "\n\n".join(_numbered_turns(parts))
        case _:
            assert_never(format)
    return TextContext(text=text, tokens=receipt.tokens, receipt=receipt)


@overload
def render_messages(
    messages: Sequence[Message], format: MessagesFormat
) -> list[Mapping[str, Json]]: ...
@overload
def render_messages(messages: Sequence[Message], format: TextFormat) -> str: ...
def render_messages(messages: Sequence[Message], format: Format) -> list[Mapping[str, Json]] | str:
    """Return stored messages in one of the formats, without incomplete tool calls."""
    entries, _ = pair_tool_calls(messages)
    match format:
        case "openai":
            return [message for entry in entries for message in _openai_entry(entry)]
        case "gemini":
            return [turn for entry in entries for turn in _gemini_entry(entry)]
        case "text":
            return "\n\n".join(_labelled(entry, "Assistant") for entry in entries)
        case "turns":
            return "\n\n".join(_numbered_turns(entries))
        case _:
            assert_never(format)


def _openai_messages(parts: Iterable[ContextPart]) -> Iterable[Mapping[str, Json]]:
    for part in parts:
        match part:
            case TextBlock(text, is_assistant):
                yield {"role": "assistant" if is_assistant else "system", "content": text}
            case CurrentMessage(text):
                yield {"role": "user", "content": text}
            case HistoryEntry():
                yield from _openai_entry(part)


def _openai_entry(entry: HistoryEntry) -> Iterable[Mapping[str, Json]]:
    message: dict[str, Json] = {"role": entry.message.role, "content": entry.text}
    if entry.tools:
        message["tool_calls"] = [
            {
                "id": tool.id,
                "type": "function",
                "function": {"name": tool.name, "arguments": tool.arguments},
            }
            for tool in entry.tools
        ]
    yield message
    for tool in entry.tools:
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


def _gemini_turns(parts: Iterable[ContextPart]) -> Iterable[Mapping[str, Json]]:
    for part in parts:
        match part:
            case TextBlock(text, is_assistant=True):
                yield {"role": "model", "parts": [{"text": text}]}
            case CurrentMessage(text):
                yield {"role": "user", "parts": [{"text": text}]}
            case HistoryEntry():
                yield from _gemini_entry(part)
            case TextBlock():
                pass


def _gemini_entry(entry: HistoryEntry) -> Iterable[Mapping[str, Json]]:
    role = "model" if entry.message.role == "assistant" else "user"
    parts: list[dict[str, Any]] = [{"text": entry.text}] if entry.text else []
    parts += [
        {"functionCall": {"name": tool.name, "args": json.loads(tool.arguments)}}
        for tool in entry.tools
    ]
    yield {"role": role, "parts": parts}
    if entry.tools:
        yield {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": tool.name, "response": {"output": tool.output}}}
                for tool in entry.tools
            ],
        }


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
    match part:
        case TextBlock(text):
            return text
        case CurrentMessage(text):
            return f"User: {text}"
        case HistoryEntry():
            speaker = {"user": "User", "system": "System"}.get(part.message.role, assistant)
            return f"{speaker}: {part.text or TOOL_INTERACTION}"
