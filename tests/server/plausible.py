"""Plausible values for generated requests: existing ids and names, and ordinary texts.

Each value replaces the parameter or field of its name; None removes it. `spoil` does the opposite,
with the worst possible texts and numbers.
"""

from collections.abc import Mapping
from itertools import cycle
from typing import Any
from uuid import uuid4

import httpx

Values = Mapping[str, Any]

_TAKES_AWAY = ("DELETE ", "PUT /api/conversations/{conversation_id}/summary", "POST /api/chat/")
"""These operations delete or change their target."""
_MESSAGES = {
    "POST /api/chat": {"role": "user", "parts": [{"type": "text", "text": "Hi"}]},
    "POST /api/chats": {"role": "user", "parts": [{"text": "Hi"}]},
    "PATCH /api/chats": {"role": "user", "parts": [{"text": "Hi"}]},
}
_WORDS = dict.fromkeys(("message", "query", "content", "summary", "text", "q"), "Hi")
_SPOKEN = frozenset({*_WORDS, "category", "note", "system", "thinking", "title", "user_id"})
_NUMBERS = frozenset({"at", "budget", "confidence", "max_tokens", "seed", "top_p", "version"})
_WORST_WORDS = ("\ud800", "a\0b", "\udc00\ud800", "\ufffe\ufeff", " ", "\u2028" * 1000)
_UNNAMED = dict.fromkeys(
    ("cursor", "functions", "Idempotency-Key", "Last-Event-ID", "model", "model_variant", "policy")
)


class Plausible:
    """Values of one admin user who has at least one of everything."""

    def __init__(self, client: httpx.Client, *, key: str) -> None:
        self._client = client
        said = self._post("/api/chat?stream=false", message="I live in Turin.")
        self._there = {
            "conversation_id": said["conversation_id"],
            "message_id": said["message"]["id"],
            "memory_id": self._new_memory(),
            "job_id": client.get("/api/jobs").json()["items"][0]["id"],
        }
        client.patch(f"/api/memories/{self._there['memory_id']}", json={"is_pinned": True})
        self._always = {
            **_UNNAMED,
            "user_id": client.get("/api/me").json()["user_id"],
            "key": key,
            "at": 1,
            "version": 0,
            "older": 0,
            "newer": 0,
        }
        self._worst = cycle(_WORST_WORDS)
        self.file = client.get("/api/export").content

    def names(self, operation: str) -> Values:
        takes_away = operation.startswith(_TAKES_AWAY)
        ids = self._new(operation) if takes_away else self._there
        conversation_id = ids["conversation_id"]
        others = ("id", "thread_id", "threadId", "chat_id", "conversation", "x-conversation-id")
        return {
            **self._always,
            **dict.fromkeys(others, conversation_id),
            **ids,
            "source_conversation_id": conversation_id,
            "source_message_id": ids["message_id"],
        }

    def words(self, operation: str) -> Values:
        message = _MESSAGES.get(operation, {"role": "user", "content": "Hi"})
        return {**_WORDS, "messages": [message], "title": "Turin", "search": None}

    def spoil(self, body: Any) -> None:
        """Replace texts and numbers by the worst values."""
        if isinstance(body, list):
            for item in body:
                self.spoil(item)
        elif isinstance(body, dict):
            for name in body:
                if name in _SPOKEN:
                    body[name] = next(self._worst)
                elif name in _NUMBERS:
                    body[name] = 10**40
                else:
                    self.spoil(body[name])

    def _new(self, operation: str) -> dict[str, str]:
        question, answer = str(uuid4()), str(uuid4())
        created = self._post(
            "/api/conversations",
            messages=[
                {"role": "user", "content": "Where do I live?", "id": question},
                {"role": "assistant", "content": "In Turin.", "id": answer},
            ],
        )
        return {
            "conversation_id": created["id"],
            "message_id": question if operation.endswith("/edit") else answer,
            "memory_id": self._new_memory() if "memory_id" in operation else "",
            "key_id": self._new_key() if "key_id" in operation else "",
        }

    def _new_memory(self) -> str:
        made = self._post("/api/memories", memory_type="fact", content=f"Lives at {uuid4()}.")
        return str(made["id"])

    def _new_key(self) -> str:
        return str(self._post("/api/keys", user_id=f"user-{uuid4()}")["id"])

    def _post(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()
