"""A context in the form its reader takes: OpenAI messages, Gemini turns, or text.

A context is a list of blocks and entries in their final order. A block is ours to say (the system
prompt, the summary, what is quoted); an entry was said in the conversation.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from recollect.core.sanitize import TOOL_INTERACTION
from recollect.core.types import Json
from recollect.recall.context.tool_pairs import HistoryEntry

Format = Literal["openai", "gemini", "text", "turns"]
TURNS_HEADING = "Previous conversation:\n"


@dataclass(frozen=True, slots=True)
class Block:
    text: str
    is_said: bool = False
    """Whether it stands as an answer of the model, as the summary of some layouts does."""


@dataclass(frozen=True, slots=True)
class Question:
    """A current message that is not stored yet."""

    text: str


Part = Block | HistoryEntry | Question


@dataclass(frozen=True, slots=True)
class Rendered:
    messages: tuple[Mapping[str, Json], ...] | None = None
    text: str | None = None
    system: str | None = None
    """What a Gemini client passes as its system instruction."""


def render(parts: Sequence[Part], format: Format, *, one_system_message: bool = False) -> Rendered:
    return _FORMATS[format](parts, one_system_message)


def _openai(parts: Sequence[Part], one_system_message: bool) -> Rendered:
    messages: list[Mapping[str, Json]] = []
    for part in parts:
        match part:
            case Block(text, is_said):
                messages.append({"role": "assistant" if is_said else "system", "content": text})
            case Question(text):
                messages.append({"role": "user", "content": text})
            case HistoryEntry():
                messages.extend(_openai_entry(part))
    if one_system_message:
        messages = _joined_system(messages)
    return Rendered(messages=tuple(messages))


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


def _joined_system(messages: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """The system messages at the start, as the one that many models expect."""
    joined: list[Mapping[str, Json]] = []
    for role, group in groupby(messages, key=lambda message: message["role"]):
        members = list(group)
        if role == "system" and not joined:
            text = "\n\n".join(member["content"] for member in members)
            members = [{"role": "system", "content": text}]
        joined.extend(members)
    return joined


def _gemini(parts: Sequence[Part], one_system_message: bool) -> Rendered:
    system = [part.text for part in parts if isinstance(part, Block) and not part.is_said]
    turns: list[Mapping[str, Json]] = []
    for part in parts:
        match part:
            case Block(text, is_said=True):
                turns.append({"role": "model", "parts": [{"text": text}]})
            case Question(text):
                turns.append({"role": "user", "parts": [{"text": text}]})
            case HistoryEntry():
                turns.extend(_gemini_entry(part))
            case Block():
                pass
    return Rendered(messages=tuple(turns), system="\n\n".join(system) or None)


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


def _text(parts: Sequence[Part], one_system_message: bool) -> Rendered:
    """One block after the other; entries as "User: …" and "Assistant: …"."""
    return Rendered(text="\n\n".join(_spoken(part, "Assistant") for part in parts))


def _turns(parts: Sequence[Part], one_system_message: bool) -> Rendered:
    """ "Previous conversation:", each turn under its number."""
    written: list[str] = []
    stored = [part for part in parts if isinstance(part, HistoryEntry)]
    for part in parts:
        if not isinstance(part, HistoryEntry):
            written.append(_spoken(part, "AI"))
        elif part is stored[0]:
            written.append(TURNS_HEADING + _numbered(stored))
    return Rendered(text="\n\n".join(written))


def _numbered(entries: Iterable[HistoryEntry]) -> str:
    return "\n\n".join(
        f"Turn {number}:\n" + "\n".join(_spoken(entry, "AI") for entry in members)
        for number, members in groupby(entries, key=lambda entry: entry.turn)
    )


def _spoken(part: Part, assistant: str) -> str:
    match part:
        case Block(text):
            return text
        case Question(text):
            return f"User: {text}"
        case HistoryEntry():
            speaker = {"user": "User", "system": "System"}.get(part.message.role, assistant)
            return f"{speaker}: {part.text or TOOL_INTERACTION}"


_FORMATS: Mapping[Format, Callable[[Sequence[Part], bool], Rendered]] = {
    "openai": _openai,
    "gemini": _gemini,
    "text": _text,
    "turns": _turns,
}
