"""Every call to a model is on record: who asked, what for, and what it took."""

import logging
from collections.abc import Callable
from datetime import datetime

from recollect.errors import RecollectError
from recollect.events import Events
from recollect.models.base import CANCELLED, Call
from recollect.store import usage
from recollect.store.database import Database
from recollect.tokens import Calibration

logger = logging.getLogger(__name__)


class Metering:
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

    async def __call__(self, call: Call) -> None:
        """What cannot be written down must not undo the call."""
        if call.error is None:
            self._calibration.observe(
                call.model, estimated=call.estimated_in, reported=call.tokens_in
            )
        self._count(call)
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
                    estimated_in=call.estimated_in,
                    duration_ms=call.duration_ms,
                    error=call.error,
                    now=self._clock(),
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
