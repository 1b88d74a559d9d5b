"""The tables of a move and their order."""

from collections.abc import Mapping

from recollect.core.errors import Misconfigured, SchemaMismatch
from recollect.store.migrations import known_migrations
from recollect.transfer.copy.endpoint import MoveEndpoint, Table

COPIED_TABLES = (
    "users",
    "api_keys",
    "conversations",
    "conversation_tombstones",
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
    "deleted_idempotency_keys",
    "audit_log",
    "receipts",
    "feedback",
)
"""Each after the tables it refers to. SQLite's trigger on `embeddings` also reads `documents`."""

SKIPPED_TABLES = frozenset({"migrations", "vector_codes", "document_words", "deleted_documents"})
"""Each database has its own: the applied migrations, and rows that triggers maintain."""

REPLACEABLE_TABLES = frozenset({"embedders"})
"""A server writes these rows at its first start. The target's are replaced."""

_NOT_COMPARED: Mapping[str, frozenset[str]] = {"documents": frozenset({"terms"})}
"""The databases store terms in different forms. They are written together with their row, whose
`length` is their number."""


def check_release(endpoint: MoveEndpoint) -> None:
    """Raises SchemaMismatch if a later release has migrated the database.

    A server works with the additions of a later release; a copy without them would be incomplete.
    """
    known = {migration.version for migration in known_migrations(endpoint.dialect)}
    if later := endpoint.versions() - known:
        raise SchemaMismatch(
            f"{endpoint.address} is at version {max(later)}, this release of Recollect knows "
            f"versions up to {max(known)} and would leave behind what was added since: install "
            "that release, and move with it."
        )


def check_vectors(source: MoveEndpoint, target: MoveEndpoint) -> None:
    """Raises Misconfigured if SQLite cannot store the vectors: it packs their signs in bytes."""
    if target.dialect != "sqlite":
        return
    with source.reading():
        embedders = [*source.rows(source.tables()["embedders"], ["model", "dimensions"])]
    for model, dimensions in embedders:
        if isinstance(dimensions, int) and dimensions % 8:
            raise Misconfigured(
                f"{source.address} has vectors of {dimensions:,} numbers, by {model!r}, and SQLite "
                "needs a multiple of 8: let another embedder take over first, and then move."
            )


def matching_tables(source: Mapping[str, Table], target: Mapping[str, Table]) -> list[Table]:
    """Return the tables to copy. Raises SchemaMismatch if one differs."""
    for name in COPIED_TABLES:
        if source[name] != target[name]:
            raise SchemaMismatch(f"The table {name} is not the same in both databases.")
    return [source[name] for name in COPIED_TABLES]


def compared_columns(table: Table) -> list[str]:
    excluded = _NOT_COMPARED.get(table.name, frozenset())
    return [column for column in table.columns if column not in excluded]
