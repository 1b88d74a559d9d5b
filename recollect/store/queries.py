"""Named queries, loaded from the `.sql` files beside this module.

A query starts at `-- name: its_name` and ends at the next one. `shared/` has the queries of both
databases, `sqlite/` and `postgres/` only those that differ. A name followed by ` system` marks a
query across users; all others are about the user of their transaction. A text that several queries
share is a `-- part: its_name`, and `{its_name}` includes it. `insert into table (a, b) values (:*)`
stands for `values (:a, :b)`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

SQL = files("recollect.store") / "sql"

_HEADER = re.compile(r"^-- (name|part): (\w+)( system)?\n", re.MULTILINE)
_PART = re.compile(r"\{(\w+)\}")
_COMMENT = re.compile(r"^\s*--.*\n?", re.MULTILINE)
_VALUES = re.compile(r"\(([^()]*)\) values \(:\*\)")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Queries:
    user: Mapping[str, str]
    system: Mapping[str, str]


@cache  # every connection loads them
def load_queries(dialect: str, adapt: Callable[[str], str] = str) -> Queries:
    """Return the queries of a dialect; `adapt` converts the parameters for its driver."""
    parts: dict[str, str] = {}
    user: dict[str, str] = {}
    system: dict[str, str] = {}
    for file in sql_files(SQL / "shared", SQL / dialect):
        pieces = _HEADER.split(file.read_text(encoding="utf-8"))[1:]
        for kind, name, mark, text in zip(*(pieces[n::4] for n in range(4)), strict=True):
            if name in parts or name in user or name in system:
                raise ValueError(f"{file.name}: the query {name} exists already")
            group = parts if kind == "part" else system if mark else user
            group[name] = _COMMENT.sub("", text).strip().removesuffix(";")

    def expand(statement: str) -> str:
        expanded = _PART.sub(lambda part: expand(parts[part[1]]), statement)
        return _VALUES.sub(_named_values, expanded)

    return Queries(
        {name: adapt(expand(statement)) for name, statement in user.items()},
        {name: adapt(expand(statement)) for name, statement in system.items()},
    )


def _named_values(insert: re.Match[str]) -> str:
    parameters = re.sub(r"(\w+)", r":\1", insert[1])
    return f"({insert[1]}) values ({parameters})"


def sql_files(*folders: Traversable) -> Iterator[Traversable]:
    for folder in folders:
        yield from sorted(
            (file for file in folder.iterdir() if file.name.endswith(".sql")),
            key=lambda file: file.name,
        )


def percent_parameters(statement: str) -> str:
    """Convert `:name` to `%(name)s`."""
    return _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%"))
