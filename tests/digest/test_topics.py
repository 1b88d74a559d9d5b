"""The topic job, on both databases."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from recollect import Conversation, MessageIn
from recollect.sync import Recollect
from tests.digest.blocking_model import PATIENCE, BlockingModel
from tests.raw import RawDatabase
from tests.scripted_model import Body, Plain, ScriptedModel, fails, garbage

_LISBON = ("I want to plan a trip to Lisbon in May.", "Lisbon in May is a good choice.")
_DATABASE = ("How do I restore the PostgreSQL backup of the invoices?", "With pg_restore.")
_HELLO = ("hi", "Hello! How can I help you?")


def test_topic_and_title_after_the_first_complete_turn(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice").id
    assert memory.work() == 0
    memory.conversations.add_message(
        MessageIn(role="user", content=_LISBON[0]), conversation_id=chat, user_id="alice"
    )
    memory.work()
    assert (_get(memory, chat).topic, _get(memory, chat).title) == (None, None)
    answer = MessageIn(role="assistant", content=_LISBON[1])
    memory.conversations.add_message(answer, conversation_id=chat, user_id="alice")
    memory.work()
    found = _get(memory, chat)
    assert found.topic is not None
    assert "Lisbon" in found.topic
    assert found.title is not None
    assert "Lisbon" in found.title
    assert found.title_source == "auto"


def test_model_is_used_if_configured(modelled: Recollect, model: ScriptedModel) -> None:
    model.answers(_derived("Planning a May trip to Lisbon.", "May trip to Lisbon"))
    chat = _chat(modelled, _LISBON)
    modelled.work()
    found = _get(modelled, chat)
    assert (found.topic, found.title) == ("Planning a May trip to Lisbon.", "May trip to Lisbon")
    (request,) = model.requests
    assert _LISBON[0] in request.body["messages"][-1]["content"]


@pytest.mark.parametrize(
    "answer",
    [
        "I'd call it: Lisbon!",
        "",
        '{"topic": 42, "title": "Answer"}',
        garbage(),
        fails(401),
    ],
    ids=repr,
)
def test_invalid_answer_falls_back_to_key_phrases(
    memory: Recollect,
    modelled: Recollect,
    model: ScriptedModel,
    answer: Plain,
    caplog: pytest.LogCaptureFixture,
) -> None:
    model.always = answer
    chat, twin = _chat(modelled, _LISBON), _chat(modelled, _LISBON, user="bob")
    modelled.work()
    found = _get(modelled, chat)
    assert model.requests
    assert found.topic is not None
    assert "Lisbon" in found.topic
    assert (found.topic, found.title) == (
        _get(modelled, twin, "bob").topic,
        _get(modelled, twin, "bob").title,
    )
    assert not modelled.jobs.list_jobs(user_id="alice", state="failed")
    logged = [
        one for one in caplog.records if one.message in ("topic.rejected", "topic.model_failed")
    ]
    assert len(logged) == 2
    assert not any("Lisbon" in repr(vars(one)) for one in logged)


def test_title_comes_after_greetings(memory: Recollect) -> None:
    chat = _chat(memory, _HELLO)
    memory.work()
    assert _get(memory, chat).title is None
    _turn(memory, chat, _LISBON)
    memory.work()
    title = _get(memory, chat).title
    assert title is not None
    assert "Lisbon" in title


def test_title_set_by_the_user_never_changes(modelled: Recollect, model: ScriptedModel) -> None:
    chat = _chat(modelled, _LISBON, title="My holidays")
    for topic, title in (("A trip to Lisbon.", "Lisbon"), ("Restoring invoices.", "Invoices")):
        model.answers(_derived(topic, title))
        modelled.work()
        found = _get(modelled, chat)
        assert (found.title, found.title_source, found.topic) == ("My holidays", "user", topic)
        _turn(modelled, chat, _DATABASE)


def test_title_set_during_the_model_call_is_kept(modelled: Recollect, model: ScriptedModel) -> None:
    chat = _chat(modelled, _LISBON)
    with _thinking(modelled, model):
        modelled.conversations.update_conversation(
            {"title": "Holidays"}, conversation_id=chat, user_id="alice"
        )
    found = _get(modelled, chat)
    assert (found.title, found.topic) == ("Holidays", "A trip to Lisbon.")
    assert _found(modelled, "holidays") == _found(modelled, "lisbon") == [chat]


def test_cleared_title_is_derived_again(memory: Recollect) -> None:
    chat = _chat(memory, _LISBON, title="My holidays")
    memory.work()
    memory.conversations.update_conversation({"title": None}, conversation_id=chat, user_id="alice")
    _turn(memory, chat, ("Which hotels in Lisbon are near the river?", "Several."))
    memory.work()
    found = _get(memory, chat)
    assert found.title_source == "auto"
    assert found.title is not None
    assert "Lisbon" in found.title


def test_title_follows_the_focus(modelled: Recollect, model: ScriptedModel) -> None:
    chat = _chat(modelled, _LISBON)
    titles = []
    for topic, title in (
        ("Planning a trip to Lisbon in May.", "Trip to Lisbon"),
        ("Planning a trip to Lisbon in May, with hotels.", "Lisbon hotels"),
        ("Restoring a PostgreSQL backup of invoices.", "Restoring invoices"),
    ):
        model.answers(_derived(topic, title))
        modelled.work()
        titles.append(_get(modelled, chat).title)
        turns = _turns_until_next_topic(modelled, chat)
        for _ in range(turns):
            _turn(modelled, chat, _DATABASE)
    assert titles == ["Trip to Lisbon", "Trip to Lisbon", "Restoring invoices"]


def test_title_follows_the_focus_without_a_model(memory: Recollect) -> None:
    chat = _chat(memory, ("Plan a trip to Lisbon in May.", "Gladly."))
    memory.work()
    first = _get(memory, chat).title
    for number in range(63):
        said = f"The PostgreSQL backup of invoice {number} fails to restore on the server."
        _turn(memory, chat, (said, f"Invoice {number} needs pg_restore."))
        memory.work()
    second = _get(memory, chat).title
    assert first is not None
    assert "Lisbon" in first
    assert second is not None
    assert "Lisbon" not in second


def test_topic_is_derived_again_when_turns_double(
    modelled: Recollect, model: ScriptedModel
) -> None:
    model.always = _derived("A trip to Lisbon.", "Lisbon")
    chat = _chat(modelled)
    asked = []
    for number in range(1, 17):
        _turn(modelled, chat, _LISBON)
        modelled.work()
        asked.append((number, len(model.requests)))
    assert [n for (n, now), (_, before) in zip(asked[1:], asked, strict=False) if now > before] == [
        2,
        4,
        8,
        16,
    ]
    assert asked[0] == (1, 1)


@pytest.mark.parametrize("turns", [3, 6])
def test_imported_chat_gets_a_topic(memory: Recollect, turns: int) -> None:
    chat = _chat(memory, *[_LISBON] * turns)
    memory.work()
    assert "Lisbon" in str(_get(memory, chat).topic)


def test_batch_that_ends_with_a_question_gets_a_topic(memory: Recollect) -> None:
    chat = _chat(memory)
    drafts = [*_factory(_LISBON), *_factory(_LISBON)[:1]]
    memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")
    memory.work()
    assert "Lisbon" in str(_get(memory, chat).topic)


def test_new_summary_enqueues_a_topic_job(modelled: Recollect, model: ScriptedModel) -> None:
    def answer(body: Body) -> Plain:
        if "response_format" not in body:
            return "The user planned a trip to Lisbon."
        return _derived("A trip to Lisbon.", "Lisbon")

    model.always = answer
    chat = _chat(modelled, *[_LISBON] * 8)
    modelled.work()
    before = len(model.requests)
    modelled.summaries.compact(conversation_id=chat, user_id="alice", force=True)
    modelled.work()
    summary, topic = model.requests[before:]
    assert "response_format" not in summary.body
    assert "The user planned a trip" in topic.body["messages"][-1]["content"]


def test_conversation_list_is_filtered_by_topic(modelled: Recollect, model: ScriptedModel) -> None:
    model.answers(
        _derived("Città d'arte in Portogallo: LISBONA.", "Viaggio"),
        _derived("Restoring a backup.", "Invoices"),
    )
    lisbon = _chat(modelled, _LISBON)
    modelled.work()
    backup = _chat(modelled, _DATABASE, title="Mine")
    modelled.work()
    _chat(modelled, _LISBON, user="bob")
    assert _found(modelled, "lisbona") == [lisbon]
    assert _found(modelled, "citta") == [lisbon]
    assert _found(modelled, "viaggio") == [lisbon]
    assert _found(modelled, "backup") == [backup]
    assert _found(modelled, "MINE") == [backup]
    assert _found(modelled, "Invoices") == [], "the user's own title is the title"
    assert _found(modelled, "%") == []


@pytest.mark.parametrize("title", [None, "My holidays"])
def test_deleted_message_is_not_found_by_topic(
    memory: Recollect, raw: RawDatabase, title: str | None
) -> None:
    chat = _chat(memory, _LISBON, title=title)
    memory.work()
    assert _found(memory, "lisbon") == [chat]
    for message in memory.conversations.get_messages(conversation_id=chat, user_id="alice"):
        memory.conversations.delete_message(message_id=message.id, user_id="alice")
    assert _found(memory, "lisbon") == []
    memory.work()
    assert _found(memory, "lisbon") == []
    assert (_get(memory, chat).topic, _get(memory, chat).title) == (None, title)
    ((text,),) = raw.execute("select search_text from conversations")
    assert "lisbon" not in text


def test_message_deleted_during_the_model_call_is_not_in_the_topic(
    modelled: Recollect, model: ScriptedModel
) -> None:
    chat = _chat(modelled, _LISBON)
    with _thinking(modelled, model):
        for message in modelled.conversations.get_messages(conversation_id=chat, user_id="alice"):
            modelled.conversations.delete_message(message_id=message.id, user_id="alice")
    modelled.work()
    assert (_get(modelled, chat).topic, _get(modelled, chat).title) == (None, None)


@contextmanager
def _thinking(memory: Recollect, model: ScriptedModel) -> Iterator[None]:
    """Run the block while the model is being asked for a topic."""
    model.always = held = BlockingModel(_derived("A trip to Lisbon.", "Lisbon"))
    with ThreadPoolExecutor() as pool:
        working = pool.submit(memory.work)
        with held.asked():
            yield
        working.result(PATIENCE)


def _derived(topic: str, title: str | None) -> str:
    return json.dumps({"topic": topic, "title": title})


def _chat(
    memory: Recollect, *turns: tuple[str, str], title: str | None = None, user: str = "alice"
) -> str:
    drafts = [draft for turn in turns for draft in _factory(turn)]
    return memory.conversations.create_conversation(title, user_id=user, messages=drafts).id


def _factory(turn: tuple[str, str]) -> list[MessageIn]:
    question, answer = turn
    return [
        MessageIn(role="user", content=question),
        MessageIn(role="assistant", content=answer),
    ]


def _turn(memory: Recollect, chat: str, turn: tuple[str, str]) -> None:
    memory.conversations.add_messages(_factory(turn), conversation_id=chat, user_id="alice")


def _turns_until_next_topic(memory: Recollect, chat: str) -> int:
    return _get(memory, chat).message_count // 2


def _get(memory: Recollect, chat: str, user: str = "alice") -> Conversation:
    return memory.conversations.get_conversation(conversation_id=chat, user_id=user)


def _found(memory: Recollect, query: str) -> list[str]:
    found = memory.conversations.list_conversations(user_id="alice", query=query)
    return [conversation.id for conversation in found]
