"""What is measured: the engine's own calls, on the measured user's conversation."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from bench.scale.axes import MEASURED
from bench.scale.stand import Stand
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
    """How many came back from the database."""

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
    run: Callable[[Stand, int], Awaitable[object]]
    """It is given the number of the call."""
    prepare: Callable[[Stand], Awaitable[None]] | None = None
    """What is not timed, before each call."""
    writes: bool = False
    is_possible: Callable[[Stand], bool] = lambda _: True

    async def slice(self, stand: Stand, cost: Cost) -> None:
        """Calls it for a moment, at least once."""
        until = time.perf_counter() + _SLICE_SECONDS
        while True:
            if self.prepare is not None:
                await self.prepare(stand)
            statements, rows = stand.database.statements, stand.database.rows
            start = time.perf_counter()
            await self.run(stand, len(cost.times))
            cost.times.append(time.perf_counter() - start)
            cost.statements = stand.database.statements - statements
            cost.rows = stand.database.rows - rows
            if time.perf_counter() > until:
                break
        if self.writes:
            stand.restore()


async def measure(stand: Stand, *, rounds: int = _ROUNDS) -> dict[str, Cost]:
    """By label. Operations take turns, so that what else the machine does hits all of them."""
    possible = [one for one in OPERATIONS if one.is_possible(stand)]
    costs = {one.label: Cost() for one in possible}
    for number in range(rounds + 1):
        for operation in possible:
            await operation.slice(stand, costs[operation.label])
        if not number:  # the first round warms up and does not count
            costs = {one.label: Cost() for one in possible}
    return costs


async def _append(stand: Stand, number: int) -> object:
    message = MessageIn(role="user" if number % 2 else "assistant", content=f"{_TEXT} {number}")
    return await stand.memory.conversations.add_message(
        message, conversation_id=stand.chat, user_id=MEASURED
    )


async def _context(stand: Stand, number: int) -> object:
    asked = stand.texts.questions[number % len(stand.texts.questions)]
    context = await stand.memory.contexts.build_context(
        asked.text, conversation_id=stand.chat, user_id=MEASURED
    )
    return context


async def _conversations(stand: Stand, number: int) -> object:
    return await stand.memory.conversations.list_conversations(user_id=MEASURED)


async def _last_page(stand: Stand, number: int) -> object:
    return await stand.memory.conversations.get_messages(
        conversation_id=stand.chat, user_id=MEASURED, order="desc"
    )


async def _middle_page(stand: Stand, number: int) -> object:
    middle = max(stand.messages // 2, 1)
    return await stand.memory.conversations.get_messages(
        conversation_id=stand.chat, user_id=MEASURED, from_seq=middle
    )


async def _search(stand: Stand, number: int) -> object:
    asked = stand.texts.questions[number % len(stand.texts.questions)]
    return await stand.search.search(asked.text, user_id=MEASURED, limit=10)


async def _rare(stand: Stand, number: int) -> object:
    hits = await stand.by_words.search(RARE, user_id=MEASURED, limit=10)
    assert len(hits) == 1, hits
    return hits


async def _frequent(stand: Stand, number: int) -> object:
    return await stand.by_words.search(stand.texts.frequent, user_id=MEASURED, limit=10)


async def _owe_digest(stand: Stand) -> None:
    stand.undigest()
    enqueue = partial(
        jobs.enqueue, kind="digest", conversation_id=stand.chat, run_at=utc_now(), now=utc_now()
    )
    await stand.database.write(enqueue, user_id=MEASURED)


async def _digest(stand: Stand, number: int) -> object:
    version = stand._counters["summary_version"]
    assert await stand.memory._worker.run_one()
    assert stand._read_counters()["summary_version"] == version + 1
    return version


OPERATIONS = (
    Operation("append a message", _append, writes=True),
    Operation("build a context", _context),
    Operation("list conversations", _conversations),
    Operation("last page of messages", _last_page),
    Operation("page in the middle", _middle_page),
    Operation("search, words and vectors", _search, is_possible=lambda stand: stand.has_vectors),
    Operation("search, a rare word", _rare),
    Operation("search, a frequent word", _frequent),
    Operation(
        "digest a step",
        _digest,
        _owe_digest,
        writes=True,
        is_possible=lambda stand: stand.can_digest,
    ),
)
