"""What Prometheus is told: requests as they end, and what the engine reports.

Every app has a registry of its own. Labels have few values: routes are templates, and neither ids
nor anything that somebody said is ever among them.
"""

import asyncio
from collections.abc import Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from recollect.core.errors import RecollectError
from recollect.core.instrumentation import Event
from recollect.digest.jobs import JobCounts
from recollect.engine import Recollect

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PATIENCE_SECONDS = 1.0
"""A scrape that has to wait for the database goes without what only the database knows."""
_REQUEST_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_MODEL_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_UNKNOWN = float("nan")


class Metrics:
    """Hears of the engine's events from the moment it is made."""

    def __init__(self, memory: Recollect) -> None:
        self._memory = memory
        self._registry = registry = CollectorRegistry()
        self._counting: asyncio.Task[JobCounts] | None = None
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "recollect_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._request_seconds = Histogram(
            "recollect_request_seconds",
            "How long requests took, streamed answers to their end.",
            ["route"],
            buckets=_REQUEST_BUCKETS,
            registry=registry,
        )
        self._queue = Gauge(
            "recollect_writer_queue", "Calls that wait for the database.", registry=registry
        )
        self._database_up = Gauge(
            "recollect_database_up", "Whether the database answered this scrape.", registry=registry
        )
        self._jobs = Gauge(
            "recollect_jobs",
            "Jobs that are not done, of all servers on this database.",
            ["kind", "state"],
            registry=registry,
        )
        self._job_lag = Gauge(
            "recollect_job_lag_seconds",
            "For how long the oldest job has been due.",
            registry=registry,
        )
        self._model_seconds = Histogram(
            "recollect_model_seconds",
            "How long calls to models took.",
            ["purpose", "variant"],
            buckets=_MODEL_BUCKETS,
            registry=registry,
        )
        self._streams = Gauge(
            "recollect_streams", "Answers that are being written.", registry=registry
        )
        self._stream_ends = Counter(
            "recollect_stream_ends", "Answers that ended.", ["status"], registry=registry
        )
        self._counters: dict[Event, Counter] = {
            "messages_stored": Counter(
                "recollect_appends", "Messages that were stored.", registry=registry
            ),
            "model_called": Counter(
                "recollect_model_calls",
                "Calls to models.",
                ["purpose", "variant", "outcome"],
                registry=registry,
            ),
            "tokens": Counter(
                "recollect_tokens",
                "Tokens that models read and wrote.",
                ["purpose", "direction"],
                registry=registry,
            ),
            "digested": Counter(
                "recollect_digests", "What came of digests.", ["outcome"], registry=registry
            ),
            "stream_left": Counter(
                "recollect_stream_aborts",
                "Readers that went away before the end of an answer.",
                registry=registry,
            ),
        }
        memory.events.subscribe(self._hear)

    def note_request(self, method: str, route: str, status: int | None, seconds: float) -> None:
        """`status` is None where nothing was answered."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status or "none")).inc()
        self._request_seconds.labels(route).observe(seconds)

    async def expose(self) -> bytes:
        """In the text format that every scraper reads."""
        counted = await self._count_jobs()
        self._queue.set(self._memory.waiting)
        self._database_up.set(counted is not None)
        self._job_lag.set(counted.lag.total_seconds() if counted else _UNKNOWN)
        self._jobs.clear()
        for (kind, state), number in counted.by_kind.items() if counted else ():
            self._jobs.labels(kind, state).set(number)
        return generate_latest(self._registry)

    async def _count_jobs(self) -> JobCounts | None:
        """None if the database does not say in time. The question stands until it has, so that
        scrapes do not pile up on a database that is away."""
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._memory.jobs.count_jobs())
            self._counting.add_done_callback(_seen)
        await asyncio.wait({self._counting}, timeout=_PATIENCE_SECONDS)
        if not self._counting.done():
            return None
        try:
            return self._counting.result()
        except RecollectError:
            return None

    def _hear(self, event: Event, value: float, labels: Mapping[str, str]) -> None:
        match event:
            case "stream_started":
                self._streams.inc()
            case "stream_ended":
                self._streams.dec()
                self._stream_ends.labels(**labels).inc()
            case "model_seconds":
                self._model_seconds.labels(**labels).observe(value)
            case _:
                counter = self._counters[event]
                (counter.labels(**labels) if labels else counter).inc(value)


def _seen(counting: "asyncio.Task[JobCounts]") -> None:
    """The scrape that asked may be gone by now; that it failed is no news for the log."""
    if not counting.cancelled():
        counting.exception()
