"""Which migrations a database still needs.

Migrations are numbered `.sql` files per dialect. Each is applied once, in order, in a transaction
under a lock, and recorded with its checksum: a file that was changed after it was applied stops the
start instead of leaving two databases that differ.

A new release starts beside old ones and migrates under their feet. So that they go on, and can even
be started again, migrations only add: tables, indexes, columns that may be left out. Versions count
from 1 in the first *generation*, from 1000 in the second: a migration that an older release cannot
live with begins a new generation, and its release notes say so. A release works on any version of
its own generation, and refuses a database of a later one.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from recollect.core.errors import SchemaMismatch
from recollect.store.database import Database, Run
from recollect.store.queries import SQL, sql_files

_GENERATION = 1000


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
    """What is left to apply, given the checksums of the applied versions."""
    newest = max(migration.version for migration in known)
    reached = max(applied, default=0)
    if reached // _GENERATION > newest // _GENERATION:
        raise SchemaMismatch(
            f"The database is at version {reached}, this release of Recollect knows versions up to "
            f"{newest} and those that only add to them: install a newer release."
        )
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise SchemaMismatch(
                f"The migration {migration.name} was changed after it was applied."
            )
    return [migration for migration in known if migration.version not in applied]


async def check_schema(database: Database) -> None:
    """Returns when the database answers and its schema is this release's."""

    def applied(run: Run) -> dict[int, str]:
        return {row["version"]: row["checksum"] for row in run("list_migrations")}

    found = await database.system(applied, read_only=True)
    if pending_migrations(known_migrations(database.dialect), found):
        raise SchemaMismatch("The database still has to be migrated.")
