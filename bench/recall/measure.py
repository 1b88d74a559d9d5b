"""Records the data in a real engine, asks its questions, and counts how much of the evidence comes.

A question's *recall at k* is the share of its evidence among the first k hits. Sessions are ranked
by their best turn.
"""

import time
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from statistics import fmean, median

from bench.recall.data import DataSet, Person, Question
from recollect.engine import Recollect
from recollect.recall.search.service import Search, SearchHit

DEPTH = 200
"""How many messages are fetched: enough to find ten sessions in them."""

Ask = Callable[[Person, Question], Awaitable["Answer"]]
"""One way to answer a question."""


@dataclass(frozen=True, slots=True)
class Answer:
    turns: Sequence[str]
    """Best first, as the following."""
    conversations: Sequence[int] = ()
    """Sessions, where there is a ranking of their own."""
    seconds: float | None = None
    """What a search for ten messages took, without embedding the question."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer to a question, beside what it should have been."""

    question: Question
    answer: Answer
    session_of: dict[str, int]

    def turns_at(self, k: int) -> float:
        return _recall(self.question.evidence, self.answer.turns, k)

    def sessions_at(self, k: int) -> float:
        ranked = [self.session_of[turn] for turn in self.answer.turns]
        return _recall(self._sessions, ranked, k)

    def conversations_at(self, k: int) -> float:
        return _recall(self._sessions, self.answer.conversations, k)

    @property
    def _sessions(self) -> frozenset[int]:
        return frozenset(self.session_of[turn] for turn in self.question.evidence)


def _recall(wanted: Set[Hashable], ranked: Iterable[Hashable], k: int) -> float:
    best = [*dict.fromkeys(ranked)][:k]
    return len(wanted & {*best}) / len(wanted)


@dataclass(frozen=True, slots=True)
class Results:
    """What one way gave for all questions of a data set."""

    name: str
    scored: Sequence[Scored]

    def turns_at(self, k: int) -> float:
        return fmean(one.turns_at(k) for one in self.scored)

    def sessions_at(self, k: int) -> float:
        return fmean(one.sessions_at(k) for one in self.scored)

    def conversations_at(self, k: int) -> float | None:
        if not any(one.answer.conversations for one in self.scored):
            return None
        return fmean(one.conversations_at(k) for one in self.scored)

    @property
    def p50(self) -> float | None:
        times = [one.answer.seconds for one in self.scored if one.answer.seconds is not None]
        return median(times) if times else None

    def only(self, wanted: Callable[[Question], bool]) -> "Results":
        return Results(self.name, [one for one in self.scored if wanted(one.question)])

    def agreement(self, other: "Results") -> float:
        """The share of questions to which both have the same first hit."""
        pairs = zip(self.scored, other.scored, strict=True)
        return fmean(one.answer.turns[:1] == two.answer.turns[:1] for one, two in pairs)


async def ask_all(name: str, data: DataSet, ask: Ask) -> Results:
    return Results(
        name,
        [
            Scored(question, await ask(person, question), person.session_of)
            for person, question in data.asked
        ],
    )


class Recorded:
    """A data set in a database. A user's name tells whose talk it was."""

    def __init__(self, data: DataSet) -> None:
        self.data = data
        self._turns: dict[tuple[str, int], str] = {}
        self._sessions: dict[str, int] = {}

    async def record(self, memory: Recollect) -> None:
        for person in self.data.people:
            for session in person.sessions:
                chat = await memory.conversations.create_conversation(
                    user_id=person.name, messages=session.messages
                )
                self._sessions[chat.id] = session.number
                for seq, turn in enumerate(session.turns, 1):
                    self._turns[chat.id, seq] = turn

    def asking(self, search: Search, *, is_timed: bool = True) -> Ask:
        async def ask(person: Person, question: Question) -> Answer:
            found = await search.search(question.text, user_id=person.name, limit=DEPTH)
            chats = await search.search(
                question.text, user_id=person.name, kind="conversations", limit=DEPTH
            )
            before = time.perf_counter()
            if is_timed:
                await search.search(question.text, user_id=person.name)
            return Answer(
                turns=[self._turn(hit) for hit in found],
                conversations=[self._sessions[hit.id] for hit in chats],
                seconds=time.perf_counter() - before if is_timed else None,
            )

        return ask

    def _turn(self, hit: SearchHit) -> str:
        assert hit.conversation_id is not None
        assert hit.seq is not None
        return self._turns[hit.conversation_id, hit.seq]
