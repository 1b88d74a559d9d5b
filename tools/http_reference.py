"""Writes the endpoint table of docs/reference/http.md from web/openapi.json.

python -m tools.http_reference
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DESCRIPTION = ROOT / "web" / "openapi.json"
PAGE = ROOT / "docs" / "reference" / "http.md"

_SECTION = re.compile(r"(?<=<!-- endpoints -->\n).*?(?=<!-- /endpoints -->)", re.DOTALL)


def table() -> str:
    """Return method, path, operation id and summary of every endpoint as a Markdown table."""
    paths = json.loads(DESCRIPTION.read_text(encoding="utf-8"))["paths"]
    lines = ["| call | operation | summary |", "| --- | --- | --- |"]
    for path in sorted(paths):
        for method, operation in paths[path].items():
            id, summary = operation["operationId"], operation["summary"].rstrip(".")
            lines.append(f"| `{method.upper()} {path}` | `{id}` | {summary} |")
    return "\n".join(lines)


def with_table(page: str) -> str:
    """Return the page with the current table between its markers."""
    text, count = _SECTION.subn(lambda _: f"\n{table()}\n\n", page)
    if count != 1:
        raise ValueError(f"{PAGE} needs the markers <!-- endpoints --> and <!-- /endpoints -->.")
    return text


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
