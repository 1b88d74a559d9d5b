"""The measured process of one message store, controlled over a pipe.

Every store runs in its own process, because peers need another Python environment and to keep
threads and garbage collection apart. The parent sends one JSON command per line and reads one
answer per line, so only one process works at a time. Standard library only: peers import this
module too.
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


class MessageStore(Protocol[Draft]):
    """A message store. The constructor does nothing; `open` does."""

    is_blocking: bool
    """If true, callers are threads, and `append` and `load` are not awaited."""

    async def open(self, folder: Path) -> str:
        """Create the database and its `CONVERSATIONS`; return its write settings."""
        ...

    def draft(self, conversation: int) -> Draft:
        """Return the object that the caller appends. Not timed."""
        ...

    def append(self, conversation: int, draft: Draft) -> Awaitable[Any] | None: ...

    async def fill(self, count: int) -> None:
        """Add `count` messages to conversation 0 as fast as possible. Not timed."""
        ...

    def load(self) -> Awaitable[int] | int:
        """Load the `LAST` messages of conversation 0; return their number."""
        ...

    async def close(self) -> None: ...


def role_of(number: int) -> str:
    return "assistant" if number % 2 else "user"


def sqlite_settings(path: Path) -> str:
    """Return journal mode and synchronous level of a file with default pragmas."""
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


def serve(make: Callable[[], MessageStore[Any]]) -> None:
    """Process commands until the pipe is closed."""
    asyncio.run(_serve(make, Path(sys.argv[1])))


async def _serve(make: Callable[[], MessageStore[Any]], folder: Path) -> None:
    stores: dict[str, MessageStore[Any]] = {}
    for line in sys.stdin:
        command = json.loads(line)
        match command.pop("do"):
            case "open":
                name = command["store"]
                stores[name] = make()
                home = folder / name
                home.mkdir(parents=True)
                settings = await stores[name].open(home)
                if command["messages"]:
                    await stores[name].fill(command["messages"])
                    await _check_load(stores[name])
                version = metadata.version(command["package"]) if command["package"] else ""
                answer: dict[str, Any] = {"settings": settings, "version": version}
            case "append":
                answer = await _append(stores[command.pop("store")], **command)
            case "load":
                answer = await _load(stores[command.pop("store")], **command)
            case other:
                raise ValueError(other)
        print(json.dumps(answer), flush=True)
    for store in stores.values():
        await store.close()


async def _check_load(store: MessageStore[Any]) -> None:
    """Raise ValueError if the store does not return the last messages."""
    loaded = store.load()
    count = loaded if isinstance(loaded, int) else await loaded
    if count != LAST:
        raise ValueError(f"{count} messages were loaded instead of {LAST}")


async def _append(
    store: MessageStore[Any], *, callers: int, is_shared: bool, at_most: int, seconds: float
) -> dict[str, Any]:
    """Append one message after the other per caller, until its share or the time is used up."""
    mine = [0 if is_shared else caller for caller in range(callers)]
    drafts = [[store.draft(number) for _ in range(at_most // callers)] for number in mine]
    deadline = time.perf_counter() + seconds

    def step(caller: int) -> Callable[[Any], Any]:
        return lambda draft: store.append(mine[caller], draft)

    return await _run_callers(store, deadline, [(step(n), drafts[n]) for n in range(callers)])


async def _load(store: MessageStore[Any], *, at_most: int, seconds: float) -> dict[str, Any]:
    deadline = time.perf_counter() + seconds
    return await _run_callers(store, deadline, [(lambda _: store.load(), [None] * at_most)])


_Caller = tuple[Callable[[Any], Any], list[Any]]


async def _run_callers(
    store: MessageStore[Any], deadline: float, callers: list[_Caller]
) -> dict[str, Any]:
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
