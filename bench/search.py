"""What a search costs, beside the bare look-ups it cannot do without, and what indexing costs.

    python -m bench.search [--write docs/benchmarks.md]

One database of each kind, with a user of 100,000 messages in it, one of 10,000, one of 1,000 and
fifty small ones. Texts and vectors are made up (see `_corpus`): to embed so many would take half an
hour. The vector of a question is at hand as well; what embedding takes is in the last table.

Beside ours, in the same run and question by question: a scan of the same vectors by `sqlite-vec`
and a full-text query for the same terms by FTS5; on PostgreSQL, the same HNSW and GIN indexes in
plain SQL. They give the ids and scores of the best 200 each, and nothing is made of them.
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

from bench import _indexing, _plans
from bench._bare import Bare, BarePostgres, BareSqlite
from bench._corpus import DIMENSIONS, Asked, Corpus, Person
from bench._databases import postgres_server
from bench._filling import fill
from bench._measure import Series, Slice, rate_ratio, time_ratio
from bench._report import machine, publish, table, target_given, verdict
from recollect.core.types import Row
from recollect.engine import Recollect, utc_now
from recollect.language.analyzer import query_terms
from recollect.llm.protocols import Asked as QuestionVector
from recollect.llm.registry import Embedders
from recollect.recall.search.retriever import MOST_CANDIDATES, Retriever
from recollect.recall.search.service import Search
from recollect.settings import Settings
from recollect.store import vectors
from recollect.store.database import Database, Run, Value
from recollect.store.search_index import Filters

T = TypeVar("T")

_BIG = Person("big", 200, 500)
_MIDDLE = Person("middle", 20, 500)
_LITTLE = Person("little", 2, 500)
_OTHERS = [Person(f"other-{number}", 1, 40 + number) for number in range(50)]
_ALL = f"all {_BIG.messages:,}"
_SEED = 2026
_QUESTIONS, _MORE_QUESTIONS, _WARM_UP = 60, 20, 4
_TIMES_BARE = 1.5
_RECALL = 0.95
_JOB_TIMES_BARE = 0.9
_LATEST = 100
_PARTS = {
    "get_search_scope": "scope",
    "match_documents": "words",
    "nearest_embeddings": "nearest vectors",
    "list_similarities": "cosines of the others",
    "list_candidates": "candidates",
    "list_texts": "texts",
    "closeness": "closer look at the best",
    "rest": "ranking, threads and transactions",
}


def main() -> None:
    target = target_given(__doc__)
    with TemporaryDirectory() as folder:
        text = asyncio.run(_measure(Path(folder)))
    publish("search", text, target)


class _Prepared:
    """The engine's embedders, but that the vectors of the questions are known already."""

    def __init__(self, embedders: Embedders, spent: dict[str, float]) -> None:
        self._embedders = embedders
        self._spent = spent
        self.known: dict[str, list[float]] = {}

    @property
    def active(self) -> tuple[str, int] | None:
        return self._embedders.active

    def heard(self, model: str | None, dimensions: int | None) -> bool:
        return self._embedders.heard(model, dimensions)

    async def embed_question(
        self, text: str, *, user_id: str, across_languages: bool
    ) -> tuple[str, QuestionVector]:
        assert self.active is not None
        return self.active[0], QuestionVector(self.known[text])

    async def closeness(self, words: Sequence[str], texts: Sequence[str]) -> list[float] | None:
        start = time.perf_counter()
        close = await self._embedders.closeness(words, texts)
        self._spent["closeness"] += time.perf_counter() - start
        return close


class _Timed:
    """The engine's database, which notes down what each query takes."""

    def __init__(self, database: Database, spent: dict[str, float]) -> None:
        self._database = database
        self._spent = spent

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        def timed(run: Run) -> T:
            def noted(query: str, /, **params: Value) -> list[Row]:
                start = time.perf_counter()
                rows = run(query, **params)
                self._spent[query] += time.perf_counter() - start
                return rows

            return fn(noted)

        return await self._database.read(timed, user_id=user_id)


@dataclass(slots=True, eq=False)
class _Place:
    """A filled database, and who searches in it."""

    label: str
    memory: Recollect
    bare: Bare
    build_seconds: float = 0.0
    plans: _plans.Plans | None = None
    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """In seconds, by the part of a search."""
    prepared: _Prepared = field(init=False)
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.prepared = _Prepared(self.memory._embedders, self.spent)
        database = cast(Database, _Timed(self.memory._database, self.spent))
        retriever = Retriever(database, cast(Embedders, self.prepared))
        self.search = Search(database, retriever, clock=utc_now)


@dataclass(frozen=True, slots=True)
class _Case:
    """A way to search, and whose messages."""

    label: str
    user_id: str = _BIG.id
    filters: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "messages"


@dataclass(slots=True)
class _Found:
    ours: Series = field(default_factory=Series)
    vectors: Series = field(default_factory=Series)
    words: Series = field(default_factory=Series)
    both: Series = field(default_factory=Series)
    parts: list[dict[str, float]] = field(default_factory=list)
    cases: dict[str, Series] = field(default_factory=lambda: defaultdict(Series))
    recalls: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    """Of the ten nearest vectors, and of all that may be named."""


async def _measure(folder: Path) -> str:
    corpus = Corpus([_BIG, _MIDDLE, _LITTLE, *_OTHERS], seed=_SEED)
    gc.collect()
    gc.freeze()  # to go through millions of words again and again is not what is measured
    results: dict[_Place, _Found] = {}
    async with _sqlite(folder, corpus) as place:
        results[place] = await _searched(place, corpus)
    with postgres_server(folder) as url:
        async with _postgres(url, corpus) as place:
            results[place] = await _searched(place, corpus)
    indexing = await _indexing.measure(folder)
    return _text(results, *indexing)


@asynccontextmanager
async def _sqlite(folder: Path, corpus: Corpus) -> AsyncIterator[_Place]:
    url = f"sqlite:///{folder / 'ours.db'}"
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        await asyncio.to_thread(fill, url, corpus, model=await _model(memory))
        bare = await asyncio.to_thread(BareSqlite, folder / "bare.db", corpus, _BIG.id)
        yield _Place("SQLite", memory, bare)


@asynccontextmanager
async def _postgres(url: str, corpus: Corpus) -> AsyncIterator[_Place]:
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("alter database postgres set maintenance_work_mem = '1GB'")
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        model = await _model(memory)
        await memory._database.drop_vectors(model)  # to build it afterwards is quicker
        await asyncio.to_thread(fill, url, corpus, model=model)
        start = time.perf_counter()
        await memory._database.prepare_vectors(model, DIMENSIONS)
        built = time.perf_counter() - start
        plans = await asyncio.to_thread(
            _plans.find_plans, url, model, corpus, big=_BIG, small=_OTHERS[0]
        )
        with closing(BarePostgres(url, model, _BIG.id)) as bare:
            yield _Place("PostgreSQL", memory, bare, built, plans)


async def _model(memory: Recollect) -> str:
    """The active embedder: from the first work on that is done on a database, there is one."""
    await memory.work()
    active = memory._embedders.active
    assert active is not None, "The local embedder has to be installed: its name is needed."
    return active[0]


async def _searched(place: _Place, corpus: Corpus) -> _Found:
    found = _Found()
    for question in corpus.questions(_BIG.id, _WARM_UP):
        await _timed_search(place, question, _Case(""))
        _time_bare(place.bare, question)
    asked = corpus.questions(_BIG.id, _QUESTIONS)
    for number, question in enumerate(asked):
        elapsed, parts = await _timed_search(place, question, _Case(""))
        found.ours.rounds[number] = _one(elapsed)
        found.parts.append(parts)
        # The bare ones are half way round: whoever is second finds the pages in memory.
        other = (number + _QUESTIONS // 2) % _QUESTIONS
        nearest, matching = _time_bare(place.bare, asked[other])
        found.vectors.rounds[other] = _one(nearest)
        found.words.rounds[other] = _one(matching)
        found.both.rounds[other] = _one(nearest + matching)
    for case in _cases(corpus):
        exact = _Exact(corpus, case)
        asked = corpus.questions(case.user_id, _WARM_UP + _MORE_QUESTIONS)
        for number, question in enumerate(asked, 1 - _WARM_UP):
            elapsed, _ = await _timed_search(place, question, case)
            if number > 0:
                found.cases[case.label].rounds[number] = _one(elapsed)
                if case.kind == "messages":
                    near = await _nearest(place, question, case)
                    found.recalls[case.label].append(exact.recall(question, near))
    return found


def _cases(corpus: Corpus) -> list[_Case]:
    times = [said.at for talk in corpus.talks if talk.user_id == _BIG.id for said in talk.said]
    small = _OTHERS[0]
    last_tenth, latest = times[-len(times) // 10], times[-_LATEST]
    return [
        _Case(_ALL),
        _Case("in one of its 200 conversations", filters={"conversation_id": corpus.talks[7].id}),
        _Case("what the user said, which is half", filters={"role": "user"}),
        _Case("the last tenth", filters={"after": last_tenth}),
        _Case(f"the last {_LATEST} messages", filters={"after": latest}),
        _Case("all, rolled up to conversations", kind="conversations"),
        _Case(f"of another user, all {_MIDDLE.messages:,}", _MIDDLE.id),
        _Case(f"of another user, all {_LITTLE.messages:,}", _LITTLE.id),
        _Case(f"of another user, all {small.messages:,}", small.id),
    ]


class _Exact:
    """Which vectors are the nearest, by a look at all of them."""

    def __init__(self, corpus: Corpus, case: _Case) -> None:
        talks = [talk for talk in corpus.talks if talk.user_id == case.user_id]
        wanted = case.filters
        pairs = [
            (said.id, vector)
            for talk in talks
            if wanted.get("conversation_id", talk.id) == talk.id
            for said, vector in zip(talk.said, talk.vectors, strict=True)
            if wanted.get("role", said.role) == said.role
            and wanted.get("after", said.at) <= said.at
        ]
        self._ids = [id for id, _ in pairs]
        self._vectors = np.array([vector for _, vector in pairs])

    def recall(self, question: Asked, found: Collection[str]) -> tuple[float, float]:
        cosines = self._vectors @ np.array(question.vector, np.float32)
        nearest = [self._ids[place] for place in np.argsort(-cosines)[:MOST_CANDIDATES]]
        is_found = [id in found for id in nearest]
        return mean(is_found[:10]), mean(is_found)


async def _nearest(place: _Place, question: Asked, case: _Case) -> set[str]:
    assert place.prepared.active is not None
    query = vectors.Query(place.prepared.active[0], question.vector)
    filters = Filters(**case.filters)
    found = await place.memory._database.read(
        lambda run: vectors.nearest(run, "message", query, filters=filters, limit=MOST_CANDIDATES),
        user_id=case.user_id,
    )
    return {*found}


async def _timed_search(
    place: _Place, question: Asked, case: _Case
) -> tuple[float, dict[str, float]]:
    place.prepared.known = {question.text: question.vector}
    place.spent.clear()
    start = time.perf_counter()
    await place.search.search(
        question.text, user_id=case.user_id, kind=cast(Any, case.kind), limit=10, **case.filters
    )
    elapsed = time.perf_counter() - start
    return elapsed, {**place.spent, "rest": elapsed - sum(place.spent.values())}


def _time_bare(bare: Bare, question: Asked) -> tuple[float, float]:
    words, vector = bare.prepare(query_terms(question.text), question.vector)
    start = time.perf_counter()
    bare.nearest(vector)
    middle = time.perf_counter()
    bare.match(words)
    return middle - start, time.perf_counter() - middle


def _one(seconds: float) -> Slice:
    return Slice((seconds,), seconds, ())


def _text(results: Mapping[_Place, _Found], job: Series, embedder: Series) -> str:
    parts = [machine()]
    for place, found in results.items():
        rows = [
            _row(f"**Recollect** on {place.label}", found.ours, found),
            _row(place.bare.vectors, found.vectors, found),
            _row(place.bare.words, found.words, found),
            _row("both of these", found.both, found),
        ]
        head = [f"among {_BIG.messages:,} messages", "p50", "p95", "times both"]
        parts.append(table(head, rows))
    parts += [_table_of_parts(results), _table_of_cases(results)]
    rate = "texts/s"
    rows = [
        ["The background job", f"{job.rate:,.1f}", f"{rate_ratio(job, embedder):.2f}"],
        ["The bare embedder", f"{embedder.rate:,.1f}", "1.00"],
    ]
    parts.append(table(["embedding what was said", rate, "times bare"], rows))
    parts.append("\n".join(_verdicts(results, rate_ratio(job, embedder))))
    return "\n\n".join(parts)


def _row(label: str, series: Series, found: _Found) -> list[str]:
    times = [part.p50 for part in series.rounds.values()]
    p95 = quantiles(times, n=20)[-1]
    return [label, _ms(series.p50), _ms(p95), f"{time_ratio(series, found.both):.2f}"]


def _table_of_parts(results: Mapping[_Place, _Found]) -> str:
    rows = [[label] for label in _PARTS.values()]
    for found in results.values():
        whole = mean(sum(parts.values()) for parts in found.parts)
        for row, name in zip(rows, _PARTS, strict=True):
            seconds = mean(parts.get(name, 0.0) for parts in found.parts)
            row.append(f"{_ms(seconds)} ({seconds / whole:.0%})")
    return table(["where the time goes, on average", *(one.label for one in results)], rows)


def _table_of_cases(results: Mapping[_Place, _Found]) -> str:
    head = ["p50 of a search"]
    rows: dict[str, list[str]] = defaultdict(list)
    for place, found in results.items():
        head += [place.label, f"of the 10 and the {MOST_CANDIDATES} nearest vectors"]
        for label, series in found.cases.items():
            shares = [f"{mean(part):.1%}" for part in zip(*found.recalls[label], strict=True)]
            rows[label] += [_ms(series.p50), ", ".join(shares)]
    return table(head, [[label, *row] for label, row in rows.items()])


def _verdicts(results: Mapping[_Place, _Found], job_ratio: float) -> list[str]:
    lines = []
    for place, found in results.items():
        ratio = time_ratio(found.ours, found.both)
        recall = mean(of_ten for of_ten, _ in found.recalls[_ALL])
        lines += [
            verdict(
                ratio <= _TIMES_BARE,
                f"on {place.label} at most {_TIMES_BARE:g} times the bare look-ups",
                f"{ratio:.2f} times",
            ),
            verdict(
                recall >= _RECALL,
                f"on {place.label} at least {_RECALL:.0%} of the 10 nearest vectors are found",
                f"{recall:.1%}",
            ),
        ]
        if place.plans is not None:
            lines += _plans.verdicts(place.plans)
            took = f"{place.build_seconds:,.0f} seconds, within 1 GB of memory"
            lines.append(f"- To index the {_rows():,} vectors took {took}.")
    aim = f"the job embeds at least {_JOB_TIMES_BARE:.0%} as many texts as the bare embedder"
    return [*lines, verdict(job_ratio >= _JOB_TIMES_BARE, aim, f"{job_ratio:.0%}")]


def _rows() -> int:
    people = [_BIG, _MIDDLE, _LITTLE, *_OTHERS]
    return sum(person.messages + person.conversations for person in people)


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f} ms"


if __name__ == "__main__":
    main()
