"""The measured side: one process per contestant, told over a pipe what to do next.

Every contestant runs in a process of its own, ours included, because the peers need another Python
environment and because nobody should pay for the threads and garbage of the rest. The parent sends
one order per line and reads one answer per line, so only one process works at a time. This module
needs nothing but the standard library: it is imported in the peers' environment as well.
"""

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol, TypeVar

Draft = TypeVar("Draft")

CONVERSATIONS = 64
LAST = 20
TEXT = (
    "Could you move the appointment with the dentist to Thursday afternoon, "
    "and remind me an hour before that it was moved?"
)
_SYNCHRONOUS = ("off", "normal", "full", "extra")


class Contestant(Protocol[Draft]):
    """One way to keep a conversation. Made of nothing; `open` does the work."""

    is_blocking: bool
    """Callers are threads then, and `append` and `load` are not awaited."""

    async def open(self, folder: Path) -> str:
        """Creates the database with its `CONVERSATIONS`; says under which settings it writes."""
        ...

    def draft(self, conversation: int) -> Draft:
        """What the caller would hold in the hand before it appends. Not timed."""
        ...

    def append(self, conversation: int, draft: Draft) -> Awaitable[Any] | None: ...

    async def fill(self, count: int) -> None:
        """Adds `count` messages to conversation 0, in the quickest way there is. Not timed."""
        ...

    def load(self) -> Awaitable[int] | int:
        """Loads the `LAST` messages of conversation 0 and says how many came."""
        ...

    async def close(self) -> None: ...


def role_of(number: int) -> str:
    return "assistant" if number % 2 else "user"


def sqlite_settings(path: Path) -> str:
    """What a library gets that sets nothing itself: the file's journal, this build's default."""
    connection = sqlite3.connect(path)
    try:
        (journal,) = connection.execute("pragma journal_mode").fetchone()
        connection.execute("select count(*) from sqlite_master").fetchone()
        (synchronous,) = connection.execute("pragma synchronous").fetchone()
    finally:
        connection.close()
    return f"{settings_text(journal, synchronous)} (SQLite {sqlite3.sqlite_version})"


def settings_text(journal: str, synchronous: int) -> str:
    return f"{'WAL' if journal == 'wal' else f'{journal} journal'}, {_SYNCHRONOUS[synchronous]}"


def serve(make: Callable[[], Contestant[Any]]) -> None:
    """Answers orders until the pipe ends."""
    asyncio.run(_serve(make, Path(sys.argv[1])))


async def _serve(make: Callable[[], Contestant[Any]], folder: Path) -> None:
    stores: dict[str, Contestant[Any]] = {}
    for line in sys.stdin:
        order = json.loads(line)
        match order.pop("do"):
            case "open":
                name = order["store"]
                stores[name] = make()
                home = folder / name
                home.mkdir(parents=True)
                settings = await stores[name].open(home)
                if order["messages"]:
                    await stores[name].fill(order["messages"])
                    await _check_load(stores[name])
                version = metadata.version(order["package"]) if order["package"] else ""
                answer: dict[str, Any] = {"settings": settings, "version": version}
            case "append":
                answer = await _append(stores[order.pop("store")], **order)
            case "load":
                answer = await _load(stores[order.pop("store")], **order)
            case other:
                raise ValueError(other)
        print(json.dumps(answer), flush=True)
    for store in stores.values():
        await store.close()


async def _check_load(store: Contestant[Any]) -> None:
    """Who returns something else than what was asked for has not been measured."""
    loaded = store.load()
    count = loaded if isinstance(loaded, int) else await loaded
    if count != LAST:
        raise ValueError(f"{count} messages were loaded instead of {LAST}")


async def _append(
    store: Contestant[Any], *, callers: int, is_shared: bool, at_most: int, seconds: float
) -> dict[str, Any]:
    """Each caller appends one message after the other, until it has had its share or time is up."""
    mine = [0 if is_shared else caller for caller in range(callers)]
    drafts = [[store.draft(number) for _ in range(at_most // callers)] for number in mine]
    deadline = time.perf_counter() + seconds

    def step(caller: int) -> Callable[[Any], Any]:
        return lambda draft: store.append(mine[caller], draft)

    return await _race(store, deadline, [(step(n), drafts[n]) for n in range(callers)])


async def _load(store: Contestant[Any], *, at_most: int, seconds: float) -> dict[str, Any]:
    deadline = time.perf_counter() + seconds
    return await _race(store, deadline, [(lambda _: store.load(), [None] * at_most)])


_Caller = tuple[Callable[[Any], Any], list[Any]]


async def _race(store: Contestant[Any], deadline: float, callers: list[_Caller]) -> dict[str, Any]:
    times: list[float] = []
    failures: list[str] = []
    start = time.perf_counter()
    if not store.is_blocking:
        await asyncio.gather(*(_await_all(*c, deadline, times, failures) for c in callers))
    elif len(callers) == 1:
        _call_all(*callers[0], deadline, times, failures)
    else:
        with ThreadPoolExecutor(len(callers)) as threads:
            for caller in callers:
                threads.submit(_call_all, *caller, deadline, times, failures)
    elapsed = time.perf_counter() - start
    return {"times": times, "elapsed": elapsed, "failures": failures}


async def _await_all(
    step: Callable[[Any], Any],
    drafts: list[Any],
    deadline: float,
    times: list[float],
    failures: list[str],
) -> None:
    for draft in drafts:
        start = time.perf_counter()
        try:
            await step(draft)
        except Exception as error:  # noqa: BLE001  a peer under load may fail in its own ways
            failures.append(type(error).__name__)
        end = time.perf_counter()
        times.append(end - start)
        if end > deadline:
            return


def _call_all(
    step: Callable[[Any], Any],
    drafts: list[Any],
    deadline: float,
    times: list[float],
    failures: list[str],
) -> None:
    for draft in drafts:
        start = time.perf_counter()
        try:
            step(draft)
        except Exception as error:  # noqa: BLE001  a peer under load may fail in its own ways
            failures.append(type(error).__name__)
        end = time.perf_counter()
        times.append(end - start)
        if end > deadline:
            return
