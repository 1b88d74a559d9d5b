"""Cost of operations by size, on SQLite, PostgreSQL and partitioned PostgreSQL.

    python -m bench.scale [--write docs/benchmarks.md] [--largest N] [--databases sqlite,postgres]
        [--vectors N] [--keep FILE]

One dimension (`axes`) grows at a time, by powers of ten up to `--largest`. At each size the
engine's calls are timed. Only the first `--vectors` messages have vectors, because indexing a
million on PostgreSQL takes ten minutes; vector search is not timed beyond that. `--keep` saves
results in a file and does not measure them again.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from bench.common.databases import create_database, postgres_server
from bench.common.report import argument_parser, publish
from bench.scale import disk, report
from bench.scale.axes import AXES
from bench.scale.fixture import ScaleFixture, open_fixture
from bench.scale.operations import Costs, measure
from bench.scale.report import IMAGES, LABELS, PARTS, Figures
from bench.scale.texts import Texts
from recollect.store.postgres import create_partitioned


class Databases:
    """Creates empty databases."""

    def __init__(self, folder: Path, admin_url: str) -> None:
        self._folder = folder
        self._admin_url = admin_url

    @contextmanager
    def empty(self, kind: str, name: str) -> Iterator[str]:
        """Yield the URL of an empty database; delete it afterwards."""
        if kind == "sqlite":
            with TemporaryDirectory(dir=self._folder) as folder:
                yield f"sqlite:///{folder}/{name}.db"
            return
        url = create_database(self._admin_url, f"{kind}_{name}")
        if kind == "partitioned":
            create_partitioned(url, PARTS)
        yield url
        with psycopg.connect(self._admin_url, autocommit=True) as admin:
            admin.execute(f"drop database {kind}_{name} with (force)".encode())


def main() -> None:
    options = _options()
    kinds = options.databases.split(",")
    figures = Figures.read(options.keep)
    with (
        TemporaryDirectory() as folder,
        postgres_server(Path(folder)) if {*kinds} - {"sqlite"} else nullcontext("") as admin_url,
    ):
        if admin_url:
            with psycopg.connect(admin_url, autocommit=True) as admin:
                admin.execute("alter system set maintenance_work_mem = '1GB'")
                admin.execute("select pg_reload_conf()")
        databases = Databases(Path(folder), admin_url)
        for kind in kinds:
            asyncio.run(run(databases, kind, options, figures))
    if options.write is not None:
        report.plots(figures, options.write.parent / IMAGES)
    publish("scale", report.text(figures), options.write)


async def run(
    databases: Databases, kind: str, options: argparse.Namespace, figures: Figures
) -> None:
    """Measure everything that is not in `figures` yet."""
    if kind not in figures.disk:
        with databases.empty(kind, "disk") as url:
            figures.disk[kind] = await disk.measure(url)
    texts = Texts()
    costs = figures.costs.setdefault(kind, {})
    for axis in AXES:
        if axis.name not in costs:
            with databases.empty(kind, axis.name) as url:
                async with open_fixture(url, axis, texts, max_vectors=options.vectors) as fixture:
                    costs[axis.name] = await _along(fixture, axis.sizes(options.largest))
            figures.keep(options.keep)


async def _along(fixture: ScaleFixture, sizes: Sequence[int]) -> Costs:
    costs = {}
    for size in sizes:
        start = time.monotonic()
        await fixture.grow(size)
        grown = time.monotonic()
        costs[size] = await measure(fixture)
        print(
            f"{fixture.database.dialect}, {fixture.axis.name}: {size:,} in {grown - start:.0f} s, "
            f"measured in {time.monotonic() - grown:.0f} s",
            flush=True,
        )
    return costs


def _options() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--vectors", type=int, default=250_000, metavar="N")
    parser.add_argument("--databases", default=",".join(LABELS), metavar="KINDS")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="figures that need no new run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
