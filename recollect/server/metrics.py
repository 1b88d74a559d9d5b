"""Prometheus metrics of requests, and of the engine's events.

Every app has its own registry. Labels have few values: routes are templates, and ids and contents
are never among them.
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
_COUNT_TIMEOUT_SECONDS = 1.0
_REQUEST_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_MODEL_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_UNKNOWN = float("nan")


class Metrics:
    def __init__(self, engine: Recollect) -> None:
        self._engine = engine
        self._registry = CollectorRegistry()
        self._counting: asyncio.Task[JobCounts] | None = None
        ProcessCollector(registry=self._registry)
        self._requests = self._counter(
            "requests", "HTTP requests, by method, route and status.", "method", "route", "status"
        )
        self._request_seconds = Histogram(
            "recollect_request_seconds",
            "Duration of HTTP requests, including streamed answers.",
            ["route"],
            buckets=_REQUEST_BUCKETS,
            registry=self._registry,
        )
        self._queue = self._gauge("writer_queue", "Calls waiting for the database.")
        self._database_up = self._gauge(
            "database_up", "1 if the database answered this scrape, else 0."
        )
        self._jobs = self._gauge(
            "jobs", "Background jobs that are not done, in the whole database.", "kind", "state"
        )
        self._job_lag = self._gauge("job_lag_seconds", "Age of the oldest job that is due.")
        self._model_seconds = Histogram(
            "recollect_model_seconds",
            "Duration of model calls.",
            ["purpose", "variant"],
            buckets=_MODEL_BUCKETS,
            registry=self._registry,
        )
        self._streams = self._gauge("streams", "Answers being written.")
        self._stream_ends = self._counter("stream_ends", "Answers ended, by status.", "status")
        self._counters: dict[Event, Counter] = {
            "messages_stored": self._counter("appends", "Messages stored."),
            "model_called": self._counter(
                "model_calls", "Model calls, by outcome.", "purpose", "variant", "outcome"
            ),
            "tokens": self._counter(
                "tokens", "Tokens read and written by models.", "purpose", "direction"
            ),
            "digested": self._counter("digests", "Compactions, by outcome.", "outcome"),
            "stream_left": self._counter(
                "stream_aborts", "Clients that disconnected before the end of an answer."
            ),
        }
        engine.events.subscribe(self._record)

    def record_request(self, method: str, route: str, status: int | None, seconds: float) -> None:
        """`status` is None if there was no response."""
        label = method if method in _METHODS else "other"
        self._requests.labels(label, route, str(status or "none")).inc()
        self._request_seconds.labels(route).observe(seconds)

    async def expose(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        counts = await self._count_jobs()
        self._queue.set(self._engine.queue_size)
        self._database_up.set(counts is not None)
        self._job_lag.set(counts.lag.total_seconds() if counts else _UNKNOWN)
        self._jobs.clear()
        for (kind, state), number in counts.by_kind.items() if counts else ():
            self._jobs.labels(kind, state).set(number)
        return generate_latest(self._registry)

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(f"recollect_{name}", help, labels, registry=self._registry)

    def _gauge(self, name: str, help: str, *labels: str) -> Gauge:
        return Gauge(f"recollect_{name}", help, labels, registry=self._registry)

    async def _count_jobs(self) -> JobCounts | None:
        """None if the database does not answer in time. The query keeps running, and later scrapes
        wait for it, so that they do not pile up on a slow database."""
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._engine.jobs.count_jobs())
            self._counting.add_done_callback(_retrieve_exception)
        await asyncio.wait({self._counting}, timeout=_COUNT_TIMEOUT_SECONDS)
        if not self._counting.done():
            return None
        try:
            return self._counting.result()
        except RecollectError:
            return None

    def _record(self, event: Event, value: float, labels: Mapping[str, str]) -> None:
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


def _retrieve_exception(task: "asyncio.Task[JobCounts]") -> None:
    """Keep asyncio from logging an error that no scrape waits for any more."""
    if not task.cancelled():
        task.exception()
