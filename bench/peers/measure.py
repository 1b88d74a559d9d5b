"""Runs the libraries command by command, in turns, and collects the results.

A library that fails is skipped from then on, and its row gives the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any, TypeVar

from bench.common.runner import LibraryUnavailable, Result, Runner, log
from bench.peers.conversations import commands
from bench.recall.data import DataSet, Person, Question
from bench.recall.measure import Answer, Results, Scored
from recollect.core import tokens

T = TypeVar("T")

TALK, BARE, NAMED = "talk", "bare", "named"
STORES = (TALK, BARE, NAMED)
"""Stores per library: one long conversation, all without and all with speaker and date."""
DEPTH = 10
_APPENDED_AT_ONCE, _ASKED_AT_ONCE, _LOADED_AT_ONCE = 40, 25, 20
_LOADS = 10
_CHAT = "talk"


@dataclass(slots=True)
class Kept:
    """Results of one library for the long conversation."""

    append: list[float] = field(default_factory=list)
    behind: float = 0.0
    """Background seconds per message."""
    load: list[float] = field(default_factory=list)
    context: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)
    """Share of the evidence in the context, per question."""

    @property
    def times(self) -> dict[str, float]:
        """Median seconds by operation."""
        all_times = {"append": self.append, "load": self.load, "context": self.context}
        return {what: median(times) for what, times in all_times.items() if times}

    @property
    def held(self) -> float:
        return fmean(self.evidence)


@dataclass(slots=True)
class Measured:
    kept: dict[str, Kept] = field(default_factory=dict)
    """By library."""
    found: dict[tuple[str, str, str], Results] = field(default_factory=dict)
    """By library, data set and store."""
    embedding: list[float] = field(default_factory=list)
    """Seconds to embed a text."""


@dataclass(frozen=True, slots=True)
class Comparison:
    runners: Mapping[str, Runner]
    results: Mapping[str, Result]

    def everybody(self, **command: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Send a command to every library that is still available."""
        for name, runner in self.runners.items():
            if self.results[name].unavailable:
                continue
            try:
                answer = runner.ask(**command)
            except LibraryUnavailable as reason:
                log(f"{name} {reason}")
                self.results[name].unavailable = str(reason)
            else:
                yield name, answer

    def measure(self, data: Sequence[DataSet], talk: Person) -> Measured:
        measured = Measured(kept={name: Kept() for name in self.runners})
        log(f"appending and loading {len(talk.texts)} messages")
        self._append(talk, measured.kept)
        self._load(talk, measured.kept)
        log("building contexts")
        self._build(talk, measured.kept)
        for store in (BARE, NAMED):
            log(f"filling, {store}")
            self._fill(data, store)
            for one in data:
                log(f"searching, {one.name}")
                self._search(one, store, measured)
        return measured

    def _append(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        messages = [
            message for session in talk.sessions for message in commands(session, is_named=True)
        ]
        for some in _parts(messages, _APPENDED_AT_ONCE):
            command = {"do": "append", "store": TALK, "user": talk.name, "chat": _CHAT}
            for name, answer in self.everybody(**command, said=some):
                kept[name].append += answer["times"]
        for name, answer in self.everybody(do="process_pending", store=TALK):
            kept[name].behind = answer["seconds"] / len(messages)

    def _load(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        command = {"do": "load", "store": TALK, "user": talk.name, "chat": _CHAT}
        for _ in range(_LOADS):
            for name, answer in self.everybody(**command, times=_LOADED_AT_ONCE):
                kept[name].load += answer["times"]

    def _build(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        command = {"do": "context", "store": TALK, "user": talk.name, "chat": _CHAT}
        for some in _parts(talk.questions, _ASKED_AT_ONCE):
            for name, answer in self.everybody(**command, questions=[one.text for one in some]):
                kept[name].context += answer["times"]
                for question, text in zip(some, answer["answers"], strict=True):
                    kept[name].tokens.append(tokens.count(text))
                    kept[name].evidence.append(share_held(question, talk, text))

    def _fill(self, data: Sequence[DataSet], store: str) -> None:
        for one in data:
            for person in one.people:
                for session in person.sessions:
                    said = commands(session, is_named=store == NAMED)
                    chat = f"{person.name}-{session.number}"
                    command = {"do": "fill", "store": store, "user": person.name, "chat": chat}
                    for _ in self.everybody(**command, said=said):
                        pass
        for _ in self.everybody(do="process_pending", store=store):
            pass

    def _search(self, data: DataSet, store: str, measured: Measured) -> None:
        scored: dict[str, list[Scored]] = {}
        for person in data.people:
            sessions = person.session_of
            for some in _parts(person.questions, _ASKED_AT_ONCE):
                command = {"do": "search", "store": store, "user": person.name, "limit": DEPTH}
                for name, answer in self.everybody(**command, questions=[one.text for one in some]):
                    answers = zip(some, answer["answers"], answer["times"], strict=True)
                    scored.setdefault(name, []).extend(
                        Scored(question, Answer(turns, seconds=seconds), sessions)
                        for question, turns, seconds in answers
                        if turns is not None
                    )
        for name, all_scored in scored.items():
            if all_scored:
                measured.found[name, data.name, store] = Results(name, all_scored)


def share_held(question: Question, person: Person, context: str) -> float:
    """Return the share of evidence messages that are in the context verbatim."""
    texts = person.texts
    return fmean(texts[turn] in context for turn in question.evidence)


def _parts(of: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(of), size):
        yield of[start : start + size]
