"""The benchmarks run on the current schema."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.common.corpus import Corpus, CorpusUser
from bench.common.corpus_writer import fill
from bench.http.baseline_app import USER, PostgresStore, SqliteStore, row_of
from bench.peers.conversations import commands, said
from bench.peers.libraries.ours import Ours
from bench.peers.library_process import LibrarySession, Vectors, key_of
from bench.peers.measure import share_held
from bench.recall.data import Person, Question, Session, assistants
from bench.recall.measure import Answer, Scored
from bench.stores.ours import Awaited, Blocking
from bench.stores.raw import RawMessages, RawMinimal
from recollect.core.types import MessageIn
from recollect.store.url import parse_database_url
from recollect.sync import Recollect


@pytest.mark.parametrize("store_class", [Awaited, Blocking, RawMessages, RawMinimal])
def test_store_appends_and_loads(store_class: type[Any], tmp_path: Path) -> None:
    async def run() -> int:
        one = store_class()
        assert "WAL, full" in await one.open(tmp_path)
        await one.fill(5)
        await _done(one.append(0, one.draft(0)))
        loaded: int = await _done(one.load())
        await one.close()
        return loaded

    assert asyncio.run(run()) == 6


def test_evidence_of_every_question_exists() -> None:
    data = assistants()
    assert all(question.evidence <= person.session_of.keys() for person, question in data.asked)
    assert all(question.evidence for _, question in data.asked)


def test_recall_at_k_of_turns_sessions_and_conversations() -> None:
    sessions = {"A:1": 1, "A:2": 1, "B:1": 2, "C:1": 3}
    question = Question("?", "en", "multi", frozenset({"A:2", "C:1"}))
    answer = Answer(turns=["A:1", "A:2", "B:1", "C:1"], conversations=[3, 2, 1])
    scored = Scored(question, answer, sessions)
    assert [scored.turns_at(k) for k in (1, 2, 3, 4)] == [0, 0.5, 0.5, 1]
    assert [scored.sessions_at(k) for k in (1, 2, 3)] == [0.5, 0.5, 1]
    assert [scored.conversations_at(k) for k in (1, 2, 3)] == [0.5, 0.5, 1]


def test_peers_get_the_texts_that_recollect_embeds(tmp_path: Path) -> None:
    (person,) = assistants().people
    talk = [one for session in person.sessions[:3] for one in commands(session, is_named=True)]
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
        session = LibrarySession(Ours(), Vectors(file, ask))
        await session.library.open(tmp_path, session.vectors)
        appended = await session.append(user="alice", chat="talk", said=talk)
        assert len(appended["times"]) == len(talk)
        assert (await session.process_pending())["seconds"] > 0
        await session.load(
            user="alice", chat="talk", times=1
        )  # raises if these are not the last messages
        await session.library.close()

    asyncio.run(run())
    assert asked  # it also embeds other texts, such as the topic
    assert not [text for text in asked if any(one["content"] in text for one in talk)]


def test_evidence_counts_only_verbatim() -> None:
    messages = [MessageIn(role="user", content=text) for text in ("I am Ada.", "I live in Rome.")]
    person = Person("ada", [Session(1, ["A:1", "A:2"], messages)], [])
    question = Question("Who, and where?", "en", "multi", frozenset({"A:1", "A:2"}))
    assert share_held(question, person, "Ada (8 May 2023): I am Ada.") == 0.5


def test_baseline_app_writes_and_reads_messages(database_url: str) -> None:
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


def test_corpus_is_written_as_searchable_rows(database_url: str) -> None:
    corpus = Corpus([CorpusUser(USER, 2, 20)], seed=1)
    with Recollect.open(database_url) as memory:
        fill(database_url, corpus, model="synthetic")
        for conversation in corpus.conversations:
            text = conversation.messages[0].content
            hit, *_ = memory.recall.search(text, user_id=USER, limit=1)
            assert hit.text == text
