"""Checks of responses against the HTTP contract, field by field."""

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
        "is_answering",
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
MESSAGE = MESSAGE_IN | frozenset({"id", "seq", "turn", "status", "tokens", "created_at", "rating"})
DELETED = frozenset({"messages", "summaries", "embeddings", "memories", "jobs"})

ATOM = frozenset({"kind", "value", "seq"})
SUMMARY = frozenset({"text", "ledger", "version", "through_seq", "author", "tokens", "created_at"})
RECEIPT = frozenset({"budget", "tokens", "mode", "items"})
ITEM = frozenset({"section", "source", "tokens", "outcome", "reason"})
MEMORY_SECTIONS = frozenset({"memories", "summary", "pinned", "retrieved", "references", "tail"})
SECTIONS = MEMORY_SECTIONS | frozenset({"system", "contexts", "message"})
ANALYTICS = frozenset(
    {
        "full_history_tokens",
        "context_tokens",
        "unchanged_tokens",
        "cached_tokens",
        "digest_tokens",
        "net_saved_tokens",
        "compactions",
        "fact_survival",
        "feedback",
        "by_purpose",
        "by_turn",
        "by_day",
    }
)
MEMORY = frozenset(
    {
        "id",
        "memory_type",
        "category",
        "content",
        "source_conversation_id",
        "source_message_id",
        "created_at",
        "last_accessed_at",
        "access_count",
        "is_pinned",
        "is_archived",
        "confidence",
        "valid_from",
        "valid_to",
        "superseded_by",
    }
)
MEMORY_TYPES = ("fact", "preference", "entity", "project", "decision")
EVENT = frozenset(
    {
        "id",
        "memory_id",
        "action",
        "actor",
        "source_message_id",
        "before",
        "after",
        "created_at",
        "undone_at",
    }
)
JOB = frozenset({"id", "kind", "state", "attempts", "last_error", "run_at"})

UNKNOWN = "01a1e113-0000-7000-8000-000000000000"

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def is_time(text: str) -> bool:
    return _RFC_3339.fullmatch(text) is not None


def is_id(text: str) -> bool:
    return str(UUID(text)) == text


def conversation(response: httpx.Response, status: int) -> Json:
    """Check the shape of a response and return its body."""
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


def summary(response: httpx.Response) -> Json:
    assert response.status_code == 200, response.text
    body: Json = response.json()
    check_summary(body)
    return body


def check_summary(body: Json) -> None:
    assert body.keys() >= SUMMARY
    assert body["author"] in ("model", "extractive", "user")
    assert is_time(body["created_at"]), body["created_at"]
    assert bool(body["text"]) == (body["version"] > 0) == (body["tokens"] > 0)
    for atom in body["ledger"]:
        assert atom.keys() >= ATOM
        assert 0 < atom["seq"] <= body["through_seq"]


def context(response: httpx.Response) -> Json:
    """Check the body and that its receipt adds up."""
    assert response.status_code == 200, response.text
    body: Json = response.json()
    assert ("messages" in body) != ("text" in body)
    assert body["tokens"] == body["receipt"]["tokens"]
    check_receipt(body["receipt"])
    return body


def check_receipt(receipt: Json) -> None:
    assert receipt.keys() >= RECEIPT
    assert receipt["mode"] in ("compressed", "full")
    assert receipt["memory_tokens"] <= receipt["budget"]
    for item in receipt["items"]:
        assert item.keys() >= ITEM
        assert item["section"] in SECTIONS
        assert item["outcome"] in ("included", "shortened", "dropped")
        assert item["source"]
        assert item["reason"]
        assert item["tokens"] >= 0


def analytics(response: httpx.Response) -> Json:
    assert response.status_code == 200, response.text
    body: Json = response.json()
    assert body.keys() == ANALYTICS
    assert body["feedback"].keys() == {"compressed", "full"}
    for votes in body["feedback"].values():
        assert votes.keys() == {"up", "down"}
    spent = body["context_tokens"] + body["digest_tokens"]
    assert body["net_saved_tokens"] == body["full_history_tokens"] - spent
    assert body["fact_survival"] is None or 0 <= body["fact_survival"] <= 1
    for field in ("full_history_tokens", "context_tokens", "unchanged_tokens", "cached_tokens"):
        for parts in ("by_turn", "by_day"):
            assert body[field] == sum(part[field] or 0 for part in body[parts]), (field, parts)
    for field in ("digest_tokens", "compactions"):
        assert body[field] == sum(day[field] for day in body["by_day"]), field
    return body


def check_job(body: Json) -> None:
    assert body.keys() >= JOB
    assert is_id(body["id"])
    assert body["state"] in ("waiting", "running", "done", "failed")
    assert is_time(body["run_at"]), body["run_at"]


def memory(response: httpx.Response, status: int) -> Json:
    assert response.status_code == status, response.text
    body: Json = response.json()
    check_memory(body)
    return body


def check_memory(body: Json) -> None:
    assert body.keys() >= MEMORY
    assert is_id(body["id"])
    assert body["memory_type"] in MEMORY_TYPES
    assert body["author"] in ("user", "model", "pattern")
    assert body["content"] == body["content"].strip() != ""
    assert 0 <= body["confidence"] <= 1
    for field in ("created_at", "valid_from"):
        assert is_time(body[field]), body[field]
    for field in ("last_accessed_at", "valid_to"):
        assert body[field] is None or is_time(body[field]), body[field]
    assert (body["access_count"] == 0) == (body["last_accessed_at"] is None)


def check_event(body: Json) -> None:
    assert body.keys() == EVENT
    assert is_id(body["id"])
    assert body["actor"] in ("user", "model", "pattern")
    assert is_time(body["created_at"]), body["created_at"]
    assert (body["before"] is None) == (body["action"] == "created")
    if body["before"] is not None:
        assert body["before"].keys() == body["after"].keys()


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
