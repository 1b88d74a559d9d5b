"""Render the parts of a context, in their final order, in one of the formats."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, assert_never, overload

from recollect.core.sanitize import TOOL_INTERACTION
from recollect.core.types import Json, Message
from recollect.recall.context.anthropic_format import render_anthropic
from recollect.recall.context.parts import ContextPart, TextBlock
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


def render(
    parts: Sequence[ContextPart],
    format: Format,
    *,
    receipt: Receipt,
    stable: int = 0,
    one_system_message: bool = False,
) -> Context:
    """Return the context. The first `stable` parts are the prefix that a provider can cache; with
    none, the order of the layout does not allow it."""
    if format in ("text", "turns"):
        text = _render_text(parts, format)
        return TextContext(text=text, tokens=receipt.tokens, receipt=receipt)
    system: Any = None
    if format == "anthropic":
        system, rendered = render_anthropic(parts, stable=stable)
    elif format == "gemini":
        system, rendered = _gemini(parts, stable)
    else:
        rendered = [message for part in parts for message in _openai_messages(part)]
        if one_system_message:
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
    match format:
        case "openai":
            return [message for entry in entries for message in _openai_messages(entry)]
        case "anthropic":
            return render_anthropic(entries)[1]
        case "gemini":
            return _gemini(entries)[1]
        case "text" | "turns":
            return _render_text(entries, format)
        case _:
            assert_never(format)


def _render_text(parts: Sequence[ContextPart], format: Format) -> str:
    if format == "turns":
        return "\n\n".join(_numbered_turns(parts))
    return "\n\n".join(_labelled(part, "Assistant") for part in parts)


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


def _gemini(
    parts: Sequence[ContextPart], stable: int = 0
) -> tuple[str | None, list[Mapping[str, Json]]]:
    """Return the system instruction and the turns. Where a prefix is to be cached, the instruction
    has only stable parts, and the user's turn begins with the others."""
    instructions: list[str] = []
    turns: list[Mapping[str, Json]] = []
    before_question: list[Mapping[str, Json]] = []
    for index, part in enumerate(parts):
        if isinstance(part, TextBlock) and part.role == "system":
            if stable and index >= stable:
                before_question.append({"text": part.text})
            else:
                instructions.append(part.text)
            continue
        for turn in _gemini_turns(part):
            if before_question and turn["role"] == "user":
                turns.append({"role": "user", "parts": [*before_question, *turn["parts"]]})
                before_question = []
            else:
                turns.append(turn)
    if before_question:
        turns.append({"role": "user", "parts": before_question})
    return "\n\n".join(instructions) or None, turns


def _gemini_turns(part: ContextPart) -> Iterable[Mapping[str, Json]]:
    if isinstance(part, TextBlock):
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
    return f"{speaker}: {part.enclosed_text or TOOL_INTERACTION}"
