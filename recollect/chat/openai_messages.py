"""Messages in the form of OpenAI's chat completions, converted to ours.

Text is `content`. Content parts without text, and fields that have no counterpart, are kept in
`custom_payload`, so that nothing is lost.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.chat.tools import parse_arguments
from recollect.core.errors import InvalidInput
from recollect.core.types import Json, MessageIn, Role
from recollect.core.validation import check_choice

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
}
_KNOWN = {"role", "content", "refusal", "tool_calls", "tool_call_id", "name"}


def message_from_openai(message: Mapping[str, Json]) -> MessageIn:
    """Convert a message dict, or raise InvalidInput if it has no such form."""
    role: Any = message.get("role")
    check_choice(role, "role", [*_ROLES])
    text, parts = _split_content(message.get("content"))
    payload: dict[str, Json] = {"parts": parts} if parts else {}
    if extra := {name: message[name] for name in message if name not in _KNOWN and message[name]}:
        payload["openai"] = extra
    metadata = {"tool_call_id": message.get("tool_call_id"), "speaker": message.get("name")}
    return MessageIn(
        role=_ROLES[role],
        content=text or message.get("refusal") or "",
        tool_calls=[_tool_call(call) for call in message.get("tool_calls") or ()] or None,
        custom_payload=payload or None,
        metadata={name: value for name, value in metadata.items() if value is not None},
    )


def _split_content(content: Json) -> tuple[str, list[Json]]:
    """Return the text of a message's content, and its parts that have no text."""
    if content is None or isinstance(content, str):
        return content or "", []
    if not isinstance(content, Sequence):
        raise InvalidInput("content must be a text or a list of parts.", field="content")
    texts, others = [], []
    for index, part in enumerate(content):
        if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
            raise InvalidInput("A part must have a type.", field=f"content.{index}")
        text = part.get("text", part.get("refusal"))
        if isinstance(text, str):
            texts.append(text)
        else:
            others.append(dict(part))
    return "\n\n".join(texts), others


def _tool_call(call: Json) -> dict[str, Json]:
    match call:
        case {"id": str(id), "function": {"name": str(name), **rest}}:
            arguments: Any = rest.get("arguments") or "{}"
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            return {"id": id, "tool_name": name, "input": parse_arguments(text)}
    raise InvalidInput(
        "A tool call must have an id, and a function with a name.", field="tool_calls"
    )
