"""Clocks that jump or differ between servers: order is kept and no job waits forever."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from recollect import Message, MessageIn
from recollect.core.types import JobState, utc_text
from recollect.store.jobs import MAX_CLOCK_SKEW
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.faults.append_log import stored_messages
from tests.faults.appender import CONVERSATIONS, USER
from tests.faults.fault_report import FaultReport, Findings
from tests.raw import RawDatabase

_SERVERS = 3
_DIGESTED_OVER = 20
"""Number of messages that trigger a digest with `rolling`."""
_FURTHEST_DAYS = 40.0


@pytest.mark.parametrize(
    "steps", [100, pytest.param(2_000, marks=[pytest.mark.torture, pytest.mark.timeout(1800)])]
)
def test_clock_jumps_lose_nothing(database_url: str, fault_report: FaultReport, steps: int) -> None:
    seed = random.SystemRandom().randrange(2**32)
    chosen = random.Random(seed)
    clocks = [Clock() for _ in range(_SERVERS)]
    engines = [Recollect.open(database_url, clock=clock) for clock in clocks]
    acknowledged: list[Message] = []
    jumps = 0
    try:
        chats = [
            engines[0]
            .conversations.create_conversation(f"Chat {n}", user_id=USER, policy="rolling")
            .id
            for n in range(CONVERSATIONS)
        ]
        for number in range(steps):
            memory, clock = chosen.choice(list(zip(engines, clocks, strict=True)))
            match chosen.choice(["append", "append", "append", "work", "sweep", "jump"]):
                case "append":
                    batch = [
                        MessageIn(role="user", content=f"{number}, {part}, {chosen.random()}")
                        for part in range(chosen.randrange(1, 8))
                    ]
                    stored = memory.conversations.add_messages(
                        batch, conversation_id=chosen.choice(chats), user_id=USER
                    )
                    acknowledged += stored
                case "work":
                    memory.work()
                case "sweep":
                    memory.sweep()
                case _:
                    jumps += 1
                    clock.now = datetime.now(UTC) + _jump(chosen)
        for clock in clocks:  # smaller delays are tolerated
            clock.now = datetime.now(UTC) + MAX_CLOCK_SKEW
        for memory in engines:  # the sweep finds jobs that a wrong clock has delayed
            memory.sweep()
            memory.work()
        found = _findings(engines[0], acknowledged)
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise
    finally:
        for memory in engines:
            memory.close()
    fault_report.record(
        "clock jumps",
        database_url,
        found,
        jumps=jumps,
        servers=_SERVERS,
        acknowledged=len(acknowledged),
    )


def _jump(chosen: random.Random) -> timedelta:
    """Random jumps from seconds to weeks, in both directions."""
    size = chosen.choice([1 / 86_400, 1 / 24, 1.0, _FURTHEST_DAYS]) * chosen.random()
    return timedelta(days=chosen.choice([-1, 1]) * size)


def _findings(memory: Recollect, acknowledged: list[Message]) -> Findings:
    stored = {message.id: message for message in stored_messages(memory)}
    broken: list[str] = []
    for chat in memory.conversations.list_conversations(user_id=USER):
        summary = memory.summaries.get_summary(conversation_id=chat.id, user_id=USER)
        if chat.message_count - summary.through_seq > _DIGESTED_OVER:
            broken.append(f"of {chat.message_count} only {summary.through_seq} are digested")
    states: tuple[JobState, ...] = ("waiting", "running", "failed")
    for state in states:
        broken += [f"{job} is left" for job in memory.jobs.list_jobs(user_id=USER, state=state)]
    lost = [message for message in acknowledged if stored.get(message.id) != message]
    known = {message.id for message in acknowledged}
    return Findings(
        lost=tuple(f"{message} is lost or changed" for message in lost),
        duplicated=tuple(f"{id} is one too many" for id in stored.keys() - known),
        broken=tuple(broken),
    )


@pytest.mark.parametrize("heard", [timedelta(days=3), timedelta(days=-3)])
def test_answer_of_dead_owner_with_wrong_clock_is_interrupted(
    memory: Recollect, raw: RawDatabase, clock: Clock, heard: timedelta
) -> None:
    chat = memory.conversations.create_conversation(user_id=USER).id
    said = [MessageIn(role="user", content="Hi"), MessageIn(role="assistant", content="Who")]
    _, answer = memory.conversations.add_messages(said, conversation_id=chat, user_id=USER)
    raw.execute(
        "update messages set status = 'streaming', stream_owner = 'gone', heartbeat_at = :at"
        " where id = :id",
        at=utc_text(clock.now + heard),
        id=answer.id,
    )
    memory.sweep()
    *_, ended = memory.conversations.get_messages(conversation_id=chat, user_id=USER)
    assert (ended.status, ended.content) == ("interrupted", "Who")
