"""`memory.chat`: ask, stop, read from another process, limits."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from recollect import (
    ContextBuilt,
    Finished,
    InvalidInput,
    MessageIn,
    NotFound,
    Overloaded,
    TextDelta,
    ThinkingDelta,
    TooLarge,
)
from recollect.store.answers import LEASE
from recollect.sync import Recollect
from tests.chat.helpers import sent_messages, stored_messages
from tests.conftest import Clock, Open
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, ScriptedModel, cut, fails, garbage, stalls
from tests.server.process import wait_until

pytestmark = pytest.mark.both_databases

UNKNOWN = "0190f000-0000-7000-8000-000000000000"


def test_ask_streams_and_stores_the_answer(memory: Recollect, model: ScriptedModel) -> None:
    model.answers(Answer(text="From May to October.", thinking="Portugal."))
    stream = memory.chat.ask("When is it warm in Lisbon?", user_id="alice", system="Be brief.")
    shown, *said, ended = stream
    assert isinstance(shown, ContextBuilt)
    assert isinstance(ended, Finished)
    assert "".join(one.text for one in said if isinstance(one, TextDelta)) == "From May to October."
    assert "".join(one.text for one in said if isinstance(one, ThinkingDelta)) == "Portugal."
    question, answer = stored_messages(memory, stream)
    assert answer == ended.message
    assert (question.role, question.content) == ("user", "When is it warm in Lisbon?")
    assert (answer.status, answer.content, answer.thinking) == (
        "complete",
        "From May to October.",
        "Portugal.",
    )
    assert (answer.model_variant, answer.turn, answer.seq) == ("default", 1, 2)
    assert sent_messages(model.requests[0].body) == [
        ("system", "Be brief."),
        ("user", "When is it warm in Lisbon?"),
    ]
    assert memory.contexts.get_receipt(message_id=answer.id, user_id="alice") == shown.receipt
    assert stream.result().receipt == shown.receipt
    found = memory.conversations.get_conversation(
        conversation_id=stream.conversation_id, user_id="alice"
    )
    assert found.token_count == question.tokens + answer.tokens


def test_question_and_answer_row_are_stored_before_the_model_is_called(
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


def test_next_question_gets_the_conversation_as_context(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("From May on.", "Mild.")
    first = memory.chat.ask("When is it warm in Lisbon?", user_id="alice")
    first.result()
    again = memory.chat.ask(
        "And in winter?", user_id="alice", conversation_id=first.conversation_id
    )
    result = again.result()
    assert sent_messages(model.requests[1].body) == [
        ("user", "When is it warm in Lisbon?"),
        ("assistant", "From May on."),
        ("user", "And in winter?"),
    ]
    assert result.receipt is not None
    assert all(item.outcome == "included" for item in result.receipt.items)
    assert (result.message.seq, result.message.turn) == (4, 2)


def test_memory_card_in_an_answer_stays_text(memory: Recollect, model: ScriptedModel) -> None:
    card = 'Yes.\n\n<MEMORY_CARD>\n{"topic": "heat"}\n</MEMORY_CARD>\n\nMore?  '
    model.answers(card, "Indeed.")
    result = memory.chat.ask("Is it warm?", user_id="alice").result()
    assert result.message.content == card
    memory.chat.ask("Go on.", user_id="alice", conversation_id=result.conversation_id).result()
    assert sent_messages(model.requests[1].body)[1] == ("assistant", card)


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
def test_failed_answer_keeps_its_text_and_error(
    memory: Recollect, model: ScriptedModel, failure: Any, kept: str
) -> None:
    model.answers(failure)
    result = memory.chat.ask("Are you there?", user_id="alice").result()
    assert (result.message.status, result.message.content) == ("error", kept)
    assert result.message.metadata["error"]
    model.answers("Now I am.")
    again = memory.chat.regenerate(message_id=result.message.id, user_id="alice")
    assert again.result().message.content == "Now I am."


def test_invalid_questions_store_nothing(memory: Recollect) -> None:
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
            memory.chat.ask(**arguments, user_id="alice")
    assert not memory.conversations.list_conversations(user_id="alice")


def test_stopped_answer_keeps_its_text(memory: Recollect, model: ScriptedModel) -> None:
    model.answers(stalls("It goes on and "))
    stream = memory.chat.ask("Tell me.", user_id="alice")
    events = iter(stream)
    assert any(isinstance(event, TextDelta) for event in events)
    stopped = memory.chat.stop(stream.conversation_id, user_id="alice")
    assert stopped is not None
    assert stopped.status == "interrupted"
    assert "It goes on and ".startswith(stopped.content)
    assert stream.result().message == stopped
    model.wait_for_hangup()
    assert memory.chat.stop(stream.conversation_id, user_id="alice") is None
    assert memory.chat.stop(stream.message_id, user_id="alice") == stopped


def test_another_process_can_read_and_stop_an_answer(
    memory: Recollect, open_with_model: Open, model: ScriptedModel
) -> None:
    model.answers(stalls("It goes on and "))
    stream = memory.chat.ask("Tell me.", user_id="alice")
    other = open_with_model()
    found = other.chat.find(stream.conversation_id, user_id="alice")
    assert found is not None
    read = ""
    for event in other.chat.read(found, user_id="alice"):
        if isinstance(event, TextDelta):
            read += event.text
        if read == "It goes on and ":
            break
    stopped = other.chat.stop(found.id, user_id="alice")
    assert stopped is not None
    assert (stopped.status, stopped.content) == ("interrupted", "It goes on and ")
    assert stream.result().message == stopped
    *_, ended = other.chat.read(stopped, user_id="alice")
    receipt = memory.contexts.get_receipt(message_id=stopped.id, user_id="alice")
    assert ended == Finished(stopped, receipt)


def test_conversation_is_answering_while_an_answer_streams(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    model.answers("Done.", stalls("Half of "))
    done = memory.chat.ask("Hello?", user_id="alice").result().conversation_id
    stream = memory.chat.ask("Tell me of Lisbon.", user_id="alice")
    id, other = stream.conversation_id, open_with_model()
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
    wait_until(lambda: stream.result().message is not None, "its owner has let go")
    clock.advance(seconds=LEASE.total_seconds() + 2)
    assert stored_messages(memory, stream)[1].status == "streaming"
    assert not memory.conversations.get_conversation(
        conversation_id=id, user_id="alice"
    ).is_answering
    assert not any(
        one.is_answering for one in memory.conversations.list_conversations(user_id="alice")
    )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_deleting_the_conversation_ends_its_answer(memory: Recollect, model: ScriptedModel) -> None:
    model.answers(stalls("It goes on"))
    stream = memory.chat.ask("Tell me.", user_id="alice")
    assert any(isinstance(event, TextDelta) for event in iter(stream))
    memory.conversations.delete_conversation(
        conversation_id=stream.conversation_id, user_id="alice"
    )
    with pytest.raises(NotFound):
        stream.result()
    model.wait_for_hangup()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_close_marks_streaming_answers_as_interrupted(
    open_with_model: Open, model: ScriptedModel, database_url: str
) -> None:
    model.answers(stalls("It goes on"))
    memory, other = open_with_model(), open_with_model()
    stream = memory.chat.ask("Tell me.", user_id="alice")
    assert any(isinstance(event, TextDelta) for event in iter(stream))
    memory.close()
    assert stored_messages(other, stream)[1].status == "interrupted"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_overloaded_model_is_refused_before_anything_is_stored(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers(stalls("It goes on"))
    running = memory.chat.ask("Tell me.", user_id="alice", model="narrow")
    assert any(isinstance(event, TextDelta) for event in iter(running))
    with pytest.raises(Overloaded):
        memory.chat.ask("And me?", user_id="bob", model="narrow")
    assert not memory.conversations.list_conversations(user_id="bob")
    memory.chat.stop(running.message_id, user_id="alice")
    memory.chat.ask("And me?", user_id="bob", model="narrow").result()


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_questions_and_appends_do_not_deadlock(
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


def test_users_cannot_reach_each_others_answers(memory: Recollect, model: ScriptedModel) -> None:
    model.answers("A secret.")
    stream = memory.chat.ask("Tell me a secret.", user_id="alice")
    stream.result()
    question, answer = stored_messages(memory, stream)
    before = stored_messages(memory, stream)
    for attempt in (
        lambda: memory.chat.ask("hi", user_id="bob", conversation_id=stream.conversation_id),
        lambda: memory.chat.regenerate(message_id=answer.id, user_id="bob"),
        lambda: memory.chat.edit("hi", message_id=question.id, user_id="bob"),
        lambda: memory.chat.stop(answer.id, user_id="bob"),
        lambda: memory.chat.find(answer.id, user_id="bob"),
        lambda: memory.chat.last_answer(conversation_id=stream.conversation_id, user_id="bob"),
        lambda: list(memory.chat.read(answer, user_id="bob")),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert stored_messages(memory, stream) == before
    assert (
        memory.chat.find_edited(
            [MessageIn(role="user", content="x")],
            conversation_id=stream.conversation_id,
            user_id="bob",
        )
        is None
    )
