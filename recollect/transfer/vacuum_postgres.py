"""Vacuum of a PostgreSQL database: `vacuum full` writes every table and index into new files.

A plain vacuum, also the automatic one, marks the space of deleted rows as free. Their bytes stay
until other rows overwrite them. The planner's statistics have copies of values, so they are
collected again and rewritten as well.
"""

from contextlib import suppress
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg import sql

from recollect.core.errors import Misconfigured
from recollect.store.postgres import connection_string, map_errors
from recollect.transfer.copy.tables import COPIED_TABLES

_LOCK_TIMEOUT = "60s"
_STATISTICS = "pg_statistic"


def vacuum(url: str) -> bool:
    """Rewrite all tables, one after the other; each is locked meanwhile.

    Return False if the planner's statistics were not rewritten, which only the owner of the
    database can do. Raises Misconfigured unless the role owns the tables, and Unavailable if a
    table stays in use.
    """
    with (
        map_errors(),
        psycopg.connect(connection_string(url), autocommit=True) as connection,
    ):
        connection.execute(
            sql.SQL("set lock_timeout = {timeout}").format(timeout=sql.Literal(_LOCK_TIMEOUT))
        )
        for table in COPIED_TABLES:
            if warning := _rewrite(connection, table):
                raise Misconfigured(f"Only the owner of the tables can vacuum them: {warning}.")
            _forget_statistics(connection, table)
        warning = _rewrite(connection, _STATISTICS)
        with suppress(pg.InsufficientPrivilege):
            connection.execute("checkpoint")  # until then the old files are still on disk
        return warning is None


def _rewrite(connection: psycopg.Connection[Any], table: str) -> str | None:
    """Vacuum a table. Return PostgreSQL's warning: a missing right is no error."""
    warnings: list[str] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            warnings.append(notice.message_primary or "")

    connection.add_notice_handler(note)
    try:
        connection.execute(
            sql.SQL("vacuum (full, analyze) {table}").format(table=sql.Identifier(table))
        )
    finally:
        connection.remove_notice_handler(note)
    return warnings[0] if warnings else None


def _forget_statistics(connection: psycopg.Connection[Any], table: str) -> None:
    """Delete the statistics of an empty table, which `analyze` leaves: a superuser can."""
    name = sql.Identifier(table)
    if connection.execute(sql.SQL("select from {table} limit 1").format(table=name)).rowcount:
        return
    with suppress(pg.InsufficientPrivilege):
        connection.execute(
            "delete from pg_statistic where starelid in"
            " (select relid from pg_partition_tree(to_regclass(%s)) union select to_regclass(%s))",
            (table, table),
        )
