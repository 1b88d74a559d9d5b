"""A conversation as text: JSON lines that hold what was said to the letter, or Markdown that reads
well.

A line holds what is on record of the thing that it names. What is true of the moment only, and what
hangs on a message and has a line of its own where all of a user's data is exported, stays out.
"""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from recollect.core.types import Conversation, Message, utc_text

_NOT_ITS_OWN = frozenset({"is_answering", "rating"})


def conversation_line(conversation: Conversation) -> str:
    return _json_line("conversation", asdict(conversation))


def message_line(message: Message) -> str:
    return _json_line("message", asdict(message))


def conversation_heading(conversation: Conversation) -> str:
    title = " ".join((conversation.title or "Untitled conversation").split())
    return f"# {title}\n"


def message_section(message: Message) -> str:
    """The words as they were said; tool calls as JSON. What they contain is not interpreted, and
    what no longer stands is left to the JSON lines."""
    if message.superseded_at is not None:
        return ""
    parts = [f"\n## {message.role.capitalize()}, {message.event_at:%Y-%m-%d %H:%M} UTC\n"]
    if message.content:
        parts.append(f"\n{message.content}\n")
    for call in message.tool_calls or []:
        text = json.dumps(call, ensure_ascii=False, indent=2)
        fence = "`" * (_longest_run(text) + 3)
        parts.append(f"\n{fence}json\n{text}\n{fence}\n")
    return "".join(parts)


def _longest_run(text: str) -> int:
    """Of backticks: the fence around a text must be longer than any in it."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


def _json_line(kind: str, value: dict[str, Any]) -> str:
    kept = {name: part for name, part in value.items() if name not in _NOT_ITS_OWN}
    return json.dumps({"type": kind, **kept}, ensure_ascii=False, default=_time) + "\n"


def _time(value: object) -> str:
    if isinstance(value, datetime):
        return utc_text(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
