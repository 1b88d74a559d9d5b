"""What a message takes on disk, with vectors as long as the local embedder's."""

from contextlib import closing
from dataclasses import dataclass

from bench._corpus import DIMENSIONS, Corpus, Person
from bench._filling import fill
from bench.scale.filling import Filling, filling_of
from recollect.engine import open_database, utc_now
from recollect.store import vectors
from recollect.store.url import parse_database_url

_MODEL = "made-up"
_PERSON = Person("alice", 10, 500)


@dataclass(frozen=True, slots=True)
class Disk:
    """Bytes for each message: of everything but vectors, and of these with their index."""

    words: float
    vectors: float


async def measure(url: str) -> Disk:
    """On an empty database. A small one does: its half-empty pages are a small share already."""
    corpus = Corpus([_PERSON], seed=1)
    database = await open_database(url)
    try:
        with closing(filling_of(url)) as filling:
            before = filling.size()
            await database.system(
                lambda run: vectors.register(run, _MODEL, DIMENSIONS, now=utc_now())
            )
            fill(url, corpus, model=_MODEL)
            await database.prepare_vectors(_MODEL, DIMENSIONS)
            grown = filling.size() - before
            of_vectors = _vector_bytes(filling, parse_database_url(url)[0])
    finally:
        await database.close()
    count = _PERSON.messages
    return Disk((grown - of_vectors) / count, of_vectors / count)


def _vector_bytes(filling: Filling, dialect: str) -> int:
    statement = (
        "select sum(pgsize) from dbstat where name like '%embeddings%' or name like '%codes%'"
        if dialect == "sqlite"
        else "select pg_total_relation_size('embeddings') + coalesce(("
        "select sum(pg_total_relation_size(inhrelid)) from pg_inherits"
        " where inhparent = to_regclass('embeddings')), 0)"
    )
    ((size,),) = filling.execute(statement)
    return int(size)
