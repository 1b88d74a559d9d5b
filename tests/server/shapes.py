"""What the contract promises of every answer, field by field."""

import re
from typing import Any
from uuid import UUID

import httpx

Json = dict[str, Any]

CONVERSATION = frozenset(
    {
        "id",
        "title",
        "title_source",
        "policy",
        "remember",
        "topic",
        "metadata",
        "is_archived",
        "message_count",
        "token_count",
        "created_at",
        "updated_at",
        "last_activity_at",
        "forked_from",
    }
)
MESSAGE_IN = frozenset(
    {
        "role",
        "content",
        "thinking",
        "tool_calls",
        "suggested_values",
        "suggested_actions",
        "custom_payload",
        "model_variant",
        "metadata",
        "is_pinned",
        "event_at",
        "id",
    }
)
MESSAGE = MESSAGE_IN | frozenset({"id", "seq", "turn", "status", "tokens", "created_at"})
DELETED = frozenset({"messages", "summaries", "embeddings", "memories", "jobs"})

UNKNOWN = "01a1e113-0000-7000-8000-000000000000"

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def is_time(text: str) -> bool:
    return _RFC_3339.fullmatch(text) is not None


def is_id(text: str) -> bool:
    return str(UUID(text)) == text


def conversation(response: httpx.Response, status: int) -> Json:
    """The body, after a look at its shape."""
    assert response.status_code == status, response.text
    body: Json = response.json()
    check_conversation(body)
    return body


def check_conversation(body: Json) -> None:
    assert body.keys() >= CONVERSATION
    assert is_id(body["id"])
    assert body["title_source"] in ("auto", "user")
    assert isinstance(body["metadata"], dict)
    for field in ("created_at", "updated_at", "last_activity_at"):
        assert is_time(body[field]), body[field]


def check_message(body: Json) -> None:
    assert body.keys() >= MESSAGE
    assert is_id(body["id"])
    assert body["status"] == "complete"
    assert isinstance(body["tokens"], int)
    for field in ("created_at", "event_at"):
        assert is_time(body[field]), body[field]


def messages(response: httpx.Response, status: int) -> list[Json]:
    assert response.status_code == status, response.text
    found: list[Json] = response.json()["items"]
    for message in found:
        check_message(message)
    return found


def page(response: httpx.Response) -> tuple[list[Json], str | None]:
    assert response.status_code == 200, response.text
    body = response.json()
    assert body.keys() == {"items", "next_cursor"}
    return body["items"], body["next_cursor"]


def deleted(response: httpx.Response) -> Json:
    assert response.status_code == 200, response.text
    body = response.json()
    assert body.keys() == {"deleted"}
    assert body["deleted"].keys() == DELETED
    counts: Json = body["deleted"]
    return counts


def problem(response: httpx.Response, status: int) -> Json:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: Json = response.json()
    assert body.keys() >= {"type", "title", "status", "detail"}
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    if status == 422:
        assert body["errors"]
        assert all(error.keys() >= {"field", "message"} for error in body["errors"])
    return body
