"""Recollect compared with other libraries: same conversations, same vectors, one run.

    python -m bench.peers [--write docs/benchmarks.md]

Each library is used as documented (`bench/peers/libraries`), in an environment made by
`make bench-peers`. One long conversation is appended, loaded and used for contexts; all
conversations, with and without speaker and date, are searched. LoCoMo is not part of the project:
--locomo or LOCOMO names the file.
"""

import argparse
import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.common.report import argument_parser, publish
from bench.common.runner import LibrarySpec, Result, Runner, log, start_libraries
from bench.common.vector_cache import Vectors
from bench.peers.conversations import Embedded, longest
from bench.peers.measure import STORES, Comparison, Measured
from bench.peers.report import text
from bench.recall.data import LOCOMO, DataSet, assistants, locomo
from recollect.engine import Recollect

_PROBED = 50
"""Texts used to measure the embedding time."""

OURS = LibrarySpec("**Recollect**", "peers.libraries.ours")
ENTRIES = (
    OURS,
    LibrarySpec("mem0, `infer=False`", "peers.libraries.mem0", package="mem0ai"),
    LibrarySpec(
        "openai-agents `SQLiteSession`", "peers.libraries.openai_agents", package="openai-agents"
    ),
    LibrarySpec("LangChain, Chroma", "peers.libraries.langchain", package="langchain-core"),
    LibrarySpec(
        "LlamaIndex `Memory`, Chroma", "peers.libraries.llama_index", package="llama-index-core"
    ),
    LibrarySpec(
        "LangGraph `SqliteStore`",
        "peers.libraries.langgraph",
        package="langgraph-checkpoint-sqlite",
    ),
)


def main() -> None:
    given = _arguments()
    load, _, _ = os.getloadavg()
    data = [assistants()]
    if given.locomo.exists():
        data.insert(0, locomo(given.locomo))
    else:
        print(f"{given.locomo} is missing: only our own chats are asked about, nothing is written.")
        given.write = None
    measured, results = asyncio.run(measure(data, Vectors(given.vectors), ENTRIES))
    publish("peers", text(data, measured, results, load), given.write)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    path = Path(os.environ.get("LOCOMO") or LOCOMO)
    parser.add_argument("--locomo", type=Path, metavar="FILE", default=path)
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="keep vectors between runs")
    return parser.parse_args()


async def measure(
    data: Sequence[DataSet], vectors: Vectors, specs: Sequence[LibrarySpec]
) -> tuple[Measured, dict[str, Result]]:
    async with Recollect.open("sqlite:///:memory:") as memory:
        with TemporaryDirectory(prefix="recollect-bench-") as folder:
            file = Path(folder) / "vectors.npz"
            log("embedding")
            embedded = await Embedded.make(memory, data, vectors, file)

            def prepare(runner: Runner) -> None:
                runner.embed = embedded.of
                for store in STORES:
                    runner.open(store, vectors=str(file))

            with start_libraries(specs, prepare) as (runners, results):
                measured = Comparison(runners, results).measure(data, longest(data))
            some = [question.text for _, question in data[0].asked][:_PROBED]
            measured.embedding = embedded.time(some)
    return measured, results


if __name__ == "__main__":
    main()
