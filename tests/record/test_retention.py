"""Retention: for any conversation whose policy has one, on append and by the sweeper."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Event

import pytest

from recollect import Deleted, Message, MessageIn, Misconfigured, Policy, Retention
from recollect.core.policy import PRESETS
from recollect.core.types import utc_text
from recollect.sync import Recollect
from tests.conftest import Clock, Open
from tests.raw import RawDatabase
from tests.scripted_model import Answer, ScriptedModel

pytestmark = pytest.mark.both_databases

POLICIES = {
    **PRESETS,
    "brief": Policy(
        name="brief",
        timing="never",
        retention=Retention(max_turns=2, max_age=timedelta(minutes=30)),
    ),
}


def test_only_the_newest_turns_are_kept(database_url: str, clock: Clock) -> None:
    with Recollect.open(database_url, policies=POLICIES, clock=clock) as memory:
        chat = memory.conversations.create_conversation(user_id="alice", policy="brief")
        for number in range(4):
            _say(memory, chat.id, f"question {number}", "looking it up", f"answer {number}")
        left = memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
        assert [(m.turn, m.seq) for m in left] == [
            *((3, 7), (3, 8), (3, 9)),
            *((4, 10), (4, 11), (4, 12)),
        ]
        assert _message_count(memory, chat.id) == 6


def test_sweep_deletes_old_turns(database_url: str, clock: Clock) -> None:
    with Recollect.open(database_url, policies=POLICIES, clock=clock) as memory:
        chats = [
            memory.conversations.create_conversation(user_id=user, policy=policy).id
            for user, policy in (("alice", "brief"), ("bob", "brief"), ("alice", "chunked"))
        ]
        for chat, user in zip(chats, ("alice", "bob", "alice"), strict=True):
            _say(memory, chat, "question", "answer", user=user)
        clock.advance(minutes=20)
        _say(memory, chats[0], "another", "answer")
        assert memory.sweep().turns == 0
        clock.advance(minutes=11)
        swept = memory.sweep()
        assert (swept.turns, swept.deleted) == (2, Deleted(messages=4))
        assert memory.sweep().turns == 0
        remaining = [
            [
                m.content
                for m in memory.conversations.get_messages(conversation_id=chat, user_id=user)
            ]
            for chat, user in zip(chats, ("alice", "bob", "alice"), strict=True)
        ]
        assert remaining == [["another", "answer"], [], ["question", "answer"]]


def test_new_policy_is_applied_at_once(database_url: str, clock: Clock) -> None:
    with Recollect.open(database_url, policies=POLICIES, clock=clock) as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        for number in range(5):
            _say(memory, chat.id, f"question {number}", "answer")
        changed = memory.conversations.update_conversation(
            {"policy": "brief"}, conversation_id=chat.id, user_id="alice"
        )
        assert changed.message_count == 4
        assert memory.sweep().turns == 0


def test_sweep_deletes_surplus_turns(database_url: str, clock: Clock) -> None:
    generous = Retention(max_turns=5, max_age=timedelta(minutes=30))
    policies = {**POLICIES, "brief": replace(POLICIES["brief"], retention=generous)}
    with Recollect.open(database_url, policies=policies, clock=clock) as memory:
        chat = memory.conversations.create_conversation(user_id="alice", policy="brief")
        for number in range(5):
            _say(memory, chat.id, f"question {number}", "answer")
    with Recollect.open(database_url, policies=POLICIES, clock=clock) as memory:
        assert memory.sweep().turns == 3
        assert _message_count(memory, chat.id) == 4


@pytest.mark.parametrize(("turns", "age"), [(0, 1), (-1, 1), (1, 0), (1, -1)])
def test_retention_must_be_positive(turns: int, age: int) -> None:
    with pytest.raises(Misconfigured):
        Retention(max_turns=turns, max_age=timedelta(days=age))


def test_unfinished_turn_is_kept_whole(database_url: str, clock: Clock) -> None:
    with Recollect.open(database_url, policies=POLICIES, clock=clock) as memory:
        chat = memory.conversations.create_conversation(user_id="alice", policy="brief")
        _say(memory, chat.id, "a long question")
        clock.advance(minutes=31)
        memory.conversations.add_message(
            MessageIn(role="assistant", content="a late answer"),
            conversation_id=chat.id,
            user_id="alice",
        )
        assert memory.sweep().turns == 0
        assert len(memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")) == 2


def test_superseded_messages_do_not_count_as_turns(open_with_model: Open) -> None:
    memory = open_with_model(policies=POLICIES)
    chat = memory.conversations.create_conversation(user_id="alice", policy="brief").id
    for question in ("first", "second"):
        _say(memory, chat, question, "answer")
    for question in ("third", "fourth", "fifth"):
        *_, last, _ = _standing(memory, chat)
        # The model says the same.
        memory.chat.edit(question, message_id=last.id, user_id="alice").result()
    assert [m.content for m in _standing(memory, chat)] == ["first", "answer", "fifth", "fifth"]
    assert memory.sweep().turns == 0
    _say(memory, chat, "sixth", "answer")
    left = memory.conversations.get_messages(conversation_id=chat, user_id="alice")
    assert [m.content for m in left] == ["fifth", "fifth", "sixth", "answer"]


def test_superseded_messages_before_the_kept_turns_are_deleted(open_with_model: Open) -> None:
    generous = replace(POLICIES["brief"], name="generous", retention=None)
    memory = open_with_model(policies={**POLICIES, "generous": generous})
    chat = memory.conversations.create_conversation(user_id="alice", policy="generous").id
    _say(memory, chat, "first", "answer")
    memory.chat.edit("second", message_id=_standing(memory, chat)[0].id, user_id="alice").result()
    _say(memory, chat, "third", "answer")
    RawDatabase(memory.settings.database_url).execute("update conversations set policy = 'brief'")
    assert memory.sweep().turns == 1
    left = memory.conversations.get_messages(conversation_id=chat, user_id="alice")
    assert [m.content for m in left] == ["second", "second", "third", "answer"]


def test_streaming_turn_is_deleted_after_its_end(
    open_with_model: Open, model: ScriptedModel
) -> None:
    memory = open_with_model(policies=POLICIES)
    chat = memory.conversations.create_conversation(user_id="alice", policy="brief").id
    may_end = Event()
    model.answers(Answer(text="Once upon a time", halfway=partial(may_end.wait, 20)))
    slow = memory.chat.ask("a tale", user_id="alice", conversation_id=chat)
    for number in range(3):
        _say(memory, chat, f"question {number}", "answer")
    assert memory.sweep().turns == 0
    newest = ["question 1", "answer", "question 2", "answer"]
    found = [m.content for m in _standing(memory, chat)]
    assert (found[0], found[2:]) == ("a tale", newest)
    may_end.set()
    assert slow.result().message.content == "Once upon a time"
    assert [m.content for m in _standing(memory, chat)] == newest


def test_streaming_turn_does_not_expire_by_age(
    memory: Recollect, raw: RawDatabase, clock: Clock
) -> None:
    chat = memory.conversations.create_conversation(user_id="alice", policy="ephemeral").id
    _say(memory, chat, "question", "answer")
    clock.advance(hours=25)
    status = "update messages set status = :status, heartbeat_at = :at where role = 'assistant'"
    raw.execute(status, status="streaming", at=utc_text(clock()))
    assert memory.sweep().turns == 0
    raw.execute(status, status="complete", at=utc_text(clock()))
    assert memory.sweep().turns == 1


def test_unknown_policy_deletes_nothing(database_url: str, clock: Clock) -> None:
    digesting = Policy(name="brisk", digest_over_messages=4, keep_messages=2)
    policies = {**POLICIES, "brisk": digesting}
    chats = []
    with Recollect.open(database_url, policies=policies, clock=clock) as memory:
        for policy in ("brief", "brisk"):
            chat = memory.conversations.create_conversation(user_id="alice", policy=policy)
            _say(memory, chat.id, "question", "answer")
            chats.append(chat.id)
    clock.advance(hours=1)
    with Recollect.open(database_url, clock=clock) as memory:
        for chat_id in chats:
            for number in range(3):
                _say(memory, chat_id, f"question {number}", "answer")
            assert memory.sweep().turns == 0
            memory.work()
            assert {job.state for job in memory.jobs.list_jobs(user_id="alice")} <= {"done"}
            compacted = memory.summaries.compact(conversation_id=chat_id, user_id="alice")
            assert not compacted.compacted
            summary = memory.summaries.get_summary(conversation_id=chat_id, user_id="alice")
            assert summary.version == 0
            first, *_ = memory.conversations.get_messages(conversation_id=chat_id, user_id="alice")
            assert memory.conversations.pin_message(message_id=first.id, user_id="alice").is_pinned
            context = memory.contexts.build_context(
                "And now?", conversation_id=chat_id, user_id="alice"
            )
            assert context.messages is not None
            assert len([m for m in context.messages if m["role"] != "system"]) == 9


def _message_count(memory: Recollect, chat: str) -> int:
    found = memory.conversations.get_conversation(conversation_id=chat, user_id="alice")
    return found.message_count


def _standing(memory: Recollect, chat: str) -> list[Message]:
    found = memory.conversations.get_messages(conversation_id=chat, user_id="alice")
    return [message for message in found if message.superseded_at is None]


def _say(memory: Recollect, chat: str, question: str, *answers: str, user: str = "alice") -> None:
    messages = [MessageIn(role="user", content=question)]
    messages += [MessageIn(role="assistant", content=answer) for answer in answers]
    memory.conversations.add_messages(messages, conversation_id=chat, user_id=user)
