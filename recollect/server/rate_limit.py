"""Rate limits: one token bucket per user and kind of request, in this process.

A bucket holds the requests of one minute and refills evenly. It is stored as the time at which it
will be full again. Each request moves that time by its share of a minute, and may not move it more
than a minute ahead. Full buckets are removed.
"""

import time
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from fastapi import Depends, Request

from recollect.core.errors import RateLimited
from recollect.server.auth import Caller, Identity

RequestKind = Literal["requests", "answers"]

_MINUTE = 60.0
_TOLERANCE_SECONDS = 1e-6
_MIN_CAPACITY = 1_024


class RateLimiter:
    """`limits` are per minute; 0 means no limit."""

    def __init__(
        self, limits: Mapping[RequestKind, int], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds_each = {kind: _MINUTE / limit for kind, limit in limits.items() if limit}
        self._clock = clock
        self._full_at: dict[tuple[str, RequestKind], float] = {}
        self._capacity = _MIN_CAPACITY

    def __len__(self) -> int:
        """The number of stored buckets."""
        return len(self._full_at)

    def take(self, user_id: str, kind: RequestKind) -> None:
        """Count a request. Raises RateLimited, and counts nothing, if the bucket is empty."""
        seconds = self._seconds_each.get(kind)
        if seconds is None:
            return
        key, now = (user_id, kind), self._clock()
        full_at = max(self._full_at.get(key, now), now) + seconds
        missing = full_at - now - _MINUTE
        if missing > _TOLERANCE_SECONDS:
            raise RateLimited(retry_after=missing)
        self._full_at[key] = full_at
        if len(self._full_at) > self._capacity:
            self._remove_full(now)

    def _remove_full(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        self._capacity = max(_MIN_CAPACITY, 2 * len(self._full_at))


async def _count_answer(request: Request, caller: Caller) -> Identity:
    rate_limiter: RateLimiter = request.app.state.rate_limiter
    rate_limiter.take(caller.user_id, "answers")
    return caller


AnswerCaller = Annotated[Identity, Depends(_count_answer)]
"""The caller of a request that may call a model; it counts against the limit of answers."""
