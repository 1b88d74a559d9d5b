"""How often each user may ask: one token bucket for each user and kind, in this process.

A bucket holds a minute's worth, and fills evenly. All there is to know of one is when it will be
full again: each request moves that moment by its share of a minute, and may not move it further
than a minute ahead. A bucket that is full again says nothing, and is forgotten.
"""

import time
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from fastapi import Depends, Request

from recollect.core.errors import RateLimited
from recollect.server.auth import Caller, Identity
from recollect.settings import Settings

Kind = Literal["requests", "answers"]

_MINUTE = 60.0
_ROUNDING = 1e-6
_FEW = 1_024


class RateLimiter:
    """`limits` are per minute; 0 is none."""

    def __init__(
        self, limits: Mapping[Kind, int], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._shares = {kind: _MINUTE / limit for kind, limit in limits.items() if limit}
        self._clock = clock
        self._full_at: dict[tuple[str, Kind], float] = {}
        self._most = _FEW

    @classmethod
    def of(cls, settings: Settings) -> "RateLimiter":
        return cls(
            {"requests": settings.requests_per_minute, "answers": settings.answers_per_minute}
        )

    def __len__(self) -> int:
        """How many buckets are not known to be full."""
        return len(self._full_at)

    def take(self, user_id: str, kind: Kind) -> None:
        """Raises RateLimited when the bucket is empty; that takes nothing."""
        share = self._shares.get(kind)
        if share is None:
            return
        key, now = (user_id, kind), self._clock()
        full_at = max(self._full_at.get(key, now), now) + share
        missing = full_at - now - _MINUTE
        if missing > _ROUNDING:
            raise RateLimited(retry_after=missing)
        self._full_at[key] = full_at
        if len(self._full_at) > self._most:
            self._forget(now)

    def _forget(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        self._most = max(_FEW, 2 * len(self._full_at))


async def _answering(request: Request, caller: Caller) -> Identity:
    rates: RateLimiter = request.app.state.rates
    rates.take(caller.user_id, "answers")
    return caller


AnswerStream = Annotated[Identity, Depends(_answering)]
"""The caller, of a request that asks for an answer or a digest, or for another try: all cost the
same."""
