"""When compaction runs: inline, in the background or scheduled."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from recollect import MessageIn
from recollect.core.types import Job
from recollect.settings import Settings
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.digest.blocking_model import PATIENCE, BlockingModel
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, Plain, ScriptedModel, fails, stalls

pytestmark = pytest.mark.timeout(60)

Open = Callable[..., Recollect]


@pytest.fixture
def open_with(database_url: str, clock: Clock) -> Iterator[Open]:
    """Opens the test's database with settings from environment variables."""
    opened: list[Recollect] = []

    def open_again(model: ScriptedModel | None = None, **variables: object) -> Recollect:
        given = {name: str(value) for name, value in variables.items()}
        given |= {"DATABASE_URL": database_url, "RECOLLECT_EMBEDDER": "none"}
        if model is not None:
            given |= {"RECOLLECT_CHAT_MODEL": "scripted", "OPENAI_BASE_URL": model.url}
        settings = Settings.from_environment(given)
        opened.append(Recollect.open(settings=settings, clock=clock))
        return opened[-1]

    yield open_again
    for one in opened:
        one.close()


# Inline, on append: `window`


def test_window_has_at_most_thirty_entries(memory: Recollect) -> None:
    chat = _chat(memory, "window")
    for number in range(1, 46):
        _say(memory, chat, number)
        assert _entries(memory, chat) == min(number, 30)
        context = memory.contexts.build_context(conversation_id=chat, user_id="alice")
        assert context.messages is not None
        assert len(context.messages) == min(number, 30)
    memory.conversations.add_messages(
        [_draft(n) for n in range(1, 76)], conversation_id=chat, user_id="alice"
    )
    assert _entries(memory, chat) == 30
    assert _through(memory, chat) == 120 - 29


@pytest.mark.parametrize("model_is", ["hanging", "down", "talking nonsense"])
def test_window_holds_with_a_failing_model(open_with: Open, model_is: str) -> None:
    with ScriptedModel() as model:
        model.always = stalls() if model_is == "hanging" else ""
        memory = open_with(model, RECOLLECT_EAGER_SECONDS=1)
        if model_is == "down":
            memory = open_with(
                RECOLLECT_CHAT_MODEL="scripted",
                OPENAI_BASE_URL=f"http://127.0.0.1:{_closed_port()}/v1",
                RECOLLECT_EAGER_SECONDS=1,
            )
        chat = _chat(memory, "window", [_draft(n) for n in range(1, 31)])
        assert _entries(memory, chat) == 30
        _say(memory, chat, 31)
        assert _entries(memory, chat) == 30
        summary = memory.summaries.get_summary(conversation_id=chat, user_id="alice")
        assert (summary.version, summary.author, summary.model) == (1, "extractive", None)
        if model_is != "down":
            assert model.requests


def test_window_uses_the_chat_model(open_with: Open) -> None:
    with ScriptedModel() as model:
        model.always = "They sent messages."
        memory = open_with(model)
        chat = _chat(memory, "window", [_draft(n) for n in range(1, 32)])
        summary = memory.summaries.get_summary(conversation_id=chat, user_id="alice")
        assert (summary.text, summary.author) == ("They sent messages.", "model")
        assert summary.through_seq == 2


def test_failing_model_is_paused(open_with: Open) -> None:
    with ScriptedModel() as model:
        model.always = fails(401)
        memory = open_with(model)
        chat = _chat(memory, "window", [_draft(n) for n in range(1, 31)])
        for number in range(31, 41):
            _say(memory, chat, number)
        assert _entries(memory, chat) == 30
        assert len(model.requests) == 3


def test_interrupted_inline_compaction_runs_as_a_job(
    open_with: Open, raw: RawDatabase, clock: Clock
) -> None:
    memory = open_with()
    chat = _chat(memory, "window", [_draft(n) for n in range(1, 31)])
    _say(memory, chat, 31)
    (job,) = _digests(memory)
    assert (job.state, job.run_at) == ("waiting", clock() + timedelta(seconds=20))
    raw.execute("delete from summaries")  # as if the process had died before it was there
    raw.execute(
        "update conversations set summary_version = 0, last_summary_version = 0, through_seq = 0,"
        " summary_tokens = 0, digested_turn = 0, digested_messages = 0, digested_tokens = 0"
    )
    memory.work()
    assert _entries(memory, chat) == 31
    clock.advance(seconds=20)
    memory.work()
    assert _entries(memory, chat) == 30


# Inline, before a context: `tiered`


def test_tiered_compaction_runs_before_the_context(open_with: Open) -> None:
    with ScriptedModel() as model:
        model.always = "They sent messages."
        memory = open_with(model)
        chat = _chat(memory, "tiered", [_draft(n) for n in range(1, 21)])
        memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
        assert _through(memory, chat) == 0, "twenty are not more than twenty"
        _say(memory, chat, 21)
        _say(memory, chat, 22)
        assert not model.requests, "an append does not digest"
        context = memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
        assert len(model.requests) == 1
        assert _through(memory, chat) == 22 - 8
        assert "They sent messages." in str(context.messages)
        tail = [item for item in context.receipt.items if item.section == "tail"]
        assert [item.first_seq for item in tail] == list(range(15, 23))
        memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
        assert len(model.requests) == 1


def test_context_is_built_with_a_failing_model(open_with: Open) -> None:
    with ScriptedModel() as model:
        model.always = stalls()
        memory = open_with(model, RECOLLECT_EAGER_SECONDS=1)
        chat = _chat(memory, "tiered", [_draft(n) for n in range(1, 22)])
        context = memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
        assert context.receipt.summary_version == 1
        assert (
            memory.summaries.get_summary(conversation_id=chat, user_id="alice").author
            == "extractive"
        )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_context_waits_for_one_deadline(open_with: Open) -> None:
    with ScriptedModel() as model:
        model.always = Answer(text="A few words in each message.", delay=0.7)
        memory = open_with(model, RECOLLECT_EAGER_SECONDS=1)
        chat = _chat(memory, "tiered", [_draft(n) for n in range(1, 501)])
        for first in range(501, 2_501, 500):
            drafts = [_draft(n) for n in range(first, first + 500)]
            memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")
        context = memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
        assert context.receipt.summary_version == 3
        assert len(model.requests) <= 2


# In the background: `chunked`, `rolling`.


@pytest.mark.parametrize("policy", ["chunked", "rolling"])
def test_append_does_not_wait_for_background_compaction(open_with: Open, policy: str) -> None:
    held = BlockingModel("They sent messages.")
    with ScriptedModel() as model:
        model.always = _topic_or(held)
        memory = open_with(model, MEMORY_CHUNK_SUMMARIZE_THRESHOLD=200)
        chat = _chat(memory, policy, [_draft(n) for n in range(1, 25)])
        assert not held.is_asked.is_set()
        assert [job.state for job in _digests(memory)] == ["waiting"]
        memory.start_worker()
        with held.asked():
            _say(memory, chat, 25)
            _say(memory, chat, 26)
            memory.contexts.build_context("And now?", conversation_id=chat, user_id="alice")
            assert _through(memory, chat) == 0, "the model has not answered yet"
        _wait_until(lambda: {job.state for job in _digests(memory)} == {"done"})
        assert (
            memory.summaries.get_summary(conversation_id=chat, user_id="alice", version=1).text
            == "They sent messages."
        )
        assert (
            memory.conversations.get_conversation(
                conversation_id=chat, user_id="alice"
            ).message_count
            == 26
        )


@pytest.mark.parametrize(("policy", "kept"), [("chunked", 6), ("rolling", 10)])
def test_tail_stays_verbatim(open_with: Open, policy: str, kept: int) -> None:
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=200)
    chat = _chat(memory, policy, [_draft(n) for n in range(1, 25)])
    memory.work()
    assert _through(memory, chat) == 24 - kept


# At the set hour.


def test_scheduled_digest_runs_at_its_hour(open_with: Open, clock: Clock) -> None:
    clock.now = datetime(2026, 1, 5, 10, 30, tzinfo=UTC)
    memory = open_with(RECOLLECT_DIGEST_TIMING="scheduled", RECOLLECT_DIGEST_AT="03:15")
    chats = [
        _chat(memory, policy, [_draft(n) for n in range(1, 32)])
        for policy in ("rolling", "window", "tiered")
    ]
    small = _chat(memory, "rolling", [_draft(n) for n in range(1, 6)])
    at = datetime(2026, 1, 6, 3, 15, tzinfo=UTC)
    assert {job.conversation_id: job.run_at for job in _digests(memory)} == dict.fromkeys(chats, at)
    for moment in (clock.now, at - timedelta(seconds=1)):
        clock.now = moment
        memory.sweep()
        memory.work()
        memory.contexts.build_context("And now?", conversation_id=chats[2], user_id="alice")
        assert [_through(memory, chat) for chat in chats] == [0, 0, 0]
    clock.now = at
    memory.work()
    assert [_through(memory, chat) for chat in chats] == [31 - 10, 31 - 29, 31 - 8]
    assert _through(memory, small) == 0


@pytest.mark.parametrize(
    ("now", "day"), [("00:00:00", 5), ("03:15:00", 5), ("03:15:01", 6), ("23:59:59", 6)]
)
def test_next_scheduled_hour_can_be_today(
    open_with: Open, clock: Clock, now: str, day: int
) -> None:
    clock.now = datetime.fromisoformat(f"2026-01-05T{now}+00:00")
    memory = open_with(RECOLLECT_DIGEST_TIMING="scheduled", RECOLLECT_DIGEST_AT="03:15")
    _chat(memory, "rolling", [_draft(n) for n in range(1, 25)])
    (job,) = _digests(memory)
    assert job.run_at == datetime(2026, 1, day, 3, 15, tzinfo=UTC)


def test_requeued_scheduled_digest_waits_for_its_hour(
    open_with: Open, clock: Clock, raw: RawDatabase
) -> None:
    clock.now = datetime(2026, 1, 5, 10, 30, tzinfo=UTC)
    memory = open_with(RECOLLECT_DIGEST_TIMING="scheduled", RECOLLECT_DIGEST_AT="03:15")
    _chat(memory, "rolling", [_draft(n) for n in range(1, 25)])
    raw.execute("delete from jobs")
    memory.sweep()
    (job,) = _digests(memory)
    assert job.run_at == datetime(2026, 1, 6, 3, 15, tzinfo=UTC)


# Jobs that end


def test_long_tail_does_not_cause_a_digest_per_turn(open_with: Open, clock: Clock) -> None:
    """A giant message stays verbatim for three turns."""
    with ScriptedModel() as model:
        model.always = _topic_or(lambda body: "They sent messages.")
        memory = open_with(model, MEMORY_CHUNK_SUMMARIZE_THRESHOLD=600)
        chat = _chat(memory, "chunked")
        _turns(memory, chat, range(4))
        _turn(memory, chat, "a giant one: " + "word " * 1000)
        memory.work()
        versions = [memory.summaries.get_summary(conversation_id=chat, user_id="alice").version]
        for number in range(5, 14):
            clock.advance(minutes=1)
            _turns(memory, chat, [number])
            memory.work()
            memory.sweep()
            memory.work()
            versions.append(
                memory.summaries.get_summary(conversation_id=chat, user_id="alice").version
            )
        assert versions[0] == 1
        assert versions[1:3] == [1, 1], "a digest for each turn"
        assert versions[-1] == 2, "the giant itself was folded, and that was all"
        summaries = [r for r in model.requests if "response_format" not in r.body]
        assert len(summaries) == 2


def test_unfoldable_backlog_is_not_enqueued_forever(open_with: Open, clock: Clock) -> None:
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=600)
    chat = _chat(memory, "chunked")
    _turns(memory, chat, range(4))
    _turn(memory, chat, "a giant one: " + "word " * 1000)
    memory.work()
    _turns(memory, chat, [5])
    memory.work()
    looked = len(_digests(memory))
    assert {job.state for job in _digests(memory)} == {"done"}
    for _ in range(3):
        clock.advance(minutes=1)
        memory.sweep()
        memory.work()
    assert len(_digests(memory)) == looked
    clock.advance(minutes=1)
    _turns(memory, chat, [6])
    assert len(_digests(memory)) == looked + 1, "a new message is another matter"


def test_failed_job_is_requeued_only_after_a_new_message(
    open_with: Open, clock: Clock, raw: RawDatabase
) -> None:
    memory = open_with()
    chat = _chat(memory, "rolling", [_draft(n) for n in range(1, 22)])
    raw.execute("update jobs set state = 'failed', last_error = 'no' where kind = 'digest'")
    clock.advance(minutes=1)
    memory.sweep()
    assert [job.state for job in _digests(memory)] == ["failed"]
    clock.advance(minutes=1)
    _say(memory, chat, 22)
    memory.work()
    assert _through(memory, chat) == 12


# Lost jobs and changed limits


@pytest.mark.parametrize(
    ("policy", "messages"), [("chunked", 24), ("rolling", 21), ("tiered", 21), ("window", 31)]
)
def test_sweep_requeues_lost_jobs(
    open_with: Open, raw: RawDatabase, clock: Clock, policy: str, messages: int
) -> None:
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=200)
    small = _chat(memory, policy, [_draft(n) for n in range(1, 5)])
    chat = _chat(memory, "chunked", [_draft(n) for n in range(1, messages + 1)])
    raw.execute("update conversations set policy = :policy where id = :id", policy=policy, id=chat)
    raw.execute("delete from jobs")
    clock.advance(minutes=1)
    memory.sweep()
    assert [(job.conversation_id, job.state) for job in _digests(memory)] == [(chat, "waiting")]
    memory.sweep()
    clock.advance(minutes=1)
    memory.work()
    assert _through(memory, chat) > 0
    assert _through(memory, small) == 0


def test_sweep_counts_the_summary_as_an_entry(
    open_with: Open, raw: RawDatabase, clock: Clock
) -> None:
    memory = open_with()
    chat = _chat(memory, "window", [_draft(n) for n in range(1, 32)])
    assert _entries(memory, chat) == 30
    raw.execute("update conversations set policy = 'chunked'")  # as if it were cut short
    _say(memory, chat, 32)
    raw.execute("update conversations set policy = 'window'")
    raw.execute("delete from jobs")
    assert _entries(memory, chat) == 31
    clock.advance(minutes=1)
    memory.sweep()
    clock.advance(minutes=1)
    memory.work()
    assert _entries(memory, chat) == 30


def test_policy_change_enqueues_a_digest(open_with: Open) -> None:
    memory = open_with()
    chat = _chat(memory, "chunked", [_draft(n) for n in range(1, 25)])
    assert not _digests(memory)
    memory.conversations.update_conversation(
        {"policy": "rolling"}, conversation_id=chat, user_id="alice"
    )
    memory.work()
    assert _through(memory, chat) == 14
    memory.conversations.update_conversation(
        {"policy": "chunked"}, conversation_id=chat, user_id="alice"
    )
    assert {job.state for job in _digests(memory)} == {"done"}, "below that one's limit"


def test_lower_limit_enqueues_a_digest(open_with: Open, clock: Clock) -> None:
    chat = _chat(open_with(), "chunked", [_draft(n) for n in range(1, 25)])
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=200)
    clock.advance(minutes=1)
    memory.sweep()
    memory.work()
    assert _through(memory, chat) == 24 - 6


def test_lower_limit_enqueues_a_digest_after_a_recent_one(open_with: Open, clock: Clock) -> None:
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=200)
    chat = _chat(memory, "chunked", [_draft(n) for n in range(1, 25)])
    memory.work()
    assert _through(memory, chat) == 24 - 6
    memory = open_with(MEMORY_CHUNK_SUMMARIZE_THRESHOLD=50, MEMORY_K_RAW_TURNS=1)
    clock.advance(days=1, minutes=1)
    for _ in range(2):
        memory.sweep()
        memory.work()
    assert _through(memory, chat) == 24 - 2


def _topic_or(digest: Callable[[Body], Plain]) -> Callable[[Body], Plain]:
    topic = '{"topic": "Talk.", "title": null}'
    return lambda body: topic if "response_format" in body else digest(body)


def _chat(memory: Recollect, policy: str, messages: Sequence[MessageIn] = ()) -> str:
    return memory.conversations.create_conversation(
        "Talk", user_id="alice", policy=policy, messages=messages
    ).id


def _draft(number: int) -> MessageIn:
    """Messages of about twelve tokens, by user and assistant in turn."""
    return MessageIn(
        role="user" if number % 2 else "assistant",
        content=f"This is message {number}, with a few words more.",
    )


def _say(memory: Recollect, chat: str, number: int) -> None:
    memory.conversations.add_message(_draft(number), conversation_id=chat, user_id="alice")


def _turns(memory: Recollect, chat: str, numbers: Iterable[int]) -> None:
    for number in numbers:
        drafts = [_draft(2 * number + 1), _draft(2 * number + 2)]
        memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")


def _turn(memory: Recollect, chat: str, said: str) -> None:
    drafts = [MessageIn(role="user", content=said), _draft(0)]
    memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")


def _entries(memory: Recollect, chat: str) -> int:
    """Count the messages after the summary, and the summary."""
    summary = memory.summaries.get_summary(conversation_id=chat, user_id="alice")
    count = memory.conversations.get_conversation(
        conversation_id=chat, user_id="alice"
    ).message_count
    return count - summary.through_seq + bool(summary.version)


def _through(memory: Recollect, chat: str) -> int:
    return memory.summaries.get_summary(conversation_id=chat, user_id="alice").through_seq


def _digests(memory: Recollect) -> list[Job]:
    return [job for job in memory.jobs.list_jobs(200, user_id="alice") if job.kind == "digest"]


def _closed_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
        return port


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited for this in vain"
        time.sleep(0.01)
