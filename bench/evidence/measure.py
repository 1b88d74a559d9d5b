"""Builds a context for every question and budget, and scores it."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import fmean, median

from bench.common.runner import log
from bench.common.vector_cache import embed
from bench.evidence.methods import Built, Method, naive, ours
from bench.evidence.recordings import RecordedChat, Recordings
from bench.evidence.scoring import answer_share, evidence_share
from bench.recall.data import DataSet, Question
from recollect.llm.local_embedder import LocalEmbedder

OURS, NAIVE = "ours", "naive"
METHODS: Mapping[str, Method] = {OURS: ours, NAIVE: naive}
UNRELATED_BUDGET = 3_000
"""Budget of the contexts for messages about something else."""
_PROBED = 20
"""Questions of each set that the embedding time is measured with."""


@dataclass(frozen=True, slots=True)
class Scored:
    question: Question
    built: Built
    evidence: float
    answer: float | None


@dataclass(frozen=True, slots=True)
class Scores:
    """The scored contexts of one method at one budget."""

    budget: int
    scored: Sequence[Scored]

    @property
    def evidence(self) -> float:
        return fmean(one.evidence for one in self.scored)

    @property
    def answer(self) -> float | None:
        shares = [one.answer for one in self.scored if one.answer is not None]
        return fmean(shares) if shares else None

    @property
    def tokens(self) -> float:
        return fmean(one.built.tokens for one in self.scored)

    @property
    def p50(self) -> float:
        return median(one.built.seconds for one in self.scored)

    @property
    def over_budget(self) -> int:
        """How many contexts have more tokens than the budget."""
        return sum(one.built.tokens > self.budget for one in self.scored)

    @property
    def incomplete(self) -> int:
        """How many contexts lack summary, exact values or the last turn."""
        return sum(bool(one.built.missing) for one in self.scored)

    def of_kind(self, kind: str) -> "Scores":
        scored = [one for one in self.scored if one.question.category == kind]
        return Scores(self.budget, scored)


@dataclass(slots=True)
class Measured:
    """The results of one data set."""

    name: str
    chats: int
    scored: dict[tuple[str, int], list[Scored]] = field(default_factory=dict)
    """By method and budget."""
    recalls: dict[str, list[bool]] = field(default_factory=dict)
    """By method: whether a message about something else brought anything back."""

    def scores(self, method: str, budget: int) -> Scores:
        return Scores(budget, self.scored[method, budget])

    @property
    def methods(self) -> list[str]:
        return [*dict.fromkeys(method for method, _ in self.scored)]

    @property
    def budgets(self) -> list[int]:
        return [*dict.fromkeys(budget for _, budget in self.scored)]

    @property
    def questions(self) -> Sequence[Question]:
        return [one.question for one in next(iter(self.scored.values()))]

    def false_recall(self, method: str) -> float | None:
        recalls = self.recalls.get(method)
        return fmean(recalls) if recalls else None

    def add(self, method: str, budget: int, scored: Scored) -> None:
        self.scored.setdefault((method, budget), []).append(scored)


async def measure(
    data: DataSet,
    recordings: Recordings,
    *,
    methods: Iterable[str],
    budgets: Sequence[int],
    unrelated: Sequence[str],
) -> Measured:
    measured = Measured(data.name, len(data.people))
    for person in data.people:
        async with recordings.open(person) as chat:
            log(f"asking {person.name}, {len(person.questions)} questions")
            for name in methods:
                await _ask(chat, name, budgets, measured)
                await _chat_about_something_else(chat, name, unrelated, measured)
    return measured


async def _ask(chat: RecordedChat, name: str, budgets: Sequence[int], measured: Measured) -> None:
    build, texts = METHODS[name], chat.texts
    for question in chat.person.questions:
        await build(chat, question.text, budgets[0])  # embeds the question
        for budget in budgets:
            built = await build(chat, question.text, budget)
            measured.add(name, budget, score(question, built, texts))


async def _chat_about_something_else(
    chat: RecordedChat, name: str, unrelated: Sequence[str], measured: Measured
) -> None:
    for text in unrelated:
        built = await METHODS[name](chat, text, UNRELATED_BUDGET)
        measured.recalls.setdefault(name, []).append(built.recalls)
        if built.recalls and name == OURS:
            log(f"{chat.person.name}: something was retrieved for {text!r}")


def score(question: Question, built: Built, texts: Mapping[str, str]) -> Scored:
    """`texts` are the messages by turn."""
    return Scored(
        question,
        built,
        evidence_share([texts[turn] for turn in sorted(question.evidence)], built.text),
        answer_share(question.answer, question.text, built.text),
    )


async def embedding_seconds(sets: Iterable[DataSet]) -> list[float]:
    """Measure embedding some questions."""
    embedder = LocalEmbedder()
    times = []
    for data in sets:
        for _, question in islice(data.asked, _PROBED):
            before = time.perf_counter()
            await embed(embedder, [question.text])
            times.append(time.perf_counter() - before)
    return times
