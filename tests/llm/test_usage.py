"""Calls to models are recorded in the background."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from recollect.core.tokens import Calibration
from recollect.engine import Recollect
from recollect.llm import usage as metering
from recollect.llm.protocols import CallContext, CallRecord
from recollect.store import usage
from tests.conftest import Clock

CALL = CallRecord(
    call=CallContext(purpose="embedding", user_id="ada"),
    model="some-model",
    estimated_in=4_000,
    reported_in=6_000,
    duration_ms=12,
)


@asynccontextmanager
async def held(memory: Recollect) -> AsyncIterator[None]:
    """Block SQLite's writer."""
    is_busy, release = Event(), Event()

    def hold(run: object) -> None:
        is_busy.set()
        assert release.wait(20)

    busy = asyncio.create_task(memory._database.write(hold, user_id="bob"))
    await asyncio.to_thread(is_busy.wait, 20)
    try:
        yield
    finally:
        release.set()
        await busy


async def recorded(memory: Recollect) -> int:
    """Count the stored calls."""
    rows = await memory._database.read(lambda run: usage.calls_by_day(run, None), user_id="ada")
    return sum(row["calls"] for row in rows)


def test_recording_does_not_wait_for_the_write(tmp_path: Path) -> None:
    async def run() -> None:
        async with Recollect.open(f"sqlite:///{tmp_path}/recollect.db") as memory:
            await memory.conversations.create_conversation(user_id="ada")
            async with held(memory):
                async with asyncio.timeout(10):
                    await memory._usage_recorder(CALL)
                assert await recorded(memory) == 0
            await memory._usage_recorder.flush()
            assert await recorded(memory) == 1

    asyncio.run(run())


def test_pending_writes_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(metering, "_MAX_PENDING_WRITES", 3)

    async def run() -> None:
        async with Recollect.open(f"sqlite:///{tmp_path}/recollect.db") as memory:
            await memory.conversations.create_conversation(user_id="ada")
            async with held(memory):
                for _ in range(5):
                    await memory._usage_recorder(CALL)
            await memory._usage_recorder.flush()
            assert await recorded(memory) == 3
            await memory._usage_recorder(CALL)
            await memory._usage_recorder.flush()
            assert await recorded(memory) == 4

    asyncio.run(run())
    assert caplog.messages == ["usage.not_recorded"] * 2


def test_close_waits_for_pending_writes(database_url: str) -> None:
    async def run() -> None:
        async with Recollect.open(database_url) as memory:
            await memory.conversations.create_conversation(user_id="ada")
            for _ in range(20):
                await memory._usage_recorder(CALL)
        async with Recollect.open(database_url) as memory:
            assert await recorded(memory) == 20

    asyncio.run(run())


def test_call_of_a_deleted_user_is_dropped(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with Recollect.open(database_url) as memory:
            await memory._usage_recorder(CALL)

    asyncio.run(run())
    assert caplog.messages == ["usage.not_recorded"]


def test_only_reported_tokens_calibrate(database_url: str, clock: Clock) -> None:
    guess = replace(CALL, reported_in=None)
    learnt: list[float] = []

    async def run() -> None:
        async with Recollect.open(database_url, clock=clock) as memory:
            await memory.conversations.create_conversation(user_id="ada")
            for call in (CALL, *[guess] * 20):
                await memory._usage_recorder(call)
                learnt.append(memory._usage_recorder._calibration.scale("some-model"))
            await memory._usage_recorder.flush()
            assert await recorded(memory) == 21
            clock.advance(days=1)
            since = clock.now.replace(year=2000)
            totals = await memory._database.system(
                lambda run: usage.totals_by_model(run, since=since), read_only=True
            )
            assert totals == {"some-model": (4_000, 6_000)}, "the next start learns the same"
            learnt.append(Calibration.from_totals(totals).scale("some-model"))

    asyncio.run(run())
    assert learnt == [1.25] * 22
