"""Lets the libraries take turns, order by order, and keeps what each of them did.

Who fails is left out from there on, and its row says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any, TypeVar

from bench._contest import Absent, Result, Runner, say
from bench.peers.talks import orders
from bench.recall.data import DataSet, Person, Question
from bench.recall.measure import Answer, Results, Scored
from recollect.core import tokens

T = TypeVar("T")

TALK, BARE, NAMED = "talk", "bare", "named"
STORES = (TALK, BARE, NAMED)
"""Of each library: one long conversation, and all talks without and with speaker and day."""
DEPTH = 10
_APPENDED_AT_ONCE, _ASKED_AT_ONCE, _LOADED_AT_ONCE = 40, 25, 20
_LOADS = 10
_CHAT = "talk"


@dataclass(slots=True)
class Kept:
    """What a library did with one long conversation."""

    append: list[float] = field(default_factory=list)
    behind: float = 0.0
    """Seconds for a message after its append had returned."""
    load: list[float] = field(default_factory=list)
    context: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)
    """Of each question, how much of what answers it is in the context."""

    @property
    def times(self) -> dict[str, float]:
        """The p50 of what it did."""
        all_times = {"append": self.append, "load": self.load, "context": self.context}
        return {what: median(times) for what, times in all_times.items() if times}

    @property
    def held(self) -> float:
        return fmean(self.evidence)


@dataclass(slots=True)
class Measured:
    kept: dict[str, Kept] = field(default_factory=dict)
    """By the name of a library, as the following."""
    found: dict[tuple[str, str, str], Results] = field(default_factory=dict)
    """By library, data set and store."""
    embedding: list[float] = field(default_factory=list)
    """What it takes to embed a text, for whoever does it."""


@dataclass(frozen=True, slots=True)
class Contest:
    runners: Mapping[str, Runner]
    results: Mapping[str, Result]

    def everybody(self, **order: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Who is still there, one after the other."""
        for name, runner in self.runners.items():
            if self.results[name].absent:
                continue
            try:
                answer = runner.ask(**order)
            except Absent as reason:
                say(f"{name} {reason}")
                self.results[name].absent = str(reason)
            else:
                yield name, answer

    def measure(self, data: Sequence[DataSet], talk: Person) -> Measured:
        measured = Measured(kept={name: Kept() for name in self.runners})
        say(f"appending and loading {len(talk.texts)} messages")
        self._append(talk, measured.kept)
        self._load(talk, measured.kept)
        say("building contexts")
        self._build(talk, measured.kept)
        for store in (BARE, NAMED):
            say(f"filling, {store}")
            self._fill(data, store)
            for one in data:
                say(f"searching, {one.name}")
                self._search(one, store, measured)
        return measured

    def _append(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        messages = [
            message for session in talk.sessions for message in orders(session, is_named=True)
        ]
        for some in _parts(messages, _APPENDED_AT_ONCE):
            order = {"do": "append", "store": TALK, "user": talk.name, "chat": _CHAT}
            for name, answer in self.everybody(**order, said=some):
                kept[name].append += answer["times"]
        for name, answer in self.everybody(do="settle", store=TALK):
            kept[name].behind = answer["seconds"] / len(messages)

    def _load(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        order = {"do": "load", "store": TALK, "user": talk.name, "chat": _CHAT}
        for _ in range(_LOADS):
            for name, answer in self.everybody(**order, times=_LOADED_AT_ONCE):
                kept[name].load += answer["times"]

    def _build(self, talk: Person, kept: Mapping[str, Kept]) -> None:
        order = {"do": "context", "store": TALK, "user": talk.name, "chat": _CHAT}
        for some in _parts(talk.questions, _ASKED_AT_ONCE):
            for name, answer in self.everybody(**order, questions=[one.text for one in some]):
                kept[name].context += answer["times"]
                for question, text in zip(some, answer["answers"], strict=True):
                    kept[name].tokens.append(tokens.count(text))
                    kept[name].evidence.append(share_held(question, talk, text))

    def _fill(self, data: Sequence[DataSet], store: str) -> None:
        for one in data:
            for person in one.people:
                for session in person.sessions:
                    said = orders(session, is_named=store == NAMED)
                    chat = f"{person.name}-{session.number}"
                    order = {"do": "fill", "store": store, "user": person.name, "chat": chat}
                    for _ in self.everybody(**order, said=said):
                        pass
        for _ in self.everybody(do="settle", store=store):
            pass

    def _search(self, data: DataSet, store: str, measured: Measured) -> None:
        scored: dict[str, list[Scored]] = {}
        for person in data.people:
            sessions = person.session_of
            for some in _parts(person.questions, _ASKED_AT_ONCE):
                order = {"do": "search", "store": store, "user": person.name, "limit": DEPTH}
                for name, answer in self.everybody(**order, questions=[one.text for one in some]):
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
    """Of the messages that answer it, how many are in the context word for word."""
    texts = person.texts
    return fmean(texts[turn] in context for turn in question.evidence)


def _parts(of: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(of), size):
        yield of[start : start + size]
