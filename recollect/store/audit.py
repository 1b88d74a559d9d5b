"""Rows of the audit log: they are added, listed, and deleted when they are old."""

from collections.abc import Iterable
from datetime import datetime

from recollect.core.types import AuditEntry, utc_text
from recollect.store.database import MAX_ID, MAX_TIME, Run


def insert(run: Run, entries: Iterable[AuditEntry]) -> None:
    for entry in entries:
        run("insert_audit_entry", **entry.columns())


def page(run: Run, *, limit: int, before: tuple[str, str] | None = None) -> list[AuditEntry]:
    """List the entries of the transaction's user, newest first."""
    return _page(run, "list_audit_entries", limit, before)


def page_of_all(run: Run, *, limit: int, before: tuple[str, str] | None = None) -> list[AuditEntry]:
    """List the entries of all users, newest first."""
    return _page(run, "list_all_audit_entries", limit, before)


def _page(run: Run, query: str, limit: int, before: tuple[str, str] | None) -> list[AuditEntry]:
    before_at, before_id = before or (MAX_TIME, MAX_ID)
    rows = run(query, before_at=before_at, before_id=before_id, limit=limit)
    return AuditEntry.from_rows(rows)


def delete_older(run: Run, *, before: datetime) -> None:
    run("delete_audit_entries", before=utc_text(before))
