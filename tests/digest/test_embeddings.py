"""Vectors of messages, topics and memories, and the switch to another embedder."""

import asyncio
import json
import logging
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from recollect import MessageIn, Misconfigured
from recollect.core.ids import new_id
from recollect.core.types import Job, Json
from recollect.engine import open_database
from recollect.language.analyzer import analyze
from recollect.settings import Settings
from recollect.store import search_index, vectors
from recollect.store.database import Run
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.raw import RawDatabase
from tests.scripted_model import Embedded, Failure, Request, ScriptedModel, fails, garbage

pytestmark = pytest.mark.timeout(120)

_PATIENCE = 20.0
_A, _B = "scripted-a", "scripted-b"
_DOWN = fails(503, "Out for lunch.", retry_after="60")
_SOMETHING = [0.5] * 8
_DERIVED = ("documents", "embeddings", "embedding_progress")
_IN_SQLITE = ("vector_codes", "document_vocabulary")
_GREY = " ".join(["A heron is a grey bird that stands in the water."] * 12)
_TALL = " ".join(["It is tall and flies slowly, with its neck drawn in."] * 12)
_LONG_ANSWER = f"# Herons\n\n{_GREY}\n\n{_TALL}"
_CALLS: list[Json] = [{"tool_name": "ferries", "input": {}, "output": "noon"}]
_NOTES = [f"Note {number}" for number in range(70)]
_LAST = _NOTES[-1]  # which is in the second batch
_LISBON = ("I want to plan a trip to Lisbon in May.", "Lisbon in May is a good choice.")
_INVOICES = ("How do I restore the backup of the invoices?", "Invoices need pg_restore.")


class Endpoint(ScriptedModel):
    """An endpoint with embedders of any name, which a test can block."""

    def __init__(self, dimensions: int = 8) -> None:
        super().__init__(dimensions=dimensions)
        self.fails: dict[str, Failure] = {}
        """By the model's name."""
        self.refuses: str | None = None
        """A text that is too much for it, as are all that come with it."""
        self.stops_at: str | None = None
        """A text that is answered only when it may be."""
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self._model = threading.local()

    def texts(self, model: str = _A) -> list[str]:
        """What was asked for, in order, but for the question that tries an embedder out."""
        asked = [request.body for request in self.requests if request.body["model"] == model]
        return [text for body in asked for text in body["input"] if text != "?"]

    def _record(self, request: Request) -> None:
        self._model.name = request.body["model"]
        super()._record(request)

    def _embedding(self, texts: Any) -> Embedded:
        if any(self.stops_at in text for text in texts if self.stops_at):
            self.asked.set()
            assert self.may_answer.wait(_PATIENCE)
        if any(self.refuses in text for text in texts if self.refuses):
            return fails(400, "This is too much.")
        return self.fails.get(self._model.name) or super()._embedding(texts)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as opened:
        yield opened


Open = Callable[..., Recollect]


@pytest.fixture
def embed(database_url: str, clock: Clock, endpoint: Endpoint) -> Iterator[Open]:
    """Opens the test's database with an embedder."""
    opened: list[Recollect] = []

    def open_with(model: str = _A, *, dimensions: int = 8, url: str = endpoint.url) -> Recollect:
        settings = Settings(
            database_url=database_url,
            embedding_model=model,
            embedding_dimensions=dimensions,
            embedding_base_url=url,
            extraction="manual",
        )
        opened.append(Recollect.open(settings=settings, clock=clock))
        return opened[-1]

    yield open_with
    for one in opened:
        one.close()


@pytest.fixture
def embedding(embed: Open) -> Recollect:
    return embed()


@pytest.fixture
def rows(database_url: str, embedding: Recollect) -> "Rows":
    return Rows(database_url)


class Rows(RawDatabase):
    """The search tables of the test's database."""

    def texts(self, kind: str = "message", model: str = _A) -> list[str]:
        return [text for (text,) in self.execute(
            "select text from embeddings where kind = :kind and model = :model order by text",
            kind=kind, model=model,
        )]  # fmt: skip

    def vectors(self) -> list[tuple[str, list[float]]]:
        found = self.execute("select text, vector from embeddings")
        return [(text, _numbers(vector)) for text, vector in found]

    def counts(self) -> dict[str, int]:
        sqlite = _IN_SQLITE if self.dialect == "sqlite" else ()
        return {table: self.count(table) for table in (*_DERIVED, *sqlite)}

    def models(self) -> set[str]:
        """Whoever has left something anywhere."""
        tables = ["embedders", "embeddings", "embedding_progress"]
        if self.dialect == "sqlite":
            tables.append("vector_codes")
        found = [self.execute(f"select distinct model from {table}") for table in tables]
        return {model for rows in found for (model,) in rows}


def test_messages_topics_and_memories_get_vectors(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str, clock: Clock
) -> None:
    day = datetime(2026, 5, 3, 23, 59, tzinfo=UTC)
    drafts = [
        MessageIn(role="system", content="You know every heron."),
        MessageIn(role="user", content="A heron?", metadata={"speaker": " Zoë "}, event_at=day),
        MessageIn(role="assistant", content=_LONG_ANSWER, event_at=day),
        MessageIn(role="tool", content="grey", event_at=day, metadata={"speaker": 7}),
        MessageIn(role="assistant", content="", tool_calls=_CALLS, event_at=day),
    ]
    embedding.conversations.create_conversation("Herons", user_id="alice", messages=drafts)
    _remember(database_url, "alice", "Likes herons.")
    embedding.sweep()
    embedding.work()
    assert rows.texts() == [
        f"Assistant (3 May 2026): # Herons\n\n{_GREY}",
        f"Assistant (3 May 2026): Herons: {_TALL}",
        "Assistant (3 May 2026): ferries: noon",
        "Tool (3 May 2026): grey",
        "Zoë (3 May 2026): A heron?",
    ]
    (topic,) = rows.texts("topic")
    assert topic.startswith("Herons\n")
    assert rows.texts("memory") == ["Likes herons."]
    for text, vector in rows.vectors():
        assert vector == pytest.approx(endpoint._vector(text))
    assert rows.count("embeddings") == 7


def test_memory_without_words_is_embedded_once(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str
) -> None:
    embedding.conversations.create_conversation(user_id="alice")
    for memory in ("?!", "Likes herons."):
        _remember(database_url, "alice", memory)
    for _ in range(2):
        embedding.sweep()
        embedding.work()
    assert rows.texts("memory") == ["Likes herons."]
    assert endpoint.texts().count("?!") <= 1


def test_only_new_messages_are_embedded_in_batches(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    chat = _chat(embedding, *[f"Note {n}" for n in range(130)])
    before = len(endpoint.requests)
    embedding.work()
    assert len(endpoint.requests) - before <= 3 + 1, "its topic is the one"
    assert len(rows.texts()) == 130
    for text in ("One more", "And another"):
        known = len(endpoint.texts())
        _say(embedding, chat, text)
        embedding.work()
        (sent,) = endpoint.texts()[known:]
        assert sent.endswith(f": {text}")
    known = len(endpoint.texts())
    embedding.sweep()
    embedding.work()
    assert len(endpoint.texts()) == known
    assert len(rows.texts()) == 132


def test_changed_topic_is_embedded_again(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    chat = _chat(embedding, *_LISBON, title="Holidays")
    embedding.work()
    update = partial(
        embedding.conversations.update_conversation, conversation_id=chat, user_id="alice"
    )
    for changes, is_new in (
        ({"title": "Holidays"}, False),
        ({"metadata": {"seen": True}}, False),
        ({"title": "Portugal"}, True),
    ):
        known = len(endpoint.texts())
        update(changes)
        embedding.work()
        assert len(endpoint.texts()) == known + is_new
        title = embedding.conversations.get_conversation(
            conversation_id=chat, user_id="alice"
        ).title
        assert [text.split("\n")[0] for text in rows.texts("topic")] == [title]
    first = embedding.conversations.get_conversation(conversation_id=chat, user_id="alice").topic
    _say(embedding, chat, *_INVOICES)
    embedding.work()
    second = embedding.conversations.get_conversation(conversation_id=chat, user_id="alice").topic
    assert second != first
    assert rows.texts("topic") == [f"Portugal\n{second}"]
    for message in embedding.conversations.get_messages(conversation_id=chat, user_id="alice"):
        embedding.conversations.delete_message(message_id=message.id, user_id="alice")
    update({"title": None})
    embedding.work()
    assert rows.count("embeddings") == 0


def test_concurrently_deleted_message_leaves_no_vector(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    chat = _chat(embedding, "A secret", "No secret")
    secret, _ = embedding.conversations.get_messages(conversation_id=chat, user_id="alice")
    with _stopped(endpoint, "A secret", embedding.work):
        embedding.conversations.delete_message(message_id=secret.id, user_id="alice")
    assert [text.partition(": ")[2] for text in rows.texts()] == ["No secret"]


def test_concurrently_removed_topic_leaves_no_vector(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    chat = _chat(embedding, *_LISBON, title="Holidays")
    with _stopped(endpoint, "Holidays\n", embedding.work):
        for message in embedding.conversations.get_messages(conversation_id=chat, user_id="alice"):
            embedding.conversations.delete_message(message_id=message.id, user_id="alice")
    embedding.sweep()
    embedding.work()
    assert rows.texts("topic") == ["Holidays"]
    assert rows.texts() == []


def test_concurrently_deleted_conversation_leaves_no_vector(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    chat = _chat(embedding, "A secret")
    with _stopped(endpoint, "A secret", embedding.work):
        embedding.conversations.delete_conversation(conversation_id=chat, user_id="alice")
    assert set(rows.counts().values()) == {0}
    assert not embedding.jobs.list_jobs(user_id="alice", state="failed")


def test_deleted_conversation_is_not_found(
    embedding: Recollect, rows: Rows, database_url: str
) -> None:
    kept = _chat(embedding, *_LISBON)
    embedding.work()
    before = rows.counts()
    doomed = _chat(embedding, *_LISBON, "A heron", title="Herons")
    _remember(database_url, "alice", "Likes herons.", conversation_id=doomed)
    embedding.sweep()
    embedding.work()
    assert rows.count("embeddings") == before["embeddings"] + 5
    embedding.conversations.delete_conversation(conversation_id=doomed, user_id="alice")
    assert rows.counts() == before
    found = embedding.recall.search("heron Lisbon", user_id="alice")
    assert {hit.conversation_id for hit in found} == {kept}


def test_streaming_answer_is_embedded_when_complete(embedding: Recollect, rows: Rows) -> None:
    chat = _chat(embedding, "First", "Second", "Third")
    status = "update messages set status = :status where content = 'Second'"
    rows.execute(status, status="streaming")
    for _ in range(2):
        embedding.work()
        assert [text.partition(": ")[2] for text in rows.texts()] == ["First"]
        embedding.sweep()
    rows.execute(status, status="complete")
    embedding.work()
    assert len(rows.texts()) == 3
    found = embedding.recall.search("first, second, third", user_id="alice", conversation_id=chat)
    assert {hit.seq for hit in found} == {1, 2, 3}


def test_unreachable_endpoint_is_retried(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, clock: Clock
) -> None:
    endpoint.fails[_A] = _DOWN
    chat = _chat(embedding, *_LISBON)
    pauses = []
    for attempt in (1, 2, 3):
        embedding.work()
        (job,) = _open_jobs(embedding)
        assert (job.kind, job.attempts, job.conversation_id) == ("embed", attempt, chat)
        assert "503" in str(job.last_error)
        pauses.append(job.run_at - clock())
        clock.now = job.run_at
        assert embedding.recall.search("Lisbon", user_id="alice")[0].text == _LISBON[0]
    assert pauses == sorted(pauses)
    assert rows.count("embeddings") == 0
    endpoint.fails.clear()
    embedding.work()
    assert len(rows.texts()) == 2
    assert len(rows.texts("topic")) == 1
    assert not _open_jobs(embedding)


def test_long_outage_is_retried_by_the_sweep(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, clock: Clock
) -> None:
    endpoint.fails[_A] = _DOWN
    _chat(embedding, *_LISBON)
    for _ in range(6):
        embedding.work()
        clock.advance(hours=1)
        embedding.sweep()
    endpoint.fails.clear()
    clock.advance(days=1)
    embedding.sweep()
    embedding.work()
    assert len(rows.texts()) == 2


@pytest.mark.parametrize("refused", ["Note 3", "Holidays\n", "x" * 1_000])
def test_rejected_text_does_not_block_the_others(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, refused: str
) -> None:
    endpoint.refuses = refused
    _chat(embedding, *_NOTES[:5], "A heron " + "x" * 1_000, title="Holidays")
    embedding.work()
    texts = rows.texts()
    assert len(texts) == (5 if refused == "Note 3" else 6)
    assert not any(refused in text for text in texts)
    assert any("A heron" in text for text in texts)


def test_endpoint_that_rejects_everything_is_not_asked_per_text(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    endpoint.fails[_A] = fails(401, "Who are you?")
    drafts = [MessageIn(role="user", content=text) for text in _NOTES]
    embedding.conversations.create_conversation(user_id="alice", messages=drafts)
    asked = len(endpoint.requests)
    embedding.work()
    assert len(endpoint.requests) - asked <= 2
    (job,) = _open_jobs(embedding)
    assert "401" in str(job.last_error)


def test_invalid_answer_fails_the_job(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, clock: Clock
) -> None:
    drafts = [MessageIn(role="user", content=text) for text in ("A heron", "A ferry")]
    embedding.conversations.create_conversation(user_id="alice", messages=drafts)
    answers: list[Embedded] = [
        garbage(),
        garbage('{"data": [{"index": 0, "embedding": null}]}'),
        [_SOMETHING],
        [_SOMETHING] * 3,
        [_SOMETHING, [0.5] * 4],
    ]
    for answer in answers:
        endpoint.embeds(answer)
        embedding.work()
        (job,) = embedding.jobs.list_jobs(user_id="alice")
        assert job.last_error
        assert rows.count("embeddings") == rows.count("embedding_progress") == 0
        clock.now = max(clock.now, job.run_at)
    assert (job.kind, job.state) == ("embed", "failed")
    embedding.jobs.retry_job(job_id=job.id, user_id="alice")
    embedding.work()
    assert len(rows.texts()) == 2


def test_query_without_vector_is_searched_by_words(
    embedding: Recollect, endpoint: Endpoint
) -> None:
    _chat(embedding, "A heron", "A ferry")
    embedding.work()
    answers: list[Embedded] = [garbage(), _DOWN, [], [[0.5] * 4]]
    for answer in answers:
        endpoint.embeds(answer)
        assert [hit.text for hit in embedding.recall.search("heron", user_id="alice")] == [
            "A heron"
        ]


def test_non_numeric_vector_fails_the_job(
    embedding: Recollect, rows: Rows, endpoint: Endpoint, clock: Clock
) -> None:
    _chat(embedding, "A heron", "A ferry")
    numbers: list[Any] = [None, "0.5", float("nan"), float("inf")]
    for number in numbers:
        endpoint.embeds([[number] * 8] * 2, [[number] * 8])
        embedding.work()
        assert rows.texts() == []
        assert embedding.recall.search("heron", user_id="alice")[0].text == "A heron"
        clock.advance(hours=1)


def test_zero_vector_is_similar_to_nothing(
    embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    nothing = [0.0] * 8
    drafts = [MessageIn(role="user", content=text) for text in ("A heron", "A ferry")]
    embedding.conversations.create_conversation(user_id="alice", messages=drafts)
    endpoint.embeds([nothing, _SOMETHING])
    embedding.work()
    endpoint.embeds([_SOMETHING], [nothing])
    by_both, by_words = (
        [hit.text for hit in embedding.recall.search("heron", user_id="alice")] for _ in range(2)
    )
    assert sorted(by_both) == ["A ferry", "A heron"]
    assert by_words == ["A heron"]


@pytest.mark.parametrize("model", [_A, _B])
def test_wrong_dimensions_are_misconfigured(embed: Open, database_url: str, model: str) -> None:
    first = embed()
    first.work()
    first.close()
    before = set(threading.enumerate())
    with Endpoint(dimensions=4) as other, pytest.raises(Misconfigured, match="not 16"):
        embed(model, dimensions=16, url=other.url)
    assert not [one for one in {*threading.enumerate()} - before if "recollect-" in one.name]
    assert RawDatabase(database_url).execute("select model from embedders") == [(_A,)]


def test_sqlite_needs_a_multiple_of_eight_dimensions(
    embed: Open, database_url: str, tmp_path: Path
) -> None:
    with Endpoint(dimensions=12) as other:
        if database_url.startswith("sqlite"):
            with pytest.raises(Misconfigured, match=r"DIMENSIONS is 12, .* a multiple of 8"):
                embed(dimensions=12, url=other.url)
            assert not [*tmp_path.iterdir()]
            return
        memory = embed(dimensions=12, url=other.url)
        _chat(memory, "A heron", "A ferry")
        memory.work()
        of_messages = "select count(*) from embeddings where kind = 'message'"
        assert RawDatabase(database_url).execute(of_messages) == [(2,)]
        assert not _open_jobs(memory)


def test_unreachable_embedder_logs_a_warning_on_open(
    embed: Open, caplog: pytest.LogCaptureFixture, database_url: str
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    caplog.set_level(logging.WARNING)
    memory = embed(url=nowhere)
    assert "embedder.unreachable" in caplog.messages
    _chat(memory, "A heron")
    assert [hit.text for hit in memory.recall.search("heron", user_id="alice")] == ["A heron"]


def test_concurrent_registration(database_url: str, endpoint: Endpoint) -> None:
    settings = Settings(
        database_url=database_url,
        embedding_model=_A,
        embedding_dimensions=8,
        embedding_base_url=endpoint.url,
        extraction="manual",
    )
    Recollect.open(settings=settings).close()

    def begin(number: int) -> None:
        with Recollect.open(settings=settings) as memory:
            _chat(memory, *_LISBON)
            memory.work()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(begin, range(4)))
    rows = Rows(database_url)
    assert rows.execute("select model, state from embedders") == [(_A, "active")]
    assert len(rows.texts()) == 8
    if rows.dialect == "postgres":
        indexes = "select indexrelid from pg_index where not indisvalid"
        assert rows.execute(indexes) == []


def test_readers_do_not_register_an_embedder(
    embed: Open, embedding: Recollect, rows: Rows, endpoint: Endpoint
) -> None:
    _chat(embedding, "A heron", *_NOTES[:3])
    embedding.work()
    other = embed(_B)
    _check_search(other, endpoint, _A)
    _chat(other, "Said meanwhile")
    embedding.sweep()
    embedding.work()
    assert rows.models() == {_A}
    assert len(rows.texts()) == 5


def test_no_jobs_without_an_embedder(memory: Recollect, raw: RawDatabase) -> None:
    _chat(memory, *_LISBON, title="Holidays")
    memory.sweep()
    memory.work()
    assert {job.kind for job in memory.jobs.list_jobs(user_id="alice")} == {"topic"}
    assert raw.count("embeddings") == raw.count("embedders") == 0


def test_worker_without_an_embedder_leaves_embed_jobs(
    embedding: Recollect, rows: Rows, database_url: str, clock: Clock
) -> None:
    _chat(embedding, "The heron is back.")
    with Recollect.open(database_url, clock=clock) as unable:
        unable.work()
        unable.sweep()
    (job,) = [job for job in embedding.jobs.list_jobs(user_id="alice") if job.kind == "embed"]
    assert (job.state, job.attempts) == ("waiting", 0)
    embedding.work()
    assert rows.texts() != []


def test_concurrent_rewind_of_progress_wins(database_url: str, memory: Recollect) -> None:
    chat = _chat(memory, "The heron is back.")

    def read(run: Run) -> int:
        return vectors.get_progress(run, chat, "a")[0]

    def move(run: Run, start: int, end: int) -> int:
        vectors.set_progress(run, chat, "a", read_from=start, through_seq=end)
        return read(run)

    async def work() -> None:
        database = await open_database(database_url)
        try:
            assert await database.write(lambda run: move(run, 0, 64), user_id="alice") == 64
            await database.write(
                lambda run: vectors.rewind(run, chat, through_seq=0), user_id="alice"
            )
            assert await database.write(lambda run: move(run, 64, 128), user_id="alice") == 0
            assert await database.write(lambda run: move(run, 0, 64), user_id="alice") == 64
        finally:
            await database.close()

    asyncio.run(work())


def test_switch_to_another_embedder(
    embed: Open, embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str
) -> None:
    chat = _fill(embedding, database_url)
    filled = rows.counts()
    new = embed(_B)
    _check_search(embedding, endpoint, _A)
    _check_search(new, endpoint, _A)
    new.sweep()
    with _stopped(endpoint, _LAST, new.work):
        _check_search(embedding, endpoint, _A)
        _check_search(new, endpoint, _A)
        _chat(embedding, "Said meanwhile")
        embedding.work()
        for model in (_A, _B):
            assert any("meanwhile" in text for text in rows.texts(model=model)), "both read it"
        assert rows.models() == {_A, _B}
    assert rows.models() == {_B}
    assert rows.count("embeddings") == filled["embeddings"] + 1
    assert rows.count("embedding_progress") == filled["embedding_progress"] + 1
    _check_search(new, endpoint, _B)
    _check_search(embedding, endpoint, _B)
    if rows.dialect == "postgres":
        ((index,),) = rows.execute("select indexdef from pg_indexes where indexdef like '%hnsw%'")
        assert _B in index
    _say(embedding, chat, "Said afterwards, to the one that came first")
    embedding.work()
    assert rows.models() == {_B}
    assert rows.count("embeddings") == filled["embeddings"] + 2


def test_interrupted_switch_continues(
    embed: Open, embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str
) -> None:
    _fill(embedding, database_url)
    cut_short = embed(_B)
    cut_short.sweep()
    endpoint.stops_at = _LAST
    cut_short.start_worker()
    assert endpoint.asked.wait(_PATIENCE)
    closing = threading.Thread(target=cut_short.close)
    closing.start()
    closing.join(_PATIENCE)
    endpoint.may_answer.set()
    assert rows.models() == {_A, _B}
    again = embed(_B)
    _check_search(again, endpoint, _A)
    again.sweep()
    again.work()
    assert rows.models() == {_B}
    sent = Counter(endpoint.texts(_B))
    assert sum(": Note" in text for text in sent) == 70
    assert max(times for text, times in sent.items() if ": Note 1" in text) == 1
    _check_search(again, endpoint, _B)


def test_abandoned_switch_deletes_its_vectors(
    embed: Open, embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str
) -> None:
    _fill(embedding, database_url)
    before = rows.counts()
    begun = embed(_B)
    begun.sweep()
    with _stopped(endpoint, _LAST, begun.work):
        embed("scripted-c").sweep()
        embed(_A).sweep()
    begun.sweep()
    assert rows.models() == {_A}
    assert rows.counts() == before
    _check_search(begun, endpoint, _A)


def test_switch_if_the_endpoint_lacks_the_old_model(
    embed: Open, embedding: Recollect, rows: Rows, database_url: str
) -> None:
    _fill(embedding, database_url)
    with Endpoint() as other:
        other.fails[_A] = fails(404, "The model does not exist.")
        new = embed(_B, url=other.url)
        assert new.recall.search("heron", user_id="alice")[0].text == "A heron"
        new.sweep()
        new.work()
        assert rows.models() == {_B}
        _check_search(new, other, _B)
        new.close()


def test_failing_previous_embedder_does_not_block(
    embed: Open, embedding: Recollect, rows: Rows, endpoint: Endpoint, database_url: str
) -> None:
    chat = _fill(embedding, database_url)
    endpoint.fails[_B] = fails(404, "The model does not exist.")
    with Endpoint() as other:
        new = embed(_B, url=other.url)
        new.sweep()
        with _stopped(other, _LAST, new.work):
            embedding.conversations.update_conversation(
                {"title": "Heron notes"}, conversation_id=chat, user_id="alice"
            )
            _chat(embedding, *_LISBON)
            embedding.work()
        new.sweep()
        new.work()
        assert rows.models() == {_B}
        new.sweep()
        assert not _open_jobs(new)
        _check_search(new, other, _B)
        new.close()
    assert embedding.recall.search("heron", user_id="alice")[0].text == "A heron"
    topics = [text.partition("\n")[0] for text in rows.texts("topic", _B)]
    assert "Heron notes" in topics


def test_rebuild_during_a_switch(embed: Open, embedding: Recollect, rows: Rows) -> None:
    """A rebuild resets the progress of all embedders."""
    drafts = [MessageIn(role="user", content=text) for text in ("A heron", *_NOTES)]
    for _ in range(2):
        embedding.conversations.create_conversation(user_id="alice", messages=drafts)
    embedding.work()
    with Endpoint() as other:
        other.fails[_A] = fails(404, "The model does not exist.")
        new = embed(_B, url=other.url)
        new.rebuild()
        with _stopped(other, _LAST, new.work):
            new.sweep()
            assert rows.execute("select model from embedders where state = 'active'") == [(_A,)]
        assert rows.models() == {_B}
        assert len(rows.texts(model=_B)) == 2 * len(drafts)
        _check_search(new, other, _B)
        new.close()


_MOST = 20
"""What each of the threads does at most."""


def test_switch_under_load(database_url: str, endpoint: Endpoint) -> None:
    """Two writers and two searchers until the old embedder is gone."""
    rows = Rows(database_url)

    def settings(model: str) -> Settings:
        return Settings(
            database_url=database_url,
            embedding_model=model,
            embedding_dimensions=8,
            embedding_base_url=endpoint.url,
            extraction="manual",
        )

    def write(memory: Recollect) -> None:
        for number in range(_MOST):
            _say(memory, chats[number % len(chats)], f"Note {number}, made meanwhile")

    def search(memory: Recollect) -> None:
        for _ in range(_MOST):
            hits = memory.recall.search("note", user_id="alice")
            assert len(hits) == 10

    with Recollect.open(settings=settings(_A)) as old:
        chats = [_chat(old, *[f"Note {n}" for n in range(20)]) for _ in range(5)]
        old.work()
        old.start_worker()
        with Recollect.open(settings=settings(_B)) as new, ThreadPoolExecutor(4) as threads:
            new.start_worker()
            tasks = [
                threads.submit(task, memory) for task in (write, search) for memory in (old, new)
            ]
            new.sweep()
            for task in tasks:
                task.result(timeout=60)
            _wait_until(lambda: not _open_jobs(old))
            new.sweep()
            _wait_until(lambda: rows.models() == {_B} and not _open_jobs(old))
            _check_search(old, endpoint, _B)
            _check_search(new, endpoint, _B)
            assert not old.jobs.list_jobs(user_id="alice", state="failed")
    messages = rows.count("messages")
    assert messages == 5 * 20 + 2 * _MOST
    owners = "select owner_id, model from embeddings where kind = 'message'"
    found = Counter(rows.execute(owners))
    assert {model for _, model in found} == {_B}
    assert len(found) == found.total() == messages


def _fill(memory: Recollect, database_url: str) -> str:
    """Create all kinds of data; return the largest conversation."""
    chat = _chat(memory, "A heron", *_NOTES)
    memory.conversations.create_conversation("A title without a word", user_id="alice")
    emptied = _chat(memory, "Gone", title="All of it was deleted")
    (gone,) = memory.conversations.get_messages(conversation_id=emptied, user_id="alice")
    _chat(memory, *_LISBON, user="bob", title="Holidays")
    _remember(database_url, "alice", "Likes herons.")
    memory.sweep()
    memory.work()
    memory.conversations.delete_message(message_id=gone.id, user_id="alice")
    memory.sweep()
    memory.work()
    return chat


def _check_search(memory: Recollect, endpoint: Endpoint, model: str) -> None:
    """Search by words and by meaning; only this embedder is asked."""
    asked = len(endpoint.requests)
    hits = memory.recall.search("heron note", user_id="alice", limit=200)
    by_words = [hit for hit in hits if "heron" in hit.text or "Note" in hit.text]
    assert hits
    assert by_words
    asks = [request.body for request in endpoint.requests[asked:]]
    assert [body["model"] for body in asks if body["input"] == ["heron note"]][-1:] == [model]


@contextmanager
def _stopped(endpoint: Endpoint, text: str, work: Callable[[], object]) -> Iterator[None]:
    """Run the block while the endpoint is busy with a text; then finish the work."""
    endpoint.asked.clear()
    endpoint.may_answer.clear()
    endpoint.stops_at = text
    with ThreadPoolExecutor(1) as thread:
        working = thread.submit(work)
        assert endpoint.asked.wait(_PATIENCE)
        try:
            yield
        finally:
            endpoint.stops_at = None
            endpoint.may_answer.set()
        working.result(_PATIENCE)


def _chat(memory: Recollect, *texts: str, user: str = "alice", title: str | None = None) -> str:
    chat = memory.conversations.create_conversation(title, user_id=user).id
    _say(memory, chat, *texts, user=user)
    return chat


def _say(memory: Recollect, chat: str, *texts: str, user: str = "alice") -> None:
    drafts = [
        MessageIn(role="assistant" if number % 2 else "user", content=text)
        for number, text in enumerate(texts)
    ]
    memory.conversations.add_messages(drafts, conversation_id=chat, user_id=user)


def _remember(
    database_url: str, user: str, content: str, *, conversation_id: str | None = None
) -> None:
    """Insert a memory and its search document."""
    id, now = new_id(), "2026-01-01T00:00:00.000000Z"
    RawDatabase(database_url).insert(
        "memories",
        user_id=user,
        id=id,
        memory_type="fact",
        content=content,
        author="user",
        source_conversation_id=conversation_id,
        created_at=now,
        updated_at=now,
        access_count=0,
        is_pinned=False,
        is_archived=False,
        confidence=1.0,
        valid_from=now,
    )

    if not (terms := analyze(content)):
        return

    async def put() -> None:
        database = await open_database(database_url)
        write = partial(
            search_index.put,
            kind="memory",
            owner_id=id,
            terms=terms,
            user_id=user,
            conversation_id=None,
        )
        await database.write(write, user_id=user)
        await database.close()

    asyncio.run(put())


def _open_jobs(memory: Recollect) -> list[Job]:
    jobs = memory.jobs.list_jobs(200, user_id="alice")
    return [job for job in jobs if job.state in ("waiting", "running")]


def _numbers(vector: bytes | str) -> list[float]:
    """Parse a stored vector: bytes in SQLite, text in PostgreSQL."""
    if isinstance(vector, str):
        return [float(number) for number in json.loads(vector)]
    return list(struct.unpack(f"{len(vector) // 4}f", vector))


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited for this in vain"
        time.sleep(0.01)
