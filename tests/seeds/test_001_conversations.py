"""Seed 001, "Conversation & Memory System": conversations that survive, and what is remembered.

Comments name the sections of the specification that the tests cover.
"""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from recollect import MemoryFilters, MemoryIn, MessageIn
from tests.scripted_model import Answer
from tests.seeds import stream
from tests.seeds.conftest import Service
from tests.seeds.model import SUMMARY, said
from tests.server import memory_client, shapes
from tests.server.process import wait_until
from tests.server.shapes import MEMORY_TYPES, Json

pytestmark = pytest.mark.xdist_group("seeds")

ABOUT_THE_USER = "## What You Know About the User"


def messages(first: int, last: int, *, about: str) -> list[Json]:
    return [
        {
            "role": "user" if number % 2 else "assistant",
            "content": f"Line {number} about {about}.",
        }
        for number in range(first, last + 1)
    ]


def start(client: httpx.Client, **body: Any) -> Json:
    return shapes.conversation(client.post("/api/conversations", json=body), 201)


def ask(client: httpx.Client, message: str, **body: Any) -> httpx.Response:
    return client.post("/api/chat", json={"message": message, **body})


def notes(memory_type: str, content: str) -> str:
    """The extraction output for a fact in the first message."""
    note = {
        "source": 1,
        "memory_type": memory_type,
        "category": "life",
        "content": content,
        "subject": "user",
        "attribute": None,
        "confidence": 0.8,
    }
    return json.dumps({"memories": [note]})


def system_prompt(service: Service, question: str) -> str:
    """The request that contained a question."""
    (asked,) = service.model.asked(question)
    prompts = [content for role, content in said(asked) if role == "system"]
    assert len(prompts) <= 1
    return "".join(prompts)


# Database Schema


def test_texts_have_the_specified_lengths(client: httpx.Client) -> None:
    """`title VARCHAR(255)`, `category VARCHAR(100)`."""
    assert start(client, title="x" * 255)["title"] == "x" * 255
    longer = client.post("/api/conversations", json={"title": "x" * 256})
    (error,) = shapes.problem(longer, 422)["errors"]
    assert error["field"] == "title"
    fact = {"memory_type": "fact", "content": "Has a cat."}
    stored = client.post("/api/memories", json={**fact, "category": "x" * 100})
    assert shapes.memory(stored, 201)["category"] == "x" * 100
    longer = client.post("/api/memories", json={**fact, "category": "x" * 101})
    (error,) = shapes.problem(longer, 422)["errors"]
    assert error["field"] == "category"


# API Endpoints: Conversations


def test_conversations_are_listed_in_pages_newest_first(client: httpx.Client) -> None:
    ids = [start(client, title=f"Chat {number}")["id"] for number in range(5)]
    pages, params = [], {"limit": "2"}
    while True:
        items, cursor = shapes.page(client.get("/api/conversations", params=params))
        pages.append([item["id"] for item in items])
        if cursor is None:
            break
        params["cursor"] = cursor
    assert pages == [ids[:2:-1], ids[2:0:-1], ids[:1]]


def test_conversation_is_created_read_updated_and_deleted(client: httpx.Client) -> None:
    created = start(client, title="Budget", metadata={"source": "workspace"})
    assert (created["title"], created["title_source"]) == ("Budget", "user")
    assert created["metadata"] == {"source": "workspace"}
    path = f"/api/conversations/{created['id']}"
    client.post(f"{path}/messages", json={"messages": messages(1, 3, about="money")})
    with_messages = shapes.conversation(client.get(path), 200)
    assert [one["content"] for one in with_messages["messages"]] == [
        f"Line {number} about money." for number in (1, 2, 3)
    ]

    updated = shapes.conversation(client.put(path, json={"title": "Household"}), 200)
    assert (updated["title"], updated["is_archived"]) == ("Household", False)
    archived = shapes.conversation(client.put(path, json={"is_archived": True}), 200)
    assert (archived["title"], archived["is_archived"]) == ("Household", True)
    assert client.get("/api/conversations").json()["items"] == []
    listed = client.get("/api/conversations", params={"archived": True}).json()["items"]
    assert [one["id"] for one in listed] == [created["id"]]

    assert shapes.deleted(client.delete(path))["messages"] == 3
    shapes.problem(client.get(path), 404)


def test_current_conversation_is_found_or_created(client: httpx.Client) -> None:
    first = shapes.conversation(client.get("/api/conversations/current"), 200)
    assert client.get("/api/conversations/current").json() == first
    second = start(client)["id"]
    assert client.get("/api/conversations/current").json()["id"] == second
    client.put(f"/api/conversations/{second}", json={"is_archived": True})
    assert client.get("/api/conversations/current").json() == first


# API Endpoints: Messages; Database Schema: Messages Table


def test_messages_are_paged_with_all_fields(client: httpx.Client) -> None:
    path = f"/api/conversations/{start(client)['id']}"
    rich = {
        "role": "assistant",
        "content": "I have booked it.",
        "tool_calls": [
            {"tool_name": "add_event", "input": {"day": "Monday"}, "output": {"state": "booked"}}
        ],
        "suggested_values": [{"label": "Noon", "value": "12:00"}],
        "suggested_actions": [{"action": "open_calendar"}],
        "custom_payload": {"chart": [1, 2.5, None], "nested": {"deep": True}},
    }
    stored = messages(1, 3, about="the calendar")
    client.post(f"{path}/messages", json={"messages": [*stored, rich]})
    first, cursor = shapes.page(client.get(f"{path}/messages", params={"limit": 3}))
    rest, end = shapes.page(client.get(f"{path}/messages", params={"limit": 3, "cursor": cursor}))
    assert [one["content"] for one in first] == [one["content"] for one in stored]
    assert end is None
    (last,) = rest
    assert {field: last[field] for field in rich} == rich


# Backend Service Changes: GeneralChatService


def test_stream_creates_the_conversation_and_stores_both_messages(
    service: Service, client: httpx.Client
) -> None:
    question = f"What is on today, {uuid4()}?"
    service.model.when(question, Answer(text="Nothing at all.", thinking="Let me look."))
    answer = ask(client, question, context={"page": {"name": "calendar"}})
    parts = stream.parts(answer)
    assert stream.text(answer) == "Nothing at all."
    id = parts[0]["messageMetadata"]["conversation_id"]
    assert answer.headers["x-conversation-id"] == id
    asked, answered = client.get(f"/api/conversations/{id}").json()["messages"]
    assert (asked["role"], asked["content"]) == ("user", question)
    assert (answered["role"], answered["content"]) == ("assistant", "Nothing at all.")
    assert (answered["id"], answered["status"]) == (parts[0]["messageId"], "complete")
    assert answered["thinking"] == "Let me look."
    (sent,) = service.model.asked(question)
    assert any(role == "system" and '"calendar"' in content for role, content in said(sent))

    again = f"And tomorrow, {uuid4()}?"
    assert ask(client, again, conversation_id=id).headers["x-conversation-id"] == id
    (sent,) = service.model.asked(again)
    assert said(sent) == [("user", question), ("assistant", "Nothing at all."), ("user", again)]
    assert client.get(f"/api/conversations/{id}").json()["message_count"] == 4
    shapes.problem(ask(client, "hi", conversation_id="a/b"), 422)


def test_tool_calls_are_stored_with_input_and_output(
    service: Service, client: httpx.Client
) -> None:
    question = f"Book the dentist, case {uuid4()}."
    call = {"id": "c1", "name": "add_event", "arguments": '{"day": "Monday", "what": "Dentist"}'}
    booked = {"day": "Monday", "what": "Dentist", "state": "booked"}
    service.model.when(question, Answer(tool_calls=[call], finish="tool_calls"))
    service.model.when(json.dumps(booked), "It is booked.")
    parts = stream.parts(ask(client, question))
    kinds = [part["type"] for part in parts]
    assert kinds.index("tool-input-available") < kinds.index("tool-output-available")
    id = parts[0]["messageMetadata"]["conversation_id"]
    _, answered = client.get(f"/api/conversations/{id}").json()["messages"]
    assert answered["content"] == "It is booked."
    (stored,) = answered["tool_calls"]
    assert stored["tool_name"] == "add_event"
    assert stored["input"] == {"day": "Monday", "what": "Dentist"}
    assert stored["output"] == booked


# New Services


def test_services_have_the_specified_methods(service: Service, user_id: str) -> None:
    """In Python: ConversationService and MemoryService, method by method."""
    conversations, memories = service.memory.conversations, service.memory.memories
    created = conversations.create_conversation("Budget", user_id=user_id)
    assert conversations.get_conversation(conversation_id=created.id, user_id=user_id) == created
    assert [one.id for one in conversations.list_conversations(10, 0, user_id=user_id)] == [
        created.id
    ]
    updated = conversations.update_conversation(
        {"title": "Money"}, conversation_id=created.id, user_id=user_id
    )
    assert updated.title == "Money"
    message = MessageIn(role="user", content="I live in Ghent.")
    added = conversations.add_message(message, conversation_id=created.id, user_id=user_id)
    assert [*conversations.get_messages(10, 0, conversation_id=created.id, user_id=user_id)] == [
        added
    ]

    memory = memories.create_memory(
        MemoryIn(memory_type="fact", content="Has a cat."), user_id=user_id
    )
    assert [*memories.get_memories(MemoryFilters(memory_type="fact"), user_id=user_id)] == [memory]
    assert memories.update_memory(
        {"is_pinned": True}, memory_id=memory.id, user_id=user_id
    ).is_pinned
    service.model.when(message.content, notes("fact", "Lives in Ghent"), use="memories")
    (read,) = memories.extract_memories(conversation_id=created.id, user_id=user_id)
    assert (read.content, read.source_message_id) == ("Lives in Ghent", added.id)
    shown = memories.get_context_memories(user_id=user_id)
    assert [one.content for one in shown] == ["Has a cat.", "Lives in Ghent"]
    assert memories.delete_memory(memory_id=memory.id, user_id=user_id).memories == 1
    assert (
        conversations.delete_conversation(conversation_id=created.id, user_id=user_id).messages == 1
    )


# API Endpoints: Memories


def test_memories_are_created_filtered_edited_and_deleted(client: httpx.Client) -> None:
    for memory_type in MEMORY_TYPES:
        memory_client.remember(
            client, f"A {memory_type}.", memory_type=memory_type, category="work"
        )
    pinned = memory_client.remember(client, "Likes tea.", memory_type="preference", is_pinned=True)
    assert memory_client.contents(client, type="preference") == ["Likes tea.", "A preference."]
    assert memory_client.contents(client, pinned=True) == ["Likes tea."]
    assert len(memory_client.contents(client, category="work")) == len(MEMORY_TYPES)

    path = memory_client.path_of(pinned)
    corrected = shapes.memory(client.put(path, json={"content": "Likes mint tea."}), 200)
    assert (corrected["content"], corrected["is_pinned"]) == ("Likes mint tea.", True)
    assert client.delete(path).status_code == 200
    shapes.problem(client.get(path), 404)
    unknown = {"memory_type": "hunch", "content": "x"}
    shapes.problem(client.post("/api/memories", json=unknown), 422)


def test_memories_are_extracted_from_a_conversation(service: Service, client: httpx.Client) -> None:
    """Each with its source message and confidence."""
    mark = f"order {uuid4()}"
    service.model.when(mark, notes("project", "Is building a greenhouse"), use="memories")
    path = memory_client.talk(client, f"I am building a greenhouse, {mark}.")
    (memory,) = memory_client.extract(client, path)
    (message,) = client.get(path).json()["messages"]
    assert memory["content"] == "Is building a greenhouse"
    assert (memory["memory_type"], memory["category"]) == ("project", "life")
    assert (memory["confidence"], memory["author"]) == (0.8, "model")
    assert memory["source_message_id"] == message["id"]
    assert memory["source_conversation_id"] == message["conversation_id"]
    assert memory_client.contents(client) == ["Is building a greenhouse"]


# System Prompt Integration


def test_above_twenty_messages_all_but_ten_are_summarized(
    service: Service, client: httpx.Client
) -> None:
    about = f"plot {uuid4()}"
    id = start(client, policy="rolling", messages=messages(1, 20, about=about))["id"]
    question = f"What next in {about}?"
    body = {"conversation_id": id, "system": "You are brief."}
    path = f"/api/conversations/{id}"
    stream.text(ask(client, question, **body))
    (asked,) = service.model.asked(question)
    assert "## Conversation Summary" not in system_prompt(service, question)
    assert len(said(asked)) == 1 + 20 + 1

    wait_until(lambda: client.get(f"{path}/summary").json()["version"] == 1, "it is summarized")
    assert client.get(f"{path}/summary").json()["through_seq"] == 22 - 10
    again = f"And then in {about}?"
    stream.text(ask(client, again, **body))
    assert system_prompt(service, again).startswith(
        f"You are brief.\n\n## Conversation Summary\n{SUMMARY}"
    )
    (asked,) = service.model.asked(again)
    recent = [content for _, content in said(asked)[1:]]
    assert recent == [
        *(f"Line {number} about {about}." for number in range(13, 21)),
        question,
        f"You said: {question}",
        again,
    ]


def test_pinned_and_ten_other_memories_are_in_the_prompt(
    service: Service, client: httpx.Client
) -> None:
    for number in range(1, 13):
        memory_client.remember(client, f"Has a bicycle, number {number}.")
    for word in ("tea", "rain"):
        memory_client.remember(client, f"Likes {word}.", is_pinned=True)
    question = f"Hello there, {uuid4()}!"
    stream.text(ask(client, question, policy="rolling", system="You are brief."))
    prompt = system_prompt(service, question)
    assert prompt.startswith(f"You are brief.\n\n{ABOUT_THE_USER}\n- ")
    lines = [line[2:] for line in prompt.splitlines() if line.startswith("- ")]
    assert {*lines[:2]} == {"Likes tea.", "Likes rain."}
    assert len(lines) == 2 + 10
    assert all(line.startswith("Has a bicycle") for line in lines[2:])


# Open Questions, answered


def test_title_is_generated_and_can_be_edited(service: Service, client: httpx.Client) -> None:
    mark = f"case {uuid4()}"
    title = {"topic": "Choosing a bicycle.", "title": "Choosing a bicycle"}
    service.model.when(mark, json.dumps(title), use="topic")
    id = ask(client, f"Which bicycle, {mark}?").headers["x-conversation-id"]
    path = f"/api/conversations/{id}"
    wait_until(lambda: client.get(path).json()["title"] is not None, "it has a title")
    made = client.get(path).json()
    assert (made["title"], made["title_source"]) == ("Choosing a bicycle", "auto")
    edited = client.put(path, json={"title": "My bicycle"}).json()
    assert (edited["title"], edited["title_source"]) == ("My bicycle", "user")
