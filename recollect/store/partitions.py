"""PostgreSQL's tables, partitioned by the hash of their user.

All that makes a table stands in the migrations, so partitioned ones are made by the same
statements, with a clause more: indexes, foreign keys, row-level security, grants, functions and
views are then what they are anyway, and no query knows of it. A plain table cannot be turned into
a partitioned one, so this is for a database that is empty; `recollect move` fills it.

Rows are reached through the tables alone. The partitions have row-level security, forced on their
owner as well, and no grants: whoever names one of them is refused, or sees nothing in it. The one
exception is `recollect_system`, who sees all rows anyway. `pg_dump` reads partition by partition,
so that role may read them too, and no more. Its policy goes with the grant: by the grant alone it
would read nothing, and a dump would be empty without saying so.
"""

import re

from recollect.core.errors import InvalidInput

FEWEST, MOST = 2, 64

_TABLE = re.compile(r"^create table (\w+) \(\n    user_id\b.*?^\)(?=;)", re.MULTILINE | re.DOTALL)
"""One whose rows are somebody's."""
_PARTITION = """
create table {name}_{part} partition of {name}
    for values with (modulus {parts}, remainder {part});
alter table {name}_{part} enable row level security;
alter table {name}_{part} force row level security;
create policy all_rows on {name}_{part} for select to recollect_system using (true);
grant select on {name}_{part} to recollect_system"""


def check_parts(parts: int) -> None:
    if not FEWEST <= parts <= MOST:
        raise InvalidInput(f"There can be {FEWEST} to {MOST} partitions, not {parts:,}.")


def partitioned(migration: str, parts: int) -> str:
    """The same migration, but that the tables it makes are in so many parts."""

    def divided(table: re.Match[str]) -> str:
        partitions = (
            _PARTITION.format(name=table[1], part=part, parts=parts) for part in range(parts)
        )
        return ";".join((f"{table[0]} partition by hash (user_id)", *partitions))

    return _TABLE.sub(divided, migration)
