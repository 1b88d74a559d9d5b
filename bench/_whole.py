"""The measured side of `bench.peers`: a library as a whole, told over a pipe what to do next.

As in `bench._worker`, every contestant is a process of its own, and needs nothing but the standard
library and numpy. Vectors come from a file that the measuring side has made, the same for all. A
library that embeds something else (a few messages as one text, say) asks for it over the pipe.
What that takes is not counted, so that nobody's time depends on the embedder.

Nothing here may leave the machine: what would send anything home is switched off before a library
is imported, and a connection to another host is an error.
"""

import asyncio
import hashlib
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol, TextIO

LAST = 20
BUDGET = 3_000
"""Tokens of a context, where a library has such a limit."""

_AT_HOME = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A message; `label` and `at` where a library is told who said it and when."""

    turn: str
    role: str
    content: str
    label: str | None = None
    """What ours puts before a text that it embeds."""
    speaker: str | None = None
    """Where it is another name than the role's."""
    at: str | None = None

    @property
    def text(self) -> str:
        """For a library that has no fields for the rest."""
        return f"{self.label}: {self.content}" if self.label else self.content


class Whole(Protocol):
    """One library. Made of nothing; `open` does the work. Blocking calls may block: nobody waits.

    None says that a library has no such thing.
    """

    async def open(self, folder: Path, vectors: "Vectors") -> str:
        """Says under which settings it writes."""
        ...

    async def append(self, user: str, chat: str, said: Said) -> None: ...

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        """So that it can be found, in the quickest way there is. Not timed."""
        ...

    async def settle(self) -> None:
        """Does what an append left for later."""
        ...

    async def load(self, user: str, chat: str) -> list[str]:
        """The texts of the `LAST` messages, oldest first."""
        ...

    async def context(self, user: str, chat: str, question: str) -> str | None: ...

    async def search(self, user: str, question: str, limit: int) -> list[str] | None:
        """Turns, best first."""
        ...

    async def close(self) -> None: ...


class Pipe:
    """Orders come in, answers go out; what a library prints goes elsewhere."""

    def __init__(self, orders: TextIO, answers: TextIO) -> None:
        self._orders = orders
        self._answers = answers

    def read(self) -> dict[str, Any] | None:
        line = self._orders.readline()
        order: dict[str, Any] | None = json.loads(line) if line else None
        return order

    def write(self, answer: dict[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()


class Vectors:
    """What a text is as a vector, and how long it took to be told those not known."""

    def __init__(self, file: Path, ask: Callable[[str], list[float]]) -> None:
        import numpy as np

        with np.load(file) as kept:
            known = zip(kept["keys"].tolist(), kept["vectors"].tolist(), strict=True)
            self._known: dict[str, list[float]] = dict(known)
        self.dimensions = len(next(iter(self._known.values())))
        self.seconds = 0.0
        self._ask = ask
        self._lock = threading.Lock()

    def of(self, text: str) -> list[float]:
        key = key_of(text)
        if key not in self._known:
            with self._lock:
                before = time.perf_counter()
                self._known[key] = self._ask(text)
                self.seconds += time.perf_counter() - before
        return self._known[key]


def key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def serve(make: Callable[[], Whole]) -> None:
    """Answers orders until the pipe ends."""
    os.environ.update(_AT_HOME)
    sys.addaudithook(_stay_at_home)
    pipe = Pipe(sys.stdin, os.fdopen(os.dup(sys.stdout.fileno()), "w"))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asyncio.run(_serve(make, Path(sys.argv[1]), pipe))


def _stay_at_home(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "socket.connect":
        return
    connection, address = arguments
    is_local = connection.family not in (socket.AF_INET, socket.AF_INET6)
    if not is_local and address[0] not in ("127.0.0.1", "::1"):
        raise PermissionError(f"A bench does not talk to {address[0]}.")


async def _serve(make: Callable[[], Whole], folder: Path, pipe: Pipe) -> None:
    def ask(text: str) -> list[float]:
        pipe.write({"embed": text})
        answer = pipe.read()
        if answer is None:
            raise EOFError("Nobody is there to embed it.")
        vector: list[float] = answer["vector"]
        return vector

    desks: dict[str, Desk] = {}
    while order := pipe.read():
        do, name = order.pop("do"), order.pop("store")
        if do == "open":
            home = folder / name
            home.mkdir(parents=True)
            desks[name] = Desk(make(), Vectors(Path(order["vectors"]), ask))
            settings = await desks[name].library.open(home, desks[name].vectors)
            version = metadata.version(order["package"]) if order["package"] else ""
            pipe.write({"settings": settings, "version": version})
        else:
            pipe.write(await getattr(desks[name], do)(**order))
    for desk in desks.values():
        await desk.library.close()


class Desk:
    """Takes the orders for one store of a library."""

    def __init__(self, library: Whole, vectors: Vectors) -> None:
        self.library = library
        self.vectors = vectors
        self._appended: list[str] = []

    async def append(self, *, user: str, chat: str, said: Sequence[Any]) -> dict[str, Any]:
        times = []
        for one in (Said(**fields) for fields in said):
            _, seconds = await self._timed(self.library.append(user, chat, one))
            times.append(seconds)
            self._appended.append(one.content)
        return {"times": times}

    async def fill(self, *, user: str, chat: str, said: Sequence[Any]) -> dict[str, Any]:
        await self.library.fill(user, chat, [Said(**fields) for fields in said])
        return {}

    async def settle(self) -> dict[str, Any]:
        _, seconds = await self._timed(self.library.settle())
        return {"seconds": seconds}

    async def load(self, *, user: str, chat: str, times: int) -> dict[str, Any]:
        """Who returns something else than what was asked for has not been measured."""
        taken = []
        for _ in range(times):
            texts, seconds = await self._timed(self.library.load(user, chat))
            taken.append(seconds)
            wanted = self._appended[-LAST:]
            if len(texts) != LAST or any(w not in t for w, t in zip(wanted, texts, strict=True)):
                raise ValueError("These are not the last messages.")
        return {"times": taken}

    async def context(self, *, user: str, chat: str, questions: Sequence[str]) -> dict[str, Any]:
        return await self._each(questions, lambda asked: self.library.context(user, chat, asked))

    async def search(self, *, user: str, questions: Sequence[str], limit: int) -> dict[str, Any]:
        return await self._each(questions, lambda asked: self.library.search(user, asked, limit))

    async def _each(
        self, questions: Sequence[str], answer: Callable[[str], Awaitable[Any]]
    ) -> dict[str, Any]:
        answers, times = [], []
        for question in questions:
            found, seconds = await self._timed(answer(question))
            answers.append(found)
            times.append(seconds)
        return {"answers": answers, "times": times}

    async def _timed(self, call: Awaitable[Any]) -> tuple[Any, float]:
        """Without what it took to be told a vector."""
        told = self.vectors.seconds
        start = time.perf_counter()
        result = await call
        return result, time.perf_counter() - start - (self.vectors.seconds - told)
