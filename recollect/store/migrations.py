"""Schema migrations: numbered `.sql` files per dialect.

Each is applied once, in order, in a transaction under a lock, and recorded with its checksum. A
file that was changed after it was applied is an error at the start.

A new release may start and migrate while older releases run. So migrations only add: tables,
indexes, optional columns. Versions count from 1 in the first *generation*, from 1000 in the second:
an incompatible migration starts a new generation. A release works with every version of its own
generation, and rejects a database of a later one.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from recollect.core.errors import SchemaMismatch
from recollect.store.database import Database, Run
from recollect.store.queries import SQL, sql_files

_GENERATION_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return _hashed(self.sql)


@cache
def _hashed(sql: str) -> str:
    return hashlib.sha256(sql.encode()).hexdigest()


@cache
def known_migrations(dialect: str) -> Sequence[Migration]:
    return tuple(
        Migration(
            version=int(file.name.partition("_")[0]),
            name=file.name.removesuffix(".sql"),
            sql=file.read_text(encoding="utf-8"),
        )
        for file in sql_files(SQL / "migrations" / dialect)
    )


def pending_migrations(
    known: Sequence[Migration], applied: Mapping[int, str]
) -> Sequence[Migration]:
    """Return the migrations to apply, given the checksums of the applied versions."""
    newest = max(migration.version for migration in known)
    current = max(applied, default=0)
    if current // _GENERATION_SIZE > newest // _GENERATION_SIZE:
        raise SchemaMismatch(
            f"The database is at version {current}, this release of Recollect knows versions up to "
            f"{newest} and those that only add to them: install a newer release."
        )
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise SchemaMismatch(
                f"The migration {migration.name} was changed after it was applied."
            )
    return [migration for migration in known if migration.version not in applied]


async def check_schema(database: Database) -> None:
    """Raises SchemaMismatch unless all migrations of this release are applied."""

    def applied(run: Run) -> dict[int, str]:
        return {row["version"]: row["checksum"] for row in run("list_migrations")}

    checksums = await database.system(applied, read_only=True)
    if pending_migrations(known_migrations(database.dialect), checksums):
        raise SchemaMismatch("The database still has to be migrated.")
