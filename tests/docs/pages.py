"""Parses the documentation: links, anchors, code, commands, settings."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
ADDRESS = "http://127.0.0.1:8000"
"""The server's address in the pages."""

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+")
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
_HEADING = re.compile(r"^#+ +(.+?) *#*$", re.MULTILINE)
_NAMED = re.compile(r"""<a (?:id|name)=["']([^"']+)["']""")
_PYTHON = re.compile(
    r"(?:^<!-- python: ([\w, ]+) -->\n)?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_CURL = re.compile(r"^curl (?:'[^']*'|[^'\n]|(?<=\\)\n)*", re.MULTILINE)
_RECOLLECT = re.compile(r"^(?:\w+=\S+ +)*(?:\w+=)?(?:[\w./]*/bin/)?recollect +([^\n|]+)", re.M)
_SET = re.compile(r"\b([A-Z][A-Z_]+)=('[^']*'|\"[^\"]*\"|[^\s`]*)")


@dataclass(frozen=True)
class Link:
    """A relative link; `anchor` is empty for a link to the whole file."""

    path: Path
    anchor: str


@dataclass(frozen=True)
class PythonBlock:
    code: str
    fixtures: frozenset[str]
    """Names in the comment before the block: `<!-- python: chat, model -->`."""


@dataclass(frozen=True)
class Page:
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))

    def links(self) -> Iterator[Link]:
        for target in _LINK.findall(_FENCED.sub("", self.text)):
            if "://" not in target and not target.startswith("mailto:"):
                path, _, anchor = target.partition("#")
                yield Link((self.path.parent / path).resolve() if path else self.path, anchor)

    def anchors(self) -> set[str]:
        """Anchors of headings as GitHub makes them: repeated ones get a number."""
        text = _FENCED.sub("", self.text)
        seen: Counter[str] = Counter()
        anchors = set(_NAMED.findall(text))
        for heading in _HEADING.findall(text):
            name = _slug(heading)
            anchors.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        return anchors

    def python(self) -> list[PythonBlock]:
        return [
            PythonBlock(code, frozenset(re.findall(r"\w+", fixtures)))
            for fixtures, code in _PYTHON.findall(self.text)
        ]

    def blocks(self) -> Iterator[str]:
        """Fenced and indented code blocks."""
        for _, code in _FENCED.findall(self.text):
            yield code
        for code in _INDENTED.findall(_FENCED.sub("", self.text)):
            yield dedent(code)

    def spans(self) -> list[str]:
        """Inline code."""
        without = _INDENTED.sub("\n", _FENCED.sub("", self.text))
        return [span.replace("\\|", "|") for span in _SPAN.findall(without)]

    def curls(self) -> Iterator[str]:
        for block in self.blocks():
            yield from _CURL.findall(block)

    def commands(self) -> Iterator[str]:
        """Arguments of `recollect` commands in code blocks."""
        for block in self.blocks():
            yield from _RECOLLECT.findall(block.replace("\\\n", " "))

    def settings(self) -> Iterator[dict[str, str]]:
        """Variables set together in one code block or span."""
        for code in (*self.blocks(), *self.spans()):
            yield {name: value.strip("'\"") for name, value in _SET.findall(code)}


def pages() -> list[Page]:
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [Page(path) for path in (*top, *sorted(DOCS.rglob("*.md")))]


def _slug(heading: str) -> str:
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
