"""Render a context as Anthropic's Messages API takes it.

The API has no system messages between others, wants roles to alternate from a user's message on,
and caches a prompt up to blocks that are marked with `cache_control`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.core.types import Json
from recollect.recall.context.parts import ContextPart, TextBlock

Block = dict[str, Any]

_CACHE_CONTROL = {"type": "ephemeral"}
OMITTED = "[Earlier messages are left out.]"
"""Comes first if the history begins with the assistant."""
_UNSAFE_ID = re.compile(r"[^a-zA-Z0-9_-]")


def render_anthropic(
    parts: Sequence[ContextPart], *, stable: int = 0
) -> tuple[list[Block], list[Mapping[str, Json]]]:
    """Return the blocks of the system prompt, and the messages.

    The last block of the system prompt and the last block of the stable parts get a cache
    breakpoint. System texts after the first message become part of the user's next one.
    """
    system: list[Block] = []
    messages: list[tuple[str, list[Block]]] = []
    for index, part in enumerate(parts):
        is_first = not messages and (not stable or index < stable)
        if isinstance(part, TextBlock) and part.role == "system" and is_first:
            system.append(_text(part.text))
            continue
        for role, blocks in _blocks(part):
            if blocks and messages and messages[-1][0] == role:
                messages[-1][1].extend(blocks)
            elif blocks:
                messages.append((role, blocks))
        if index == stable - 1 and messages:
            messages[-1][1][-1]["cache_control"] = _CACHE_CONTROL
    if messages and messages[0][0] == "assistant":
        messages.insert(0, ("user", [_text(OMITTED)]))
    if stable and system:
        system[-1]["cache_control"] = _CACHE_CONTROL
    return system, [{"role": role, "content": content} for role, content in messages]


def _blocks(part: ContextPart) -> list[tuple[str, list[Block]]]:
    if isinstance(part, TextBlock):
        return [("assistant" if part.role == "assistant" else "user", [_text(part.text)])]
    role = "assistant" if part.message.role == "assistant" else "user"
    said = [_text(part.text)] if part.text.strip() else []
    calls = [
        {"type": "tool_use", "id": _id(tool.id), "name": tool.name,
         "input": json.loads(tool.arguments)}
        for tool in part.tools
    ]  # fmt: skip
    results = [
        {"type": "tool_result", "tool_use_id": _id(tool.id), "content": tool.output}
        for tool in part.tools
    ]
    return [(role, [*said, *calls]), ("user", results)]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _id(id: str) -> str:
    return _UNSAFE_ID.sub("_", id)
