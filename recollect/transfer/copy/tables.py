"""What a move copies, and in which order."""

from collections.abc import Mapping

from recollect.core.errors import Misconfigured, SchemaMismatch
from recollect.store.migrate import known_migrations
from recollect.transfer.copy.port import End, Table

MOVED = (
    "users",
    "api_keys",
    "conversations",
    "messages",
    "summaries",
    "memories",
    "memory_sources",
    "memory_events",
    "memory_tombstones",
    "documents",
    "embedders",
    "embeddings",
    "embedding_progress",
    "jobs",
    "model_calls",
    "idempotency_keys",
    "receipts",
    "feedback",
)
"""Each after those that its rows refer to. SQLite makes a vector's code from its document too."""

LEFT = frozenset({"migrations", "vector_codes"})
"""What each database has of its own: what was done to it, and what its triggers keep."""

NOT_COMPARED: Mapping[str, frozenset[str]] = {"documents": frozenset({"terms"})}
"""Each database keeps words in a form of its own. They are written together with their row, whose
`length` says how many there were."""

HARMLESS = frozenset({"embedders"})
"""What a server writes that nobody has used: it makes way."""


def check_release(end: End) -> None:
    """A server works on what a later release has added to; a copy without it would not be whole.

    The migrations tell, not the tables: some may be there that are nobody's of ours.
    """
    known = {migration.version for migration in known_migrations(end.dialect)}
    if later := end.versions() - known:
        raise SchemaMismatch(
            f"{end.address} is at version {max(later)}, this release of Recollect knows versions "
            f"up to {max(known)} and would leave behind what was added since: install that "
            "release, and move with it."
        )


def check_vectors(source: End, target: End) -> None:
    """SQLite keeps the signs of a vector's numbers in whole bytes."""
    if target.dialect != "sqlite":
        return
    with source.reading():
        found = [*source.rows(source.tables()["embedders"], ["model", "dimensions"])]
    for model, dimensions in found:
        if isinstance(dimensions, int) and dimensions % 8:
            raise Misconfigured(
                f"{source.address} has vectors of {dimensions:,} numbers, by {model!r}, and SQLite "
                "needs a multiple of 8: let another embedder take over first, and then move."
            )


def agreed(source: Mapping[str, Table], target: Mapping[str, Table]) -> list[Table]:
    """The tables to move; both databases were migrated to the same release before."""
    for name in MOVED:
        if source[name] != target[name]:
            raise SchemaMismatch(f"The table {name} is not the same in both databases.")
    return [source[name] for name in MOVED]


def compared(table: Table) -> list[str]:
    left_out = NOT_COMPARED.get(table.name, frozenset())
    return [column for column in table.columns if column not in left_out]
