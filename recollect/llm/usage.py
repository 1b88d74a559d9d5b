"""Every call to a model is on record: who asked, what for, and what it took.

It is counted at once and written by a task of its own: nobody's answer may wait for a write.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from recollect.core.errors import RecollectError
from recollect.core.instrumentation import Events
from recollect.core.tokens import Calibration
from recollect.llm.protocols import CANCELLED, Call
from recollect.store import usage
from recollect.store.database import Database

logger = logging.getLogger(__name__)

_MOST_WAITING = 1_000


class StoredUsageRecorder:
    """What models report when they have been called: the `Meter` that all of them are given."""

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
        self._writing: set[asyncio.Task[None]] = set()

    async def __call__(self, call: Call) -> None:
        if call.error is None and call.is_reported:
            self._calibration.observe(
                call.model, estimated=call.estimated_in, reported=call.tokens_in
            )
        self._count(call)
        if len(self._writing) >= _MOST_WAITING:
            logger.warning("call_not_metered", extra={"reason": "Too many are waiting already."})
            return
        task = asyncio.create_task(self._write(call, now=self._clock()))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def written(self) -> None:
        """Returns when all calls so far are written, or cannot be."""
        if self._writing:
            await asyncio.wait([*self._writing])

    async def _write(self, call: Call, *, now: datetime) -> None:
        """What cannot be written down must not undo the call."""
        purpose = call.purpose
        try:
            await self._database.write(
                lambda run: usage.insert_call(
                    run,
                    purpose=purpose.use,
                    conversation_id=purpose.conversation_id,
                    message_id=purpose.message_id,
                    model=call.model,
                    variant=call.variant,
                    tokens_in=call.tokens_in,
                    tokens_out=call.tokens_out,
                    # a guess must not confirm itself: see Calibration.from_totals
                    estimated_in=call.estimated_in if call.is_reported else 0,
                    duration_ms=call.duration_ms,
                    error=call.error,
                    now=now,
                ),
                user_id=purpose.user_id,
            )
        except RecollectError as error:
            logger.warning("call_not_metered", extra={"reason": error.unquoted})

    def _count(self, call: Call) -> None:
        purpose, variant = call.purpose.use, call.variant or ""
        outcome = {None: "ok", CANCELLED: "cancelled"}.get(call.error, "failed")
        count = self._events.count
        count("model_called", purpose=purpose, variant=variant, outcome=outcome)
        count("model_seconds", call.duration_ms / 1000, purpose=purpose, variant=variant)
        count("tokens", call.tokens_in, purpose=purpose, direction="in")
        count("tokens", call.tokens_out, purpose=purpose, direction="out")
