"""A conversation as JSON lines or Markdown."""

import json
import re
from dataclasses import asdict
from datetime import datetime
from typing import Any

from recollect.core.types import Conversation, Message, utc_text

_EXCLUDED = frozenset({"is_answering", "rating"})
"""A momentary state, and a value with its own line in the export of all data."""


def conversation_line(conversation: Conversation) -> str:
    return _json_line("conversation", asdict(conversation))


def message_line(message: Message) -> str:
    return _json_line("message", asdict(message))


def conversation_heading(conversation: Conversation) -> str:
    title = " ".join((conversation.title or "Untitled conversation").split())
    return f"# {title}\n"


def message_section(message: Message) -> str:
    """Format a message, its tool calls as JSON. Superseded messages are left out."""
    if message.superseded_at is not None:
        return ""
    parts = [f"\n## {message.role.capitalize()}, {message.event_at:%Y-%m-%d %H:%M} UTC\n"]
    if message.content:
        parts.append(f"\n{message.content}\n")
    for call in message.tool_calls or []:
        text = json.dumps(call, ensure_ascii=False, indent=2)
        longest = max(map(len, re.findall("`+", text)), default=0)
        fence = "`" * (longest + 3)
        parts.append(f"\n{fence}json\n{text}\n{fence}\n")
    return "".join(parts)


def _json_line(kind: str, value: dict[str, Any]) -> str:
    fields = {name: part for name, part in value.items() if name not in _EXCLUDED}
    return json.dumps({"type": kind, **fields}, ensure_ascii=False, default=_time) + "\n"


def _time(value: object) -> str:
    if isinstance(value, datetime):
        return utc_text(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
