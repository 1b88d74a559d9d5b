"""Whether a context holds the answer: evidence and answer words within a number of tokens.

    python -m bench.evidence [--write docs/benchmarks.md]
    python -m bench.evidence --quick [--reuse] [--sets beam,locomo,own] [--budgets 3000]
    python -m bench.evidence --parts prefix,cost

Long chats with an assistant (BEAM), conversations of two people (LoCoMo) and our own chats with
long answers are recorded as one conversation each. For every question a context is built by
Recollect, from Recollect's search hits alone (naive), and from those of other libraries in the
environment made by `make bench-peers`. BEAM and LoCoMo are not part of the project: --beam and
--locomo name the files.

Databases and vectors are kept in a folder. A database is recorded again when a source changed that
decides what is stored; --reuse takes the last one all the same, --fresh records all of them.
"""

import argparse
import asyncio
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.common.report import argument_parser, publish
from bench.common.vector_cache import Vectors
from bench.evidence.chats import BEAM, beam, two_people
from bench.evidence.cost import measure_cost
from bench.evidence.long_chats import long_chats
from bench.evidence.measure import METHODS, embedding_seconds, measure
from bench.evidence.peers import SPECS, measure_peers
from bench.evidence.prefix import measure_prefixes
from bench.evidence.recordings import Recordings
from bench.evidence.report import text
from bench.recall.data import LOCOMO, ROOT, DataSet

BUDGETS = (1_000, 2_000, 3_000, 6_000)
UNRELATED = ROOT / "bench/data/unrelated.txt"
_KEPT = Path(tempfile.gettempdir()) / "recollect-evidence"
_SETS = ("beam", "locomo", "own")
_PARTS = ("contexts", "prefix", "cost")
_QUICK_CHATS = {"BEAM": 2}
"""Conversations of a set in a quick run, if more than one."""


def main() -> None:
    given = _arguments()
    sets = _sets(given) if "contexts" in given.parts else []
    if given.write is not None and not given.is_whole:
        print("This is not a whole run: nothing is written.")
        given.write = None
    publish("evidence", asyncio.run(_run(given, sets)), given.write)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    beam_path = Path(os.environ.get("BEAM") or BEAM)
    locomo_path = Path(os.environ.get("LOCOMO") or LOCOMO)
    methods = (*METHODS, *(spec.name for spec in SPECS))
    parser.add_argument("--beam", type=Path, metavar="FILE", default=beam_path)
    parser.add_argument("--locomo", type=Path, metavar="FILE", default=locomo_path)
    parser.add_argument("--parts", type=_some_of(_PARTS), default=_PARTS, metavar="NAME,…")
    parser.add_argument("--sets", type=_some_of(_SETS), default=_SETS, metavar="NAME,…")
    parser.add_argument("--methods", type=_some_of(methods), metavar="NAME,…")
    parser.add_argument("--budgets", type=_numbers, default=BUDGETS, metavar="NUMBER,…")
    parser.add_argument(
        "--quick", action="store_true", help="a few chats; without --methods, ours and naive only"
    )
    parser.add_argument("--databases", type=Path, metavar="FOLDER", default=_KEPT)
    parser.add_argument("--reuse", action="store_true", help="use databases of other sources too")
    parser.add_argument("--fresh", action="store_true", help="record all databases again")
    given = parser.parse_args()
    if given.quick:
        given.parts = tuple(part for part in given.parts if part == "contexts")
    given.methods = given.methods or (tuple(METHODS) if given.quick else methods)
    given.is_whole = (
        not (given.quick or given.reuse)
        and given.methods == methods
        and all(
            getattr(given, name) == parser.get_default(name)
            for name in ("parts", "sets", "budgets")
        )
    )
    return given


def _some_of(known: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    def parse(given: str) -> tuple[str, ...]:
        names = tuple(given.split(","))
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}.")
        return names

    return parse


def _numbers(given: str) -> tuple[int, ...]:
    return tuple(map(int, given.split(",")))


def _sets(given: argparse.Namespace) -> list[DataSet]:
    sets = []
    for name, path, read in (("beam", given.beam, beam), ("locomo", given.locomo, two_people)):
        if name in given.sets and path.exists():
            sets.append(read(path))
        elif name in given.sets:
            print(f"{path} is missing: it is left out, and nothing is written.")
            given.is_whole = False
    if "own" in given.sets:
        sets.append(long_chats())
    if given.quick:
        sets = [DataSet(one.name, one.people[: _QUICK_CHATS.get(one.name, 1)]) for one in sets]
    return sets


async def _run(given: argparse.Namespace, sets: Sequence[DataSet]) -> str:
    given.databases.mkdir(parents=True, exist_ok=True)
    vectors = Vectors(given.databases / "vectors.npz")
    recordings = Recordings(given.databases, vectors, is_fresh=given.fresh, reuses=given.reuse)
    unrelated = _unrelated()
    methods = [name for name in METHODS if name in given.methods]
    measured = [
        await measure(data, recordings, methods=methods, budgets=given.budgets, unrelated=unrelated)
        for data in sets
    ]
    unavailable = {}
    if sets and (peers := [spec for spec in SPECS if spec.name in given.methods]):
        unavailable = await measure_peers(
            peers,
            [*zip(sets, measured, strict=True)],
            vectors,
            budgets=given.budgets,
            unrelated=unrelated,
        )
    prefixes = await measure_prefixes(vectors) if "prefix" in given.parts else []
    cost = await measure_cost(recordings) if "cost" in given.parts else None
    embedding = await embedding_seconds(sets)
    return text(measured, unavailable, prefixes, cost, embedding)


def _unrelated() -> list[str]:
    if not UNRELATED.exists():
        print(f"{UNRELATED} is missing: false recall is not measured.")
        return []
    return [line for line in UNRELATED.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
