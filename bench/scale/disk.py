"""Disk space per message, with vectors of the local embedder's size."""

from contextlib import closing
from dataclasses import dataclass

from bench.common.corpus import DIMENSIONS, Corpus, CorpusUser
from bench.common.corpus_writer import fill
from bench.scale.bulk_insert import BulkWriter, bulk_writer_for
from recollect.engine import open_database, utc_now
from recollect.store import vectors
from recollect.store.url import parse_database_url

_MODEL = "made-up"
_USER = CorpusUser("alice", 10, 500)


@dataclass(frozen=True, slots=True)
class Disk:
    """Bytes per message: without vectors, and of vectors with their index."""

    words: float
    vectors: float


async def measure(url: str) -> Disk:
    """Fill an empty database and return the bytes per message."""
    corpus = Corpus([_USER], seed=1)
    database = await open_database(url)
    try:
        with closing(bulk_writer_for(url)) as writer:
            before = writer.size()
            await database.system(
                lambda run: vectors.register(run, _MODEL, DIMENSIONS, now=utc_now())
            )
            fill(url, corpus, model=_MODEL)
            await database.prepare_vectors(_MODEL, DIMENSIONS)
            grown = writer.size() - before
            of_vectors = _vector_bytes(writer, parse_database_url(url)[0])
    finally:
        await database.close()
    count = _USER.messages
    return Disk((grown - of_vectors) / count, of_vectors / count)


def _vector_bytes(writer: BulkWriter, dialect: str) -> int:
    statement = (
        "select sum(pgsize) from dbstat where name like '%embeddings%' or name like '%codes%'"
        if dialect == "sqlite"
        else "select pg_total_relation_size('embeddings') + coalesce(("
        "select sum(pg_total_relation_size(inhrelid)) from pg_inherits"
        " where inhparent = to_regclass('embeddings')), 0)"
    )
    ((size,),) = writer.execute(statement)
    return int(size)
