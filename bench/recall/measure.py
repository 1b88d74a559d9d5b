"""Records the data in a real engine, runs the questions and computes recall.

Recall at k is the share of a question's evidence among the first k hits. Sessions are ranked by
their best turn.
"""

import time
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from statistics import fmean, median

from bench.recall.data import DataSet, Person, Question
from recollect.engine import Recollect
from recollect.recall.search.service import Search, SearchHit

DEPTH = 200
"""Number of hits to fetch: enough for ten sessions."""

Ask = Callable[[Person, Question], Awaitable["Answer"]]
"""A search method."""


@dataclass(frozen=True, slots=True)
class Answer:
    turns: Sequence[str]
    """Best first."""
    conversations: Sequence[int] = ()
    """Sessions, if the method ranks conversations itself."""
    seconds: float | None = None
    """Seconds of a search for ten messages, without embedding."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer with its question's evidence."""

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
    """Results of one method for all questions of a data set."""

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
        """Return the share of questions with the same first hit."""
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
    """A data set recorded in a database."""

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
