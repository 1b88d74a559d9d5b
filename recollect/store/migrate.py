"""Which migrations a database still needs.

Migrations are numbered `.sql` files per dialect. Each is applied once, in order, in a transaction
under a lock, and recorded with its checksum: a file that was changed after it was applied stops the
start instead of leaving two databases that differ.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from recollect.errors import SchemaMismatch
from recollect.store.database import Database, Run
from recollect.store.queries import SQL, sql_files


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
    by_version = {migration.version: migration for migration in known}
    newer = [version for version in applied if version not in by_version]
    if newer:
        raise SchemaMismatch(
            f"The database is at version {max(newer)}, this release of Recollect knows versions "
            f"up to {max(by_version)}: install a newer release."
        )
    for version, checksum in applied.items():
        if by_version[version].checksum != checksum:
            raise SchemaMismatch(
                f"The migration {by_version[version].name} was changed after it was applied."
            )
    return [migration for migration in known if migration.version not in applied]


async def check_schema(database: Database) -> None:
    """Returns when the database answers and its schema is this release's."""

    def applied(run: Run) -> dict[int, str]:
        return {row["version"]: row["checksum"] for row in run("list_migrations")}

    found = await database.system(applied, read_only=True)
    if pending_migrations(known_migrations(database.dialect), found):
        raise SchemaMismatch("The database still has to be migrated.")
