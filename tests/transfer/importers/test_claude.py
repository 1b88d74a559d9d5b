"""Parsing of Claude's conversations."""

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import InvalidInput
from recollect.transfer.importers import claude

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ROOT = "00000000-0000-4000-8000-000000000000"
Json = Any


def message(uuid: str, sender: str = "human", *blocks: Json, **more: Json) -> Json:
    return {
        "uuid": uuid,
        "text": f"text of {uuid}",
        "content": list(blocks),
        "sender": sender,
        "created_at": "2024-05-01T10:00:00.123456Z",
        "updated_at": "2024-05-01T10:00:00.123456Z",
        "attachments": [],
        "files": [],
        **more,
    }


def conversation(*messages: Json, **more: Json) -> Json:
    return {
        "uuid": "c",
        "name": "Ships",
        "summary": "",
        "created_at": "2024-05-01T09:00:00Z",
        "updated_at": "2024-05-02T09:00:00Z",
        "account": {"uuid": "a"},
        "chat_messages": list(messages),
        **more,
    }


def test_a_conversation_in_order() -> None:
    found = claude.parse(
        conversation(
            message("1"),
            message(
                "2", "assistant", {"type": "text", "text": "One"}, {"type": "text", "text": "Two"}
            ),
            message("3", "human", {"type": "text", "text": "Hi"}),
        ),
        now=NOW,
    )
    assert (found.title, found.created_at.isoformat()) == ("Ships", "2024-05-01T09:00:00+00:00")
    said = [one.message for one in found.messages]
    assert [(one.role, one.content) for one in said] == [
        ("user", "text of 1"),
        ("assistant", "One\n\nTwo"),
        ("user", "Hi"),
    ]
    assert said[0].event_at == datetime(2024, 5, 1, 10, 0, 0, 123456, UTC)
    assert all(one.is_active for one in found.messages)


def test_tools_thinking_and_attachments() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "summaries": []},
        {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "x"}},
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "content": [{"type": "text", "text": "found"}],
        },
        {"type": "tool_use", "name": "draw", "input": None},
        {"type": "tool_result", "name": "draw", "content": [{"type": "image", "file": 1}]},
        {"type": "tool_use", "id": "t3", "name": "late", "input": {}},
        {"type": "text", "text": "Here."},
        {"type": "token_budget"},
    ]
    pasted = {"file_name": "", "extracted_content": "a long paste"}
    attached = {"file_name": "a.txt", "extracted_content": "its text", "file_size": 3}
    question, answer, shown = [
        one.message
        for one in claude.parse(
            conversation(
                message("1", attachments=[pasted, attached], files=[{"file_name": "b.png"}]),
                message("2", "assistant", *blocks),
                message("3", text="", files=[{"file_name": "b.png"}]),
                message("4", "assistant", text=""),
            ),
            now=NOW,
        ).messages
    ]
    assert question.content == "text of 1\n\na long paste\n\n[File: a.txt]\nits text"
    assert question.metadata == {"attachments": ["a.txt", "b.png"]}
    assert (answer.content, answer.thinking) == ("Here.", "Hm.")
    assert answer.tool_calls == [
        {"id": "t1", "tool_name": "search", "input": {"q": "x"}, "output": "found"},
        {"tool_name": "draw", "input": None, "output": [{"type": "image", "file": 1}]},
        {"id": "t3", "tool_name": "late", "input": {}},
    ]
    assert shown.content == "[File: b.png]"


@pytest.mark.parametrize(("leaf", "standing"), [(None, "135"), ("3", "13"), ("2", "12")])
def test_named_parents_make_branches(leaf: str | None, standing: str) -> None:
    tree = [("1", ROOT), ("2", "1"), ("4", "2"), ("3", "1"), ("5", "3")]
    messages = [
        message(id, "human", parent_message_uuid=parent, created_at=f"2024-05-0{id}T00:00:00Z")
        for id, parent in tree
    ]
    found = claude.parse(conversation(*messages, current_leaf_message_uuid=leaf), now=NOW)
    texts = [one.message.content[-1] for one in found.messages if one.is_active]
    assert "".join(texts) == standing
    assert len(found.messages) == 5


def test_duplicate_message_is_rejected() -> None:
    with pytest.raises(InvalidInput, match="same id"):
        claude.parse(conversation(message("1"), message("1")), now=NOW)
