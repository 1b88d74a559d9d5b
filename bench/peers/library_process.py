"""The measured process of one library in `bench.peers`, controlled over a pipe.

Like `bench.common.store_process`, with numpy besides the standard library. Vectors come from a
file, the same for all libraries. A library that embeds another text (several messages as one, say)
asks for its vector over the pipe; that time is not counted.

Telemetry is switched off before a library is imported, and connections to other hosts raise.
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
"""Token budget of a context, if the library has one."""

_TELEMETRY_OFF = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A message; `label` and `at` only if the library gets speaker and date."""

    turn: str
    role: str
    content: str
    label: str | None = None
    """Prefix that Recollect adds to an embedded text."""
    speaker: str | None = None
    """Only if it differs from the role."""
    at: str | None = None

    @property
    def text(self) -> str:
        """Text with the label, for libraries without such fields."""
        return f"{self.label}: {self.content}" if self.label else self.content


class Library(Protocol):
    """One library. Made of nothing; `open` does the work. Blocking calls may block: nobody waits.

    None says that a library has no such thing.
    """

    async def open(self, folder: Path, vectors: "Vectors") -> str:
        """Return the write settings."""
        ...

    async def append(self, user: str, chat: str, said: Said) -> None: ...

    async def fill(self, user: str, chat: str, talk: Sequence[Said]) -> None:
        """Add messages so that they can be searched. Not timed."""
        ...

    async def process_pending(self) -> None:
        """Run the background work of earlier appends."""
        ...

    async def load(self, user: str, chat: str) -> list[str]:
        """Return the texts of the `LAST` messages, oldest first."""
        ...

    async def context(self, user: str, chat: str, question: str) -> str | None: ...

    async def search(self, user: str, question: str, limit: int) -> list[str] | None:
        """Return turns, best first."""
        ...

    async def close(self) -> None: ...


class Pipe:
    """Reads commands and writes answers; a library's own output goes to stderr."""

    def __init__(self, commands: TextIO, answers: TextIO) -> None:
        self._orders = commands
        self._answers = answers

    def read(self) -> dict[str, Any] | None:
        line = self._orders.readline()
        command: dict[str, Any] | None = json.loads(line) if line else None
        return command

    def write(self, answer: dict[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()


class Vectors:
    """Vectors by text, and the seconds spent on asking for unknown ones."""

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


def serve(make: Callable[[], Library]) -> None:
    """Process commands until the pipe is closed."""
    os.environ.update(_TELEMETRY_OFF)
    sys.addaudithook(_block_network)
    pipe = Pipe(sys.stdin, os.fdopen(os.dup(sys.stdout.fileno()), "w"))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asyncio.run(_serve(make, Path(sys.argv[1]), pipe))


def _block_network(event: str, argument_parser: tuple[Any, ...]) -> None:
    if event != "socket.connect":
        return
    connection, address = argument_parser
    is_local = connection.family not in (socket.AF_INET, socket.AF_INET6)
    if not is_local and address[0] not in ("127.0.0.1", "::1"):
        raise PermissionError(f"A bench does not talk to {address[0]}.")


async def _serve(make: Callable[[], Library], folder: Path, pipe: Pipe) -> None:
    def ask(text: str) -> list[float]:
        pipe.write({"embed": text})
        answer = pipe.read()
        if answer is None:
            raise EOFError("Nobody is there to embed it.")
        vector: list[float] = answer["vector"]
        return vector

    sessions: dict[str, LibrarySession] = {}
    while command := pipe.read():
        do, name = command.pop("do"), command.pop("store")
        if do == "open":
            home = folder / name
            home.mkdir(parents=True)
            sessions[name] = LibrarySession(make(), Vectors(Path(command["vectors"]), ask))
            settings = await sessions[name].library.open(home, sessions[name].vectors)
            version = metadata.version(command["package"]) if command["package"] else ""
            pipe.write({"settings": settings, "version": version})
        else:
            pipe.write(await getattr(sessions[name], do)(**command))
    for session in sessions.values():
        await session.library.close()


class LibrarySession:
    """Executes the commands for one store of a library."""

    def __init__(self, library: Library, vectors: Vectors) -> None:
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

    async def process_pending(self) -> dict[str, Any]:
        _, seconds = await self._timed(self.library.process_pending())
        return {"seconds": seconds}

    async def load(self, *, user: str, chat: str, times: int) -> dict[str, Any]:
        """Time loading; raise ValueError if these are not the last messages."""
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
        """Return result and seconds, without the time for vectors."""
        told = self.vectors.seconds
        start = time.perf_counter()
        result = await call
        return result, time.perf_counter() - start - (self.vectors.seconds - told)
