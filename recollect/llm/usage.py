"""Records every call to a model: who made it, what for, and its cost.

Metrics are counted at once; a background task writes the row, so that no answer waits for it.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from recollect.core.errors import RecollectError
from recollect.core.instrumentation import Events
from recollect.core.tokens import Calibration
from recollect.llm.protocols import CANCELLED, CallRecord
from recollect.store import usage
from recollect.store.database import Database

logger = logging.getLogger(__name__)

_MAX_PENDING_WRITES = 1_000


class StoredUsageRecorder:
    """The `UsageRecorder` of all models: stores calls in the database."""

    def __init__(
        self,
        database: Database,
        *,
        calibration: Calibration,
        events: Events,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._calibration = calibration
        self._events = events
        self._clock = clock
        self._writes: set[asyncio.Task[None]] = set()

    async def __call__(self, record: CallRecord) -> None:
        if record.error is None and record.is_reported:
            self._calibration.observe(
                record.model, estimated=record.estimated_in, reported=record.tokens_in
            )
        self._count(record)
        if len(self._writes) >= _MAX_PENDING_WRITES:
            logger.warning("usage.not_recorded", extra={"reason": "Too many are waiting already."})
            return
        task = asyncio.create_task(self._write(record, now=self._clock()))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)

    async def flush(self) -> None:
        """Return when all calls so far are written, or have failed to be."""
        if self._writes:
            await asyncio.wait([*self._writes])

    async def _write(self, record: CallRecord, *, now: datetime) -> None:
        call = record.call
        try:
            await self._database.write(
                lambda run: usage.insert_call(
                    run,
                    purpose=call.purpose,
                    conversation_id=call.conversation_id,
                    message_id=call.message_id,
                    model=record.model,
                    variant=record.variant,
                    tokens_in=record.tokens_in,
                    tokens_out=record.tokens_out,
                    tokens_cached=record.reported_cached or 0,
                    # an estimate must not confirm itself: see Calibration.from_totals
                    estimated_in=record.estimated_in if record.is_reported else 0,
                    duration_ms=record.duration_ms,
                    error=record.error,
                    now=now,
                ),
                user_id=call.user_id,
            )
        except RecollectError as error:
            logger.warning("usage.not_recorded", extra={"reason": error.log_message})

    def _count(self, record: CallRecord) -> None:
        purpose, variant = record.call.purpose, record.variant or ""
        outcome = {None: "ok", CANCELLED: "cancelled"}.get(record.error, "failed")
        count = self._events.count
        count("model_called", purpose=purpose, variant=variant, outcome=outcome)
        count("model_seconds", record.duration_ms / 1000, purpose=purpose, variant=variant)
        count("tokens", record.tokens_in, purpose=purpose, direction="in")
        count("tokens", record.tokens_out, purpose=purpose, direction="out")
