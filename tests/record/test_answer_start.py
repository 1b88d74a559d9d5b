"""Regenerated answers, edited questions, and retries."""

import re

import pytest

from recollect import (
    ChatRequest,
    Conflict,
    IdempotencyConflict,
    InvalidInput,
    MessageIn,
    PromptOptions,
    TextDelta,
    TooLarge,
)
from recollect.record.conversation_target import ConversationTarget
from recollect.sync import AnswerStream, Recollect
from tests.chat.helpers import active_messages, sent_messages, stored_messages
from tests.conftest import Open
from tests.scripted_model import ScriptedModel, cut, fails, stalls


@pytest.fixture
def memory(open_with_model: Open) -> Recollect:
    return open_with_model()


def test_regenerated_answer_supersedes_the_old_one(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("In the zebra season.", "From May on.", "Mild.")
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    second = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    answer = second.result().message
    assert active_messages(memory, second) == [
        ("user", "When is it warm?"),
        ("assistant", "From May on."),
    ]
    assert [one.content for one in stored_messages(memory, second)] == [
        "When is it warm?",
        "In the zebra season.",
        "From May on.",
    ]
    assert answer.turn == 1
    assert not memory.recall.search("zebra", user_id="alice")
    third = memory.chat.ask(
        "And in winter?", user_id="alice", conversation_id=first.conversation_id
    )
    third.result()
    assert sent_messages(model.requests[-1].body) == [
        ("user", "When is it warm?"),
        ("assistant", "From May on."),
        ("user", "And in winter?"),
    ]
    with pytest.raises(Conflict):
        memory.chat.regenerate(message_id=first.message_id, user_id="alice")


def test_only_the_last_of_parallel_regenerations_is_active(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("First.", stalls("Second, which "), "Third.")
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    second = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    assert any(isinstance(event, TextDelta) for event in iter(second))
    third = memory.chat.regenerate(message_id=second.message_id, user_id="alice")
    third.result()
    second.result()
    assert active_messages(memory, third) == [("user", "When is it warm?"), ("assistant", "Third.")]
    assert sent_messages(model.requests[-1].body) == [("user", "When is it warm?")]


def test_regeneration_context_excludes_the_replaced_answer(
    memory: Recollect, model: ScriptedModel
) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", policy="rolling").id
    idle = [MessageIn(role="user", content="So."), MessageIn(role="assistant", content="Well.")]
    memory.conversations.add_messages(idle * 12, conversation_id=chat, user_id="alice")
    memory.summaries.compact(conversation_id=chat, user_id="alice")
    model.answers("It is warm in the zebra season.", "From May on.")
    first = memory.chat.ask("When is it warm in Lisbon?", user_id="alice", conversation_id=chat)
    answer = first.result().message
    memory.conversations.pin_message(message_id=answer.id, user_id="alice")
    memory.chat.regenerate(message_id=answer.id, user_id="alice").result()
    said = sent_messages(model.requests[-1].body)
    assert said[-1] == ("user", "When is it warm in Lisbon?")
    assert "zebra" not in str(said)


def test_empty_regenerated_answer_does_not_supersede(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("From May on.", fails(401, "no"), cut("In "))
    first = memory.chat.ask("When is it warm? " + "Please. " * 20, user_id="alice")
    answer = first.result().message
    failed = memory.chat.regenerate(message_id=answer.id, user_id="alice").result().message
    assert (failed.status, failed.superseded_at is None) == ("error", False)
    assert active_messages(memory, first)[1:] == [("assistant", "From May on.")]
    with pytest.raises(TooLarge):
        memory.chat.regenerate(message_id=answer.id, user_id="alice", model="tiny")
    assert len(stored_messages(memory, first)) == 3
    broken = memory.chat.regenerate(message_id=answer.id, user_id="alice").result().message
    assert (broken.status, broken.content) == ("error", "In ")
    assert active_messages(memory, first)[1:] == [("assistant", "In ")]
    found = memory.conversations.get_conversation(
        conversation_id=first.conversation_id, user_id="alice"
    )
    assert found.token_count == sum(one.tokens for one in stored_messages(memory, first))


def test_regenerate_and_edit_are_idempotent(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("one", "two", "three")
    first = memory.chat.ask("First?", user_id="alice")
    first.result()
    question = stored_messages(memory, first)[0]
    again = [
        memory.chat.regenerate(
            message_id=first.message_id, user_id="alice", idempotency_key="k"
        ).result()
        for _ in range(2)
    ]
    assert again[0].message == again[1].message
    edited = [
        memory.chat.edit(
            "Second?", message_id=question.id, user_id="alice", idempotency_key="l"
        ).result()
        for _ in range(2)
    ]
    assert edited[0].message == edited[1].message
    assert len(model.requests) == 3


def test_regenerating_an_earlier_answer_repeats_its_question_at_the_end(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two", "three")
    first = memory.chat.ask("First?", user_id="alice")
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=first.conversation_id).result()
    again = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    answer = again.result().message
    assert active_messages(memory, again) == [("user", "First?"), ("assistant", "three")]
    assert len(stored_messages(memory, again)) == 6
    question = stored_messages(memory, again)[-2]
    assert (question.turn, answer.turn) == (3, 3)
    assert sent_messages(model.requests[-1].body) == [("user", "First?")]


def test_repeated_question_keeps_its_pin_and_payload(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two", "three", "four", "five")
    file, other = {"file": "old.pdf"}, {"file": "new.pdf"}
    chat_id = memory.conversations.create_conversation(user_id="alice").id
    said = MessageIn(role="user", content="First?", custom_payload=file, is_pinned=True)
    first = memory.chat.answer(
        ChatRequest(target=ConversationTarget(conversation_id=chat_id), messages=[said]),
        PromptOptions(),
        user_id="alice",
    )
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=chat_id).result()

    def asked_again(again: AnswerStream) -> tuple[str, object, bool]:
        again.result()
        question = stored_messages(memory, again)[-2]
        return question.content, question.custom_payload, question.is_pinned

    again = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    assert asked_again(again) == ("First?", file, True)
    question = stored_messages(memory, again)[-2]
    edited = memory.chat.edit("Third?", message_id=question.id, user_id="alice")
    assert asked_again(edited) == ("Third?", file, True)
    question = stored_messages(memory, edited)[-2]
    whole = MessageIn(role="user", content="Third!", custom_payload=other)
    assert asked_again(memory.chat.edit(whole, message_id=question.id, user_id="alice")) == (
        "Third!",
        other,
        True,
    )


def test_edited_question_supersedes_everything_after_it(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two")
    first = memory.chat.ask("I live in Rome.", user_id="alice")
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=first.conversation_id).result()
    question = stored_messages(memory, first)[0]
    extracted = memory.memories.extract_memories(
        conversation_id=first.conversation_id, user_id="alice"
    )
    assert [one.content for one in extracted] == ["Lives in Rome"]
    model.answers("three")
    edited = memory.chat.edit("I live in Turin.", message_id=question.id, user_id="alice")
    edited.result()
    assert active_messages(memory, edited) == [("user", "I live in Turin."), ("assistant", "three")]
    assert not memory.recall.search("Rome", user_id="alice")
    assert not memory.memories.get_memories(user_id="alice")
    memory.memories.extract_memories(conversation_id=first.conversation_id, user_id="alice")
    assert [one.content for one in memory.memories.get_memories(user_id="alice")] == [
        "Lives in Turin"
    ]
    with pytest.raises(InvalidInput):
        memory.chat.edit("I am the model.", message_id=edited.message_id, user_id="alice")
    with pytest.raises(Conflict):
        memory.chat.edit("Once more.", message_id=question.id, user_id="alice")


def test_edit_invalidates_the_summary(memory: Recollect, model: ScriptedModel) -> None:
    model.always = "Noted."
    chat = memory.conversations.create_conversation(user_id="alice", policy="rolling")
    for number in range(12):
        memory.chat.ask(
            f"The code is X{number}Y.", user_id="alice", conversation_id=chat.id
        ).result()
    assert memory.summaries.compact(conversation_id=chat.id, user_id="alice", force=True).compacted
    assert "X0Y" in _summary(memory, chat.id)
    question = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")[0]
    memory.chat.edit("The code is Z9Z.", message_id=question.id, user_id="alice").result()
    assert memory.summaries.get_summary(conversation_id=chat.id, user_id="alice").version == 0
    assert sent_messages(model.requests[-1].body)[-1] == ("user", "The code is Z9Z.")
    assert not re.search(r"X\d+Y", str(model.requests[-1].body["messages"]))
    assert not memory.summaries.compact(conversation_id=chat.id, user_id="alice").compacted
    standing = memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
    assert standing.message_count == 26


def test_retry_gets_the_first_answer(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("one", "two")
    first = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    again = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    assert again.message == first.message
    assert len(model.requests) == 1
    with pytest.raises(IdempotencyConflict):
        memory.chat.ask("Ho", user_id="alice", idempotency_key="k")
    with pytest.raises(IdempotencyConflict):
        memory.chat.ask("Hi", user_id="alice", idempotency_key="k", mode="full")
    with pytest.raises(IdempotencyConflict):
        memory.chat.ask(
            "Hi", user_id="alice", idempotency_key="k", conversation_id=first.conversation_id
        )
    assert (
        memory.chat.ask("Hi", user_id="bob", idempotency_key="k").result().message.content == "two"
    )


def test_retry_of_an_empty_failed_answer_generates_again(
    memory: Recollect, model: ScriptedModel
) -> None:
    def ask() -> AnswerStream:
        return memory.chat.ask("Hi", user_id="alice", idempotency_key="k")

    def again(stream: AnswerStream) -> AnswerStream:
        return memory.chat.regenerate(
            message_id=stream.message_id, user_id="alice", idempotency_key="r"
        )

    model.always = fails(400)
    assert [ask().result().message.status for _ in range(2)] == ["error", "error"]
    model.always = "Hello."
    found = ask()
    assert found.result().message.content == "Hello."
    assert ask().message_id == found.message_id
    assert active_messages(memory, found) == [("user", "Hi"), ("assistant", "Hello.")]
    model.always = fails(400)
    assert [again(found).result().message.status for _ in range(2)] == ["error", "error"]
    assert active_messages(memory, found) == [("user", "Hi"), ("assistant", "Hello.")]
    model.always = "Good day."
    assert again(found).result().message.content == "Good day."
    assert active_messages(memory, found) == [("user", "Hi"), ("assistant", "Good day.")]


def test_retry_after_a_later_question_returns_the_failed_answer(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.always = fails(400)
    first = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    model.always = "Yes."
    memory.chat.ask("Anybody?", user_id="alice", conversation_id=first.conversation_id).result()
    asked = len(model.requests)
    again = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    assert (again.message.id, len(model.requests)) == (first.message.id, asked)


def _summary(memory: Recollect, chat_id: str) -> str:
    summary = memory.summaries.get_summary(conversation_id=chat_id, user_id="alice")
    return summary.text + str([atom.value for atom in summary.ledger])
