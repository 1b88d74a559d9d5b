"""Cost of a search compared with the index lookups it needs, and of background embedding.

    python -m bench.search [--write docs/benchmarks.md]

One database of each kind with users of 100,000, 10,000, 1,000 and about 60 messages. Texts and
vectors are synthetic (`common.corpus`), query vectors precomputed. The baseline, measured query by
query: a `sqlite-vec` scan and an FTS5 query; on PostgreSQL the same HNSW and GIN indexes in plain
SQL. It returns ids and scores of the best 200.
"""

import asyncio
import gc
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

import numpy as np
import psycopg

from bench.common.corpus import DIMENSIONS, Corpus, CorpusUser, EmbeddedQuestion
from bench.common.corpus_writer import fill
from bench.common.databases import postgres_server
from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.timing import Series, Slice, rate_ratio, time_ratio
from bench.search import indexing
from bench.search.baseline import Baseline, PostgresBaseline, SqliteBaseline
from bench.search.plans import Plans, find_plans
from bench.search.plans import verdicts as plan_verdicts
from recollect.core.types import Row
from recollect.engine import Recollect, utc_now
from recollect.language.analyzer import query_terms
from recollect.llm.protocols import QueryEmbedding
from recollect.llm.registry import EmbedderRegistry
from recollect.recall.search.retriever import MAX_CANDIDATES, Retriever
from recollect.recall.search.service import Search
from recollect.settings import Settings
from recollect.store import search, vectors
from recollect.store.database import Database, Run, SqlValue
from recollect.store.search_index import Filters

T = TypeVar("T")

_LARGE_USER = CorpusUser("big", 200, 500)
_MEDIUM_USER = CorpusUser("middle", 20, 500)
_SMALL_USER = CorpusUser("little", 2, 500)
_OTHERS = [CorpusUser(f"other-{number}", 1, 40 + number) for number in range(50)]
_ALL = f"all {_LARGE_USER.messages:,}"
_SEED = 2026
_QUESTIONS, _MORE_QUESTIONS, _WARM_UP = 60, 20, 4
_MAX_RATIO_TO_BASELINE = 1.5
_MIN_RECALL = 0.95
_MIN_JOB_RATIO = 0.9
_LATEST = 100
_PARTS = {
    "get_search_scope": "scope",
    "search_documents": "words and vectors",
    "list_message_texts": "texts",
    "closeness": "word-by-word reranking",
    "rest": "ranking, threads and transactions",
}


def main() -> None:
    target = parse_target(__doc__)
    with TemporaryDirectory() as folder:
        text = asyncio.run(_measure(Path(folder)))
    publish("search", text, target)


class _Prepared:
    """The engine's embedders with precomputed query vectors."""

    def __init__(self, embedders: EmbedderRegistry, spent: dict[str, float]) -> None:
        self._embedders = embedders
        self._spent = spent
        self.known: dict[str, list[float]] = {}

    @property
    def active(self) -> tuple[str, int] | None:
        return self._embedders.active

    def set_active(self, model: str | None, dimensions: int | None) -> bool:
        return self._embedders.set_active(model, dimensions)

    async def embed_query(
        self, text: str, *, user_id: str, across_languages: bool
    ) -> tuple[str, QueryEmbedding]:
        assert self.active is not None
        return self.active[0], QueryEmbedding(self.known[text])

    async def word_similarities(
        self, words: Sequence[str], texts: Sequence[str]
    ) -> list[float] | None:
        start = time.perf_counter()
        close = await self._embedders.word_similarities(words, texts)
        self._spent["closeness"] += time.perf_counter() - start
        return close


class _Timed:
    """The engine's database with a timer per query."""

    def __init__(self, database: Database, spent: dict[str, float]) -> None:
        self._database = database
        self._spent = spent

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        def timed(run: Run) -> T:
            def noted(query: str, /, **params: SqlValue) -> list[Row]:
                start = time.perf_counter()
                rows = run(query, **params)
                self._spent[query] += time.perf_counter() - start
                return rows

            return fn(noted)

        return await self._database.read(timed, user_id=user_id)


@dataclass(slots=True, eq=False)
class _Setup:
    """A filled database and the search under test."""

    label: str
    memory: Recollect
    baseline: Baseline
    build_seconds: float = 0.0
    plans: Plans | None = None
    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds by part of a search."""
    prepared: _Prepared = field(init=False)
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.prepared = _Prepared(self.memory._embedders, self.spent)
        database = cast(Database, _Timed(self.memory._database, self.spent))
        retriever = Retriever(database, cast(EmbedderRegistry, self.prepared))
        self.search = Search(database, retriever, clock=utc_now)


@dataclass(frozen=True, slots=True)
class _Case:
    """Filters of a search, and the user."""

    label: str
    user_id: str = _LARGE_USER.id
    filters: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "messages"


@dataclass(slots=True)
class _Measured:
    ours: Series = field(default_factory=Series)
    vectors: Series = field(default_factory=Series)
    words: Series = field(default_factory=Series)
    both_lookups: Series = field(default_factory=Series)
    parts: list[dict[str, float]] = field(default_factory=list)
    cases: dict[str, Series] = field(default_factory=lambda: defaultdict(Series))
    recalls: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    """Recall of the 10 nearest vectors and of all candidates."""


async def _measure(folder: Path) -> str:
    corpus = Corpus([_LARGE_USER, _MEDIUM_USER, _SMALL_USER, *_OTHERS], seed=_SEED)
    gc.collect()
    gc.freeze()  # garbage collection of the corpus would distort the times
    results: dict[_Setup, _Measured] = {}
    async with _sqlite(folder, corpus) as setup:
        results[setup] = await _searched(setup, corpus)
    with postgres_server(folder) as url:
        async with _postgres(url, corpus) as setup:
            results[setup] = await _searched(setup, corpus)
    return _text(results, *await indexing.measure(folder))


@asynccontextmanager
async def _sqlite(folder: Path, corpus: Corpus) -> AsyncIterator[_Setup]:
    url = f"sqlite:///{folder / 'ours.db'}"
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        await asyncio.to_thread(fill, url, corpus, model=await _model(memory))
        baseline = await asyncio.to_thread(
            SqliteBaseline, folder / "bare.db", corpus, _LARGE_USER.id
        )
        yield _Setup("SQLite", memory, baseline)


@asynccontextmanager
async def _postgres(url: str, corpus: Corpus) -> AsyncIterator[_Setup]:
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("alter database postgres set maintenance_work_mem = '1GB'")
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        model = await _model(memory)
        await memory._database.drop_vectors(model)  # rebuilding it is faster
        await asyncio.to_thread(fill, url, corpus, model=model)
        start = time.perf_counter()
        await memory._database.prepare_vectors(model, DIMENSIONS)
        built = time.perf_counter() - start
        found = await asyncio.to_thread(
            find_plans, url, model, corpus, big=_LARGE_USER, small=_OTHERS[0]
        )
        with closing(PostgresBaseline(url, model, _LARGE_USER.id)) as baseline:
            yield _Setup("PostgreSQL", memory, baseline, built, found)


async def _model(memory: Recollect) -> str:
    """Return the active embedder, which the first job run sets."""
    await memory.work()
    active = memory._embedders.active
    assert active is not None, "The local embedder has to be installed: its name is needed."
    return active[0]


async def _searched(setup: _Setup, corpus: Corpus) -> _Measured:
    found = _Measured()
    for question in corpus.questions(_LARGE_USER.id, _WARM_UP):
        await _timed_search(setup, question, _Case(""))
        _time_baseline(setup.baseline, question)
    asked = corpus.questions(_LARGE_USER.id, _QUESTIONS)
    for number, question in enumerate(asked):
        elapsed, parts = await _timed_search(setup, question, _Case(""))
        found.ours.rounds[number] = _one(elapsed)
        found.parts.append(parts)
        # The baseline runs half a cycle behind, so that it does not find warm pages.
        other = (number + _QUESTIONS // 2) % _QUESTIONS
        nearest, matching = _time_baseline(setup.baseline, asked[other])
        found.vectors.rounds[other] = _one(nearest)
        found.words.rounds[other] = _one(matching)
        found.both_lookups.rounds[other] = _one(nearest + matching)
    for case in _cases(corpus):
        exact = _Exact(corpus, case)
        asked = corpus.questions(case.user_id, _WARM_UP + _MORE_QUESTIONS)
        for number, question in enumerate(asked, 1 - _WARM_UP):
            elapsed, _ = await _timed_search(setup, question, case)
            if number > 0:
                found.cases[case.label].rounds[number] = _one(elapsed)
                if case.kind == "messages":
                    near = await _nearest(setup, question, case)
                    found.recalls[case.label].append(exact.recall(question, near))
    return found


def _cases(corpus: Corpus) -> list[_Case]:
    times = [
        message.at
        for conversation in corpus.conversations
        if conversation.user_id == _LARGE_USER.id
        for message in conversation.messages
    ]
    small = _OTHERS[0]
    last_tenth, latest = times[-len(times) // 10], times[-_LATEST]
    return [
        _Case(_ALL),
        _Case(
            "in one of its 200 conversations",
            filters={"conversation_id": corpus.conversations[7].id},
        ),
        _Case("role user (half)", filters={"role": "user"}),
        _Case("the last tenth", filters={"after": last_tenth}),
        _Case(f"the last {_LATEST} messages", filters={"after": latest}),
        _Case("all, ranked as conversations", kind="conversations"),
        _Case(f"of another user, all {_MEDIUM_USER.messages:,}", _MEDIUM_USER.id),
        _Case(f"of another user, all {_SMALL_USER.messages:,}", _SMALL_USER.id),
        _Case(f"of another user, all {small.messages:,}", small.id),
    ]


class _Exact:
    """Exact nearest vectors, by brute force."""

    def __init__(self, corpus: Corpus, case: _Case) -> None:
        conversations = [
            conversation
            for conversation in corpus.conversations
            if conversation.user_id == case.user_id
        ]
        wanted = case.filters
        pairs = [
            (message.id, vector)
            for conversation in conversations
            if wanted.get("conversation_id", conversation.id) == conversation.id
            for message, vector in zip(conversation.messages, conversation.vectors, strict=True)
            if wanted.get("role", message.role) == message.role
            and wanted.get("after", message.at) <= message.at
        ]
        self._ids = [id for id, _ in pairs]
        self._vectors = np.array([vector for _, vector in pairs])

    def recall(self, question: EmbeddedQuestion, found: Collection[str]) -> tuple[float, float]:
        cosines = self._vectors @ np.array(question.vector, np.float32)
        nearest = [self._ids[index] for index in np.argsort(-cosines)[:MAX_CANDIDATES]]
        is_found = [id in found for id in nearest]
        return mean(is_found[:10]), mean(is_found)


async def _nearest(setup: _Setup, question: EmbeddedQuestion, case: _Case) -> set[str]:
    assert setup.prepared.active is not None
    query = vectors.QueryVector(setup.prepared.active[0], question.vector)
    filters = Filters(**case.filters)
    found = await setup.memory._database.read(
        lambda run: search.search(
            run,
            "message",
            terms=(),
            vector=query,
            user_id=case.user_id,
            filters=filters,
            among=0,
            limit=MAX_CANDIDATES,
        ),
        user_id=case.user_id,
    )
    return {row["id"] for row in found}


async def _timed_search(
    setup: _Setup, question: EmbeddedQuestion, case: _Case
) -> tuple[float, dict[str, float]]:
    setup.prepared.known = {question.text: question.vector}
    setup.spent.clear()
    start = time.perf_counter()
    await setup.search.search(
        question.text, user_id=case.user_id, kind=cast(Any, case.kind), limit=10, **case.filters
    )
    elapsed = time.perf_counter() - start
    return elapsed, {**setup.spent, "rest": elapsed - sum(setup.spent.values())}


def _time_baseline(baseline: Baseline, question: EmbeddedQuestion) -> tuple[float, float]:
    words, vector = baseline.prepare(query_terms(question.text), question.vector)
    start = time.perf_counter()
    baseline.nearest(vector)
    middle = time.perf_counter()
    baseline.match(words)
    return middle - start, time.perf_counter() - middle


def _one(seconds: float) -> Slice:
    return Slice((seconds,), seconds, ())


def _text(results: Mapping[_Setup, _Measured], job: Series, embedder: Series) -> str:
    parts = [machine()]
    for setup, found in results.items():
        rows = [
            _row(f"**Recollect** on {setup.label}", found.ours, found),
            _row(setup.baseline.vectors, found.vectors, found),
            _row(setup.baseline.words, found.words, found),
            _row("baseline: both", found.both_lookups, found),
        ]
        head = [f"among {_LARGE_USER.messages:,} messages", "p50", "p95", "times baseline"]
        parts.append(table(head, rows))
    parts += [_table_of_parts(results), _table_of_cases(results)]
    rate = "texts/s"
    rows = [
        ["The background job", f"{job.rate:,.1f}", f"{rate_ratio(job, embedder):.2f}"],
        ["The embedder alone", f"{embedder.rate:,.1f}", "1.00"],
    ]
    parts.append(table(["embedding", rate, "times embedder"], rows))
    parts.append("\n".join(_verdicts(results, rate_ratio(job, embedder))))
    return "\n\n".join(parts)


def _row(label: str, series: Series, found: _Measured) -> list[str]:
    times = [part.p50 for part in series.rounds.values()]
    p95 = quantiles(times, n=20)[-1]
    return [label, _ms(series.p50), _ms(p95), f"{time_ratio(series, found.both_lookups):.2f}"]


def _table_of_parts(results: Mapping[_Setup, _Measured]) -> str:
    rows = [[label] for label in _PARTS.values()]
    for found in results.values():
        whole = mean(sum(parts.values()) for parts in found.parts)
        for row, name in zip(rows, _PARTS, strict=True):
            seconds = mean(parts.get(name, 0.0) for parts in found.parts)
            row.append(f"{_ms(seconds)} ({seconds / whole:.0%})")
    return table(["average time per part", *(one.label for one in results)], rows)


def _table_of_cases(results: Mapping[_Setup, _Measured]) -> str:
    head = ["p50 of a search"]
    rows: dict[str, list[str]] = defaultdict(list)
    for setup, found in results.items():
        head += [setup.label, f"of the 10 and the {MAX_CANDIDATES} nearest vectors"]
        for label, series in found.cases.items():
            shares = [f"{mean(part):.1%}" for part in zip(*found.recalls[label], strict=True)]
            rows[label] += [_ms(series.p50), ", ".join(shares)]
    return table(head, [[label, *row] for label, row in rows.items()])


def _verdicts(results: Mapping[_Setup, _Measured], job_ratio: float) -> list[str]:
    lines = []
    for setup, found in results.items():
        ratio = time_ratio(found.ours, found.both_lookups)
        recall = mean(of_ten for of_ten, _ in found.recalls[_ALL])
        lines += [
            verdict(
                ratio <= _MAX_RATIO_TO_BASELINE,
                f"on {setup.label} at most {_MAX_RATIO_TO_BASELINE:g} times the baseline",
                f"{ratio:.2f} times",
            ),
            verdict(
                recall >= _MIN_RECALL,
                f"on {setup.label} at least {_MIN_RECALL:.0%} of the 10 nearest vectors are found",
                f"{recall:.1%}",
            ),
        ]
        if setup.plans is not None:
            lines += plan_verdicts(setup.plans)
            took = f"{setup.build_seconds:,.0f} seconds, within 1 GB of memory"
            lines.append(f"- To index the {_rows():,} vectors took {took}.")
    aim = f"the job embeds at least {_MIN_JOB_RATIO:.0%} of the embedder's rate"
    return [*lines, verdict(job_ratio >= _MIN_JOB_RATIO, aim, f"{job_ratio:.0%}")]


def _rows() -> int:
    users = [_LARGE_USER, _MEDIUM_USER, _SMALL_USER, *_OTHERS]
    return sum(user.messages + user.conversations for user in users)


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f} ms"


if __name__ == "__main__":
    main()
