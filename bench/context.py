"""Time to build a context, depending on the length of the conversation.

    python -m bench.context [--write docs/benchmarks.md]

One database per size with one conversation, filled before the measurement. Its summary and ledger
cover all but the last eight messages, so the context is the same at every size.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import psycopg

from bench.common.databases import create_database, postgres_server
from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.store_process import TEXT
from bench.common.timing import Series, Slice, time_ratio
from recollect.core.types import ExactValue, Summary
from recollect.engine import Recollect, open_database
from recollect.settings import Settings
from recollect.store import summaries
from recollect.store.queries import percent_parameters
from recollect.store.url import parse_database_url

USER = "alice"
TAIL = 8
_SIZES = (100, 1_000, 10_000, 100_000)
_ROUNDS = 60
_SLICE_SECONDS = 0.025
_FLAT_WITHIN = 1.3
_VALUES = ("Thursday", "15:30", "Dr. Rossi", "ORD-4711", "240 euros")
_QUESTION = "And what did we say about the appointment?"

_FILL = """
insert into messages (
    user_id, conversation_id, seq, id, turn, role, content, status, metadata, tokens, is_pinned,
    created_at, event_at
)
with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < {count})
select user_id, id, n, {new_id}, (n + 1) / 2, case when n % 2 = 1 then 'user' else 'assistant' end,
    '{text} ' || n, 'complete', metadata, 24, false, created_at, created_at
from conversations cross join numbers
where id = :id
"""
_RECEIPTS = """
insert into receipts (user_id, message_id, conversation_id, receipt, created_at)
select user_id, id, conversation_id, '{}', created_at from messages
where conversation_id = :id and role = 'assistant'
"""
_COUNT = """
update conversations
set last_seq = {count}, last_turn = {count} / 2, last_role = 'assistant', message_count = {count},
    token_count = 24 * {count}
where id = :id
"""
_NEW_ID = {
    "postgres": "gen_random_uuid()",
    "sqlite": "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||"
    " substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' ||"
    " hex(randomblob(6)))",
}


def main() -> None:
    target = parse_target(__doc__)
    with TemporaryDirectory() as folder, _servers(Path(folder)) as servers:
        results = asyncio.run(_measure(servers))
    publish("context", _text(results), target)


def long_summary(conversation_id: str, *, through_seq: int, version: int = 1) -> Summary:
    """Return a summary as long as the default policy allows."""
    return Summary(
        conversation_id=conversation_id,
        version=version,
        base_version=version - 1,
        text=" ".join(f"The user moved appointment {n}, and was reminded." for n in range(40)),
        ledger=tuple(
            ExactValue(kind="quote", value=value, seq=seq) for seq, value in enumerate(_VALUES, 1)
        ),
        user_text="",
        through_seq=through_seq,
        author="extractive",
        model=None,
        prompt_version=None,
        tokens=450,
        tokens_in=0,
        tokens_out=0,
        duration_ms=0,
        facts_found=5,
        facts_kept=5,
        created_at=datetime.now(UTC),
    )


async def fill(url: str, conversation_id: str, count: int) -> None:
    """Insert `count` messages, receipts of answers, and a summary of all but the last `TAIL`."""
    dialect = parse_database_url(url)[0]
    filling = _FILL.format(count=count, new_id=_NEW_ID[dialect], text=TEXT.replace("'", "''"))
    counting = _COUNT.format(count=count)
    for statement in (filling, _RECEIPTS, counting, "analyze messages", "analyze receipts"):
        await asyncio.to_thread(_execute, url, statement, conversation_id)
    database = await open_database(url)
    try:
        new = long_summary(conversation_id, through_seq=count - TAIL)
        await database.write(lambda run: summaries.insert(run, new), user_id=USER)
    finally:
        await database.close()


def _execute(url: str, statement: str, conversation_id: str) -> None:
    dialect, address = parse_database_url(url)
    params = {"id": conversation_id} if ":id" in statement else {}
    if dialect == "sqlite":
        connection = apsw.Connection(address)
        connection.set_busy_timeout(10_000)
        connection.execute(statement, params)
        connection.close()
        return
    with psycopg.connect(address) as session:
        session.execute(percent_parameters(statement).encode(), params)


@contextmanager
def _servers(folder: Path) -> Iterator[dict[str, list[str]]]:
    """Yield the URLs of empty databases, one per size, by label."""
    with postgres_server(folder) as admin_url:
        yield {
            "**Recollect** on SQLite": [f"sqlite:///{folder / f'{size}.db'}" for size in _SIZES],
            "**Recollect** on PostgreSQL": [
                create_database(admin_url, f"context_{size}") for size in _SIZES
            ],
        }


Results = dict[str, dict[int, Series]]


async def _measure(servers: dict[str, list[str]]) -> Results:
    results: Results = {label: {size: Series() for size in _SIZES} for label in servers}
    async with AsyncExitStack() as stack:
        filled = {
            (label, size): await stack.enter_async_context(_filled(url, size))
            for label, urls in servers.items()
            for size, url in zip(_SIZES, urls, strict=True)
        }
        for number in range(_ROUNDS + 1):  # round 0 is a warm-up
            for (label, size), (memory, chat) in filled.items():
                part = await _slice(memory, chat)
                if number:
                    results[label][size].rounds[number] = part
    return results


@asynccontextmanager
async def _filled(url: str, size: int) -> AsyncIterator[tuple[Recollect, str]]:
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        chat = await memory.conversations.create_conversation(user_id=USER)
        await fill(url, chat.id, size)
        yield memory, chat.id


async def _slice(memory: Recollect, chat: str) -> Slice:
    times: list[float] = []
    start = time.perf_counter()
    while (before := time.perf_counter()) < start + _SLICE_SECONDS:
        await memory.contexts.build_context(_QUESTION, conversation_id=chat, user_id=USER)
        times.append(time.perf_counter() - before)
    return Slice(tuple(times), time.perf_counter() - start, ())


def _text(results: Results) -> str:
    head = ["p50 of building a context", *(f"of {size:,}" for size in _SIZES)]
    rows = [
        [label, *(f"{series[size].p50 * 1e3:,.3f} ms" for size in _SIZES), f"{_growth(series):.2f}"]
        for label, series in results.items()
    ]
    aims = [
        verdict(
            _growth(series) <= _FLAT_WITHIN,
            f"{label}: flat, within {_FLAT_WITHIN:g} times, from {_SIZES[0]:,} to {_SIZES[-1]:,}"
            " messages",
            f"{_growth(series):.2f} times",
        )
        for label, series in results.items()
    ]
    return "\n\n".join((machine(), table([*head, "largest over smallest"], rows), "\n".join(aims)))


def _growth(series: dict[int, Series]) -> float:
    return time_ratio(series[_SIZES[-1]], series[_SIZES[0]])


if __name__ == "__main__":
    main()
