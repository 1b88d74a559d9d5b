"""Questions and answers through the library: on record from before the first word to the end."""

import json
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from typing import Any, TypeVar

import pytest

from recollect import (
    ChatRequest,
    Conflict,
    ContextBuilt,
    Finished,
    IdempotencyConflict,
    InvalidInput,
    Message,
    MessageIn,
    NotFound,
    Overloaded,
    PromptOptions,
    TextDelta,
    ThinkingDelta,
    Tool,
    TooLarge,
    ToolCalled,
    ToolReturned,
)
from recollect.core.tokens import count
from recollect.core.types import Row
from recollect.digest.summaries.compaction import CompactionResult
from recollect.record.conversation_target import ConversationTarget
from recollect.store.answers import LEASE
from recollect.store.database import Run, Value
from recollect.store.queries import load_queries
from recollect.sync import AnswerStream, Recollect
from tests.conftest import SMALL_WINDOW, Clock, Open
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, ScriptedModel, cut, fails, garbage, stalls
from tests.server.process import wait_until

T = TypeVar("T")

UNKNOWN = "0190f000-0000-7000-8000-000000000000"


def on_record(memory: Recollect, answering: AnswerStream) -> list[Message]:
    return list(
        memory.conversations.get_messages(
            conversation_id=answering.conversation_id, user_id="alice"
        )
    )


def standing(memory: Recollect, answering: AnswerStream) -> list[tuple[str, str]]:
    found = on_record(memory, answering)
    return [(one.role, one.content) for one in found if one.superseded_at is None]


def sent(body: Body) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in body["messages"]]


def test_an_answer_is_read_in_pieces_and_kept_whole(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers(Answer(text="From May to October.", thinking="Portugal."))
    answering = memory.chat.ask("When is it warm in Lisbon?", user_id="alice", system="Be brief.")
    shown, *said, ended = answering
    assert isinstance(shown, ContextBuilt)
    assert isinstance(ended, Finished)
    assert "".join(one.text for one in said if isinstance(one, TextDelta)) == "From May to October."
    assert "".join(one.text for one in said if isinstance(one, ThinkingDelta)) == "Portugal."
    question, answer = on_record(memory, answering)
    assert answer == ended.message
    assert (question.role, question.content) == ("user", "When is it warm in Lisbon?")
    assert (answer.status, answer.content, answer.thinking) == (
        "complete",
        "From May to October.",
        "Portugal.",
    )
    assert (answer.model_variant, answer.turn, answer.seq) == ("default", 1, 2)
    assert sent(model.requests[0].body) == [
        ("system", "Be brief."),
        ("user", "When is it warm in Lisbon?"),
    ]
    assert memory.contexts.get_receipt(message_id=answer.id, user_id="alice") == shown.receipt
    assert answering.result().receipt == shown.receipt
    found = memory.conversations.get_conversation(
        conversation_id=answering.conversation_id, user_id="alice"
    )
    assert found.token_count == question.tokens + answer.tokens


def test_what_is_kept_of_an_endless_answer_can_be_imported(
    open_with_model: Open, model: ScriptedModel
) -> None:
    """The limit is in bytes, for what comes in and for what is written here."""
    memory = open_with_model(max_message_bytes=1_000)
    model.answers(Answer(text="漢字 " * 300))
    answer = memory.chat.ask("Write.", user_id="alice").result().message
    assert (answer.status, answer.metadata["too_large"]) == ("error", True)
    assert 900 < len(answer.content.encode()) <= 1_000
    file = "".join(memory.data.export_lines("alice")).encode()
    done = memory.data.import_file("bob", BytesIO(file))
    assert (done.imported.messages, done.failures) == (2, 0)


def test_both_are_on_record_before_the_model_is_called(
    memory: Recollect, model: ScriptedModel
) -> None:
    seen: list[list[tuple[str, str]]] = []

    def look(body: Body) -> str:
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        found = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        seen.append([(one.content, one.status) for one in found])
        return "Yes."

    model.answers(look)
    memory.chat.ask("Are you there?", user_id="alice").result()
    assert seen == [[("Are you there?", "complete"), ("", "streaming")]]


def test_an_answer_owes_what_an_append_owes(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("From May to October.")
    answering = memory.chat.ask("When is it warm in Lisbon?", user_id="alice")
    answering.result()
    assert {job.kind for job in memory.jobs.list_jobs(user_id="alice")} == {"topic"}
    memory.work()
    for words in ("warm Lisbon", "October"):
        (hit,) = memory.recall.search(words, user_id="alice")
        assert hit.conversation_id == answering.conversation_id


def test_an_answer_over_the_threshold_owes_a_digest_in_its_transaction(
    open_with_model: Open, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The conversation's row counts what there is: no message is read for it but the answer."""
    memory = open_with_model(memory_chunk_summarize_threshold=300)
    endings = watch_endings(memory, monkeypatch)
    turn = [MessageIn(role="user", content="Well?"), MessageIn(role="assistant", content="Well.")]
    chat = memory.conversations.create_conversation(user_id="alice", messages=turn * 3).id
    for words, owed in ((10, {"topic"}), (300, {"topic", "digest"})):
        model.answers("word " * words)
        memory.chat.ask("And now?", user_id="alice", conversation_id=chat).result()
        assert {job.kind for job in memory.jobs.list_jobs(user_id="alice")} == owed
    below, over = endings
    assert ("enqueue_job", "digest") in over
    assert ("enqueue_job", "digest") not in below
    queries = load_queries(memory._engine._database.dialect).user
    reading = {query for query, _ in over if re.search(r"(from|join) messages", queries[query])}
    assert reading == {"get_message"}


def watch_endings(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> list[list[tuple[str, Value]]]:
    """What each transaction that ends an answer runs; of what it owes, the kind."""
    database = memory._engine._database
    write, endings = database.write, list[list[tuple[str, Value]]]()

    async def watched(fn: Callable[[Run], T], *, user_id: str) -> T:
        ran: list[tuple[str, Value]] = []

        def noting(run: Run) -> T:
            def note(query: str, /, **params: Value) -> list[Row]:
                ran.append((query, params.get("kind")))
                return run(query, **params)

            ran.clear()  # of a try that was in vain
            return fn(note)

        result = await write(noting, user_id=user_id)
        if ("end_answer", None) in ran:
            endings.append(ran)
        return result

    monkeypatch.setattr(database, "write", watched)
    return endings


def test_a_memory_card_in_an_answer_is_text_like_any_other(
    memory: Recollect, model: ScriptedModel
) -> None:
    card = 'Yes.\n\n<MEMORY_CARD>\n{"topic": "heat"}\n</MEMORY_CARD>\n\nMore?  '
    model.answers(card, "Indeed.")
    answered = memory.chat.ask("Is it warm?", user_id="alice").result()
    assert answered.message.content == card
    memory.chat.ask("Go on.", user_id="alice", conversation_id=answered.conversation_id).result()
    assert sent(model.requests[1].body)[1] == ("assistant", card)


def test_the_next_question_is_answered_in_its_context(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("From May on.", "Mild.")
    first = memory.chat.ask("When is it warm in Lisbon?", user_id="alice")
    first.result()
    again = memory.chat.ask(
        "And in winter?", user_id="alice", conversation_id=first.conversation_id
    )
    answered = again.result()
    assert sent(model.requests[1].body) == [
        ("user", "When is it warm in Lisbon?"),
        ("assistant", "From May on."),
        ("user", "And in winter?"),
    ]
    assert answered.receipt is not None
    assert all(item.outcome == "included" for item in answered.receipt.items)
    assert (answered.message.seq, answered.message.turn) == (4, 2)


@pytest.mark.parametrize(
    ("failure", "kept"),
    [
        (fails(401, "no"), ""),
        (cut("It goes "), "It goes "),
        (garbage("<html>"), ""),
        (Answer(text=""), ""),
    ],
    ids=["refused", "cut", "garbage", "empty"],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_goes_wrong_is_on_record_with_what_there_was(
    memory: Recollect, model: ScriptedModel, failure: Any, kept: str
) -> None:
    model.answers(failure)
    answered = memory.chat.ask("Are you there?", user_id="alice").result()
    assert (answered.message.status, answered.message.content) == ("error", kept)
    assert answered.message.metadata["error"]
    model.answers("Now I am.")
    again = memory.chat.regenerate(message_id=answered.message.id, user_id="alice")
    assert again.result().message.content == "Now I am."


def test_bad_questions_leave_nothing_behind(memory: Recollect) -> None:
    bad: list[tuple[type[Exception], dict[str, Any]]] = [
        (InvalidInput, {"message": " "}),
        (InvalidInput, {"message": "a\0b"}),
        (InvalidInput, {"message": "hi", "model": "nobody"}),
        (InvalidInput, {"message": "hi", "mode": "some"}),
        (InvalidInput, {"message": "hi", "policy": "none"}),
        (NotFound, {"message": "hi", "conversation_id": UNKNOWN}),
        (NotFound, {"message": "hi", "conversation_id": "nonsense"}),
        (TooLarge, {"message": "word " * 200_000}),
    ]
    for error, arguments in bad:
        with pytest.raises(error):
            memory.chat.ask("alice", **arguments)
    assert not memory.conversations.list_conversations(user_id="alice")


def test_a_stopped_answer_keeps_what_there_is(memory: Recollect, model: ScriptedModel) -> None:
    model.answers(stalls("It goes on and "))
    answering = memory.chat.ask("Tell me.", user_id="alice")
    pieces = iter(answering)
    assert any(isinstance(piece, TextDelta) for piece in pieces)
    stopped = memory.chat.stop(answering.conversation_id, user_id="alice")
    assert stopped is not None
    assert stopped.status == "interrupted"
    assert "It goes on and ".startswith(stopped.content)
    assert answering.result().message == stopped
    model.wait_for_hangup()
    assert memory.chat.stop(answering.conversation_id, user_id="alice") is None
    assert memory.chat.stop(answering.message_id, user_id="alice") == stopped


def test_another_process_reads_on_and_stops(
    memory: Recollect, open_with_model: Open, model: ScriptedModel
) -> None:
    model.answers(stalls("It goes on and "))
    answering = memory.chat.ask("Tell me.", user_id="alice")
    other = open_with_model()
    found = other.chat.find(answering.conversation_id, user_id="alice")
    assert found is not None
    read = ""
    for piece in other.chat.read(found, "alice"):
        if isinstance(piece, TextDelta):
            read += piece.text
        if read == "It goes on and ":
            break
    stopped = other.chat.stop(found.id, user_id="alice")
    assert stopped is not None
    assert (stopped.status, stopped.content) == ("interrupted", "It goes on and ")
    assert answering.result().message == stopped
    *_, ended = other.chat.read(stopped, "alice")
    assert ended == Finished(stopped)


def test_an_answer_that_nobody_writes_any_more_is_given_up(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    model.answers(stalls("Half of "), stalls("Not "))
    lost = memory.chat.ask("Tell me.", user_id="alice")
    wait_until(lambda: on_record(memory, lost)[1].content == "Half of ", "it is written down")
    raw.execute("update messages set stream_owner = 'gone' where status = 'streaming'")
    wait_until(lambda: lost.result().message is not None, "its owner has let go")
    alive = memory.chat.ask("Go on.", user_id="alice")
    other = open_with_model()
    clock.advance(seconds=LEASE.total_seconds() - 1)
    other.sweep()
    assert on_record(memory, lost)[1].status == "streaming"
    wait_until(lambda: _heard_after(raw, alive.message_id, clock), "the live one is heard")
    clock.advance(seconds=2)
    other.sweep()
    given_up = on_record(memory, lost)[1]
    assert (given_up.status, given_up.content) == ("interrupted", "Half of ")
    assert on_record(memory, alive)[1].status == "streaming"
    memory.chat.stop(alive.message_id, user_id="alice")


def test_a_conversation_says_whether_it_is_being_answered(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    model.answers("Done.", stalls("Half of "))
    done = memory.chat.ask("Hello?", user_id="alice").result().conversation_id
    answering = memory.chat.ask("Tell me of Lisbon.", user_id="alice")
    id, other = answering.conversation_id, open_with_model()
    for one in (memory, other):  # as each process knows, not only the one that writes it
        seen = one.conversations.list_conversations(user_id="alice")
        assert {chat.id: chat.is_answering for chat in seen} == {id: True, done: False}
        assert one.conversations.get_conversation(conversation_id=id, user_id="alice").is_answering
        assert one.conversations.current_conversation(user_id="alice").is_answering
        assert one.conversations.update_conversation(
            {"title": "x"}, conversation_id=id, user_id="alice"
        ).is_answering
        assert not one.conversations.get_conversation(
            conversation_id=done, user_id="alice"
        ).is_answering
        found = one.recall.switch("Lisbon", user_id="alice").candidates
        assert [(chat.conversation.id, chat.conversation.is_answering) for chat in found] == [
            (id, True)
        ]
    raw.execute("update messages set stream_owner = 'gone' where status = 'streaming'")
    wait_until(lambda: answering.result().message is not None, "its owner has let go")
    clock.advance(seconds=LEASE.total_seconds() + 2)
    assert on_record(memory, answering)[1].status == "streaming"
    assert not memory.conversations.get_conversation(
        conversation_id=id, user_id="alice"
    ).is_answering
    assert not any(
        one.is_answering for one in memory.conversations.list_conversations(user_id="alice")
    )


def _heard_after(raw: RawDatabase, id: str, clock: Clock) -> bool:
    ((at,),) = raw.execute(f"select cast(heartbeat_at as text) from messages where id = '{id}'")
    return str(at)[:19].replace(" ", "T") >= (clock.now - timedelta(seconds=1)).isoformat()[:19]


def test_an_owner_that_comes_back_has_the_last_word(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, clock: Clock
) -> None:
    def late(body: Body) -> str:
        clock.advance(seconds=2 * LEASE.total_seconds())
        open_with_model().sweep()
        (chat,) = memory.conversations.list_conversations(user_id="alice")
        assert (
            memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")[1].status
            == "interrupted"
        )
        return "Here I am."

    model.answers(late)
    answered = memory.chat.ask("Are you there?", user_id="alice").result()
    assert (answered.message.status, answered.message.content) == ("complete", "Here I am.")
    found = memory.conversations.get_conversation(
        conversation_id=answered.conversation_id, user_id="alice"
    )
    question, answer = memory.conversations.get_messages(
        conversation_id=answered.conversation_id, user_id="alice"
    )
    assert found.token_count == question.tokens + answer.tokens


def test_what_was_made_of_half_an_answer_is_made_again(
    open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    """Its owner was given up for lost, and comes back when the half of it has been embedded, and
    while it is being digested."""
    embedder = {"embedding_model": "e", "embedding_dimensions": 8, "embedding_base_url": model.url}
    memory, other = open_with_model(**embedder), open_with_model(**embedder)
    place = memory.conversations.create_conversation(user_id="alice").id
    digests: list[str] = []

    def sleep() -> None:
        wait_until(lambda: "The door" in contents(memory, place), "half of it is written down")
        clock.advance(seconds=2 * LEASE.total_seconds())
        other.sweep()
        other.work()
        more = [MessageIn(role="user", content=f"And {number}?") for number in range(5)]
        other.conversations.add_messages(more, conversation_id=place, user_id="alice")
        digesting.append(
            pool.submit(other.summaries.compact, conversation_id=place, user_id="alice", force=True)
        )
        assert has_read.wait(20)

    def reply(body: Body) -> Answer | str:
        if body.get("stream"):
            return Answer(text="The door code is 7731-XK.", halfway=sleep)
        if digesting:
            digests.append(json.dumps(body["messages"]))
        if len(digests) == 1:
            has_read.set()
            wait_until(lambda: "7731-XK" in contents(memory, place), "all of it is")
        return "They talked about a door."

    has_read, digesting = threading.Event(), list[Future[CompactionResult]]()
    model.always = reply
    with ThreadPoolExecutor() as pool:
        memory.chat.ask("What is the code?", user_id="alice", conversation_id=place).result()
        assert digesting[0].result().compacted
    assert ["7731-XK" in digest for digest in digests] == [False, True]
    other.work()
    embedded = raw.execute("select text from embeddings where kind = 'message'")
    assert any("The door code is 7731-XK." in text for (text,) in embedded)


def contents(memory: Recollect, conversation_id: str) -> str:
    return "".join(
        one.content
        for one in memory.conversations.get_messages(
            conversation_id=conversation_id, user_id="alice"
        )
    )


def test_a_regenerated_answer_supersedes(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("In the zebra season.", "From May on.", "Mild.")
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    second = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    answer = second.result().message
    assert standing(memory, second) == [("user", "When is it warm?"), ("assistant", "From May on.")]
    assert [one.content for one in on_record(memory, second)] == [
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
    assert sent(model.requests[-1].body) == [
        ("user", "When is it warm?"),
        ("assistant", "From May on."),
        ("user", "And in winter?"),
    ]
    with pytest.raises(Conflict):
        memory.chat.regenerate(message_id=first.message_id, user_id="alice")


def test_of_answers_that_overtake_each_other_one_stands(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("First.", stalls("Second, which "), "Third.")
    first = memory.chat.ask("When is it warm?", user_id="alice")
    first.result()
    second = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    assert any(isinstance(piece, TextDelta) for piece in iter(second))
    third = memory.chat.regenerate(message_id=second.message_id, user_id="alice")
    third.result()
    second.result()
    assert standing(memory, third) == [("user", "When is it warm?"), ("assistant", "Third.")]
    assert sent(model.requests[-1].body) == [("user", "When is it warm?")]


def test_a_model_is_not_shown_the_answer_that_it_replaces(
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
    said = sent(model.requests[-1].body)
    assert said[-1] == ("user", "When is it warm in Lisbon?")
    assert "zebra" not in str(said)


def test_an_answer_stands_until_there_is_a_word_of_the_next(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("From May on.", fails(401, "no"), cut("In "))
    first = memory.chat.ask("When is it warm? " + "Please. " * 20, user_id="alice")
    answer = first.result().message
    failed = memory.chat.regenerate(message_id=answer.id, user_id="alice").result().message
    assert (failed.status, failed.superseded_at is None) == ("error", False)
    assert standing(memory, first)[1:] == [("assistant", "From May on.")]
    with pytest.raises(TooLarge):
        memory.chat.regenerate(message_id=answer.id, user_id="alice", model="tiny")
    assert len(on_record(memory, first)) == 3
    broken = memory.chat.regenerate(message_id=answer.id, user_id="alice").result().message
    assert (broken.status, broken.content) == ("error", "In ")
    assert standing(memory, first)[1:] == [("assistant", "In ")]
    found = memory.conversations.get_conversation(
        conversation_id=first.conversation_id, user_id="alice"
    )
    assert found.token_count == sum(one.tokens for one in on_record(memory, first))


def test_another_answer_and_an_edit_can_be_retried(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("one", "two", "three")
    first = memory.chat.ask("First?", user_id="alice")
    first.result()
    question = on_record(memory, first)[0]
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


def test_an_answer_in_the_middle_is_asked_for_at_the_end(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two", "three")
    first = memory.chat.ask("First?", user_id="alice")
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=first.conversation_id).result()
    again = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    answer = again.result().message
    assert standing(memory, again) == [("user", "First?"), ("assistant", "three")]
    assert len(on_record(memory, again)) == 6
    question = on_record(memory, again)[-2]
    assert (question.turn, answer.turn) == (3, 3)
    assert sent(model.requests[-1].body) == [("user", "First?")]


def test_a_question_that_is_asked_again_keeps_its_pin_and_what_came_with_it(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two", "three", "four", "five")
    file, other = {"file": "old.pdf"}, {"file": "new.pdf"}
    place = memory.conversations.create_conversation(user_id="alice").id
    said = MessageIn(role="user", content="First?", custom_payload=file, is_pinned=True)
    first = memory.chat.answer(
        ChatRequest(target=ConversationTarget(conversation_id=place), messages=[said]),
        PromptOptions(),
        user_id="alice",
    )
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=place).result()

    def asked_again(again: AnswerStream) -> tuple[str, object, bool]:
        again.result()
        question = on_record(memory, again)[-2]
        return question.content, question.custom_payload, question.is_pinned

    again = memory.chat.regenerate(message_id=first.message_id, user_id="alice")
    assert asked_again(again) == ("First?", file, True)
    question = on_record(memory, again)[-2]
    edited = memory.chat.edit("Third?", message_id=question.id, user_id="alice")
    assert asked_again(edited) == ("Third?", file, True)
    question = on_record(memory, edited)[-2]
    whole = MessageIn(role="user", content="Third!", custom_payload=other)
    assert asked_again(memory.chat.edit(whole, message_id=question.id, user_id="alice")) == (
        "Third!",
        other,
        True,
    )


def test_an_edited_question_takes_the_place_of_all_that_followed(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("one", "two")
    first = memory.chat.ask("I live in Rome.", user_id="alice")
    first.result()
    memory.chat.ask("Second?", user_id="alice", conversation_id=first.conversation_id).result()
    question = on_record(memory, first)[0]
    extracted = memory.memories.extract_memories(
        conversation_id=first.conversation_id, user_id="alice"
    )
    assert [one.content for one in extracted] == ["Lives in Rome"]
    model.answers("three")
    edited = memory.chat.edit("I live in Turin.", message_id=question.id, user_id="alice")
    edited.result()
    assert standing(memory, edited) == [("user", "I live in Turin."), ("assistant", "three")]
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


def test_a_summary_of_what_no_longer_stands_is_made_again(
    memory: Recollect, model: ScriptedModel
) -> None:
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
    assert sent(model.requests[-1].body)[-1] == ("user", "The code is Z9Z.")
    assert not re.search(r"X\d+Y", str(model.requests[-1].body["messages"]))
    assert not memory.summaries.compact(conversation_id=chat.id, user_id="alice").compacted
    standing = memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice")
    assert standing.message_count == 26


def _summary(memory: Recollect, chat_id: str) -> str:
    summary = memory.summaries.get_summary(conversation_id=chat_id, user_id="alice")
    return summary.text + str([atom.value for atom in summary.ledger])


WEATHER = Tool(
    name="weather",
    description="The weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
    run=lambda city: {"celsius": len(city)},
)
CALL = {"id": "c1", "name": "weather", "arguments": '{"city": "Lisbon"}'}


def test_a_tool_is_run_and_kept_beside_its_call(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model(tools=[WEATHER])
    model.answers(
        Answer(text="Let me see.", tool_calls=[CALL], finish="tool_calls"),
        "It is 6 degrees.",
        "Cold.",
    )
    answering = memory.chat.ask("How is the weather in Lisbon?", user_id="alice")
    said = [piece for piece in answering if not isinstance(piece, ContextBuilt | Finished)]
    called = next(piece for piece in said if isinstance(piece, ToolCalled))
    returned = next(piece for piece in said if isinstance(piece, ToolReturned))
    assert (called.tool.input, returned.tool.output) == ({"city": "Lisbon"}, {"celsius": 6})
    text = [piece.text for piece in said if isinstance(piece, TextDelta)]
    assert "".join(text) == "Let me see.\n\nIt is 6 degrees."
    assert said.index(called) > said.index(next(one for one in said if isinstance(one, TextDelta)))
    (answer,) = on_record(memory, answering)[1:]
    assert answer.tool_calls == [
        {
            "id": "c1",
            "tool_name": "weather",
            "input": {"city": "Lisbon"},
            "output": {"celsius": 6},
            "at": 11,
        }
    ]
    offered = model.requests[0].body["tools"][0]["function"]
    assert offered["name"] == "weather"
    assert model.requests[1].body["messages"][-1] == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": '{"celsius": 6}',
    }
    memory.chat.ask("And?", user_id="alice", conversation_id=answering.conversation_id).result()
    roles = [one["role"] for one in model.requests[2].body["messages"]]
    assert roles == ["user", "assistant", "tool", "user"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_tool_that_fails_is_an_output_too(open_with_model: Open, model: ScriptedModel) -> None:
    def broken(city: str) -> object:
        raise ValueError(city)

    tools: Sequence[Tool] = [
        Tool(name="weather", description="", parameters={}, run=broken),
        Tool(name="endless", description="", parameters={}, run=lambda: "x" * 1_000_000),
    ]
    memory = open_with_model(tools=tools)
    bad = [
        CALL,
        {"id": "c2", "name": "weather", "arguments": "Lisbon"},
        {"id": "c3", "name": "endless", "arguments": "{}"},
    ]
    model.answers(Answer(text="", tool_calls=bad, finish="tool_calls"), "I do not know.")
    answered = memory.chat.ask("How is the weather?", user_id="alice").result()
    assert answered.message.status == "complete"
    calls = answered.message.tool_calls or []
    assert [call["is_error"] for call in calls] == [True, True, True]
    assert "ValueError" in calls[0]["output"]
    model.always = Answer(text="", tool_calls=[CALL], finish="tool_calls")
    assert memory.chat.ask("Again?", user_id="alice").result().message.status == "error"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_tools_and_what_they_give_back_count_against_the_window(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model()
    said = MessageIn(role="user", content="The river walk is long and pleasant. " * 40)
    chat = memory.conversations.create_conversation(user_id="alice", messages=[said] * 8).id
    page = "A long page of text. " * 3_000
    archive = Tool(
        name="archive",
        description="Looks something up in the archive of the town. " * 20,
        parameters={"type": "object", "properties": {}},
        run=lambda: page,
    )
    asked = {"id": "1", "name": "archive", "arguments": "{}"}
    model.answers(*[Answer(tool_calls=[asked], finish="tool_calls")] * 2, "It opened in 1911.")
    answering = memory.chat.ask(
        "When did it open?", user_id="alice", conversation_id=chat, model="small", tools=[archive]
    )
    answer = answering.result().message
    assert answer.content == "It opened in 1911."
    for request in model.requests:
        sent = [*request.body["messages"], *request.body["tools"]]
        assert sum(count(json.dumps(one)) for one in sent) <= SMALL_WINDOW
    shown = model.requests[-1].body["messages"][-1]["content"]
    assert "tokens left out" in shown
    assert [call["output"] for call in answer.tool_calls or ()] == [page] * 2
    many = [replace(archive, name=f"archive-{n}") for n in range(16)]
    with pytest.raises(TooLarge):
        memory.chat.ask("So?", user_id="alice", model="small", tools=many)


def test_what_tools_take_and_give_can_always_be_kept(
    open_with_model: Open, model: ScriptedModel
) -> None:
    half = Tool(
        name="half", description="", parameters={}, run=lambda **given: ["\ud83d", float("nan")]
    )
    memory = open_with_model(tools=[half])
    strange = '{"text": "a\\u0000b \\ud83d", "number": NaN}'
    calls = [
        {"id": "c1", "name": "half", "arguments": strange},
        {"id": "c2", "name": "half", "arguments": "[" * 2_000},
        {"id": "c3", "name": "nobody", "arguments": "{}"},
    ]
    model.answers(Answer(text="", tool_calls=calls, finish="tool_calls"), "Done.")
    answered = memory.chat.ask("Try it.", user_id="alice").result()
    assert (answered.message.status, answered.message.content) == ("complete", "Done.")
    first, second, third = answered.message.tool_calls or []
    assert first["input"] == {"text": "ab \ufffd", "number": None}
    assert first["output"] == ["\ufffd", None]
    assert second["is_error"]
    assert third["is_error"]
    assert (answered.tokens_in, answered.tokens_out) == (2000, 5)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_of_tools_here_and_there_only_ours_are_run(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model(tools=[WEATHER])
    theirs = {"id": "c2", "name": "theirs", "arguments": "{}"}
    model.answers(Answer(text="", tool_calls=[CALL, theirs], finish="tool_calls"))
    offered = [{"type": "function", "function": {"name": "theirs", "parameters": {}}}]
    chat = memory.conversations.create_conversation(user_id="alice")
    question = ChatRequest.from_text(
        "How is the weather?", ConversationTarget(conversation_id=chat.id)
    )
    answered = memory.chat.answer(
        question, PromptOptions(client_tools=offered), user_id="alice"
    ).result()
    calls = answered.message.tool_calls or []
    assert [(call["tool_name"], call.get("output")) for call in calls] == [
        ("weather", {"celsius": 6}),
        ("theirs", None),
    ]
    assert answered.finish == "tool_calls"
    assert len(model.requests) == 1


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_questions_and_appends_do_not_block_each_other(
    memory: Recollect, model: ScriptedModel, raw: RawDatabase
) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")

    def ask(number: int) -> object:
        key = f"k{number}"
        return memory.chat.ask("Hi", user_id="alice", conversation_id=chat.id, idempotency_key=key)

    def append(number: int) -> object:
        said = [MessageIn(role="user", content="Hi"), MessageIn(role="assistant", content="Ho")]
        return memory.conversations.add_messages(said, conversation_id=chat.id, user_id="alice")

    def create(number: int) -> object:
        return memory.conversations.create_conversation(
            user_id="alice", idempotency_key=f"c{number}"
        )

    with ThreadPoolExecutor(6) as threads:
        waiting = [threads.submit(do, n) for n in range(25) for do in (ask, append, create)]
        for one in waiting:
            one.result()
    ((deadlocks,),) = raw.execute(
        "select deadlocks from pg_stat_database where datname = current_database()"
    )
    assert deadlocks == 0


def test_a_retry_of_what_failed_without_a_word_is_tried_again(
    memory: Recollect, model: ScriptedModel
) -> None:
    def ask() -> AnswerStream:
        return memory.chat.ask("Hi", user_id="alice", idempotency_key="k")

    def again(answering: AnswerStream) -> AnswerStream:
        return memory.chat.regenerate(
            message_id=answering.message_id, user_id="alice", idempotency_key="r"
        )

    model.always = fails(400)
    assert [ask().result().message.status for _ in range(2)] == ["error", "error"]
    model.always = "Hello."
    found = ask()
    assert found.result().message.content == "Hello."
    assert ask().message_id == found.message_id
    assert standing(memory, found) == [("user", "Hi"), ("assistant", "Hello.")]
    model.always = fails(400)
    assert [again(found).result().message.status for _ in range(2)] == ["error", "error"]
    assert standing(memory, found) == [("user", "Hi"), ("assistant", "Hello.")]
    model.always = "Good day."
    assert again(found).result().message.content == "Good day."
    assert standing(memory, found) == [("user", "Hi"), ("assistant", "Good day.")]


def test_a_retry_of_what_failed_is_not_tried_again_once_something_else_was_said(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.always = fails(400)
    first = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    model.always = "Yes."
    memory.chat.ask("Anybody?", user_id="alice", conversation_id=first.conversation_id).result()
    asked = len(model.requests)
    again = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    assert (again.message.id, len(model.requests)) == (first.message.id, asked)


def test_a_retry_gets_the_first_answer(memory: Recollect, model: ScriptedModel) -> None:
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


def test_what_a_model_says_can_always_be_kept(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("a\0b \ud83d \ud83d\ude00 c")
    answered = memory.chat.ask("Hi", user_id="alice").result()
    assert answered.message.status == "complete"
    assert answered.message.content == "ab \ufffd 😀 c"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_deleted_conversation_ends_its_answer(memory: Recollect, model: ScriptedModel) -> None:
    model.answers(stalls("It goes on"))
    answering = memory.chat.ask("Tell me.", user_id="alice")
    assert any(isinstance(piece, TextDelta) for piece in iter(answering))
    memory.conversations.delete_conversation(
        conversation_id=answering.conversation_id, user_id="alice"
    )
    with pytest.raises(NotFound):
        answering.result()
    model.wait_for_hangup()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_closing_marks_what_is_running(
    open_with_model: Open, model: ScriptedModel, database_url: str
) -> None:
    model.answers(stalls("It goes on"))
    memory, other = open_with_model(), open_with_model()
    answering = memory.chat.ask("Tell me.", user_id="alice")
    assert any(isinstance(piece, TextDelta) for piece in iter(answering))
    memory.close()
    assert on_record(other, answering)[1].status == "interrupted"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_model_that_is_busy_says_so_before_anything_is_stored(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers(stalls("It goes on"))
    running = memory.chat.ask("Tell me.", user_id="alice", model="narrow")
    assert any(isinstance(piece, TextDelta) for piece in iter(running))
    with pytest.raises(Overloaded):
        memory.chat.ask("And me?", user_id="bob", model="narrow")
    assert not memory.conversations.list_conversations(user_id="bob")
    memory.chat.stop(running.message_id, user_id="alice")
    memory.chat.ask("And me?", user_id="bob", model="narrow").result()


def test_one_user_reaches_nothing_of_another(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("A secret.")
    answering = memory.chat.ask("Tell me a secret.", user_id="alice")
    answering.result()
    question, answer = on_record(memory, answering)
    before = on_record(memory, answering)
    for attempt in (
        lambda: memory.chat.ask("hi", user_id="bob", conversation_id=answering.conversation_id),
        lambda: memory.chat.regenerate(message_id=answer.id, user_id="bob"),
        lambda: memory.chat.edit("hi", message_id=question.id, user_id="bob"),
        lambda: memory.chat.stop(answer.id, user_id="bob"),
        lambda: memory.chat.find(answer.id, user_id="bob"),
        lambda: memory.chat.last_answer(conversation_id=answering.conversation_id, user_id="bob"),
        lambda: list(memory.chat.read(answer, "bob")),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert on_record(memory, answering) == before
    assert (
        memory.chat.find_edited(
            [MessageIn(role="user", content="x")],
            conversation_id=answering.conversation_id,
            user_id="bob",
        )
        is None
    )
