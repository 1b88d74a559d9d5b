"""Contexts packed from the search hits of other libraries, with the same vectors.

Their messages have speaker and date, as Recollect embeds them. The packing is the naive one.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np

from bench.common.runner import LibrarySpec, LibraryUnavailable, Runner, log, start_libraries
from bench.common.vector_cache import Vectors
from bench.evidence.chats import message_text
from bench.evidence.measure import Measured, score
from bench.evidence.methods import HITS, Built, pack
from bench.evidence.scoring import count_tokens
from bench.peers.conversations import said
from bench.peers.library_process import Said, key_of
from bench.recall.data import DataSet, Person
from recollect.engine import Recollect
from recollect.settings import Settings

SPECS = (
    LibrarySpec("mem0", "peers.libraries.mem0", package="mem0ai"),
    LibrarySpec("LangGraph", "peers.libraries.langgraph", package="langgraph-checkpoint-sqlite"),
)
_STORE = "evidence"


async def measure_peers(
    specs: Sequence[LibrarySpec],
    sets: Sequence[tuple[DataSet, Measured]],
    vectors: Vectors,
    *,
    budgets: Sequence[int],
    unrelated: Sequence[str],
) -> dict[str, str]:
    """Add the libraries' scores; return why a library could not be measured."""
    settings = Settings(database_url="sqlite:///:memory:")
    async with Recollect.open(settings=settings) as memory:
        embedder = await vectors.serve(memory)
        with TemporaryDirectory(prefix="recollect-bench-") as folder:
            file = Path(folder) / "vectors.npz"
            probe = embedder._vector("")
            np.savez(file, keys=np.array([key_of("")]), vectors=np.array([probe], dtype="float32"))

            def prepare(runner: Runner) -> None:
                runner.embed = embedder._vector
                runner.open(_STORE, vectors=str(file))

            with start_libraries(specs, prepare) as (runners, results):
                for name, runner in runners.items():
                    try:
                        for data, measured in sets:
                            for person in data.people:
                                log(f"asking {name} about {person.name}")
                                ask_library(runner, person, name, budgets, unrelated, measured)
                    except LibraryUnavailable as reason:
                        results[name].unavailable = str(reason)
    vectors.keep()
    return {name: result.unavailable for name, result in results.items() if result.unavailable}


class Asked(Protocol):
    """A library's process, as far as it is used here."""

    def ask(self, **command: Any) -> dict[str, Any]: ...


def ask_library(
    runner: Asked,
    person: Person,
    name: str,
    budgets: Sequence[int],
    unrelated: Sequence[str],
    measured: Measured,
) -> None:
    """Record a chat, and add the scores of contexts packed from the hits."""
    (session,) = person.sessions
    talk = [
        Said(**{**asdict(one), "content": message_text(message)})
        for one, message in zip(said(session, is_named=True), session.messages, strict=True)
    ]
    runner.ask(do="fill", store=_STORE, user=person.name, chat="chat", said=[*map(asdict, talk)])
    texts = {one.turn: one.text for one in talk}
    contents = {one.turn: one.content for one in talk}
    command = {"do": "search", "store": _STORE, "user": person.name, "limit": HITS}
    found = runner.ask(**command, questions=[one.text for one in person.questions])
    answers = zip(person.questions, found["answers"], found["times"], strict=True)
    for question, turns, seconds in answers:
        for budget in budgets:
            before = time.perf_counter()
            text = pack((texts[turn] for turn in turns), budget)
            packing = time.perf_counter() - before
            built = Built(text, count_tokens(text), seconds + packing, recalls=bool(turns))
            measured.add(name, budget, score(question, built, contents))
    if unrelated:
        found = runner.ask(**command, questions=unrelated)
        measured.recalls.setdefault(name, []).extend(map(bool, found["answers"]))
