"""With the layout `cache`, most of a prompt was sent before and is byte-identical."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from recollect.core.types import Message
from recollect.recall.context.types import ContextMemory, MessagesContext, Recalled
from tests.recall.sample_conversations import (
    NOW,
    a_summary,
    assistant,
    build,
    messages_of,
    passage_of,
    said,
    turns,
    user,
)

CHAT = said(*turns(50, words=" and then a few more words about what happened on that day"))


def prompt(history: Sequence[Message], question: str, **request: Any) -> MessagesContext:
    built = build(
        "chunked",
        list(history),
        a_summary("Something was said before.", through_seq=4),
        recalled=Recalled(
            memories=[
                ContextMemory("1", "Likes tea.", is_pinned=True),
                ContextMemory("2", f"Relevant to {question}", is_relevant=True),
            ],
            passages=[passage_of(history[0])] if len(history) % 10 == 0 else [],
        ),
        system="You are kind.",
        message=question,
        now=NOW,
        **request,
    )
    assert isinstance(built, MessagesContext)
    return built


def test_most_of_a_prompt_was_sent_before() -> None:
    sent_before = total = 0
    last: Sequence[str] = ()
    for end in range(6, len(CHAT), 2):
        context = prompt(CHAT[:end], CHAT[end].content, sources={"last_prefix": last})
        receipt = context.receipt
        sent_before += receipt.unchanged_tokens
        total += receipt.tokens
        last = receipt.prefix
    assert sent_before / total >= 0.85


def test_a_memory_is_left_out_while_its_message_is_shown() -> None:
    noted = ContextMemory("3", "Walks at night.", created_at=NOW, source_message_id=CHAT[4].id)
    for history, outcome in ((CHAT[:10], "dropped"), (CHAT[:4], "included")):
        built = build(
            "chunked", list(history), recalled=Recalled(memories=[noted]), message="Now?", now=NOW
        )
        (item,) = [item for item in built.receipt.items if item.section == "memories"]
        assert item.outcome == outcome
        assert ("Walks at night" in str(messages_of(built))) == (outcome == "included")
    seed = build("chunked", list(CHAT[:10]), recalled=Recalled(memories=[noted]), layout="seed")
    assert "Walks at night" in str(messages_of(seed))


def test_unchanged_parts_are_byte_identical() -> None:
    first, second = (prompt(CHAT[:end], CHAT[end].content) for end in (20, 22))
    common = 0
    for before, after in zip(first.messages, second.messages, strict=False):
        if before != after:
            break
        common += 1
    assert common >= 18  # system, pinned memories, summary, the turns so far


def test_a_pinned_message_or_a_rating_elsewhere_changes_no_sent_bytes() -> None:
    rated = [replace(message, rating="up") for message in CHAT[:20]]
    assert messages_of(prompt(rated, "And?")) == messages_of(prompt(CHAT[:20], "And?"))


def test_shortened_answers_keep_their_length_for_several_turns() -> None:
    long = "A sentence with some words in it. " * 200
    chat = said(*(d for n in range(9) for d in (user(f"question {n}"), assistant(f"{n} {long}"))))
    versions = set()
    for end in (12, 14, 16, 18):
        shown = messages_of(prompt(chat[:end], "And?", budget=1_500))
        versions |= {message["content"] for message in shown if message["content"][:2] == "5 "}
    assert all("tokens of message 12 left out" in version for version in versions)
    assert 1 <= len(versions) <= 2


def test_anthropic_gets_breakpoints_after_the_stable_parts() -> None:
    context = prompt(CHAT[:20], "And?", format="anthropic")
    assert context.system[-1]["cache_control"] == {"type": "ephemeral"}
    marked = [
        (index, block)
        for index, message in enumerate(context.messages)
        for block in message["content"]
        if "cache_control" in block
    ]
    ((index, block),) = marked
    assert index == len(context.messages) - 2
    assert block["text"] == CHAT[19].content
    *volatile, question = context.messages[-1]["content"]
    assert question["text"] == "And?"
    assert any("## Earlier in this conversation" in block["text"] for block in volatile)


def test_gemini_keeps_its_system_instruction() -> None:
    contexts = [prompt(CHAT[:end], CHAT[end].content, format="gemini") for end in (20, 22)]
    assert contexts[0].system == contexts[1].system
    assert "## Earlier in this conversation" in str(contexts[0].messages[-1]["parts"])
