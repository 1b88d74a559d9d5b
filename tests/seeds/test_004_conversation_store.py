"""Seed 004, "Database-Based Long-Term Conversation Memory": a chat that knows the last ten turns.

Comments name the sections of the specification that the tests cover.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from uuid import uuid4

import httpx
import pytest

from recollect import (
    TURN_REFERENCES,
    ConversationStore,
    ConversationTurn,
    contains_reference,
)
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.scripted_model import Answer, Body, fails
from tests.seeds.conftest import Service
from tests.seeds.model import last_text, said
from tests.server import shapes
from tests.server.process import wait_until

pytestmark = pytest.mark.xdist_group("seeds")

MAX_TURNS = 10
REFERRING = "User is referring to:"
PREVIOUS = "Previous conversation:"


class User:
    """A user over HTTP, and the class on the same database."""

    def __init__(self, service: Service, client: httpx.Client, id: str) -> None:
        self.service = service
        self.client = client
        self.id = id
        self.store = ConversationStore(service.memory)

    def post(self, query: str) -> httpx.Response:
        return self.client.post("/chat", json={"user_id": self.id, "query": query})

    def ask(self, query: str) -> str:
        answer = self.post(query)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body.keys() == {"response"}
        response: str = body["response"]
        return response

    def prompt(self, query: str) -> Body:
        """The request that contained this query."""
        (body,) = (one for one in self.service.model.asked(query) if last_text(one) == query)
        return body

    def history(self) -> list[tuple[int, str, str]]:
        turns = self.store.get_history(self.id)
        return [(turn["turn_number"], turn["user_query"], turn["ai_response"]) for turn in turns]


@pytest.fixture
def user(service: Service, client: httpx.Client, user_id: str) -> User:
    return User(service, client, user_id)


def new(query: str) -> str:
    """A unique query."""
    return f"{query} [{uuid4().hex[:8]}]"


# Data flow 1: the incoming query


def test_query_is_answered_with_its_history(user: User) -> None:
    queries = [new("Ano ang kape?"), new("At ang tsaa?"), new("Alin ang mas mabuti?")]
    responses = [user.ask(query) for query in queries]
    assert responses == [f"You said: {query}" for query in queries]
    assert said(user.prompt(queries[0])) == [("user", queries[0])]
    assert said(user.prompt(queries[2])) == [
        ("system", PREVIOUS),
        ("user", queries[0]),
        ("assistant", responses[0]),
        ("user", queries[1]),
        ("assistant", responses[1]),
        ("user", queries[2]),
    ]
    turns = list(zip(queries, responses, strict=True))
    assert user.history() == [(n, *turn) for n, turn in enumerate(turns, start=1)]


def test_ten_turns_are_kept_and_sent(user: User) -> None:
    queries = [new(f"Query {number}") for number in range(1, 14)]
    for query in queries:
        user.ask(query)
    shown = [content for role, content in said(user.prompt(queries[-1])) if role == "user"]
    assert shown == queries[-1 - MAX_TURNS :]
    assert [query for _, query, _ in user.history()] == queries[-MAX_TURNS:]
    assert [number for number, _, _ in user.history()] == list(range(4, 14))


def test_class_and_api_share_one_history(user: User) -> None:
    expected = []
    for number in range(1, 15):
        query = new("A question")
        if number % 3:
            expected.append((number, query, user.ask(query)))
        else:
            assert user.store.store_turn(user.id, query, "From the library.")
            expected.append((number, query, "From the library."))
        assert user.history() == expected[-MAX_TURNS:]
    shown = said(user.prompt(expected[-1][1]))
    assert ("assistant", "From the library.") in shown
    assert user.store.format_history_for_prompt(user.store.get_history(user.id)) == (
        f"{PREVIOUS}\n"
        + "\n\n".join(f"Turn {n}:\nUser: {query}\nAI: {ai}" for n, query, ai in expected[-10:])
    )


# Data flow 2: turn references


def test_referenced_turn_is_in_the_prompt(service: Service) -> None:
    references = {
        "Ano ulit yung una?": 0,
        "Paki-ulit yung pangalawa": 1,
        "Tell me more about the third one.": 2,
        "yung pang-apat": 3,
        "What did I say earlier?": 4,
        "kanina": 4,
    }
    with service.client(f"admin-{uuid4()}", is_admin=True) as admin:
        for reference, place in references.items():
            user = User(service, admin, f"user-{uuid4()}")
            queries = [new(f"Tanong {number}") for number in range(1, 6)]
            for query in queries:
                user.store.store_turn(user.id, query, "Sagot.")
            found = user.store.resolve_reference(user.id, reference)
            assert found is not None
            assert found["user_query"] == queries[place]

            user.ask(reference)
            (body,) = service.model.asked(queries[0])
            (role, naming), *shown = said(body)
            assert role == "system"
            assert naming.startswith(REFERRING)
            assert [query for query in queries if query in naming] == [queries[place]]
            assert [text for role, text in shown if role == "user"] == [*queries, reference]


def test_reference_without_turn_adds_nothing(user: User) -> None:
    """ "Vorrei una pizza" refers to nothing, and two turns have no ninth."""
    for query in (new("Uno"), new("Due")):
        user.ask(query)
    for query in (new("Vorrei una pizza"), new("The ninth one?"), new("Wait a second")):
        user.ask(query)
        assert REFERRING not in str(user.prompt(query))


def test_references_match_the_specification() -> None:
    paper = {
        "yung una": 1,
        "una": 1,
        "yung pangalawa": 2,
        "pangalawa": 2,
        "yung pangatlo": 3,
        "pangatlo": 3,
        "yung pang-apat": 4,
        "yung kanina": -1,
        "kanina": -1,
        "the first one": 1,
        "first": 1,
        "the second one": 2,
        "second": 2,
        "the third one": 3,
        "third": 3,
        "earlier": -1,
        "previous": -1,
        "last one": -1,
    }
    assert {phrase: TURN_REFERENCES.get(phrase) for phrase in paper} == paper
    assert all(contains_reference(phrase) for phrase in paper)


# Data flow 3: automatic cleanup


def test_turns_expire_after_24_hours(service: Service, user: User) -> None:
    clock = Clock()
    with Recollect.open(service.server.database_url, clock=clock) as memory:
        now = clock.now
        for hours, name in ((25, "stale"), (23, "fresh")):
            clock.now = now - timedelta(hours=hours)
            assert ConversationStore(memory).store_turn(user.id, f"The {name} one", "Noted.")
    query = new("What is there?")
    user.ask(query)
    sent = said(user.prompt(query))
    assert ("user", "The fresh one") in sent
    assert ("user", "The stale one") not in sent
    assert [number for number, _, _ in user.history()] == [2, 3]
    assert user.store.cleanup_old_turns(user.id) == 0


# Error handling


def test_model_failure_answers_503_and_keeps_history(service: Service, user: User) -> None:
    query, again = new("Broken"), new("Whole")
    service.model.when(query, fails(400))
    failed = user.post(query)
    problem = shapes.problem(failed, 503)
    assert "refused the request (400)" in problem["detail"]
    assert int(failed.headers["retry-after"]) > 0
    assert user.history() == []
    assert [turn.user_content for turn in service.memory.history.turns(user_id=user.id)] == [query]
    user.ask(again)
    assert [asked for _, asked, _ in user.history()] == [again]
    later = new("Ano yung una?")
    user.ask(later)
    (referring,) = [text for role, text in said(user.prompt(later)) if text.startswith(REFERRING)]
    assert again in referring
    assert query not in referring


def test_unanswered_query_is_not_a_turn(service: Service, user: User) -> None:
    query, released = new("Slow"), Event()
    answer = Answer(text="In the end.", halfway=lambda: released.wait(30))
    service.model.when(query, answer)
    with ThreadPoolExecutor() as pool:
        try:
            asking = pool.submit(user.ask, query)
            wait_until(lambda: bool(service.model.asked(query)), "the model is asked")
            assert user.history() == []
        finally:
            released.set()
        assert asking.result() == "In the end."
    assert user.history() == [(1, query, "In the end.")]


def test_empty_query_is_refused(user: User) -> None:
    for query in ("", "   "):
        shapes.problem(user.post(query), 422)
    assert user.service.memory.history.turns(user_id=user.id) == []


# Who may ask: the user themselves, and an admin for anybody


def test_user_id_must_be_the_callers(service: Service, user: User) -> None:
    shapes.problem(user.client.post("/chat", json={"user_id": "somebody", "query": "hi"}), 403)
    with service.client(f"admin-{uuid4()}", is_admin=True) as admin:
        answer = admin.post("/chat", json={"user_id": user.id, "query": "hi"})
        assert answer.json() == {"response": "You said: hi"}
        wrong = admin.post("/chat", json={"user_id": "", "query": "hi"})
        shapes.problem(wrong, 422)
    assert user.history() == [(1, "hi", "You said: hi")]
    with service.server.client() as nobody:
        shapes.problem(nobody.post("/chat", json={"user_id": user.id, "query": "hi"}), 401)


def test_question_of_an_admin_is_marked(service: Service, user: User) -> None:
    """The user's history shows which questions were not theirs."""
    user.ask("mine")
    with service.client(f"admin-{uuid4()}", is_admin=True) as admin:
        admin_id = admin.get("/api/me").json()["user_id"]
        for _ in range(2):  # a retry is the same request
            asked = admin.post(
                "/chat",
                json={"user_id": user.id, "query": "theirs"},
                headers={"Idempotency-Key": "once"},
            )
            assert asked.status_code == 200
    lines = [json.loads(line) for line in user.client.get("/api/export").text.splitlines()]
    asked_by = {
        line["content"]: line["metadata"].get("asked_by")
        for line in lines
        if line.get("role") == "user"
    }
    assert asked_by == {"mine": None, "theirs": admin_id}


def test_local_mode_accepts_any_user(own_service: Service) -> None:
    with own_service.server.client() as client:
        people = [User(own_service, client, f"user-{uuid4()}") for _ in range(2)]
        for person in people:
            person.ask(f"I am {person.id}.")
    for person in people:
        assert [query for _, query, _ in person.history()] == [f"I am {person.id}."]


# Data models


def test_turn_is_the_specified_dataclass(user: User) -> None:
    user.ask("hi")
    (turn,) = user.store.get_history(user.id)
    assert turn.keys() == {"turn_number", "user_query", "ai_response", "created_at"}
    known = ConversationTurn(user_id=user.id, **turn)
    assert known.to_dict() == turn | {"created_at": turn["created_at"].isoformat()}
    assert not known.is_expired()
    assert known.is_expired(hours=-1)
