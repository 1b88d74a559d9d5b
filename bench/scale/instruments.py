"""Test doubles: a database that counts statements, and embedders with precomputed vectors."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bench.scale.texts import DIMENSIONS, MODEL, Texts
from recollect.core.types import Row
from recollect.llm.protocols import QueryEmbedding
from recollect.store.database import Database, Run, SqlValue

T = TypeVar("T")


class CountingDatabase:
    """A database that counts statements and returned rows."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect = database.dialect
        self.statements = 0
        self.rows = 0

    @property
    def queue_size(self) -> int:
        return self._database.queue_size

    async def read(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._database.read(lambda run: fn(self._counted(run)), user_id=user_id)

    async def write(self, fn: Callable[[Run], T], *, user_id: str) -> T:
        return await self._database.write(lambda run: fn(self._counted(run)), user_id=user_id)

    async def system(self, fn: Callable[[Run], T], *, read_only: bool = False) -> T:
        return await self._database.system(lambda run: fn(self._counted(run)), read_only=read_only)

    async def prepare_vectors(self, model: str, dimensions: int) -> bool:
        return await self._database.prepare_vectors(model, dimensions)

    async def drop_vectors(self, model: str) -> None:
        await self._database.drop_vectors(model)

    async def close(self) -> None:
        await self._database.close()

    def _counted(self, run: Run) -> Run:
        def counted(query: str, /, **params: SqlValue) -> list[Row]:
            rows = run(query, **params)
            self.statements += 1
            self.rows += len(rows)
            return rows

        return counted


class Embedders:
    """Embedders with precomputed query vectors, or without any."""

    def __init__(self, texts: Texts, *, embeds: bool) -> None:
        self.active = (MODEL, DIMENSIONS) if embeds else None
        self._known = {asked.text: asked.vector for asked in texts.questions}

    def set_active(self, model: str | None, dimensions: int | None) -> bool:
        return True

    async def embed_query(
        self, text: str, *, user_id: str, across_languages: bool
    ) -> tuple[str, QueryEmbedding]:
        return MODEL, QueryEmbedding(self._known[text])

    async def word_similarities(self, words: Sequence[str], texts: Sequence[str]) -> None:
        """Left out: its cost does not depend on the size."""
