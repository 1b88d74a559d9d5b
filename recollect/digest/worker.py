"""The worker: claims due jobs and runs them, one at a time in each of its loops.

A running job has a lease, which is extended while its handler runs. If a worker dies, the lease
expires and another worker runs the job again, so handlers are idempotent. A failed job is retried
with exponential backoff; after the last attempt it stays visible as failed.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from recollect.core.errors import Conflict, NotFound, RecollectError, Unavailable
from recollect.core.ids import new_id
from recollect.core.types import JobKind, JobState
from recollect.store import jobs
from recollect.store.database import Database
from recollect.store.jobs import ClaimedJob

logger = logging.getLogger(__name__)

T = TypeVar("T")
Handler = Callable[[ClaimedJob], Awaitable[None]]
_LOOPS = 2
_POLL_SECONDS = 1.0
_FIRST_PAUSE_SECONDS = 2.0
_MAX_PAUSE_SECONDS = 600.0


class Worker:
    """Polls for due jobs every second; polling does not write."""

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
        """Run jobs until cancelled."""
        async with asyncio.TaskGroup() as loops:
            for _ in range(_LOOPS):
                loops.create_task(self._run_loop())

    async def run_due(self) -> int:
        """Run all jobs that are due, and return their number."""
        done = 0
        while await self.run_one():
            done += 1
        return done

    async def run_one(self) -> bool:
        """Run one job if one is due; return whether there was one."""
        next_at = await self._database.system(jobs.next_run_at, read_only=True)
        if next_at is None or next_at > self._clock():
            return False
        claim = await self._claim()
        if claim is None:
            return False
        if claim.attempts > self._max_attempts:  # every worker that claimed it died
            await self._finish(claim, "failed", "Each attempt was cut short.")
            return True
        try:
            await self._run_with_lease(claim)
        except asyncio.CancelledError:  # shutdown: another worker can take it at once
            await asyncio.shield(self._release(claim))
            raise
        except NotFound:  # the conversation and the job were deleted meanwhile
            await self._finish(claim, "done", None)
        except Exception as error:  # noqa: BLE001  recorded with the job
            await self._retry_or_fail(claim, error)
        else:
            await self._finish(claim, "done", None)
        return True

    async def _claim(self) -> ClaimedJob | None:
        kinds = list(self._handlers)
        claiming = asyncio.ensure_future(
            self._update(jobs.claim, kinds=kinds, lease_until=self._clock() + self._lease)
        )
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:  # shutdown while the database may still claim a job
            with suppress(RecollectError):
                if claim := await claiming:
                    await self._release(claim)
            raise

    async def _run_loop(self) -> None:
        while True:
            try:
                if await self.run_one():
                    continue
            except Unavailable as error:
                logger.warning("worker.retry", extra={"reason": error.log_message})
            except Exception:
                logger.exception("worker.failed")
            await asyncio.sleep(_POLL_SECONDS)

    async def _run_with_lease(self, claim: ClaimedJob) -> None:
        """Run the handler; cancel it if the lease is lost."""
        handler = asyncio.ensure_future(self._handlers[claim.kind](claim))
        heartbeat = asyncio.create_task(self._extend_lease(claim))
        try:
            await asyncio.wait({handler, heartbeat}, return_when=asyncio.FIRST_COMPLETED)
            if not handler.done():
                handler.cancel()
                raise RecollectError("The lease was lost.")
            if handler.cancelled():  # by itself: this must not end the loop
                raise RecollectError("The work was cancelled.")
            handler.result()
        finally:
            for task in (handler, heartbeat):
                task.cancel()
            await asyncio.gather(handler, heartbeat, return_exceptions=True)

    async def _extend_lease(self, claim: ClaimedJob) -> None:
        """Extend the lease periodically, also after a database outage; return when it is lost."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            lease_until = self._clock() + self._lease
            with suppress(Unavailable):
                if not await self._update(jobs.extend_lease, claim=claim, lease_until=lease_until):
                    return

    async def _retry_or_fail(self, claim: ClaimedJob, error: Exception) -> None:
        known = error if isinstance(error, RecollectError) else None
        reason = known.public_message if known else type(error).__name__  # users can read it
        fields = {
            "kind": claim.kind,
            "attempts": claim.attempts,
            "reason": known.log_message if known else type(error).__name__,
        }
        trace = None if known else error
        if claim.attempts >= self._max_attempts:
            logger.warning("job.failed", extra=fields, exc_info=trace)
            await self._finish(claim, "failed", reason)
            return
        logger.warning("job.retry", extra=fields, exc_info=trace)
        run_at = self._clock() + _pause(claim.attempts)
        try:
            await self._update(jobs.reschedule, claim=claim, error=reason, run_at=run_at)
        except Conflict:  # the same job was enqueued meanwhile, and replaces this one
            await self._finish(claim, "done", reason)

    async def _release(self, claim: ClaimedJob) -> None:
        with suppress(RecollectError):
            await self._update(jobs.release, claim=claim)

    async def _finish(self, claim: ClaimedJob, state: JobState, error: str | None) -> None:
        await self._update(jobs.finish, claim=claim, state=state, error=error)

    async def _update(self, query: Callable[..., T], **parameters: object) -> T:
        """Run a job query as this worker, now."""
        return await self._database.system(
            partial(query, owner=self._owner, now=self._clock(), **parameters)
        )


def _pause(attempts: int) -> timedelta:
    """Return an exponential backoff with jitter."""
    seconds = min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2 ** (attempts - 1))
    return timedelta(seconds=seconds * random.uniform(0.75, 1.25))  # noqa: S311
