"""Writes web/openapi.json, the source of the web app's generated types.

python -m tests.server.write_openapi
"""

import asyncio
import json
from pathlib import Path

from recollect.engine import Recollect
from recollect.server.app import create_app

FILE = Path(__file__).parents[2] / "web" / "openapi.json"


def description() -> str:
    """The document, sorted, so that the order of routes does not matter."""

    async def described() -> object:
        async with Recollect.open("sqlite:///:memory:") as memory:
            return create_app(memory).openapi()

    return json.dumps(asyncio.run(described()), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(description(), encoding="utf-8")
