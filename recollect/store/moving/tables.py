"""What a move copies, and in which order."""

from collections.abc import Mapping

from recollect.errors import SchemaMismatch
from recollect.store.moving.port import Table

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


def agreed(source: Mapping[str, Table], target: Mapping[str, Table]) -> list[Table]:
    """The tables to move; both databases were migrated to the same release before."""
    for name in MOVED:
        if source[name] != target[name]:
            raise SchemaMismatch(f"The table {name} is not the same in both databases.")
    return [source[name] for name in MOVED]


def compared(table: Table) -> list[str]:
    left_out = NOT_COMPARED.get(table.name, frozenset())
    return [column for column in table.columns if column not in left_out]
