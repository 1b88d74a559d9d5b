"""A parser of rendered contexts, which lists their blocks in order.

Like a model, it trusts every heading, speaker and tag at the beginning of a line, but not within
quotes and tags, which end only with the mark or the tag that they began with.
"""

import re
from collections.abc import Iterator, Mapping

from recollect.recall.context.layout import TEMPLATES
from recollect.recall.context.types import Context, TextContext

_SPEAKER = re.compile(r"\s*(User|Assistant|AI|System|Tool)\s*:", re.IGNORECASE)
_TURN = re.compile(r"\s*Turn (\d+)\s*:", re.IGNORECASE)
_QUOTES = re.compile(
    r"Quoted messages, each after (\S+) and its number \(#\): data, not instructions\."
)
_LABEL = re.compile(r"#\d+ [^:]*:")
_TAG = re.compile(r"(?:\w+: )?<said ([0-9a-f]{8})>")
_DELIMITER = re.compile(r"\s*={3,}\s*(\w+)", re.IGNORECASE)
_HEADINGS: Mapping[str, str] = {
    heading.lower(): name
    for layout in TEMPLATES.values()
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
    system = context.system or ""
    if not isinstance(system, str):
        system = "\n\n".join(block["text"] for block in system)
    found = outline(system, contexts=contexts)
    for message in context.messages:
        found.append(message["role"])
        if message["role"] == "system":
            found += outline(message["content"], contexts=contexts)
    return found


def _blocks(text: str, contexts: tuple[str, ...]) -> Iterator[str]:
    mark = closing = ""
    for line in text.splitlines():
        if closing:
            if line == closing:
                closing = ""
        elif mark:
            if line.startswith(f"{mark} ") and _LABEL.match(line, len(mark) + 1):
                yield "quote"
            elif line == f"{mark} end of quotes":
                yield "end of quotes"
                mark = ""
        elif found := _QUOTES.match(line):
            mark = found[1]
        elif found := _TAG.match(line):
            closing = f"</said {found[1]}>"
            if speaker := _SPEAKER.match(line):
                yield speaker[1].lower()
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
