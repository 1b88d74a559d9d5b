"""The measured operations on the measured user's conversation."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from bench.scale.axes import MEASURED
from bench.scale.fixture import ScaleFixture
from bench.scale.texts import RARE
from recollect.core.types import MessageIn
from recollect.engine import utc_now
from recollect.store import jobs

_TEXT = "Yes, Thursday at 15:30 would be fine. Could you remind me the day before, please?"
_ROUNDS, _SLICE_SECONDS = 10, 0.04


@dataclass(slots=True)
class Cost:
    """What an operation took, at one size. The machine may be busy with something else: the
    quickest tenth of the calls tells best how costs compare."""

    times: list[float] = field(default_factory=list)
    statements: int = 0
    rows: int = 0
    """Rows returned by the database."""

    @property
    def p50(self) -> float:
        return median(self.times)

    @property
    def p10(self) -> float:
        return sorted(self.times)[len(self.times) // 10]


Costs = Mapping[int, Mapping[str, Cost]]
"""By size and operation."""


@dataclass(frozen=True, slots=True)
class Operation:
    label: str
    run: Callable[[ScaleFixture, int], Awaitable[object]]
    """Gets the number of the call."""
    prepare: Callable[[ScaleFixture], Awaitable[None]] | None = None
    """Runs before each call, not timed."""
    writes: bool = False
    is_possible: Callable[[ScaleFixture], bool] = lambda _: True

    async def slice(self, fixture: ScaleFixture, cost: Cost) -> None:
        """Run the operation for a moment, at least once."""
        until = time.perf_counter() + _SLICE_SECONDS
        while True:
            if self.prepare is not None:
                await self.prepare(fixture)
            statements, rows = fixture.database.statements, fixture.database.rows
            start = time.perf_counter()
            await self.run(fixture, len(cost.times))
            cost.times.append(time.perf_counter() - start)
            cost.statements = fixture.database.statements - statements
            cost.rows = fixture.database.rows - rows
            if time.perf_counter() > until:
                break
        if self.writes:
            fixture.restore()


async def measure(fixture: ScaleFixture, *, rounds: int = _ROUNDS) -> dict[str, Cost]:
    """Return costs by label. Operations alternate, so that other load affects all of them."""
    possible = [one for one in OPERATIONS if one.is_possible(fixture)]
    costs = {one.label: Cost() for one in possible}
    for number in range(rounds + 1):
        for operation in possible:
            await operation.slice(fixture, costs[operation.label])
        if not number:  # round 0 is a warm-up
            costs = {one.label: Cost() for one in possible}
    return costs


async def _append(fixture: ScaleFixture, number: int) -> object:
    message = MessageIn(role="user" if number % 2 else "assistant", content=f"{_TEXT} {number}")
    return await fixture.memory.conversations.add_message(
        message, conversation_id=fixture.chat, user_id=MEASURED
    )


async def _context(fixture: ScaleFixture, number: int) -> object:
    asked = fixture.texts.questions[number % len(fixture.texts.questions)]
    context = await fixture.memory.contexts.build_context(
        asked.text, conversation_id=fixture.chat, user_id=MEASURED
    )
    return context


async def _conversations(fixture: ScaleFixture, number: int) -> object:
    return await fixture.memory.conversations.list_conversations(user_id=MEASURED)


async def _last_page(fixture: ScaleFixture, number: int) -> object:
    return await fixture.memory.conversations.get_messages(
        conversation_id=fixture.chat, user_id=MEASURED, order="desc"
    )


async def _middle_page(fixture: ScaleFixture, number: int) -> object:
    middle = max(fixture.messages // 2, 1)
    return await fixture.memory.conversations.get_messages(
        conversation_id=fixture.chat, user_id=MEASURED, from_seq=middle
    )


async def _search(fixture: ScaleFixture, number: int) -> object:
    asked = fixture.texts.questions[number % len(fixture.texts.questions)]
    return await fixture.search.search(asked.text, user_id=MEASURED, limit=10)


async def _rare(fixture: ScaleFixture, number: int) -> object:
    hits = await fixture.by_words.search(RARE, user_id=MEASURED, limit=10)
    assert len(hits) == 1, hits
    return hits


async def _frequent(fixture: ScaleFixture, number: int) -> object:
    return await fixture.by_words.search(fixture.texts.frequent, user_id=MEASURED, limit=10)


async def _enqueue_digest(fixture: ScaleFixture) -> None:
    fixture.uncover_last_messages()
    enqueue = partial(
        jobs.enqueue, kind="digest", conversation_id=fixture.chat, run_at=utc_now(), now=utc_now()
    )
    await fixture.database.write(enqueue, user_id=MEASURED)


async def _digest(fixture: ScaleFixture, number: int) -> object:
    version = fixture._counters["summary_version"]
    assert await fixture.memory._worker.run_one()
    assert fixture._read_counters()["summary_version"] == version + 1
    return version


OPERATIONS = (
    Operation("append a message", _append, writes=True),
    Operation("build a context", _context),
    Operation("list conversations", _conversations),
    Operation("last page of messages", _last_page),
    Operation("page in the middle", _middle_page),
    Operation(
        "search, words and vectors", _search, is_possible=lambda fixture: fixture.has_vectors
    ),
    Operation("search, a rare word", _rare),
    Operation("search, a frequent word", _frequent),
    Operation(
        "digest a step",
        _digest,
        _enqueue_digest,
        writes=True,
        is_possible=lambda fixture: fixture.can_digest,
    ),
)
