"""Answers: the jobs they enqueue, leases, and what is derived from an interrupted one."""

import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

import pytest

from recollect import (
    MessageIn,
)
from recollect.core.types import Row
from recollect.digest.summaries.compaction import CompactionResult
from recollect.store.answers import LEASE
from recollect.store.database import Run, SqlValue
from recollect.store.queries import load_queries
from recollect.sync import Recollect
from tests.chat.helpers import stored_messages
from tests.conftest import Clock, Open
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, ScriptedModel, stalls
from tests.server.process import wait_until

pytestmark = pytest.mark.both_databases

T = TypeVar("T")


@pytest.fixture
def memory(open_with_model: Open) -> Recollect:
    return open_with_model()


def test_finished_answer_enqueues_the_jobs_of_an_append(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("From May to October.")
    stream = memory.chat.ask("When is it warm in Lisbon?", user_id="alice")
    stream.result()
    assert {job.kind for job in memory.jobs.list_jobs(user_id="alice")} == {"topic"}
    memory.work()
    for words in ("warm Lisbon", "October"):
        (hit,) = memory.recall.search(words, user_id="alice")
        assert hit.conversation_id == stream.conversation_id


def test_answer_over_the_threshold_enqueues_a_digest_in_its_transaction(
    open_with_model: Open, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backlog is counted in the conversation's row: only the answer itself is read."""
    memory = open_with_model(memory_chunk_summarize_threshold=300)
    transactions = watch_transactions(memory, monkeypatch)
    turn = [MessageIn(role="user", content="Well?"), MessageIn(role="assistant", content="Well.")]
    chat = memory.conversations.create_conversation(user_id="alice", messages=turn * 3).id
    for words, kinds in ((10, {"topic"}), (300, {"topic", "digest"})):
        model.answers("word " * words)
        memory.chat.ask("And now?", user_id="alice", conversation_id=chat).result()
        assert {job.kind for job in memory.jobs.list_jobs(user_id="alice")} == kinds
    below, over = (ran for ran in transactions if ("end_answer", None) in ran)
    assert ("enqueue_job", "digest") in over
    assert ("enqueue_job", "digest") not in below
    queries = load_queries(memory._engine._database.dialect).user
    reading = {query for query, _ in over if re.search(r"(from|join) messages", queries[query])}
    assert reading == {"get_message"}


def test_receipt_is_stored_while_streaming_and_written_once(
    memory: Recollect, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    transactions = watch_transactions(memory, monkeypatch)

    def writes() -> int:
        return sum(query == "put_receipt" for ran in transactions for query, _ in ran)

    model.answers(
        Answer(text="From May on.", halfway=lambda: wait_until(lambda: writes() == 1, "stored"))
    )
    result = memory.chat.ask("When is it warm?", user_id="alice").result()
    assert writes() == 1
    stored = memory.contexts.get_receipt(message_id=result.message.id, user_id="alice")
    assert stored == result.receipt


def test_messages_are_counted_once_they_are_stored(memory: Recollect, model: ScriptedModel) -> None:
    counts: list[float] = []

    def listen(event: str, value: float, labels: object) -> None:
        if event == "messages_stored":
            counts.append(value)

    memory._engine.events.subscribe(listen)
    model.always = "Yes."
    first = memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    memory.chat.ask("Hi", user_id="alice", idempotency_key="k").result()
    memory.chat.regenerate(message_id=first.message.id, user_id="alice").result()
    greeting = [MessageIn(role="user", content="Hi"), MessageIn(role="assistant", content="Ho")]
    for _ in range(2):
        memory.conversations.add_messages(
            greeting, conversation_id=first.conversation_id, user_id="alice", idempotency_key="m"
        )
    memory.conversations.create_conversation(user_id="alice", messages=greeting[:1])
    memory.history.add_turn(user_id="alice", user_query="Hi", ai_response="Ho")
    assert counts == [2, 1, 2, 1, 2]


def test_answer_with_an_expired_lease_is_interrupted(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    model.answers(stalls("Half of "), stalls("Not "))
    lost = memory.chat.ask("Tell me.", user_id="alice")
    wait_until(lambda: stored_messages(memory, lost)[1].content == "Half of ", "it is written down")
    raw.execute("update messages set stream_owner = 'gone' where status = 'streaming'")
    wait_until(lambda: lost.result().message is not None, "its owner has let go")
    alive = memory.chat.ask("Go on.", user_id="alice")
    other = open_with_model()
    clock.advance(seconds=LEASE.total_seconds() - 1)
    other.sweep()
    assert stored_messages(memory, lost)[1].status == "streaming"
    wait_until(lambda: _has_heartbeat(raw, alive.message_id, clock), "the live one is heard")
    clock.advance(seconds=2)
    other.sweep()
    interrupted = stored_messages(memory, lost)[1]
    assert (interrupted.status, interrupted.content) == ("interrupted", "Half of ")
    assert stored_messages(memory, alive)[1].status == "streaming"
    memory.chat.stop(alive.message_id, user_id="alice")


def test_owner_can_finish_an_answer_after_its_lease_expired(
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
    result = memory.chat.ask("Are you there?", user_id="alice").result()
    assert (result.message.status, result.message.content) == ("complete", "Here I am.")
    found = memory.conversations.get_conversation(
        conversation_id=result.conversation_id, user_id="alice"
    )
    question, answer = memory.conversations.get_messages(
        conversation_id=result.conversation_id, user_id="alice"
    )
    assert found.token_count == question.tokens + answer.tokens


def test_data_derived_from_an_interrupted_answer_is_derived_again(
    open_with_model: Open, model: ScriptedModel, clock: Clock, raw: RawDatabase
) -> None:
    """Its owner finishes it after half of it was embedded, and while that is being digested."""
    embedder = {"embedding_model": "e", "embedding_dimensions": 8, "embedding_base_url": model.url}
    memory, other = open_with_model(**embedder), open_with_model(**embedder)
    chat_id = memory.conversations.create_conversation(user_id="alice").id
    digests: list[str] = []

    def sleep() -> None:
        wait_until(lambda: "The door" in contents(memory, chat_id), "half of it is written down")
        clock.advance(seconds=2 * LEASE.total_seconds())
        other.sweep()
        other.work()
        more = [MessageIn(role="user", content=f"And {number}?") for number in range(5)]
        other.conversations.add_messages(more, conversation_id=chat_id, user_id="alice")
        digesting.append(
            pool.submit(
                other.summaries.compact, conversation_id=chat_id, user_id="alice", force=True
            )
        )
        assert has_read.wait(20)

    def reply(body: Body) -> Answer | str:
        if body.get("stream"):
            return Answer(text="The door code is 7731-XK.", halfway=sleep)
        if digesting:
            digests.append(json.dumps(body["messages"]))
        if len(digests) == 1:
            has_read.set()
            wait_until(lambda: "7731-XK" in contents(memory, chat_id), "all of it is")
        return "They talked about a door."

    has_read, digesting = threading.Event(), list[Future[CompactionResult]]()
    model.always = reply
    with ThreadPoolExecutor() as pool:
        memory.chat.ask("What is the code?", user_id="alice", conversation_id=chat_id).result()
        assert digesting[0].result().compacted
    assert ["7731-XK" in digest for digest in digests] == [False, True]
    other.work()
    embedded = raw.execute("select text from embeddings where kind = 'message'")
    assert any("The door code is 7731-XK." in text for (text,) in embedded)


def watch_transactions(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch
) -> list[list[tuple[str, SqlValue]]]:
    """The queries of each committed transaction, with the kind of the jobs they enqueue."""
    database = memory._engine._database
    write, transactions = database.write, list[list[tuple[str, SqlValue]]]()

    async def watched(fn: Callable[[Run], T], *, user_id: str) -> T:
        ran: list[tuple[str, SqlValue]] = []

        def recording(run: Run) -> T:
            def record(query: str, /, **params: SqlValue) -> list[Row]:
                ran.append((query, params.get("kind")))
                return run(query, **params)

            ran.clear()  # a transaction may be retried
            return fn(record)

        result = await write(recording, user_id=user_id)
        transactions.append(ran)
        return result

    monkeypatch.setattr(database, "write", watched)
    return transactions


def _has_heartbeat(raw: RawDatabase, id: str, clock: Clock) -> bool:
    ((at,),) = raw.execute(f"select cast(heartbeat_at as text) from messages where id = '{id}'")
    return str(at)[:19].replace(" ", "T") >= (clock.now - timedelta(seconds=1)).isoformat()[:19]


def contents(memory: Recollect, conversation_id: str) -> str:
    return "".join(
        one.content
        for one in memory.conversations.get_messages(
            conversation_id=conversation_id, user_id="alice"
        )
    )
