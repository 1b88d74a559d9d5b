"""Recall of search on labelled questions.

    python -m bench.recall [--write docs/benchmarks.md]
    python -m bench.recall --try lexical=0.5,other_role=0.8 --try neighbour=0.3

Conversations between two people (LoCoMo, not part of the project: --locomo or LOCOMO names the
file) and chats with an assistant are recorded in a real engine on both databases and searched.
--try only prints the recall of other weights on SQLite; it keeps vectors in a file between runs.
"""

import argparse
import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from bench.common.databases import analyze, empty_databases
from bench.common.report import argument_parser, publish
from bench.common.vector_cache import Vectors, embed, remember_closeness
from bench.recall.baselines import bm25, cosine
from bench.recall.data import LOCOMO, DataSet, assistants, locomo
from bench.recall.measure import Recorded, Results, ask_all
from bench.recall.replay import Replay
from bench.recall.report import HYBRID, Measured, line, text
from recollect.engine import Recollect, utc_now
from recollect.llm.local_embedder import LocalEmbedder
from recollect.recall.search.ranking import Weights
from recollect.recall.search.retriever import Retriever
from recollect.recall.search.service import Search
from recollect.settings import Settings
from recollect.store.database import Database

_KEPT = Path(tempfile.gettempdir()) / "recollect-bench-vectors.npz"


def main() -> None:
    given = _arguments()
    data = [assistants()]
    if given.locomo.exists():
        data.insert(0, locomo(given.locomo))
    else:
        print(f"{given.locomo} is missing: only our own chats are asked about, nothing is written.")
        given.write = None
    if given.tries:
        asyncio.run(_try(data, Vectors(given.vectors or _KEPT), given.tries))
    else:
        publish("recall", text(asyncio.run(_measure(data, Vectors(given.vectors)))), given.write)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    path = Path(os.environ.get("LOCOMO") or LOCOMO)
    parser.add_argument("--locomo", type=Path, metavar="FILE", default=path)
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="keep vectors between runs")
    parser.add_argument(
        "--try", dest="tries", type=_weights, metavar="NAME=NUMBER,…", action="append", default=[]
    )
    return parser.parse_args()


def _weights(given: str) -> Weights:
    known = [field.name for field in fields(Weights)]
    try:
        pairs = {name: float(number) for name, number in (p.split("=") for p in given.split(","))}
    except ValueError:
        raise argparse.ArgumentTypeError("It looks like lexical=0.5,other_role=0.8.") from None
    if unknown := [name for name in pairs if name not in known]:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}.")
    return Weights(**pairs)


async def _measure(data: Sequence[DataSet], vectors: Vectors) -> list[Measured]:
    measured = [Measured(one.name) for one in data]
    with empty_databases("recall") as urls:
        for label, url in urls.items():
            async with _recorded(url, data, vectors) as (memory, embedder, recorded):
                for one, of in zip(recorded, measured, strict=True):
                    of.embedding_seconds += await _embed_questions(one.data, embedder, vectors)
                    if not of.results:
                        of.results.append(await ask_all("BM25", one.data, bm25(one.data)))
                        by_cosine = await cosine(one.data, embedder)
                        of.results.append(await ask_all("cosine", one.data, by_cosine))
                    await _ask_in_all_ways(label, url, memory, one, of.results)
                vectors.keep()
    return measured


async def _embed_questions(data: DataSet, embedder: LocalEmbedder, vectors: Vectors) -> list[float]:
    """Embed the questions before timing searches; return the seconds per new text."""
    known = len(vectors.seconds)
    await embed(embedder, [question.text for _, question in data.asked])
    return vectors.seconds[known:]


@asynccontextmanager
async def _recorded(
    url: str, data: Sequence[DataSet], vectors: Vectors
) -> AsyncIterator[tuple[Recollect, LocalEmbedder, list[Recorded]]]:
    """Record, index and embed the data sets."""
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        embedder = await vectors.serve(memory)
        recorded = [Recorded(one) for one in data]
        for one in recorded:
            await one.record(memory)
        await memory.work()
        analyze(url)
        yield memory, embedder, recorded


async def _ask_in_all_ways(
    label: str, url: str, memory: Recollect, recorded: Recorded, results: list[Results]
) -> None:
    by_vectors = Search(
        memory._database, memory._retriever, clock=utc_now, weights=Weights(lexical=0.0)
    )
    async with Recollect.open(settings=Settings(database_url=url, embedder="none")) as words_only:
        ways = {"words": words_only.recall, "vectors": by_vectors, HYBRID: memory.recall}
        for way, search in ways.items():
            asking = recorded.asking(search)
            results.append(await ask_all(f"{way}, {label}", recorded.data, asking))


async def _try(data: Sequence[DataSet], vectors: Vectors, tries: Sequence[Weights]) -> None:
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/recall.db"
        async with _recorded(url, data, vectors) as (memory, embedder, recorded):
            for one in data:
                await _embed_questions(one, embedder, vectors)
            vectors.keep()
            remember_closeness(embedder)
            replay = cast(Database, Replay(memory._database))
            retriever = Retriever(replay, memory._embedders)
            for weights in (Weights(), *tries):
                search = Search(replay, retriever, clock=utc_now, weights=weights)
                for data_set in recorded:
                    asking = data_set.asking(search, is_timed=False)
                    found = await ask_all(data_set.data.name, data_set.data, asking)
                    print(line(found, weights), flush=True)


if __name__ == "__main__":
    main()
