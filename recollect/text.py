"""Text as it is compared, and text as it is quoted."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from math import isfinite

from recollect import tokens
from recollect.model import Atom, AtomKind, Json

TOOL_INTERACTION = "[Tool interaction]"
"""What stands for a message without text."""

_HEADINGS: dict[AtomKind, str] = {
    "decision": "Decisions",
    "constraint": "Constraints",
    "preference": "Preferences",
    "name": "Names",
    "date": "Dates",
    "amount": "Amounts",
    "identifier": "Identifiers",
    "path": "Paths",
    "url": "URLs",
    "quote": "Quotes",
}


def fold(text: str) -> str:
    """Without case and accents, so that "Citta" finds "Città"."""
    if text.isascii():
        return text.lower()
    # Marks go before decomposing as well, because NFKD sorts a run of them in quadratic time, and
    # case is folded after it, because it turns signs such as the trade mark into capitals.
    return _without_marks(unicodedata.normalize("NFKD", _without_marks(text))).casefold()


def plain_words(text: str) -> str:
    """Its words folded, with nothing but a blank between any two."""
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


def _without_marks(text: str) -> str:
    return "".join([c for c in text if unicodedata.category(c)[0] != "M"])


def mended(text: str) -> str:
    """Text as a database can keep it: without NUL characters, and with no half of a surrogate pair.

    What people send is refused instead; what a model says cannot be sent back.
    """
    if text.isascii():
        return text.replace("\0", "")
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "")


def mended_json(value: Json) -> Json:
    """The same for what is in JSON. Numbers that JSON does not have become null."""
    match value:
        case str():
            return mended(value)
        case float() if not isfinite(value):
            return None
        case Mapping():
            return {mended(str(name)): mended_json(one) for name, one in value.items()}
        case list() | tuple():
            return [mended_json(one) for one in value]
        case _:
            return value


def like_pattern(fragment: str) -> str:
    """A LIKE pattern (escape character: backslash) for folded text that contains `fragment`."""
    escaped = fold(fragment).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


_MARKER = re.compile(
    r"(?:^|(?<=[\r\v\f\x1c-\x1e\x85\u2028\u2029]))(?=[ \t]*(?:"  # whatever begins a line
    r"={3,}\s*(?:END_)?(?:EXISTING_SUMMARY|NEW_TURNS)\b"
    r"|(?:User|Assistant|AI|System|Tool|Turn \d+)[ \t]*:"
    r"|BACKGROUND\b.{0,3}PRIOR CONVERSATION SUMMARY"
    r"|#{1,6}[ \t]"
    r"|Previous conversation:|User is referring to:|Exact values:"
    r"))",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<(?=\s*/?\s*recalled\b)", re.IGNORECASE)


def defuse(text: str) -> str:
    """Text that can stand in a block of ours without ending it or opening another.

    Lines that look like one of our headings, speakers or delimiters are set apart by a bar; all
    else stays to the letter.
    """
    return _TAG.sub("&lt;", _MARKER.sub("| ", text))


def quote(text: str, **about: str | int) -> str:
    """Recalled text as data, between tags that it cannot forge."""
    attributes = "".join(f' {name}="{value}"' for name, value in about.items())
    return f"<recalled{attributes}>\n{defuse(text)}\n</recalled>"


def clamp(text: str, max_tokens: int, *, count: Callable[[str], int] = tokens.count) -> str:
    """The beginning and the end of a text that is too long, with a note of what is left out."""
    size = count(text)
    if size <= max_tokens:
        return text
    half = int(len(text) * max_tokens / size / 2)
    while half > 0:
        start, end = text[:half].rstrip(), text[len(text) - half :].lstrip()
        left_out = size - count(start) - count(end)
        shorter = f"{start} [… {left_out:,} tokens left out …] {end}"
        if count(shorter) <= max_tokens:
            return shorter
        half = int(half * 0.9)
    return ""


def render_ledger(atoms: Iterable[Atom]) -> str:
    """What a model reads: a line per kind, values in the order in which they came up."""
    entries: dict[AtomKind, list[str]] = {kind: [] for kind in _HEADINGS}
    for atom in atoms:
        entries[atom.kind].append(render_atom(atom))
    return "\n".join(
        f"{heading}: {'; '.join(entries[kind])}"
        for kind, heading in _HEADINGS.items()
        if entries[kind]
    )


def render_atom(atom: Atom) -> str:
    return f"{atom.value} ({atom.label})" if atom.label else atom.value
