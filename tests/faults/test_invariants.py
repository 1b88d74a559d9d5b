"""`check_invariants` detects each violation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import MessageIn, MessagesContext
from recollect.core.memory_types import MemoryIn
from recollect.sync import Recollect
from tests.faults.client_load import answer_to
from tests.faults.expected_state import AcknowledgedMessage, ExpectedState, Role, mark, new_word
from tests.faults.faulty_model import FaultyModel
from tests.faults.invariants import QUESTION, check_context, check_invariants
from tests.raw import RawDatabase

Break = Callable[[RawDatabase, ExpectedState], object]


def _sql(statement: str) -> Break:
    return lambda raw, _: raw.execute(statement)


def _forget_and_rewrite(raw: RawDatabase, expected: ExpectedState) -> None:
    """Only the index contains the deleted text."""
    raw.execute("update messages set content = 'x' where seq = 1")
    expected.expect_message_deleted(next(iter(expected.said)))


def _stray_vector(raw: RawDatabase, _: ExpectedState) -> None:
    vector = bytes(8 * 4) if raw.dialect == "sqlite" else str([1] * 8)
    raw.insert(
        "embeddings",
        user_id="ada",
        kind="topic",
        owner_id="01a1e4f4-0000-7000-8000-000000000000",
        model="m",
        text="What was it?",
        dimensions=8,
        vector=vector,
        created_at="2026-11-01T12:00:00.000000Z",
    )


BREAKS: dict[str, tuple[str, Break]] = {
    "a message is gone": ("lost", _sql("delete from messages where seq = 2")),
    "a message has changed": ("lost", _sql("update messages set content = 'x' where seq = 2")),
    "a message has another number": ("lost", _sql("update messages set seq = 9 where seq = 4")),
    "a message is not what it was": (
        "lost",
        _sql("update messages set status = 'error' where seq = 4"),
    ),
    "a question is gone": (
        "lost",
        lambda _, expected: expected.asked.append(
            AcknowledgedMessage("ada", "c", "user", f"{mark('ada')} wd0x")
        ),
    ),
    "a memory has changed": ("lost", _sql("update memories set content = 'x'")),
    "a message is there twice": (
        "duplicated",
        _sql(
            "update messages set content = (select content from messages where seq = 1), role ="
            " 'user' where seq = 3"
        ),
    ),
    "an answer is there twice": (
        "duplicated",
        _sql(
            "update messages set content = (select content from messages where seq = 2)"
            " where seq = 4"
        ),
    ),
    "a counter is wrong": ("broken", _sql("update conversations set message_count = 17")),
    "somebody else's mark": (
        "leaked",
        _sql(f"update conversations set title = '{mark('bea')}'"),
    ),
    "a client saw it": ("leaked", lambda _, expected: expected.leaks.append("of bea")),
    "something deleted is left": (
        "leaked",
        lambda _, expected: expected.expect_message_deleted(next(iter(expected.said))),
    ),
    "its words are left in the index": (
        "leaked",
        _forget_and_rewrite,
    ),
    "something is not found any more": ("broken", _sql("delete from documents")),
    "a vector stands for nothing": ("broken", _stray_vector),
    "a job is left": ("broken", _sql("update jobs set state = 'failed'")),
    "an answer never ended": (
        "broken",
        _sql("update messages set status = 'streaming' where seq = 4"),
    ),
}


@pytest.mark.parametrize("what", [None, *BREAKS])
def test_violation_is_found(own_database: str, what: str | None) -> None:
    expected = ExpectedState()
    with Recollect.open(own_database) as memory:
        chat = memory.conversations.create_conversation(user_id="ada").id
        roles: tuple[Role, ...] = ("user", "assistant", "user", "assistant")
        for role in roles:
            content = _text()
            said = MessageIn(role=role, content=content)
            stored = memory.conversations.add_message(said, conversation_id=chat, user_id="ada")
            expected.said[stored.id] = AcknowledgedMessage("ada", chat, role, content, stored.seq)
        text = _text()
        known = memory.memories.create_memory(
            MemoryIn(memory_type="fact", content=text), user_id="ada"
        )
        expected.memories[known.id] = text
        memory.work()
    kinds: set[str] = set()
    if what is not None:
        kinds, break_it = {BREAKS[what][0]}, BREAKS[what][1]
        break_it(RawDatabase(own_database), expected)
    found = check_invariants(own_database, expected)
    wrong = {name for name in ("lost", "duplicated", "leaked", "broken") if getattr(found, name)}
    assert kinds <= wrong
    assert what is not None or not wrong, found


def test_invalid_context_is_found(tmp_path: Path) -> None:
    with Recollect.open(f"sqlite:///{tmp_path}/recollect.db") as memory:
        chat = memory.conversations.create_conversation(user_id="ada").id
        call = {"id": "1", "tool_name": "weather", "input": {}}
        said = [
            MessageIn(role="user", content="How is it?"),
            MessageIn(role="assistant", content="", tool_calls=[call]),
            MessageIn(role="tool", content="Sunny.", metadata={"tool_call_id": "1"}),
            MessageIn(role="assistant", content="Sunny."),
        ]
        memory.conversations.add_messages(said, conversation_id=chat, user_id="ada")
        built = memory.contexts.build_context(QUESTION, conversation_id=chat, user_id="ada")
    assert not _violations(built)
    messages = built.messages or ()
    assert "does not know of [1, 2, 3, 4]" in _violations(_with(built, items=()))
    assert "tokens in a budget" in _violations(_with(built, memory_tokens=10_001))
    assert "does not end" in _violations(replace(built, messages=messages[:-1]))
    for half in ("tool_calls", "tool_call_id"):
        rest = [message for message in messages if half not in message]
        assert "halves of ['1']" in _violations(replace(built, messages=tuple(rest)))


def test_model_call_before_commit_is_found(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(url) as memory:
        there = MessageIn(role="user", content=_text())
        memory.conversations.create_conversation(user_id="ada", messages=[there])
    model_behaviour = FaultyModel(url, seed=1, faults=0.0)
    for question in (there.content, early := _text()):
        answer = model_behaviour(
            {"stream": True, "messages": [{"role": "user", "content": question}]}
        )
        assert getattr(answer, "text", None) == answer_to(question)
    assert model_behaviour.asked_before_commit == [early]


def _text() -> str:
    return f"{mark('ada')} {new_word()} and more"


def _with(built: MessagesContext, **changes: object) -> MessagesContext:
    return replace(built, receipt=replace(built.receipt, **changes))  # type: ignore[arg-type]


def _violations(built: MessagesContext) -> str:
    return "; ".join(check_context(built, {1, 2, 3, 4}, 10_000))
