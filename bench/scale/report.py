"""Results of a run: saved figures, tables, plots, and which costs grow faster than log(size)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import log10
from pathlib import Path

from bench.common.report import machine, table
from bench.scale.axes import AXES, Axis, AxisName
from bench.scale.disk import Disk
from bench.scale.operations import OPERATIONS, Cost, Costs
from bench.scale.plot import draw

PARTS = 16
LABELS = {
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "partitioned": f"PostgreSQL, {PARTS} partitions",
}
IMAGES = "images"
"""Image folder, relative to the page."""

_OPERATIONS = [operation.label for operation in OPERATIONS]
_FULL = 100
"""From this size on pages are full and searches return the maximum."""
_NOISE = 1.3
"""Tolerated ratio between two measurements of the same thing."""

_SCORED = "every message that contains a query word is scored"
_SCANNED = "SQLite scans the signs of all vectors of the user"
_COUNTED = "up to 10,000 conversations are counted to weight rare words"
_REASONS: dict[tuple[AxisName, str], str] = {
    ("messages", "build a context"): f"it searches the conversation: {_SCORED}; {_SCANNED}",
    ("messages", "search, words and vectors"): f"{_SCORED}; {_SCANNED}",
    ("messages", "search, a frequent word"): _SCORED,
    ("conversations", "build a context"): (
        "its words are looked up among all messages of the user, then filtered by conversation"
    ),
    ("conversations", "search, words and vectors"): f"{_SCORED}; {_SCANNED}; {_COUNTED}",
    ("conversations", "search, a rare word"): _COUNTED,
    ("conversations", "search, a frequent word"): f"{_SCORED}; {_COUNTED}",
}
"""Known reasons by axis and operation. Growth without a reason here is a finding."""


@dataclass(slots=True)
class Figures:
    """Costs per database and axis, and disk space; can be saved in a file."""

    costs: dict[str, dict[str, Costs]] = field(default_factory=dict)
    disk: dict[str, Disk] = field(default_factory=dict)

    def keep(self, file: Path | None) -> None:
        if file is not None:
            file.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, file: Path | None) -> "Figures":
        if file is None or not file.exists():
            return cls()
        kept = json.loads(file.read_text(encoding="utf-8"))
        return cls(
            costs={
                kind: {
                    axis: {
                        int(size): {name: Cost(**cost) for name, cost in found.items()}
                        for size, found in costs.items()
                    }
                    for axis, costs in by_axis.items()
                }
                for kind, by_axis in kept["costs"].items()
            },
            disk={kind: Disk(**one) for kind, one in kept["disk"].items()},
        )


def text(figures: Figures) -> str:
    parts = [machine()]
    for axis in AXES:
        parts += [
            f"**{axis.title}.** {axis.varied}.",
            f"![{axis.title}: cost against size]({IMAGES}/{_file(axis)})",
            _table(_along(figures, axis)),
        ]
    parts += [
        _table_of_disk(figures.disk),
        "Costs that grow faster than log(size):",
        "\n".join(_growing(figures)),
    ]
    return "\n\n".join(parts)


def plots(figures: Figures, folder: Path) -> None:
    for axis in AXES:
        panels = {
            label: {
                name: [(size, cost.p50 * 1e3) for size, cost in _of(name, costs).items()]
                for name in _OPERATIONS
            }
            for label, costs in _along(figures, axis).items()
        }
        picture = draw(axis.title, panels, x=axis.name, y="ms, p50")
        (folder / _file(axis)).write_text(picture, encoding="utf-8")


def _along(figures: Figures, axis: Axis) -> dict[str, Costs]:
    """Return the costs along an axis by database label."""
    return {
        label: figures.costs[kind][axis.name]
        for kind, label in LABELS.items()
        if axis.name in figures.costs.get(kind, {})
    }


def _of(operation: str, costs: Costs) -> dict[int, Cost]:
    """Return the costs of an operation by size, where measured."""
    return {size: found[operation] for size, found in costs.items() if operation in found}


def _file(axis: Axis) -> str:
    return f"scale-{axis.name}.svg"


def _table(by_label: Mapping[str, Costs]) -> str:
    sizes = [*next(iter(by_label.values()))]
    shown = [size for size in sizes if size >= _FULL][:: max(len(sizes) - 3, 1)] or sizes[-1:]
    head = [f"p50 in ms at {' and '.join(f'{size:,}' for size in shown)}", *by_label]
    rows = [
        [name, *(_cell(_of(name, costs), shown) for costs in by_label.values())]
        for name in _OPERATIONS
    ]
    return table(head, rows)


def _cell(found: Mapping[int, Cost], sizes: list[int]) -> str:
    return ", ".join(f"{found[size].p50 * 1e3:,.2f}" if size in found else "n/a" for size in sizes)


def _growth(found: Mapping[int, Cost]) -> tuple[float, float]:
    """Return the cost ratios of the last decade and of all sizes (fastest tenth of calls)."""
    before, last = sorted(found)[-2:]
    return found[last].p10 / found[before].p10, found[last].p10 / found[_first(found)].p10


def _first(found: Mapping[int, Cost]) -> int:
    return min((size for size in found if size >= _FULL), default=min(found))


def grows(found: Mapping[int, Cost]) -> bool:
    """Whether it grows faster than the logarithm, by more than noise explains.

    What grows with the size shows in the last decade, where all that does not is small beside it.
    """
    if len(found) < 2:
        return False
    before, last = sorted(found)[-2:]
    lately, whole = _growth(found)
    return lately > _NOISE * _logarithm(before, last) or whole > _NOISE * _logarithm(
        _first(found), last
    )


def _logarithm(before: int, size: int) -> float:
    """Return the ratio of the numbers of digits."""
    return (1 + log10(size)) / (1 + log10(before))


def _growing(figures: Figures) -> Iterator[str]:
    for axis in AXES:
        for name in _OPERATIONS:
            growth = {
                label: _growth(found)
                for label, costs in _along(figures, axis).items()
                if grows(found := _of(name, costs))
            }
            if growth:
                ratios = ", ".join(
                    f"{label} {last:.1f} times over the last decade, {whole:.1f} in all"
                    for label, (last, whole) in growth.items()
                )
                reason = _REASONS.get((axis.name, name), "reason unknown")
                yield f"- {axis.name}, {name}: {ratios}. Reason: {reason}."


def _table_of_disk(disk: Mapping[str, Disk]) -> str:
    head = ["on disk, for a million messages", "without vectors", "vectors and index", "total"]
    rows = [
        [LABELS[kind], *map(_gigabytes, (one.words, one.vectors, one.words + one.vectors))]
        for kind, one in disk.items()
    ]
    return table(head, rows)


def _gigabytes(each: float) -> str:
    return f"{each * 1e6 / 1e9:.2f} GB"
