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
    """Return method, path, operation id and summary of every endpoint as a Markdown table.

    The summary is the first sentence of the description, if there is one.
    """
    paths = json.loads(DESCRIPTION.read_text(encoding="utf-8"))["paths"]
    lines = ["| call | operation | summary |", "| --- | --- | --- |"]
    for path in sorted(paths):
        for method, operation in paths[path].items():
            text = operation.get("description", operation["summary"])
            summary = re.split(r"(?<=\.)\s", " ".join(text.split()))[0].rstrip(".")
            lines.append(
                f"| `{method.upper()} {path}` | `{operation['operationId']}` | {summary} |"
            )
    return "\n".join(lines)


def with_table(page: str) -> str:
    """Return the page with the current table between its markers."""
    text, count = _SECTION.subn(lambda _: f"\n{table()}\n\n", page)
    if count != 1:
        raise ValueError(f"{PAGE} needs the markers <!-- endpoints --> and <!-- /endpoints -->.")
    return text


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
