"""Collects what each fault test tried and found; prints a table at the end of the run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from bench.common.report import machine, replace_section

_PROPERTY = "tally"
_EMBEDDED, _SERVER = "SQLite", "PostgreSQL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Violations, one sentence each."""

    lost: tuple[str, ...] = ()
    """Acknowledged and missing or changed."""
    duplicated: tuple[str, ...] = ()
    leaked: tuple[str, ...] = ()
    """Another user's or deleted data."""
    broken: tuple[str, ...] = ()
    """Other violations."""

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table, passed between processes as plain values."""

    database: str
    fault: str
    tried: str
    counts: dict[str, int]


class FaultReport:
    """Records a test's counts and fails the test if there are findings."""

    def __init__(self, properties: list[tuple[str, object]]) -> None:
        self._properties = properties

    def record(self, fault: str, url: str, found: Findings, **tried: int) -> None:
        counts = {one.name: len(getattr(found, one.name)) for one in fields(found)}
        shown = ", ".join(f"{number:,} {what.replace('_', ' ')}" for what, number in tried.items())
        database = _EMBEDDED if url.startswith("sqlite:") else _SERVER
        self._properties.append((_PROPERTY, (database, fault, shown, counts)))
        wrong = [sentence for one in fields(found) for sentence in getattr(found, one.name)]
        assert not wrong, "\n".join(wrong[:20])


def collect_entries(reports: Iterable[pytest.TestReport]) -> list[Entry]:
    return [
        Entry(*value)
        for report in reports
        for name, value in report.user_properties
        if name == _PROPERTY and report.when == "call" and isinstance(value, tuple | list)
    ]


def table(entries: list[Entry]) -> Iterator[str]:
    for entry in sorted(entries, key=lambda entry: (entry.database, entry.fault)):
        yield f"{entry.database:<11}{entry.fault}: {entry.tried}; {_shown([entry])}"
    for database in (_EMBEDDED, _SERVER):
        if some := [entry for entry in entries if entry.database == database]:
            kinds = len({entry.fault for entry in some})
            yield f"{database:<11}{kinds} kinds of faults: {_shown(some)}"


def keep(page: Path, lines: list[str], outcome: str) -> None:
    """Write the table with date and machine into the page's section."""
    text = "\n".join([f"{machine()} {outcome}.", "", "```text", *lines, "```"])
    replace_section(page, "torture", text)


def _shown(entries: list[Entry]) -> str:
    return ", ".join(
        f"{sum(entry.counts[one.name] for entry in entries)} {one.name}" for one in fields(Findings)
    )
