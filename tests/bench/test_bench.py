"""The benches still run: each contestant of ours stores and loads on the present schema."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench._plain import USER, PostgresStore, SqliteStore, row_of
from bench._whole import Desk, Vectors, key_of
from bench.contestants.ours import Awaited, Blocking
from bench.contestants.raw import RawMessages, RawMinimal
from bench.contestants.whole.ours import Ours
from bench.peers.measure import share_held
from bench.peers.talks import orders, said
from bench.recall.data import Person, Question, Session, assistants
from bench.recall.measure import Answer, Scored
from recollect.core.types import MessageIn
from recollect.store.url import parse_database_url
from recollect.sync import Recollect


@pytest.mark.parametrize("contestant", [Awaited, Blocking, RawMessages, RawMinimal])
def test_a_contestant_stores_and_loads(contestant: type[Any], tmp_path: Path) -> None:
    async def run() -> int:
        one = contestant()
        assert "WAL, full" in await one.open(tmp_path)
        await one.fill(5)
        await _done(one.append(0, one.draft(0)))
        loaded: int = await _done(one.load())
        await one.close()
        return loaded

    assert asyncio.run(run()) == 6


def test_the_evidence_of_every_question_was_said() -> None:
    data = assistants()
    assert all(question.evidence <= person.session_of.keys() for person, question in data.asked)
    assert all(question.evidence for _, question in data.asked)


def test_recall_counts_evidence_among_the_first_hits_and_sessions_by_their_best_turn() -> None:
    sessions = {"A:1": 1, "A:2": 1, "B:1": 2, "C:1": 3}
    question = Question("?", "en", "multi", frozenset({"A:2", "C:1"}))
    answer = Answer(turns=["A:1", "A:2", "B:1", "C:1"], conversations=[3, 2, 1])
    scored = Scored(question, answer, sessions)
    assert [scored.turns_at(k) for k in (1, 2, 3, 4)] == [0, 0.5, 0.5, 1]
    assert [scored.sessions_at(k) for k in (1, 2, 3)] == [0.5, 0.5, 1]
    assert [scored.conversations_at(k) for k in (1, 2, 3)] == [0.5, 0.5, 1]


def test_a_whole_library_is_given_the_very_texts_that_ours_embeds(tmp_path: Path) -> None:
    (person,) = assistants().people
    talk = [one for session in person.sessions[:3] for one in orders(session, is_named=True)]
    texts = [one.text for s in person.sessions[:3] for one in said(s, is_named=True)]
    file = tmp_path / "vectors.npz"
    vectors = np.eye(len(texts), 896, dtype="float32")
    np.savez(file, keys=np.array([key_of(text) for text in texts]), vectors=vectors)
    asked = []

    def ask(text: str) -> list[float]:
        asked.append(text)
        vector: list[float] = vectors[0].tolist()
        return vector

    async def run() -> None:
        desk = Desk(Ours(), Vectors(file, ask))
        await desk.library.open(tmp_path, desk.vectors)
        appended = await desk.append(user="alice", chat="talk", said=talk)
        assert len(appended["times"]) == len(talk)
        assert (await desk.settle())["seconds"] > 0
        await desk.load(user="alice", chat="talk", times=1)  # raises, if it is not the last twenty
        await desk.library.close()

    asyncio.run(run())
    assert asked  # for what else it embeds, such as the topic
    assert not [text for text in asked if any(one["content"] in text for one in talk)]


def test_evidence_counts_where_it_stands_in_a_context_word_for_word() -> None:
    messages = [MessageIn(role="user", content=text) for text in ("I am Ada.", "I live in Rome.")]
    person = Person("ada", [Session(1, ["A:1", "A:2"], messages)], [])
    question = Question("Who, and where?", "en", "multi", frozenset({"A:1", "A:2"}))
    assert share_held(question, person, "Ada (8 May 2023): I am Ada.") == 0.5


def test_the_bare_service_writes_and_reads_our_table(database_url: str) -> None:
    with Recollect.open(database_url) as memory:
        chat = memory.conversations.create_conversation(user_id=USER)
        dialect, address = parse_database_url(database_url)
        store = SqliteStore(address) if dialect == "sqlite" else PostgresStore(address)
        for seq in range(1, 4):
            store.insert(row_of(chat.id, seq, "user", f"Message {seq}"))
        assert store.last(chat.id) == [("user", f"Message {seq}") for seq in (3, 2, 1)]
        store.close()
        stored = memory.conversations.get_messages(conversation_id=chat.id, user_id=USER)
        assert [message.content for message in stored] == ["Message 1", "Message 2", "Message 3"]


async def _done(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result
