"""A parser of rendered contexts, which lists their blocks in order.

Like a model, it trusts every heading, speaker and tag at the beginning of a line.
"""

import re
from collections.abc import Iterator, Mapping

from recollect.recall.context.layout import LAYOUTS
from recollect.recall.context.types import Context, TextContext

_SPEAKER = re.compile(r"\s*(User|Assistant|AI|System|Tool)\s*:", re.IGNORECASE)
_TURN = re.compile(r"\s*Turn (\d+)\s*:", re.IGNORECASE)
_TAG = re.compile(r"\s*<\s*(/?)\s*recalled\b", re.IGNORECASE)
_DELIMITER = re.compile(r"\s*={3,}\s*(\w+)", re.IGNORECASE)
_HEADINGS: Mapping[str, str] = {
    heading.lower(): name
    for layout in LAYOUTS.values()
    for name, heading in (
        ("summary", layout.summary),
        ("memories", layout.memories),
        ("pinned", layout.pinned),
        ("retrieved", layout.retrieved),
        ("references", layout.references),
    )
    if heading
} | {"previous conversation:": "history", "exact values:": "ledger"}


def outline(text: str, *, contexts: tuple[str, ...] = ()) -> list[str]:
    """Return the names of the blocks of a text."""
    return list(_blocks(text, contexts))


def outline_of(context: Context, *, contexts: tuple[str, ...] = ()) -> list[str]:
    """Return the names of the blocks of a context; of history messages only the roles."""
    if isinstance(context, TextContext):
        return outline(context.text, contexts=contexts)
    found = outline(context.system or "", contexts=contexts)
    for message in context.messages:
        found.append(message["role"])
        if message["role"] == "system":
            found += outline(message["content"], contexts=contexts)
    return found


def _blocks(text: str, contexts: tuple[str, ...]) -> Iterator[str]:
    is_quoted = False
    for line in text.splitlines():
        if found := _TAG.match(line):
            is_quoted = not found[1]
            yield f"{found[1]}recalled"
        elif is_quoted:
            continue
        elif name := _HEADINGS.get(line.strip().lower()):
            yield name
        elif line.strip().startswith("## ") and line.strip().removeprefix("## ") in contexts:
            yield f"context {line.strip()}"
        elif found := _TURN.match(line):
            yield f"turn {found[1]}"
        elif found := _SPEAKER.match(line):
            yield found[1].lower()
        elif found := _DELIMITER.match(line):
            yield found[1]
