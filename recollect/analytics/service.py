"""`memory.analytics`: the tokens that memory saves and costs."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial

from recollect.analytics.report import AnalyticsReport, make_report
from recollect.core.offload import run_off_loop
from recollect.core.policy import Policy
from recollect.core.types import Row
from recollect.store import conversations, usage
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase

_CHARS_PER_ROW = 100
"""About as much work."""


class Analytics(ServiceBase):
    def __init__(
        self,
        database: Database,
        *,
        policies: Mapping[str, Policy],
        flush_usage: Callable[[], Awaitable[None]],
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._policies = policies
        self._flush_usage = flush_usage

    async def get_analytics(
        self, *, user_id: str, conversation_id: str | None = None
    ) -> AnalyticsReport:
        """Return the report of one conversation, or of all conversations of a user."""
        await self._flush_usage()

        def read(run: Run) -> dict[str, list[Row]]:
            id = conversations.get(run, conversation_id).id if conversation_id else None
            return {
                "messages": usage.message_sizes(run, id),
                "versions": usage.summary_versions(run, id),
                "feedback": usage.feedback(run, id),
                "calls": usage.calls_by_day(run, id),
            }

        rows = await self._read(read, user_id)
        report = partial(make_report, **rows, policies=self._policies)
        return await run_off_loop(report, size=_CHARS_PER_ROW * sum(map(len, rows.values())))
