"""Seed 003, "AI Chat - Smart Compression": a summary of what is old, the recent word for word.

Comments name the sections of the specification that the tests cover.
"""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from recollect import PRESETS, MessageIn, Settings
from recollect.core import tokens
from recollect.sync import Recollect
from tests.seeds import stream
from tests.seeds.conftest import Service
from tests.seeds.model import SUMMARY, last_text, said
from tests.server import shapes
from tests.server.shapes import UNKNOWN, Json

pytestmark = pytest.mark.xdist_group("seeds")

RECENT_MESSAGE_COUNT = 8
COMPRESS_THRESHOLD = 20
TARGET_SUMMARY_TOKENS = 500
PREVIOUS = "## Previous Conversation Context"
NONE = {"summary": None, "summaryUpToMessageId": None, "summaryTokenCount": None}


def line(number: int, about: str) -> str:
    return f"Line {number} about {about}."


def lines(first: int, last: int, about: str) -> list[tuple[str, str]]:
    return [
        ("user" if number % 2 else "assistant", line(number, about))
        for number in range(first, last + 1)
    ]


def thread_with(client: httpx.Client, count: int, about: str) -> str:
    """A thread with messages."""
    messages = [{"role": role, "content": text} for role, text in lines(1, count, about)]
    body = {"policy": "tiered", "messages": messages}
    id: str = shapes.conversation(client.post("/api/conversations", json=body), 201)["id"]
    return id


def unrelated() -> str:
    """A question for which nothing is retrieved."""
    return f"Go on, {uuid4().hex}."


def ask(client: httpx.Client, message: str, **body: Any) -> httpx.Response:
    return client.post("/api/ai/chat", json={"message": message, **body})


def sent(service: Service, question: str) -> list[tuple[str, str]]:
    (asked,) = service.model.asked(question)
    return said(asked)


def spoken(service: Service, question: str) -> list[tuple[str, str]]:
    """The thread's messages in a request."""
    return [pair for pair in sent(service, question) if pair[0] != "system"]


def stored(client: httpx.Client, thread: str) -> list[Json]:
    path = f"/api/conversations/{thread}/messages"
    found: list[Json] = client.get(path, params={"limit": 200}).json()["items"]
    return found


def summary_of(client: httpx.Client, thread: str) -> Json:
    answer = client.get(f"/api/ai/threads/{thread}/summary")
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    assert body.keys() == NONE.keys()
    return body


# Configuration


def test_constants_match_the_specification() -> None:
    tiered = PRESETS["tiered"]
    assert tiered.keep_messages == RECENT_MESSAGE_COUNT
    assert tiered.digest_over_messages == COMPRESS_THRESHOLD
    assert tiered.summary_tokens == TARGET_SUMMARY_TOKENS
    assert tiered.summarizer_model == "gpt-5-mini"
    assert (tiered.timing, tiered.eager_at) == ("eager", "context")  # option A


def test_compression_model_setting_is_used(service: Service, user_id: str) -> None:
    """`COMPRESSION_MODEL` is used on any endpoint."""
    about = f"plan {uuid4()}"
    settings = Settings.from_environment(
        {
            "DATABASE_URL": "sqlite:///:memory:",
            "OPENAI_BASE_URL": service.model.url,
            "RECOLLECT_CHAT_MODEL": "large",
            "COMPRESSION_MODEL": "small",
        }
    )
    said_so_far = [
        MessageIn(role="user" if number % 2 else "assistant", content=line(number, about))
        for number in range(1, COMPRESS_THRESHOLD + 2)
    ]
    with Recollect.open(settings=settings) as memory:
        thread = memory.conversations.create_conversation(
            user_id=user_id, policy="tiered", messages=said_so_far
        )
        memory.contexts.build_context("What now?", conversation_id=thread.id, user_id=user_id)
    (asked,) = service.model.asked(about, use="summary")
    assert asked["model"] == "small"


# Updated Chat Route


def test_thread_is_started_and_continued(service: Service, client: httpx.Client) -> None:
    question = f"What is on my list, {uuid4()}?"
    answer = ask(client, question)
    assert stream.text(answer) == f"You said: {question}"
    thread = answer.headers["x-thread-id"]
    assert answer.headers["x-conversation-id"] == thread
    assert client.get(f"/api/conversations/{thread}").json()["policy"] == "tiered"
    assert [one["content"] for one in stored(client, thread)] == [
        question,
        f"You said: {question}",
    ]
    again = ask(client, "And tomorrow?", threadId=thread)
    assert again.headers["x-thread-id"] == thread

    whole = client.post(
        "/api/ai/chat?stream=false", json={"message": "And then?", "threadId": thread}
    )
    assert whole.headers["x-thread-id"] == whole.json()["conversation_id"] == thread
    assert whole.json()["message"]["content"] == "You said: And then?"
    for id in (UNKNOWN, "1"):
        shapes.problem(ask(client, "hi", threadId=id), 404)
        shapes.problem(client.get(f"/api/ai/threads/{id}/summary"), 404)


def test_context_has_the_specified_order(service: Service, client: httpx.Client) -> None:
    """System prompt, summary, page and goals, the recent messages, the current one."""
    about = f"plan {uuid4()}"
    thread = thread_with(client, 21, about)
    question = unrelated()
    stream.text(
        ask(
            client,
            question,
            threadId=thread,
            system="You help with tasks.",
            pageContext="The user looks at the board.",
            goalsContext={"quarter": ["Ship it"]},
        )
    )
    system, summary, page, goals, *rest = sent(service, question)
    assert system == ("system", "You help with tasks.")
    assert summary[0] == "system"
    assert summary[1].startswith(f"{PREVIOUS}\n{SUMMARY}")
    assert page == ("system", "## Page Context\nThe user looks at the board.")
    assert goals[0] == "system"
    assert goals[1].startswith("## Goals Context\n{")
    assert "Ship it" in goals[1]
    assert rest == [*lines(14, 21, about), ("user", question)]


def test_missing_contexts_are_left_out(service: Service, client: httpx.Client) -> None:
    question = f"Hello, {uuid4()}!"
    stream.text(ask(client, question, pageContext="", goalsContext=None))
    assert sent(service, question) == [("user", question)]


# Compression Service


def test_everything_is_sent_up_to_the_threshold(service: Service, client: httpx.Client) -> None:
    about = f"plan {uuid4()}"
    thread = thread_with(client, COMPRESS_THRESHOLD, about)
    question = unrelated()
    stream.text(ask(client, question, threadId=thread))
    assert sent(service, question) == [*lines(1, 20, about), ("user", question)]
    assert service.model.asked(about, use="summary") == []
    assert summary_of(client, thread) == NONE


def test_above_the_threshold_all_but_eight_are_compressed(
    service: Service, client: httpx.Client
) -> None:
    """During the request, so that the next answer uses it."""
    about = f"plan {uuid4()}"
    summary = f"The user went through {about} and decided to go on with it."
    service.model.when(about, summary, use="summary")
    thread = thread_with(client, COMPRESS_THRESHOLD + 1, about)
    question = unrelated()
    stream.text(ask(client, question, threadId=thread))
    first, *recent = sent(service, question)
    assert first[1].startswith(f"{PREVIOUS}\n{summary}")
    assert recent == [*lines(14, 21, about), ("user", question)]

    (asked,) = service.model.asked(about, use="summary")
    (_, prompt), (_, given) = said(asked)
    assert "=== EXISTING_SUMMARY ===\nNONE\n" in given
    assert line(13, about) in given
    assert line(14, about) not in given
    for wanted in (
        "decisions",
        "preferences and constraints",
        "results of actions that were confirmed, and status changes",
        "greetings and small talk",
        "how tools were called",
        "superseded",
        "third person and in the past tense",
        f"At most {TARGET_SUMMARY_TOKENS} tokens",
    ):
        assert wanted in prompt
    assert summary_of(client, thread) == {
        "summary": summary,
        "summaryUpToMessageId": stored(client, thread)[12]["id"],
        "summaryTokenCount": tokens.count(summary),
    }


def test_next_compression_includes_the_summary(service: Service, client: httpx.Client) -> None:
    """Only after more than 20 new messages."""
    about = f"plan {uuid4()}"
    thread = thread_with(client, 21, about)
    stream.text(ask(client, f"Question 0 of {about}", threadId=thread))  # 8 and 2 since
    later = [{"role": role, "content": text} for role, text in lines(31, 40, about)]
    client.post(f"/api/conversations/{thread}/messages", json={"messages": later})
    stream.text(ask(client, f"Question 1 of {about}", threadId=thread))  # 20 since
    assert len(service.model.asked(about, use="summary")) == 1
    assert len(spoken(service, f"Question 1 of {about}")) == COMPRESS_THRESHOLD + 1

    stream.text(ask(client, f"Question 2 of {about}", threadId=thread))  # 22 since
    _, again = service.model.asked(about, use="summary")
    assert f"=== EXISTING_SUMMARY ===\n{SUMMARY}\n" in last_text(again)
    assert line(14, about) in last_text(again)
    assert len(spoken(service, f"Question 2 of {about}")) == RECENT_MESSAGE_COUNT + 1


def test_tool_calls_are_not_compressed(service: Service, client: httpx.Client) -> None:
    about = f"plan {uuid4()}"
    thread = thread_with(client, 0, about)
    secret = {"tool_name": "add_event", "input": {"day": "SECRET-1"}, "output": "SECRET-2"}
    messages: list[Json] = [
        {"role": "user", "content": line(1, about)},
        {"role": "assistant", "content": "", "tool_calls": [secret]},
        *({"role": role, "content": text} for role, text in lines(3, 21, about)),
    ]
    client.post(f"/api/conversations/{thread}/messages", json={"messages": messages})
    stream.text(ask(client, f"What is left of {about}?", threadId=thread))
    (asked,) = service.model.asked(about, use="summary")
    assert "Assistant: [Tool interaction]" in last_text(asked)
    assert "SECRET" not in last_text(asked)


# Future Enhancements: User-Visible Summary


def test_user_reads_and_edits_the_summary(service: Service, client: httpx.Client) -> None:
    """The user's text is in later prompts and survives the next compression."""
    about = f"plan {uuid4()}"
    thread = thread_with(client, 21, about)
    path = f"/api/ai/threads/{thread}/summary"
    stream.text(ask(client, f"Question 0 of {about}", threadId=thread))
    covered = summary_of(client, thread)["summaryUpToMessageId"]
    mine = "The user never works on Fridays."
    for text in ("The user never works.", mine):  # whoever writes last is right
        edited = client.put(path, json={"summary": text})
        assert edited.json() == summary_of(client, thread)
    assert summary_of(client, thread) == {
        "summary": mine,
        "summaryUpToMessageId": covered,
        "summaryTokenCount": tokens.count(mine),
    }
    stream.text(ask(client, f"Question 1 of {about}", threadId=thread))
    assert sent(service, f"Question 1 of {about}")[0][1].startswith(f"{PREVIOUS}\n{mine}")

    later = [{"role": role, "content": text} for role, text in lines(31, 44, about)]
    client.post(f"/api/conversations/{thread}/messages", json={"messages": later})
    stream.text(ask(client, f"Question 2 of {about}", threadId=thread))
    first, *_ = sent(service, f"Question 2 of {about}")
    assert mine in first[1]
    assert SUMMARY in first[1]
    assert summary_of(client, thread)["summaryUpToMessageId"] != covered

    shapes.problem(client.put(path, json={"summary": " "}), 422)
    shapes.problem(client.put(path, json={"summary": "word " * 2_000}), 413)
    with service.client(f"other-{uuid4()}") as other:
        shapes.problem(other.put(path, json={"summary": "Theirs."}), 404)


# Future Enhancements: Pinned Messages, Smart Retrieval


def test_pinned_messages_stay_verbatim(service: Service, client: httpx.Client) -> None:
    about = f"plan {uuid4()}"
    thread = thread_with(client, 21, about)
    important = stored(client, thread)[2]
    path = f"/api/conversations/{thread}/messages/{important['id']}"
    assert client.patch(path, json={"is_pinned": True}).json()["is_pinned"]
    question = f"What is left of {about}?"
    stream.text(ask(client, question, threadId=thread))
    blocks = [text for role, text in sent(service, question) if role == "system"]
    (pinned,) = (text for text in blocks if text.startswith("## Pinned messages"))
    assert line(3, about) in pinned
    assert line(4, about) not in pinned


def test_mentioned_old_messages_are_retrieved(service: Service, client: httpx.Client) -> None:
    about = f"plan {uuid4()}"
    thread = thread_with(client, 2, about)
    days = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays")
    opening = [f"The zeppelin museum opens at nine on {day}." for day in days]
    old = [
        {"role": role, "content": content}
        for fact in opening
        for role, content in (("user", fact), ("assistant", "Good to know."))
    ]
    recent = [{"role": role, "content": text} for role, text in lines(5, 30, about)]
    path = f"/api/conversations/{thread}/messages"
    client.post(path, json={"messages": [*old, *recent]})
    question = f"When does the zeppelin museum open, {uuid4().hex}?"
    stream.text(ask(client, question, threadId=thread))
    blocks = [text for role, text in sent(service, question) if role == "system"]
    (retrieved,) = (text for text in blocks if text.startswith("## Earlier in this conversation"))
    assert all(fact in retrieved for fact in opening)  # more than the paper's three: docs/seeds.md


# Future Enhancements: Compression Analytics; Testing Strategy


def test_savings_are_counted(service: Service, client: httpx.Client) -> None:
    about = f"plan {uuid4()} " + "with many words that all cost tokens " * 5
    thread = thread_with(client, 31, about)
    stream.text(ask(client, "What now?", threadId=thread))
    question = f"Tell me everything, {uuid4()}."
    answer = ask(client, question, threadId=thread, mode="full")  # the user wants all of it
    assert spoken(service, question)[:31] == lines(1, 31, about)
    message_id = stream.parts(answer)[0]["messageId"]
    client.put(f"/api/messages/{message_id}/feedback", json={"rating": "up"})
    found = shapes.analytics(client.get(f"/api/conversations/{thread}/analytics"))
    assert found["compactions"] == 1
    assert found["feedback"]["full"] == {"up": 1, "down": 0}
    compressed, whole = [one for one in found["by_turn"] if not one["estimated"]]
    assert compressed["mode"] == "compressed"
    assert compressed["context_tokens"] < compressed["full_history_tokens"]
    assert whole["mode"] == "full"
    assert whole["context_tokens"] > compressed["context_tokens"]
