"""Cookies in the format of Supabase's libraries."""

import base64
import json
from typing import Literal
from urllib.parse import quote

Encoding = Literal["plain", "base64"]
Shape = Literal["object", "list"]

PROJECT = "abcdefghijkl"
REFRESH_TOKEN = "a-refresh-token-is-worth-more-than-any-other"


def session_cookies(
    token: str,
    *,
    encoding: Encoding = "base64",
    shape: Shape = "object",
    chunk: int | None = None,
    project: str = PROJECT,
) -> dict[str, str]:
    """One cookie, or several of at most `chunk` characters."""
    user = {"email": "zoe@example.com", "user_metadata": {"name": "Zoë 東京 🦊 100%"}}
    session = {
        "object": {"access_token": token, "refresh_token": REFRESH_TOKEN, "user": user},
        "list": [token, REFRESH_TOKEN, None, None, None],
    }[shape]
    text = json.dumps(session, ensure_ascii=False)
    if encoding == "base64":
        text = "base64-" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    else:
        text = quote(text, safe="")
    name = f"sb-{project}-auth-token"
    if chunk is None:
        return {name: text}
    chunks = _cut(text, chunk)
    return {f"{name}.{number}": part for number, part in enumerate(chunks)}


def _cut(text: str, size: int) -> list[str]:
    """Split like Supabase's library, never inside an escaped character."""
    chunks = []
    while text:
        head = text[:size]
        if size < len(text) and "%" in head[-2:]:
            head = head[: head.rindex("%")]
        chunks.append(head)
        text = text[len(head) :]
    return chunks
