"""Job rows on both databases: queue, leases and outcomes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import pytest

from recollect import Conflict, MessageIn, NotFound
from recollect.core.types import Job, JobKind, JobState
from recollect.engine import open_database
from recollect.store import jobs
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.sync import Recollect
from tests.conftest import Clock

T = TypeVar("T")

_LEASE = timedelta(minutes=1)
_KINDS: Sequence[JobKind] = ("digest", "topic")


class Queue:
    """The job functions as services and workers use them."""

    def __init__(self, database: Database, runner: asyncio.Runner, clock: Clock) -> None:
        self._database = database
        self._runner = runner
        self._clock = clock

    def enqueue(
        self,
        chat: str,
        kind: JobKind = "digest",
        *,
        user: str = "alice",
        run_at: datetime | None = None,
    ) -> None:
        now = self._clock()
        self._as_user(
            partial(jobs.enqueue, kind=kind, conversation_id=chat, run_at=run_at or now, now=now),
            user,
        )

    def of(self, user: str = "alice", state: JobState | None = None) -> list[Job]:
        return self._as_user(partial(jobs.page, limit=100, state=state), user)

    def states(self) -> list[JobState]:
        """Sorted, because ids of the same millisecond have no order."""
        return sorted(job.state for job in self.of())

    def only(self) -> Job:
        (job,) = self.of()
        return job

    def claim(self, owner: str = "worker", kinds: Sequence[JobKind] = _KINDS) -> ClaimedJob | None:
        now = self._clock()
        return self._as_system(
            partial(jobs.claim, owner=owner, kinds=kinds, now=now, lease_until=now + _LEASE)
        )

    def must_claim(self, owner: str = "worker") -> ClaimedJob:
        claim = self.claim(owner)
        assert claim is not None
        return claim

    def extend(self, claim: ClaimedJob, owner: str = "worker") -> bool:
        now = self._clock()
        return self._as_system(
            partial(jobs.extend_lease, claim=claim, owner=owner, now=now, lease_until=now + _LEASE)
        )

    def finish(
        self,
        claim: ClaimedJob,
        owner: str = "worker",
        *,
        state: JobState = "done",
        error: str | None = None,
    ) -> None:
        self._as_system(
            partial(
                jobs.finish, claim=claim, owner=owner, state=state, error=error, now=self._clock()
            )
        )

    def postpone(
        self, claim: ClaimedJob, owner: str = "worker", *, error: str = "", minutes: float = 1
    ) -> None:
        now = self._clock()
        self._as_system(
            partial(
                jobs.reschedule,
                claim=claim,
                owner=owner,
                error=error,
                run_at=now + timedelta(minutes=minutes),
                now=now,
            )
        )

    def next_at(self) -> datetime | None:
        return self._as_system(jobs.next_run_at)

    def _as_user(self, fn: Callable[[Run], T], user: str) -> T:
        return self._runner.run(self._database.write(fn, user_id=user))

    def _as_system(self, fn: Callable[[Run], T]) -> T:
        return self._runner.run(self._database.system(fn))


@pytest.fixture
def queue(memory: Recollect, database_url: str, clock: Clock) -> Iterator[Queue]:
    with asyncio.Runner() as runner:
        database = runner.run(open_database(database_url))
        yield Queue(database, runner, clock)
        runner.run(database.close())


@pytest.fixture
def chat(memory: Recollect) -> str:
    return _chat(memory)


def test_enqueueing_again_is_a_no_op(queue: Queue, chat: str, memory: Recollect) -> None:
    other = _chat(memory)
    for _ in range(3):
        queue.enqueue(chat)
        queue.enqueue(chat, "topic")
        queue.enqueue(other)
    waiting = queue.of(state="waiting")
    assert len(waiting) == 3
    assert {(job.kind, job.conversation_id) for job in waiting} == {
        ("digest", chat),
        ("topic", chat),
        ("digest", other),
    }


def test_job_enqueued_while_one_runs_waits_for_its_end(queue: Queue, chat: str) -> None:
    queue.enqueue(chat)
    first = queue.must_claim()
    queue.enqueue(chat)
    queue.enqueue(chat)
    assert queue.states() == ["running", "waiting"]
    assert queue.claim("another") is None
    queue.finish(first)
    second = queue.must_claim("another")
    assert second.id != first.id
    assert second.conversation_id == chat


def test_other_kinds_and_conversations_are_claimed_independently(
    queue: Queue, chat: str, memory: Recollect
) -> None:
    other = _chat(memory)
    queue.enqueue(chat)
    queue.enqueue(chat, "topic")
    queue.enqueue(other)
    claims = [queue.must_claim() for _ in range(3)]
    assert {(claim.kind, claim.conversation_id) for claim in claims} == {
        ("digest", chat),
        ("topic", chat),
        ("digest", other),
    }
    assert queue.claim() is None


def test_claim_is_limited_to_given_kinds(queue: Queue, chat: str, clock: Clock) -> None:
    queue.enqueue(chat)
    assert queue.claim(kinds=["topic"]) is None
    claim = queue.claim(kinds=["digest"])
    assert claim is not None
    clock.advance(minutes=2)
    assert queue.claim(kinds=["topic"]) is None, "a lapsed one of another kind"
    assert queue.claim(kinds=["digest"]) is not None


def test_claim_takes_the_oldest_due_job(queue: Queue, memory: Recollect, clock: Clock) -> None:
    chats = [_chat(memory) for _ in range(4)]
    for chat, minutes in zip(chats, (-1, 5, -3, -2), strict=True):
        queue.enqueue(chat, run_at=clock() + timedelta(minutes=minutes))
    claimed = [queue.must_claim().conversation_id for _ in range(3)]
    assert claimed == [chats[2], chats[3], chats[0]]
    assert queue.claim() is None
    clock.advance(minutes=5)
    for _ in range(3):  # those before have lapsed by now
        assert queue.must_claim().conversation_id != chats[1]
    assert queue.must_claim().conversation_id == chats[1]


def test_expired_leases_are_claimed_before_new_jobs(
    queue: Queue, chat: str, memory: Recollect, clock: Clock
) -> None:
    queue.enqueue(chat)
    first = queue.must_claim("first")
    queue.enqueue(_chat(memory), run_at=clock() - timedelta(hours=1))
    clock.advance(minutes=1)
    assert queue.next_at() is not None
    clock.advance(seconds=1)
    second = queue.must_claim("second")
    assert (second.id, second.attempts) == (first.id, 2)
    assert second.conversation_id == chat


def test_worker_without_lease_changes_nothing(queue: Queue, chat: str, clock: Clock) -> None:
    queue.enqueue(chat)
    lost = queue.must_claim("first")
    clock.advance(minutes=2)
    held = queue.must_claim("second")

    def look() -> tuple[JobState, int, str | None, datetime]:
        job = queue.only()
        return job.state, job.attempts, job.last_error, job.run_at

    before = look()
    assert not queue.extend(lost, "first")
    queue.finish(lost, "first")
    queue.finish(lost, "first", state="failed", error="too late")
    queue.postpone(lost, "first", error="too late")
    assert look() == before
    assert queue.extend(held, "second")
    queue.postpone(held, "second", error="the second's own")
    assert look()[0::2] == ("waiting", "the second's own")
    queue.finish(held, "second")
    assert look()[0] == "waiting", "it was given back, so it is not the second's to end"


def test_worker_needs_its_latest_claim(queue: Queue, chat: str, clock: Clock) -> None:
    """A worker has several loops: one may claim a job that another has lost."""
    queue.enqueue(chat)
    lost = queue.must_claim()
    clock.advance(minutes=2)
    held = queue.must_claim()
    assert (held.id, held.attempts) == (lost.id, 2)
    assert not queue.extend(lost)
    queue.finish(lost, state="failed", error="too late")
    queue.postpone(lost, error="too late")
    assert queue.only().state == "running"
    assert queue.extend(held)
    queue.finish(held)
    assert queue.only().state == "done"


def test_extended_lease_does_not_expire(queue: Queue, chat: str, clock: Clock) -> None:
    queue.enqueue(chat)
    held = queue.must_claim("first")
    for _ in range(5):
        clock.advance(seconds=50)
        assert queue.extend(held, "first")
        assert queue.claim("second") is None
    clock.advance(seconds=61)
    assert queue.must_claim("second").id == held.id


def test_rescheduled_job_waits_for_its_time(queue: Queue, chat: str, clock: Clock) -> None:
    queue.enqueue(chat)
    claim = queue.must_claim()
    queue.postpone(claim, error="not now", minutes=10)
    job = queue.only()
    assert (job.state, job.attempts, job.last_error) == ("waiting", 1, "not now")
    assert job.run_at == clock() + timedelta(minutes=10)
    assert queue.next_at() == job.run_at
    queue.enqueue(chat)
    assert queue.only().run_at == job.run_at, "owing it again does not hurry it"
    assert queue.claim() is None
    clock.advance(minutes=10)
    assert queue.must_claim().attempts == 2


def test_rescheduling_a_duplicate_marks_it_done(queue: Queue, chat: str, clock: Clock) -> None:
    queue.enqueue(chat)
    claim = queue.must_claim()
    queue.enqueue(chat)
    queue.postpone(claim, error="not now", minutes=10)
    (first,), (second,) = queue.of(state="done"), queue.of(state="waiting")
    assert (first.id, first.last_error) == (claim.id, "not now")
    assert (second.attempts, second.run_at) == (0, clock())
    assert queue.must_claim().id == second.id


def test_failed_job_keeps_its_error(
    queue: Queue, chat: str, memory: Recollect, clock: Clock
) -> None:
    queue.enqueue(chat)
    queue.finish(queue.must_claim(), state="failed", error="It cannot be done.")
    clock.advance(days=30)
    memory.sweep()
    (job,) = memory.jobs.list_jobs(user_id="alice", state="failed")
    assert (job.kind, job.conversation_id, job.last_error) == ("digest", chat, "It cannot be done.")
    assert queue.claim() is None
    queue.enqueue(chat)
    assert queue.states() == ["failed", "waiting"]


def test_failed_job_can_be_retried(
    queue: Queue, chat: str, memory: Recollect, clock: Clock
) -> None:
    queue.enqueue(chat)
    claim = queue.must_claim()
    with pytest.raises(Conflict, match="running"):
        memory.jobs.retry_job(job_id=claim.id, user_id="alice")
    queue.finish(claim, state="failed", error="no")
    clock.advance(hours=1)
    again = memory.jobs.retry_job(job_id=claim.id, user_id="alice")
    assert (again.state, again.attempts, again.run_at) == ("waiting", 0, clock())
    with pytest.raises(Conflict, match="waiting"):
        memory.jobs.retry_job(job_id=claim.id, user_id="alice")
    assert queue.must_claim().attempts == 1


def test_retrying_a_duplicate_is_a_no_op(queue: Queue, chat: str, memory: Recollect) -> None:
    queue.enqueue(chat)
    claim = queue.must_claim()
    queue.finish(claim, state="failed", error="no")
    queue.enqueue(chat)
    before = queue.of()
    assert memory.jobs.retry_job(job_id=claim.id, user_id="alice").state == "failed"
    assert queue.of() == before
    queue.finish(queue.must_claim())
    assert memory.jobs.retry_job(job_id=claim.id, user_id="alice").state == "waiting"


def test_done_jobs_are_listed_for_a_day(
    queue: Queue, chat: str, memory: Recollect, clock: Clock
) -> None:
    queue.enqueue(chat)
    clock.advance(days=3)
    queue.finish(queue.must_claim())
    queue.enqueue(chat, "topic")
    clock.advance(hours=23)
    memory.sweep()
    assert queue.states() == ["done", "waiting"]
    clock.advance(hours=2)
    memory.sweep()
    assert [job.kind for job in queue.of()] == ["topic"]


def test_jobs_are_listed_newest_first_in_pages(
    queue: Queue, memory: Recollect, clock: Clock
) -> None:
    for _ in range(5):
        queue.enqueue(_chat(memory))
    queue.finish(queue.must_claim())
    expected = sorted((job.id for job in queue.of()), reverse=True)
    first = memory.jobs.list_jobs(2, user_id="alice")
    second = memory.jobs.list_jobs(2, user_id="alice", cursor=first.next_cursor)
    third = memory.jobs.list_jobs(2, user_id="alice", cursor=second.next_cursor)
    assert [job.id for page in (first, second, third) for job in page] == expected
    assert third.next_cursor is None
    assert [job.state for job in memory.jobs.list_jobs(user_id="alice", state="done")] == ["done"]


def test_other_users_jobs_are_unreachable(
    queue: Queue, chat: str, memory: Recollect, clock: Clock
) -> None:
    his = _chat(memory, "bob")
    queue.enqueue(chat)
    queue.enqueue(his, user="bob")
    claims = {claim.user_id: claim for claim in (queue.must_claim(), queue.must_claim())}
    mine = claims["alice"]
    assert claims["bob"].conversation_id == his
    queue.finish(mine, state="failed", error="no")
    assert [job.state for job in queue.of("bob")] == ["running"]
    with pytest.raises(NotFound):
        memory.jobs.retry_job(job_id=mine.id, user_id="bob")
    assert not memory.jobs.list_jobs(user_id="bob", state="failed")
    assert not memory.jobs.list_jobs(user_id="eve")
    memory.jobs.retry_job(job_id=mine.id, user_id="alice")
    assert [job.state for job in queue.of("bob")] == ["running"]


@pytest.mark.parametrize("state", ["waiting", "running", "done", "failed"])
def test_jobs_are_deleted_with_their_conversation(
    queue: Queue, chat: str, memory: Recollect, clock: Clock, state: JobState
) -> None:
    kept = _chat(memory)
    queue.enqueue(chat)
    claim = queue.must_claim() if state != "waiting" else None
    if claim and state in ("done", "failed"):
        queue.finish(claim, state=state)
    queue.enqueue(kept)
    assert memory.conversations.delete_conversation(conversation_id=chat, user_id="alice").jobs == 1
    assert queue.only().conversation_id == kept
    if claim:  # who is at it hears of it, and can do no harm
        assert not queue.extend(claim)
        queue.postpone(claim)
    assert queue.only().conversation_id == kept


def test_jobs_are_enqueued_in_the_callers_transaction(
    queue: Queue, chat: str, memory: Recollect
) -> None:
    turn = [MessageIn(role="user", content="hi"), MessageIn(role="assistant", content="hello")]
    taken = memory.conversations.add_message(turn[0], conversation_id=chat, user_id="alice")
    with pytest.raises(Conflict):
        memory.conversations.add_messages(
            [turn[1], MessageIn(role="assistant", content="again", id=taken.id)],
            conversation_id=chat,
            user_id="alice",
        )
    assert queue.of() == []
    memory.conversations.add_message(turn[1], conversation_id=chat, user_id="alice")
    assert [job.kind for job in queue.of()] == ["topic"]


def _chat(memory: Recollect, user: str = "alice") -> str:
    return memory.conversations.create_conversation(user_id=user).id


def test_count_excludes_done_jobs(queue: Queue, chat: str, memory: Recollect, clock: Clock) -> None:
    assert memory.jobs.count_jobs().lag == timedelta()
    queue.enqueue(chat)
    queue.enqueue(memory.conversations.create_conversation(user_id="bob").id, user="bob")
    queue.enqueue(chat, "topic", run_at=clock() + timedelta(hours=1))
    counted = memory.jobs.count_jobs()
    assert counted.by_kind == {("digest", "waiting"): 2, ("topic", "waiting"): 1}
    clock.advance(seconds=30)
    assert memory.jobs.count_jobs().lag == timedelta(seconds=30)

    queue.finish(queue.must_claim())
    claim = queue.must_claim()
    counted = memory.jobs.count_jobs()
    assert counted.by_kind == {("digest", "running"): 1, ("topic", "waiting"): 1}
    assert counted.lag == timedelta()  # somebody is at it, and the other is not due
    clock.advance(seconds=70)
    assert memory.jobs.count_jobs().lag == timedelta(seconds=10)  # nobody is, any more
    queue.finish(claim, state="failed")
    assert memory.jobs.count_jobs().by_kind["digest", "failed"] == 1
