"""Recollect beside other libraries: the same talk, the same vectors, one run.

    python -m bench.peers [--write docs/benchmarks.md]

Each library is used as its documentation says (see `bench/contestants/whole`), in an environment
that `make bench-peers` makes. One long conversation is appended message by message, loaded and made
contexts of; all talks, told with and without who spoke and when, are searched. LoCoMo is not part
of the project: --locomo or LOCOMO names the file.
"""

import argparse
import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench._contest import Entry, Result, Runner, contest, say
from bench._report import arguments, publish
from bench._vectors import Vectors
from bench.peers.measure import STORES, Contest, Measured
from bench.peers.report import text
from bench.peers.talks import Embedded, longest
from bench.recall.data import LOCOMO, DataSet, assistants, locomo
from recollect.engine import Recollect

_PROBED = 50
"""Texts of which it is said how long they take to embed."""

OURS = Entry("**Recollect**", "whole.ours")
ENTRIES = (
    OURS,
    Entry("mem0, `infer=False`", "whole.mem0", package="mem0ai"),
    Entry("openai-agents `SQLiteSession`", "whole.openai_agents", package="openai-agents"),
    Entry("LangChain, Chroma", "whole.langchain", package="langchain-core"),
    Entry("LlamaIndex `Memory`, Chroma", "whole.llama_index", package="llama-index-core"),
    Entry("LangGraph `SqliteStore`", "whole.langgraph", package="langgraph-checkpoint-sqlite"),
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
    parser = arguments(__doc__)
    path = Path(os.environ.get("LOCOMO") or LOCOMO)
    parser.add_argument("--locomo", type=Path, metavar="FILE", default=path)
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="keep vectors between runs")
    return parser.parse_args()


async def measure(
    data: Sequence[DataSet], vectors: Vectors, entries: Sequence[Entry]
) -> tuple[Measured, dict[str, Result]]:
    async with Recollect.open("sqlite:///:memory:") as memory:
        with TemporaryDirectory(prefix="recollect-bench-") as folder:
            file = Path(folder) / "vectors.npz"
            say("embedding")
            embedded = await Embedded.make(memory, data, vectors, file)

            def prepare(runner: Runner) -> None:
                runner.embed = embedded.of
                for store in STORES:
                    runner.open(store, vectors=str(file))

            with contest(entries, prepare) as (runners, results):
                measured = Contest(runners, results).measure(data, longest(data))
            some = [question.text for _, question in data[0].asked][:_PROBED]
            measured.embedding = embedded.time(some)
    return measured, results


if __name__ == "__main__":
    main()
