"""The worker: takes jobs that are due, one at a time in each of its loops, and sees them through.

A job is held under a lease, which is extended while the work goes on. A worker that dies leaves its
lease to lapse, and the job is done once more by another: every handler can be run twice to the same
result. What fails is tried again later and later, then given up, and stays visible.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from recollect.core.errors import Conflict, NotFound, RecollectError, Unavailable
from recollect.core.ids import new_id
from recollect.core.types import JobKind, JobState
from recollect.store import jobs
from recollect.store.database import Database
from recollect.store.jobs import ClaimedJob

logger = logging.getLogger(__name__)

Handler = Callable[[ClaimedJob], Awaitable[None]]
_LOOPS = 2
_IDLE_SECONDS = 1.0
_FIRST_PAUSE_SECONDS = 2.0
_LONGEST_PAUSE_SECONDS = 600.0


class Worker:
    """Looks every second whether something is due, without writing where nothing is."""

    def __init__(
        self,
        database: Database,
        handlers: Mapping[JobKind, Handler],
        *,
        clock: Callable[[], datetime],
        lease: timedelta,
        max_attempts: int,
    ) -> None:
        self._database = database
        self._handlers = handlers
        self._clock = clock
        self._lease = lease
        self._max_attempts = max_attempts
        self._owner = new_id()

    async def run(self) -> None:
        """Works until it is cancelled."""
        async with asyncio.TaskGroup() as loops:
            for _ in range(_LOOPS):
                loops.create_task(self._work_forever())

    async def run_due(self) -> int:
        """Does all that is due now, and returns how many jobs that were."""
        done = 0
        while await self.run_one():
            done += 1
        return done

    async def run_one(self) -> bool:
        """Does one job, if one is due."""
        next_at = await self._database.system(jobs.next_at, read_only=True)
        if next_at is None or next_at > self._clock():
            return False
        claim = await self._claim()
        if claim is None:
            return False
        if claim.attempts > self._max_attempts:  # it has outlived every worker that took it
            await self._end(claim, "failed", "Each attempt was cut short.")
            return True
        try:
            await self._hold(claim)
        except asyncio.CancelledError:  # we are stopping: the next worker need not wait for us
            await asyncio.shield(self._give_back(claim))
            raise
        except NotFound:  # deleted meanwhile, and the job with it
            await self._end(claim, "done", None)
        except Exception as error:  # noqa: BLE001  recorded with the job
            await self._put_off(claim, error)
        else:
            await self._end(claim, "done", None)
        return True

    async def _claim(self) -> ClaimedJob | None:
        claiming = asyncio.ensure_future(
            self._database.system(
                partial(
                    jobs.claim,
                    owner=self._owner,
                    kinds=list(self._handlers),
                    now=self._clock(),
                    lease_until=self._clock() + self._lease,
                )
            )
        )
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:  # we are stopping, and the database may still hand it out
            with suppress(RecollectError):
                if claim := await claiming:
                    await self._give_back(claim)
            raise

    async def _work_forever(self) -> None:
        while True:
            try:
                if await self.run_one():
                    continue
            except Unavailable as error:
                logger.warning("worker_waits", extra={"reason": error.unquoted})
            except Exception:
                logger.exception("A worker's loop failed; it goes on.")
            await asyncio.sleep(_IDLE_SECONDS)

    async def _hold(self, claim: ClaimedJob) -> None:
        """Runs the handler for as long as the lease can be kept."""
        work = asyncio.ensure_future(self._handlers[claim.kind](claim))
        pulse = asyncio.create_task(self._extend(claim))
        try:
            await asyncio.wait({work, pulse}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
                raise RecollectError("The lease was lost.")
            if work.cancelled():  # not by us: it must not end the loop
                raise RecollectError("The work was cancelled.")
            work.result()
        finally:
            for task in (work, pulse):
                task.cancel()
            await asyncio.gather(work, pulse, return_exceptions=True)

    async def _extend(self, claim: ClaimedJob) -> None:
        """Ends when the lease is lost. A database that is away for a moment is waited for."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            now = self._clock()
            with suppress(Unavailable):
                held = await self._database.system(
                    partial(
                        jobs.extend,
                        claim=claim,
                        owner=self._owner,
                        now=now,
                        lease_until=now + self._lease,
                    )
                )
                if not held:
                    return

    async def _put_off(self, claim: ClaimedJob, error: Exception) -> None:
        ours = error if isinstance(error, RecollectError) else None
        reason = ours.shown if ours else type(error).__name__  # its user can read it
        logger.warning(
            "job_failed",
            extra={
                "kind": claim.kind,
                "attempts": claim.attempts,
                "reason": ours.unquoted if ours else type(error).__name__,
            },
            exc_info=None if ours else error,
        )
        if claim.attempts >= self._max_attempts:
            await self._end(claim, "failed", reason)
            return
        now = self._clock()
        postpone = partial(
            jobs.postpone,
            claim=claim,
            owner=self._owner,
            error=reason,
            run_at=now + _pause(claim.attempts),
            now=now,
        )
        try:
            await self._database.system(postpone)
        except Conflict:  # the same work was owed at this very moment, and that job does it
            await self._end(claim, "done", reason)

    async def _give_back(self, claim: ClaimedJob) -> None:
        with suppress(RecollectError):
            await self._database.system(
                partial(jobs.release, claim=claim, owner=self._owner, now=self._clock())
            )

    async def _end(self, claim: ClaimedJob, state: JobState, error: str | None) -> None:
        await self._database.system(
            partial(
                jobs.finish,
                claim=claim,
                owner=self._owner,
                state=state,
                error=error,
                now=self._clock(),
            )
        )


def _pause(attempts: int) -> timedelta:
    """Longer each time, and never quite the same, so that many do not come back at once."""
    seconds = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2 ** (attempts - 1))
    return timedelta(seconds=seconds * random.uniform(0.75, 1.25))  # noqa: S311
