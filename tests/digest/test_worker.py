"""The worker: success, failure, retries, leases and concurrent workers."""

import asyncio
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from recollect import Message, MessageIn, RecollectError, sync
from recollect.core.errors import Unavailable
from recollect.core.types import Job, Summary
from recollect.digest.worker import Handler, Worker
from recollect.engine import open_database, utc_now
from recollect.settings import Settings
from recollect.store import jobs
from recollect.store import postgres as postgres_store
from recollect.store import sqlite as sqlite_store
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from tests.conftest import Clock, PostgresServer
from tests.scripted_model import Body, ScriptedModel

pytestmark = [pytest.mark.timeout(120), pytest.mark.both_databases]

_PATIENCE = 20.0
_LEASE = timedelta(minutes=10)
_SHORT_LEASE = timedelta(seconds=0.15)
_MOST_ATTEMPTS = 3


class Shop:
    """A database with jobs and workers."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.database = database
        self._clock = clock

    def worker(
        self, handler: Handler, *, lease: timedelta = _LEASE, database: Database | None = None
    ) -> Worker:
        return Worker(
            database or self.database,
            {"digest": handler},
            clock=self._clock,
            lease=lease,
            max_attempts=_MOST_ATTEMPTS,
        )

    async def enqueue(self, *chats: str) -> None:
        now = self._clock()
        for chat in chats:
            enqueue = partial(
                jobs.enqueue, kind="digest", conversation_id=chat, run_at=now, now=now
            )
            await self.database.write(enqueue, user_id="alice")

    async def claim_and_die(self) -> None:
        """What a killed worker leaves behind."""
        now = self._clock()
        claim = partial(
            jobs.claim, owner="gone", kinds=["digest"], now=now, lease_until=now + _LEASE
        )
        assert await self.database.system(claim)

    async def jobs(self) -> list[Job]:
        return await self.database.read(partial(jobs.page, limit=1000), user_id="alice")

    async def job(self) -> Job:
        (job,) = await self.jobs()
        return job


@asynccontextmanager
async def _shop(url: str, clock: Callable[[], datetime]) -> AsyncIterator[Shop]:
    database = await open_database(url)
    try:
        yield Shop(database, clock)
    finally:
        await database.close()


class Work:
    """A handler that a test starts and ends."""

    def __init__(self, error: Exception | None = None) -> None:
        self.claims: list[ClaimedJob] = []
        self.begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.cancelled = asyncio.Event()
        self._error = error

    async def __call__(self, claim: ClaimedJob) -> None:
        self.claims.append(claim)
        self.begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        if self._error is not None:
            raise self._error


async def _idle(claim: ClaimedJob) -> None:
    """A handler that returns at once."""


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture
def chat(memory: sync.Recollect) -> str:
    return memory.conversations.create_conversation(user_id="alice").id


def test_successful_job_runs_once(database_url: str, chat: str, clock: Clock) -> None:
    seen: list[ClaimedJob] = []

    async def handle(claim: ClaimedJob) -> None:
        seen.append(claim)

    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            worker = shop.worker(handle)
            assert not await worker.run_one()
            await shop.enqueue(chat)
            assert await worker.run_due() == 1
            assert await worker.run_due() == 0
            (claim,) = seen
            assert (claim.user_id, claim.conversation_id, claim.attempts) == ("alice", chat, 1)
            assert ((await shop.job()).state, (await shop.job()).last_error) == ("done", None)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RecollectError("The dog ate it."), "The dog ate it."),
        (ZeroDivisionError("by zero"), "ZeroDivisionError"),
        (Unavailable("db.internal:5432 is away."), "The database cannot be reached at the moment."),
    ],
)
def test_failed_job_is_retried_with_backoff_and_then_fails(
    database_url: str, chat: str, clock: Clock, error: Exception, reason: str
) -> None:
    attempts: list[int] = []

    async def handle(claim: ClaimedJob) -> None:
        attempts.append(claim.attempts)
        raise error

    async def work() -> list[float]:
        pauses = []
        async with _shop(database_url, clock) as shop:
            worker = shop.worker(handle)
            await shop.enqueue(chat)
            for attempt in range(1, _MOST_ATTEMPTS):
                assert await worker.run_due() == 1
                job = await shop.job()
                assert (job.state, job.attempts, job.last_error) == ("waiting", attempt, reason)
                pauses.append((job.run_at - clock()).total_seconds())
                assert await worker.run_due() == 0, "before its time"
                clock.now = job.run_at
            assert await worker.run_due() == 1
            job = await shop.job()
            assert (job.state, job.last_error) == ("failed", reason)
            clock.advance(days=1)
            assert await worker.run_due() == 0
        return pauses

    first, second = asyncio.run(work())
    assert 0 < first < second
    assert attempts == [1, 2, 3]


def test_failing_job_does_not_block_others(
    database_url: str, memory: sync.Recollect, clock: Clock
) -> None:
    chats = [memory.conversations.create_conversation(user_id="alice").id for _ in range(3)]

    async def handle(claim: ClaimedJob) -> None:
        if claim.conversation_id == chats[0]:
            raise RecollectError("Not this one.")

    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(*chats)
            assert await shop.worker(handle).run_due() == 3
            assert {job.conversation_id: job.state for job in await shop.jobs()} == {
                chats[0]: "waiting",
                chats[1]: "done",
                chats[2]: "done",
            }

    asyncio.run(work())


def test_self_cancelled_handler_is_a_failure(database_url: str, chat: str, clock: Clock) -> None:
    async def handle(claim: ClaimedJob) -> None:
        raise asyncio.CancelledError

    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            await asyncio.create_task(shop.worker(handle).run_one())
            assert (await shop.job()).state == "waiting"

    asyncio.run(work())


def test_job_that_kills_every_worker_fails(database_url: str, chat: str, clock: Clock) -> None:
    """The job itself may be what kills its workers."""

    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            for _ in range(_MOST_ATTEMPTS):
                await shop.claim_and_die()
                assert (await shop.job()).state == "running"
                clock.advance(minutes=11)
            untouched = Work()
            assert await shop.worker(untouched).run_due() == 1
            job = await shop.job()
            assert (job.state, job.last_error) == ("failed", "Each attempt was cut short.")
            assert not untouched.claims

    asyncio.run(work())


def test_expired_lease_is_taken_by_another_worker(
    database_url: str, chat: str, clock: Clock
) -> None:
    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            slow, quick = Work(), Work(RecollectError("The second failed."))
            hanging = asyncio.create_task(shop.worker(slow).run_one())
            await slow.begun.wait()
            assert await shop.worker(quick).run_due() == 0, "it is held"
            clock.advance(minutes=11)
            quick.may_end.set()
            assert await shop.worker(quick).run_due() == 1
            assert quick.claims[0].attempts == 2
            given_back = await shop.job()
            assert (given_back.state, given_back.last_error) == ("waiting", "The second failed.")
            slow.may_end.set()
            await hanging
            assert await shop.job() == given_back

    asyncio.run(work())


def test_lease_is_extended_while_the_handler_runs(
    database_url: str, chat: str, clock: Clock
) -> None:
    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            slow = Work()
            held = asyncio.create_task(shop.worker(slow, lease=_SHORT_LEASE).run_one())
            await slow.begun.wait()
            for _ in range(3):
                clock.advance(seconds=_SHORT_LEASE.total_seconds() + 1)
                await _until(partial(_lease_reaches, shop, clock() + _SHORT_LEASE))
                assert not await shop.worker(_idle).run_one()
            slow.may_end.set()
            await held
            assert ((await shop.job()).state, (await shop.job()).attempts) == ("done", 1)

    asyncio.run(work())


@pytest.mark.parametrize("by", ["another", "the same"])
def test_handler_is_cancelled_when_the_lease_is_lost(
    database_url: str, chat: str, clock: Clock, by: str
) -> None:
    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            first, second = Work(), Work()
            chosen = iter((first, second))

            async def handle(claim: ClaimedJob) -> None:
                await next(chosen)(claim)

            worker = shop.worker(handle, lease=_SHORT_LEASE)
            rival = worker if by == "the same" else shop.worker(second)
            losing = asyncio.create_task(worker.run_one())
            await first.begun.wait()
            taking = await _take_over(rival, second, clock)
            async with asyncio.timeout(_PATIENCE):
                await first.cancelled.wait()
                await losing
            assert (await shop.job()).state == "running"
            second.may_end.set()
            await taking
            job = await shop.job()
            assert (job.state, job.last_error) == ("done", None)

    asyncio.run(work())


def test_stopped_worker_releases_its_job(database_url: str, chat: str, clock: Clock) -> None:
    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(chat)
            cut_short = Work()
            running = asyncio.create_task(shop.worker(cut_short).run())
            await cut_short.begun.wait()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            assert cut_short.cancelled.is_set()
            assert (await shop.job()).attempts == 0
            assert await shop.worker(_idle).run_due() == 1
            assert (await shop.job()).state == "done"

    asyncio.run(work())


def test_retry_conflicts_with_a_newly_enqueued_job(postgres_url: str, clock: Clock) -> None:
    """The new job is committed between our check and our write."""
    with sync.Recollect.open(postgres_url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice").id

    async def work(rival: "psycopg.Connection[Any]") -> None:
        async with _shop(postgres_url, clock) as shop:
            await shop.enqueue(chat)
            claimed, may_fail = asyncio.Event(), asyncio.Event()

            async def fail(claim: ClaimedJob) -> None:
                claimed.set()
                await may_fail.wait()
                raise RecollectError("Not now.")

            working = asyncio.create_task(shop.worker(fail).run_one())
            await claimed.wait()
            rival.execute(
                "insert into jobs (user_id, id, kind, conversation_id, dedupe_key, payload, state,"
                " attempts, run_at, created_at, updated_at) values ('alice', gen_random_uuid(),"
                " 'digest', %s, %s, 'null', 'waiting', 0, now(), now(), now())",
                (chat, chat),
            )
            may_fail.set()
            await _until(partial(asyncio.to_thread, _somebody_waits, postgres_url))
            rival.commit()
            assert await working
            assert sorted(job.state for job in await shop.jobs()) == ["done", "waiting"]

    with psycopg.connect(postgres_url) as rival:
        asyncio.run(work(rival))


def test_enqueue_during_a_running_job_is_not_lost(
    database_url: str, chat: str, clock: Clock
) -> None:
    """An append enqueues a job that is claimed before the append commits."""
    owed, may_commit = threading.Event(), threading.Event()
    seen: list[set[str]] = []

    def owe_slowly(run: Run) -> None:
        for kind in ("topic", "digest"):
            jobs.enqueue(run, kind, chat, run_at=clock(), now=clock())
        owed.set()
        assert may_commit.wait(_PATIENCE)

    async def work() -> None:
        async with _shop(database_url, clock) as shop:

            async def look(claim: ClaimedJob) -> None:
                seen.append({job.kind for job in await shop.jobs()})

            worker = shop.worker(look)
            await shop.enqueue(chat)
            owing = asyncio.create_task(shop.database.write(owe_slowly, user_id="alice"))
            await asyncio.to_thread(owed.wait, _PATIENCE)
            beside = asyncio.create_task(worker.run_one())
            await asyncio.wait({beside}, timeout=0.2)  # on SQLite it has to wait for its turn
            may_commit.set()
            await owing
            await beside
            await worker.run_due()

    asyncio.run(work())
    assert seen[-1] == {"digest", "topic"}


def test_many_workers_run_each_job_once(
    database_url: str, memory: sync.Recollect, clock: Clock
) -> None:
    chats = [memory.conversations.create_conversation(user_id="alice").id for _ in range(40)]
    done: Counter[str] = Counter()

    async def handle(claim: ClaimedJob) -> None:
        await asyncio.sleep(0)
        done[claim.conversation] += 1

    async def work() -> None:
        async with _shop(database_url, clock) as shop:
            await shop.enqueue(*chats)
            databases = [await open_database(database_url) for _ in range(4)]
            shares = await asyncio.gather(
                *(
                    shop.worker(handle, database=database).run_due()
                    for database in databases
                    for _ in range(2)
                )
            )
            for database in databases:
                await database.close()
            assert sum(shares) == 40
            assert {job.state for job in await shop.jobs()} == {"done"}

    asyncio.run(work())
    assert done == Counter(chats)


def test_worker_survives_a_database_outage(
    postgres: PostgresServer,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The outage begins while the worker polls, and while it runs a job."""
    monkeypatch.setattr(postgres_store, "_POOL_TIMEOUT_SECONDS", 0.2)
    caplog.set_level(logging.WARNING)
    with sync.Recollect.open(postgres_url) as memory:
        chats = [memory.conversations.create_conversation(user_id="alice").id for _ in range(2)]

    async def work() -> None:
        async with _shop(postgres_url, utc_now) as shop:
            await shop.enqueue(chats[0])
            slow = Work()
            running = asyncio.create_task(shop.worker(slow, lease=timedelta(seconds=1)).run())
            await slow.begun.wait()
            await asyncio.to_thread(_go_away, postgres, postgres_url)
            await _until(lambda: _said(caplog, "worker.retry"))
            await asyncio.to_thread(_come_back, postgres, postgres_url)
            await _until(partial(_is_there, shop))
            slow.may_end.set()
            await _until(partial(_all_done, shop))
            await shop.enqueue(chats[1])
            await _until(partial(_all_done, shop))
            assert Counter(claim.conversation_id for claim in slow.claims) == Counter(chats)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    try:
        asyncio.run(work())
    finally:
        _come_back(postgres, postgres_url)


def test_worker_survives_a_locked_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = str(tmp_path / "recollect.db")
    url = f"sqlite:///{path}"
    with sync.Recollect.open(url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice").id
    monkeypatch.setattr(sqlite_store, "_BUSY_TIMEOUT_MS", 50)

    async def work() -> None:
        async with _shop(url, utc_now) as shop:
            await shop.enqueue(chat)
            rival = apsw.Connection(path)
            rival.execute("begin immediate")
            running = asyncio.create_task(shop.worker(_idle).run())
            await _until(lambda: _said(caplog, "worker.retry"))
            rival.execute("rollback")
            rival.close()
            await _until(partial(_all_done, shop))
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())


class Crowd:
    """Writers in step with a summarizer that repeats which notes it was given.

    Writers begin their next phase when as many summaries have been asked for, and the summarizer
    answers only when something was written meanwhile, so that each has to work beside the others.
    """

    def __init__(self) -> None:
        self.most_at_once = 0
        self.calls = 0
        self._at_once = 0
        self._written = 0
        self._writing = _WRITERS
        self._changed = threading.Condition()

    def answer(self, body: Body) -> str:
        if "response_format" in body:
            return '{"topic": "Notes of eight writers.", "title": "Notes of eight writers"}'
        with self._changed:
            self.calls += 1
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._changed.notify_all()
            enough = self._written + _WRITERS
            self._wait_for(lambda: self._written >= enough or not self._writing)
            self._at_once -= 1
        new_turns = body["messages"][-1]["content"].partition("=== NEW_TURNS ===")[2]
        return f"Noted: {' '.join(_NOTE.findall(new_turns))}"

    def write(self, memory: sync.Recollect, chat: str, writer: int) -> list[Message]:
        stored: list[Message] = []
        for phase in range(_PHASES):
            self._wait_for_calls(phase)
            for turn in range(phase * 3, phase * 3 + 3):
                drafts = _turn(f"{writer}/{turn}")
                stored += memory.conversations.add_messages(
                    drafts, conversation_id=chat, user_id="alice"
                )
                with self._changed:
                    self._written += 1
                    self._changed.notify_all()
        with self._changed:
            self._writing -= 1
            self._changed.notify_all()
        return stored

    def _wait_for_calls(self, number: int) -> None:
        with self._changed:
            self._wait_for(lambda: self.calls >= number)

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        assert self._changed.wait_for(condition, _PATIENCE), "waited for this in vain"


_WRITERS = 8
_PHASES = 4
_LIMIT = 500
_KEPT_TURNS = 3
_NOTE = re.compile(r"note-\d+/\d+[qa]")


def test_two_workers_and_eight_writers_on_one_conversation(database_url: str) -> None:
    crowd = Crowd()
    with ScriptedModel() as model:
        model.always = crowd.answer
        settings = Settings(
            database_url=database_url,
            chat_model="scripted",
            openai_base_url=model.url,
            memory_chunk_summarize_threshold=_LIMIT,
            memory_summary_token_cap=3_000,
            embedder="none",
            extraction="manual",  # what was said last would be read once it has been quiet
        )
        engines = [sync.Recollect.open(settings=settings) for _ in range(4)]
        *workers, one, other = engines
        chat = one.conversations.create_conversation("Notes", user_id="alice").id
        try:
            for worker in workers:
                worker.start_worker()
            with ThreadPoolExecutor(_WRITERS) as threads:
                writing = [
                    threads.submit(crowd.write, (one, other)[number % 2], chat, number)
                    for number in range(_WRITERS)
                ]
                acknowledged = [message for done in writing for message in done.result()]
            _wait_until(lambda: not _open_jobs(one))
            messages = _all_messages(one, chat)
            versions = list(
                reversed(one.summaries.list_versions(200, conversation_id=chat, user_id="alice"))
            )
            failed = one.jobs.list_jobs(user_id="alice", state="failed")
        finally:
            for engine in engines:
                engine.close()
    assert not failed
    assert sorted(acknowledged, key=lambda message: message.seq) == messages
    assert [message.seq for message in messages] == list(range(1, len(messages) + 1))
    assert len(messages) == 2 * 3 * _PHASES * _WRITERS
    assert crowd.most_at_once == 1, "two summaries of one conversation at the same time"
    assert len(versions) == crowd.calls >= _PHASES
    _check_folded_once(versions, messages)
    _check_nothing_is_left(versions[-1], messages)


def _check_folded_once(versions: Sequence[Summary], messages: Sequence[Message]) -> None:
    """Each version covers the messages since the previous one."""
    through = 0
    for number, version in enumerate(versions, 1):
        assert (version.version, version.base_version) == (number, number - 1)
        assert version.author == "model"
        assert version.through_seq > through
        folded = [m.content for m in messages if through < m.seq <= version.through_seq]
        assert _NOTE.findall(version.text) == [_NOTE.findall(content)[0] for content in folded]
        through = version.through_seq


def _check_nothing_is_left(summary: Summary, messages: Sequence[Message]) -> None:
    """The newest turns stay as they are. What is older may stay while all is within the limit; or
    where these and the summary are over it by themselves, until there is enough to be worth it."""
    backlog = [message for message in messages if message.seq > summary.through_seq]
    turns = sorted({message.turn for message in backlog})
    assert len(turns) >= _KEPT_TURNS
    older = sum(message.tokens for message in backlog if message.turn not in turns[-_KEPT_TURNS:])
    rest = summary.tokens + sum(message.tokens for message in backlog) - older
    is_too_little = rest > _LIMIT and 4 * older < _LIMIT
    assert older == 0 or rest + older <= _LIMIT or is_too_little, (rest, older)


def _turn(name: str) -> list[MessageIn]:
    filler = "and some more words that make it as long as what people write to each other " * 2
    return [
        MessageIn(role="user", content=f"note-{name}q {filler}"),
        MessageIn(role="assistant", content=f"note-{name}a {filler}"),
    ]


def _open_jobs(memory: sync.Recollect) -> list[Job]:
    return [job for job in memory.jobs.list_jobs(200, user_id="alice") if job.state in _OPEN]


_OPEN = ("waiting", "running")


def _all_messages(memory: sync.Recollect, chat: str) -> list[Message]:
    found = list(
        page := memory.conversations.get_messages(200, conversation_id=chat, user_id="alice")
    )
    while page.next_cursor:
        page = memory.conversations.get_messages(
            200, conversation_id=chat, user_id="alice", cursor=page.next_cursor
        )
        found += page
    return found


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited for this in vain"
        time.sleep(0.01)


async def _take_over(rival: Worker, work: Work, clock: Clock) -> "asyncio.Task[bool]":
    """Let the lease expire between two heartbeats, repeatedly."""
    async with asyncio.timeout(_PATIENCE):
        while True:
            clock.advance(hours=1)
            taking = asyncio.create_task(rival.run_one())
            begun = asyncio.create_task(work.begun.wait())
            await asyncio.wait({taking, begun}, return_when=asyncio.FIRST_COMPLETED)
            begun.cancel()
            if work.begun.is_set():
                return taking


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(_PATIENCE):
        while not await condition():  # noqa: ASYNC110  what is waited for is in the database
            await asyncio.sleep(0.01)


async def _said(caplog: pytest.LogCaptureFixture, message: str) -> bool:
    return message in caplog.messages


async def _lease_reaches(shop: Shop, until: datetime) -> bool:
    at = await shop.database.system(jobs.next_run_at, read_only=True)
    return at is not None and at >= until


async def _is_there(shop: Shop) -> bool:
    try:
        return bool(await shop.jobs())
    except RecollectError:
        return False


async def _all_done(shop: Shop) -> bool:
    return {job.state for job in await shop.jobs()} == {"done"}


def _somebody_waits(url: str) -> bool:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "select from pg_stat_activity"
            " where datname = current_database() and wait_event_type = 'Lock'"
        )
        return bool(found.fetchall())


def _go_away(postgres: PostgresServer, url: str) -> None:
    _allow_connections(postgres, url, "false")
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres.admin_url, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s",
            (name,),
        )


def _come_back(postgres: PostgresServer, url: str) -> None:
    _allow_connections(postgres, url, "true")


def _allow_connections(postgres: PostgresServer, url: str, allowed: str) -> None:
    name = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres.admin_url, autocommit=True) as connection:
        connection.execute(f'alter database "{name}" with allow_connections {allowed}'.encode())
