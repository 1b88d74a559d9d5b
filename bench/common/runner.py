"""Starts one process per library and runs the workloads in alternating rounds.

Peer libraries run in their own environment (`.peers`). Without it their rows say "not installed".
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

from bench.common.timing import Series, Slice

_ROOT = Path(__file__).resolve().parents[2]
_PEERS = _ROOT / ".peers" / "bin" / "python"
_BUDGET_SECONDS = 2.5
"""Time limit of one library for one workload; it skips the remaining rounds after that."""


@dataclass(frozen=True, slots=True)
class LibrarySpec:
    """A library: its label in the tables and the module that runs it."""

    name: str
    module: str
    mode: str = ""
    package: str | None = None
    """Distribution name of a peer; None for modules of this environment."""

    @property
    def is_peer(self) -> bool:
        return self.package is not None


RAW = LibrarySpec("Raw SQLite, our `messages` table", "stores.raw")
MINIMAL = LibrarySpec("Raw SQLite, a table of four columns", "stores.raw", "minimal")
OURS = LibrarySpec("**Recollect**, async", "stores.ours")
BLOCKING = LibrarySpec("**Recollect**, blocking", "stores.ours", "blocking")
AGENTS = LibrarySpec(
    "openai-agents `SQLiteSession`", "stores.openai_agents", package="openai-agents"
)
LANGCHAIN = LibrarySpec(
    "LangChain `SQLChatMessageHistory`, blocking",
    "stores.langchain",
    "blocking",
    "langchain-community",
)
LANGCHAIN_ASYNC = LibrarySpec(
    "LangChain `SQLChatMessageHistory`, async", "stores.langchain", package="langchain-community"
)
LLAMA = LibrarySpec(
    "LlamaIndex `SQLAlchemyChatStore`", "stores.llama_index", package="llama-index-core"
)


class LibraryUnavailable(Exception):
    """The library could not be measured; the message is the reason."""


class Runner:
    """The process of one library."""

    def __init__(self, spec: LibrarySpec, folder: Path) -> None:
        python = _PEERS if spec.is_peer else Path(sys.executable)
        if not python.exists():
            raise LibraryUnavailable("not installed: `make bench-peers`")
        command = [str(python), "-m", f"bench.{spec.module}", str(folder), spec.mode]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._package = spec.package
        self.settings = ""
        self.version = ""
        self.embed: Callable[[str], list[float]] | None = None
        """Computes vectors that the library's process asks for."""

    def open(self, store: str, *, messages: int = 0, **more: Any) -> None:
        answer = self.ask(do="open", store=store, messages=messages, package=self._package, **more)
        self.settings, self.version = answer["settings"], answer["version"]

    def slice(self, **command: Any) -> Slice:
        answer = self.ask(**command)
        return Slice(tuple(answer["times"]), answer["elapsed"], tuple(answer["failures"]))

    def ask(self, **command: Any) -> dict[str, Any]:
        answer = self._exchange(**command)
        while self.embed and "embed" in answer:
            answer = self._exchange(do="vector", vector=self.embed(answer["embed"]))
        return answer

    def stop(self) -> None:
        try:
            self._process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _exchange(self, **command: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise LibraryUnavailable("did not start") from None
        line = self._process.stdout.readline()
        if not line:
            raise LibraryUnavailable("did not start" if command["do"] == "open" else "stopped")
        answer: dict[str, Any] = json.loads(line)
        return answer


@dataclass(slots=True)
class Result:
    """Measurements of one library; `unavailable` is the reason if there are none."""

    spec: LibrarySpec
    settings: str = ""
    version: str = ""
    unavailable: str = ""
    series: dict[str, Series] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.spec.name} ({self.version})" if self.version else self.spec.name


@contextmanager
def start_libraries(
    specs: Sequence[LibrarySpec], prepare: Callable[[Runner], None]
) -> Iterator[tuple[dict[str, Runner], dict[str, Result]]]:
    """Start and prepare all libraries; stop them and remove their files at the end."""
    runners: dict[str, Runner] = {}
    results = {spec.name: Result(spec) for spec in specs}
    with ExitStack() as cleanup:
        home = Path(cleanup.enter_context(TemporaryDirectory(prefix="recollect-bench-")))
        for number, spec in enumerate(specs):
            log(f"preparing {spec.name}")
            try:
                runner = Runner(spec, home / str(number))
                cleanup.callback(runner.stop)
                prepare(runner)
            except LibraryUnavailable as reason:
                results[spec.name].unavailable = str(reason)
            else:
                results[spec.name].settings = runner.settings
                results[spec.name].version = runner.version
                runners[spec.name] = runner
        yield runners, results


def run_rounds(
    runners: Mapping[str, Runner],
    results: Mapping[str, Result],
    workloads: Mapping[str, Mapping[str, Any]],
    *,
    rounds: int,
    skip: Callable[[LibrarySpec, str], bool] = lambda spec, workload: False,
) -> None:
    """Run every workload of every library once per round. Round 0 is a warm-up."""
    for number in range(rounds + 1):
        log(f"round {number} of {rounds}")
        for workload, command in workloads.items():
            for name, runner in runners.items():
                result = results[name]
                series = result.series.get(workload) or Series()
                is_done = series.spent > _BUDGET_SECONDS
                if result.unavailable or is_done or skip(result.spec, workload):
                    continue
                try:
                    part = runner.slice(**command)
                except LibraryUnavailable as reason:
                    result.unavailable = str(reason)
                    continue
                if number:
                    series.rounds[number] = part
                    result.series[workload] = series


def log(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
