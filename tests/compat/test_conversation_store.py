"""`ConversationStore` as in specification 004."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from recollect import ConversationStore, ConversationTurn
from recollect import Recollect as AsyncRecollect
from recollect.sync import Recollect
from tests.conftest import Clock


@pytest.fixture
def store(memory: Recollect) -> ConversationStore:
    return ConversationStore(memory)


def test_a_stored_turn_is_returned(store: ConversationStore, clock: Clock) -> None:
    assert store.store_turn("alice", "Ano ang weather?", "Maaraw.") is True
    assert store.get_history("alice") == [
        {
            "turn_number": 1,
            "user_query": "Ano ang weather?",
            "ai_response": "Maaraw.",
            "created_at": clock.now,
        }
    ]


def test_an_unknown_user_has_an_empty_history(store: ConversationStore) -> None:
    assert store.get_history("nobody") == []
    assert store.resolve_reference("nobody", "first") is None
    assert store.cleanup_old_turns("nobody") == 0


def test_turn_numbers_grow_after_all_turns_expired(store: ConversationStore, clock: Clock) -> None:
    for n in range(12):
        store.store_turn("alice", f"q{n}", f"a{n}")
    assert [turn["turn_number"] for turn in store.get_history("alice")] == list(range(3, 13))
    clock.advance(hours=25)
    assert store.get_history("alice") == []
    store.store_turn("alice", "again", "yes")
    assert [turn["turn_number"] for turn in store.get_history("alice")] == [13]


def test_reading_deletes_turns_older_than_a_day(
    store: ConversationStore, memory: Recollect, clock: Clock
) -> None:
    store.store_turn("alice", "old", "a")
    clock.advance(hours=23)
    store.store_turn("alice", "new", "b")
    clock.advance(hours=1)
    assert len(store.get_history("alice")) == 2  # exactly a day is not older than a day
    clock.advance(microseconds=1)
    assert [turn["user_query"] for turn in store.get_history("alice")] == ["new"]
    assert [turn.number for turn in memory.history.turns(user_id="alice")] == [2]


def test_cleanup_returns_the_number_of_deleted_turns(
    store: ConversationStore, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="recollect.compat.conversation_store")
    for n in range(3):
        store.store_turn("alice", f"old {n}", "a")
    clock.advance(hours=25)
    store.store_turn("alice", "new", "b")
    store.store_turn("bob", "new", "b")
    assert [store.cleanup_old_turns("alice") for _ in range(2)] == [0, 0]  # storing cleaned already
    for n in range(3):
        store.store_turn("alice", f"older {n}", "a")
    clock.advance(hours=25)
    assert [store.cleanup_old_turns("alice") for _ in range(2)] == [4, 0]
    assert store.cleanup_old_turns("bob") == 1
    logged = [
        (record.message, vars(record)["turns"])
        for record in caplog.records
        if record.name == "recollect.compat.conversation_store"
    ]
    assert logged == [("history.cleaned", 4), ("history.cleaned", 1)]


@pytest.mark.parametrize(
    ("reference", "query"),
    [
        ("yung una", "q3"),
        ("Ano ulit yung pangalawa?", "q4"),
        ("the third one please", "q5"),
        ("ang pang-apat", "q6"),
        ("la quinta", "q7"),
        ("der zehnte", "q12"),
        ("kanina", "q12"),
        ("What did I say earlier?", "q12"),
        ("turn 5", "q5"),
    ],
)
def test_references_are_resolved(store: ConversationStore, reference: str, query: str) -> None:
    for n in range(1, 13):
        store.store_turn("alice", f"q{n}", f"a{n}")
    found = store.resolve_reference("alice", reference)
    assert found is not None
    assert found["user_query"] == query


@pytest.mark.parametrize("reference", ["", "hello", "unang", "two seconds", "turn 99", "the ninth"])
def test_unresolved_reference_returns_none(store: ConversationStore, reference: str) -> None:
    store.store_turn("alice", "q", "a")
    assert store.resolve_reference("alice", reference) is None


def test_prompt_format(store: ConversationStore) -> None:
    store.store_turn("alice", "Hi", "Hello")
    store.store_turn("alice", "How are you?", "Fine")
    assert store.format_history_for_prompt(store.get_history("alice")) == (
        "Previous conversation:\n"
        "Turn 1:\nUser: Hi\nAI: Hello\n\n"
        "Turn 2:\nUser: How are you?\nAI: Fine"
    )
    assert store.format_history_for_prompt([]) == ""


def test_the_history_is_not_listed(store: ConversationStore, memory: Recollect) -> None:
    store.store_turn("alice", "q", "a")
    assert not memory.conversations.list_conversations(user_id="alice")
    assert memory.conversations.current_conversation(user_id="alice").metadata == {}


def test_errors_are_logged_and_not_raised(
    store: ConversationStore, memory: Recollect, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    bad: Any = None
    assert store.store_turn("alice", "", "answer") is False
    assert store.store_turn("alice", "a\0b", "answer") is False
    assert store.store_turn("", "q", "a") is False
    assert store.store_turn("alice", bad, "a") is False
    assert store.resolve_reference("alice", bad) is None
    assert store.get_history("alice", bad) == []
    memory.close()
    assert store.store_turn("alice", "q", "a") is False
    assert store.get_history("alice") == []
    assert store.resolve_reference("alice", "first") is None
    assert store.cleanup_old_turns("alice") == 0
    assert len(caplog.records) >= 7


def test_the_async_engine_is_rejected() -> None:
    """Its methods return coroutines, which are always true and store nothing."""
    with pytest.raises(TypeError, match=r"recollect\.sync"):
        ConversationStore(AsyncRecollect.open("sqlite:///:memory:"))  # type: ignore[arg-type]


def test_turn_expiry_and_dict() -> None:
    now = datetime.now(UTC)
    turn = ConversationTurn("alice", 3, "q", "a", now - timedelta(hours=25))
    assert turn.is_expired()
    assert not turn.is_expired(hours=26)
    assert not ConversationTurn("alice", 3, "q", "a", now).is_expired()
    assert turn.to_dict() == {
        "turn_number": 3,
        "user_query": "q",
        "ai_response": "a",
        "created_at": turn.created_at.isoformat(),
    }


class HistoryMachine(RuleBasedStateMachine):
    """Random operations, compared with a list."""

    memory: Recollect
    clock: Clock
    rounds: Iterator[int]

    def __init__(self) -> None:
        super().__init__()
        self.store = ConversationStore(self.memory)
        number = next(self.rounds)
        self.users = (f"alice{number}", f"bob{number}")
        self.stored: dict[str, list[tuple[int, str, datetime]]] = {user: [] for user in self.users}

    def expected(self, user: str) -> list[tuple[int, str]]:
        oldest = self.clock.now - timedelta(hours=24)
        return [(n, text) for n, text, at in self.stored[user][-10:] if at >= oldest]

    @rule(user=st.integers(0, 1), text=st.text("abc é語", min_size=1).filter(str.strip))
    def store_turn(self, user: int, text: str) -> None:
        name = self.users[user]
        assert self.store.store_turn(name, text, f"answer to {text}")
        self.stored[name].append((len(self.stored[name]) + 1, text, self.clock.now))

    @rule(user=st.integers(0, 1), hours=st.floats(0, 30))
    def wait_and_clean(self, user: int, hours: float) -> None:
        """Without a read in between, so that only the cleanup deletes."""
        name = self.users[user]
        before = len(self.expected(name))
        self.clock.advance(hours=hours)
        removed = before - len(self.expected(name))
        assert self.store.cleanup_old_turns(name) == removed
        assert self.store.cleanup_old_turns(name) == 0

    @rule(user=st.integers(0, 1), max_turns=st.integers(-2, 15))
    def read(self, user: int, max_turns: int) -> None:
        name = self.users[user]
        history = self.store.get_history(name, max_turns)
        assert len(history) <= max(0, min(max_turns, 10))
        expected = self.expected(name)[-max_turns:] if max_turns > 0 else []
        assert [(t["turn_number"], t["user_query"]) for t in history] == expected

    @invariant()
    def first_and_last_are_resolved(self) -> None:
        for name in self.users:
            history = self.store.get_history(name)
            first = self.store.resolve_reference(name, "first")
            last = self.store.resolve_reference(name, "last one")
            assert first == (history[0] if history else None)
            assert last == (history[-1] if history else None)


@pytest.mark.parametrize("steps", [25])
def test_history_properties(memory: Recollect, clock: Clock, steps: int) -> None:
    class Machine(HistoryMachine):
        pass

    Machine.memory, Machine.clock, Machine.rounds = memory, clock, iter(range(10**9))
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=12,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
