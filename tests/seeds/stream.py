"""Parses a UI message stream."""

import json
from typing import Any

import httpx

from recollect.server.stream_schemas import UI_EVENT


def parts(answer: httpx.Response) -> list[dict[str, Any]]:
    """The events of a complete stream, checked against their schema."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-vercel-ai-ui-message-stream"] == "v1"
    sent = [line[6:] for line in answer.text.splitlines() if line.startswith("data: ")]
    assert sent.pop() == "[DONE]"
    found = [json.loads(part) for part in sent]
    assert [UI_EVENT.validate_python(part) for part in found] == found
    return found


def text(answer: httpx.Response) -> str:
    """The text of a finished answer."""
    found = parts(answer)
    assert (found[0]["type"], found[-1]["type"]) == ("start", "finish"), found
    return "".join(part["delta"] for part in found if part["type"] == "text-delta")
