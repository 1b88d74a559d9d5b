"""PostgreSQL tables that are hash-partitioned by user.

The migrations create them with an additional clause, so indexes, foreign keys, row-level security,
grants, functions and views are the same, and queries do not change. PostgreSQL cannot partition an
existing table, so this works for an empty database only; `recollect move` fills it.

Rows are read and written through the tables. The partitions have forced row-level security and no
grants, except for `recollect_system`, which sees all rows anyway: `pg_dump` reads the partitions
one by one, so this role may select from them. It needs the grant and the policy; with the grant
alone, a dump would be empty without an error.
"""

import re

from recollect.core.errors import InvalidInput

MIN_PARTITIONS, MAX_PARTITIONS = 2, 64

_TABLE = re.compile(r"^create table (\w+) \(\n    user_id\b.*?^\)(?=;)", re.MULTILINE | re.DOTALL)
"""A table with a user_id."""
_PARTITION = """
create table {name}_{part} partition of {name}
    for values with (modulus {parts}, remainder {part});
alter table {name}_{part} enable row level security;
alter table {name}_{part} force row level security;
create policy all_rows on {name}_{part} for select to recollect_system using (true);
grant select on {name}_{part} to recollect_system"""


def check_parts(parts: int) -> None:
    if not MIN_PARTITIONS <= parts <= MAX_PARTITIONS:
        raise InvalidInput(
            f"There can be {MIN_PARTITIONS} to {MAX_PARTITIONS} partitions, not {parts:,}."
        )


def partition_tables(migration: str, parts: int) -> str:
    """Return the migration with partitioned tables."""

    def partition(table: re.Match[str]) -> str:
        partitions = (
            _PARTITION.format(name=table[1], part=part, parts=parts) for part in range(parts)
        )
        return ";".join((f"{table[0]} partition by hash (user_id)", *partitions))

    return _TABLE.sub(partition, migration)
