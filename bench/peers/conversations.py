"""The conversations of `bench.recall` as plain values for the pipe."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench.common.vector_cache import Vectors, embed
from bench.peers.library_process import Said, key_of
from bench.recall.data import DataSet, Person, Session
from recollect.engine import Recollect
from recollect.llm.local_embedder import LocalEmbedder

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def said(session: Session, *, is_named: bool) -> Iterator[Said]:
    """Return the messages, with or without speaker and date."""
    for turn, message in zip(session.turns, session.messages, strict=True):
        if not is_named:
            yield Said(turn, message.role, message.content)
            continue
        assert message.event_at is not None
        name = message.metadata.get("speaker")
        speaker = name if isinstance(name, str) else None
        yield Said(
            turn,
            message.role,
            message.content,
            label=f"{speaker or message.role.capitalize()} ({_day(message.event_at)})",
            speaker=speaker,
            at=message.event_at.isoformat(),
        )


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def commands(session: Session, *, is_named: bool) -> list[dict[str, Any]]:
    return [asdict(one) for one in said(session, is_named=is_named)]


def longest(data: Sequence[DataSet]) -> Person:
    """Return the user with the longest conversation."""
    return max((person for one in data for person in one.people), key=lambda one: len(one.texts))


class Embedded:
    """Vectors of all texts, in a file."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder

    @classmethod
    async def make(
        cls, memory: Recollect, data: Sequence[DataSet], vectors: Vectors, file: Path
    ) -> "Embedded":
        made = cls(await vectors.serve(memory))
        texts = [*dict.fromkeys(_texts(data))]
        found = await embed(made._embedder, texts)
        keys = np.array([key_of(text) for text in texts])
        np.savez(file, keys=keys, vectors=np.array(found, dtype="float32"))
        vectors.keep()
        return made

    def of(self, text: str) -> list[float]:
        return self._embedder._vector(text)

    def time(self, texts: Sequence[str]) -> list[float]:
        """Measure the seconds per text."""
        times = []
        for text in texts:
            before = time.perf_counter()
            LocalEmbedder._vector(self._embedder, text)
            times.append(time.perf_counter() - before)
        return times


def _texts(data: Sequence[DataSet]) -> Iterator[str]:
    for one in data:
        for person in one.people:
            for session in person.sessions:
                for is_named in (True, False):
                    yield from (message.text for message in said(session, is_named=is_named))
        yield from (question.text for _, question in one.asked)
