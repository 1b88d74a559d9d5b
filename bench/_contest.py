"""The measuring side: starts the contestants, and lets them take turns.

The peers run in an environment of their own (`.peers`). Without it their rows say so, and the rest
is measured all the same.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench._measure import Series, Slice

_ROOT = Path(__file__).resolve().parent.parent
_PEERS = _ROOT / ".peers" / "bin" / "python"
_BUDGET_SECONDS = 2.5
"""What a contestant may use for one discipline; beyond it, it sits out the rounds that are left."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A contestant as the table names it, and how to start it."""

    name: str
    module: str
    mode: str = ""
    package: str | None = None
    """The distribution of a peer; None for what is in our own environment."""

    @property
    def is_peer(self) -> bool:
        return self.package is not None


RAW = Entry("Raw SQLite, our `messages` table", "raw")
MINIMAL = Entry("Raw SQLite, a table of four columns", "raw", "minimal")
OURS = Entry("**Recollect**, async", "ours")
BLOCKING = Entry("**Recollect**, blocking", "ours", "blocking")
AGENTS = Entry("openai-agents `SQLiteSession`", "openai_agents", package="openai-agents")
LANGCHAIN = Entry(
    "LangChain `SQLChatMessageHistory`, blocking", "langchain", "blocking", "langchain-community"
)
LANGCHAIN_ASYNC = Entry(
    "LangChain `SQLChatMessageHistory`, async", "langchain", package="langchain-community"
)
LLAMA = Entry("LlamaIndex `SQLAlchemyChatStore`", "llama_index", package="llama-index-core")


class Absent(Exception):
    """Why a contestant has no figures."""


class Runner:
    """A contestant's process."""

    def __init__(self, entry: Entry, folder: Path) -> None:
        python = _PEERS if entry.is_peer else Path(sys.executable)
        if not python.exists():
            raise Absent("not installed: `make bench-peers`")
        command = [str(python), "-m", f"bench.contestants.{entry.module}", str(folder), entry.mode]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._package = entry.package
        self.settings = ""
        self.version = ""
        self.embed: Callable[[str], list[float]] | None = None
        """Answers a contestant that asks for a vector before it answers itself."""

    def open(self, store: str, *, messages: int = 0, **more: Any) -> None:
        answer = self.ask(do="open", store=store, messages=messages, package=self._package, **more)
        self.settings, self.version = answer["settings"], answer["version"]

    def slice(self, **order: Any) -> Slice:
        answer = self.ask(**order)
        return Slice(tuple(answer["times"]), answer["elapsed"], tuple(answer["failures"]))

    def ask(self, **order: Any) -> dict[str, Any]:
        answer = self._exchange(**order)
        while self.embed and "embed" in answer:
            answer = self._exchange(do="vector", vector=self.embed(answer["embed"]))
        return answer

    def stop(self) -> None:
        try:
            self._process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _exchange(self, **order: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Absent("did not start") from None
        line = self._process.stdout.readline()
        if not line:
            raise Absent("did not start" if order["do"] == "open" else "stopped")
        answer: dict[str, Any] = json.loads(line)
        return answer


@dataclass(slots=True)
class Result:
    """What is known of a contestant in the end; `absent` says why there is nothing."""

    entry: Entry
    settings: str = ""
    version: str = ""
    absent: str = ""
    series: dict[str, Series] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.entry.name} ({self.version})" if self.version else self.entry.name


@contextmanager
def contest(
    entries: Sequence[Entry], prepare: Callable[[Runner], None]
) -> Iterator[tuple[dict[str, Runner], dict[str, Result]]]:
    """Starts and prepares all, and stops them and removes their files afterwards."""
    runners: dict[str, Runner] = {}
    results = {entry.name: Result(entry) for entry in entries}
    with ExitStack() as cleanup:
        home = Path(cleanup.enter_context(TemporaryDirectory(prefix="recollect-bench-")))
        for number, entry in enumerate(entries):
            say(f"preparing {entry.name}")
            try:
                runner = Runner(entry, home / str(number))
                cleanup.callback(runner.stop)
                prepare(runner)
            except Absent as reason:
                results[entry.name].absent = str(reason)
            else:
                results[entry.name].settings = runner.settings
                results[entry.name].version = runner.version
                runners[entry.name] = runner
        yield runners, results


def take_turns(
    runners: Mapping[str, Runner],
    results: Mapping[str, Result],
    disciplines: Mapping[str, Mapping[str, Any]],
    *,
    rounds: int,
    skip: Callable[[Entry, str], bool] = lambda entry, discipline: False,
) -> None:
    """Every contestant in every discipline once a round; round 0 warms up and does not count."""
    for number in range(rounds + 1):
        say(f"round {number} of {rounds}")
        for discipline, order in disciplines.items():
            for name, runner in runners.items():
                result = results[name]
                series = result.series.get(discipline) or Series()
                is_done = series.spent > _BUDGET_SECONDS
                if result.absent or is_done or skip(result.entry, discipline):
                    continue
                try:
                    part = runner.slice(**order)
                except Absent as reason:
                    result.absent = str(reason)
                    continue
                if number:
                    series.rounds[number] = part
                    result.series[discipline] = series


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
