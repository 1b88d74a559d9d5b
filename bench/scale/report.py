"""What the figures say: tables, plots, and where a cost grows faster than the logarithm."""

from collections.abc import Iterator, Mapping
from math import log10
from pathlib import Path

from bench._plot import draw
from bench._report import machine, table
from bench.scale.axes import AXES, Axis
from bench.scale.disk import Disk
from bench.scale.figures import Figures
from bench.scale.operations import OPERATIONS, Cost, Costs
from bench.scale.reasons import reason_for

PARTS = 16
LABELS = {
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "partitioned": f"PostgreSQL, {PARTS} partitions",
}
IMAGES = "images"
"""Where the pictures are, from the page."""

_OPERATIONS = [operation.label for operation in OPERATIONS]
_FULL = 100
"""From this size on pages are full, and searches find as much as they may name."""
_NOISE = 1.3
"""By how much two figures of the same may differ on a machine that does other things as well."""


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
        "What grows faster than the logarithm, and why; nothing else does:",
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
    """By the database's label."""
    return {
        label: figures.costs[kind][axis.name]
        for kind, label in LABELS.items()
        if axis.name in figures.costs.get(kind, {})
    }


def _of(operation: str, costs: Costs) -> dict[int, Cost]:
    """By size, where it could be measured."""
    return {size: found[operation] for size, found in costs.items() if operation in found}


def _file(axis: Axis) -> str:
    return f"scale-{axis.name}.svg"


def _table(by_label: Mapping[str, Costs]) -> str:
    sizes = [*next(iter(by_label.values()))]
    head = ["p50 in ms", *(f"{size:,}" for size in sizes), "last decade", "statements", "rows"]
    rows = [
        _row(f"{label}: {name}", name, costs)
        for label, costs in by_label.items()
        for name in _OPERATIONS
    ]
    return table(head, rows)


def _row(title: str, name: str, costs: Costs) -> list[str]:
    found = _of(name, costs)
    figures = [f"{found[size].p50 * 1e3:,.2f}" if size in found else "" for size in costs]
    if not found:
        return [title, *figures, "", "", ""]
    last = found[max(found)]
    grown = f"{_growth(found)[0]:.2f} times" if len(found) > 1 else ""
    return [title, *figures, grown, f"{last.statements}", f"{last.rows:,}"]


def _growth(found: Mapping[int, Cost]) -> tuple[float, float]:
    """How many times as much the last decade and all of them cost, by the quickest calls."""
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
    """By how much the number of digits grows."""
    return (1 + log10(size)) / (1 + log10(before))


def _growing(figures: Figures) -> Iterator[str]:
    for axis in AXES:
        for label, costs in _along(figures, axis).items():
            growing = {name: _of(name, costs) for name in _OPERATIONS if grows(_of(name, costs))}
            steps = [
                _step(name, found, reason_for(axis.name, label, name))
                for name, found in growing.items()
            ]
            found = "; ".join(steps) or "nothing"
            yield f"- {label}, {axis.name}: {found}."


def _step(name: str, found: Mapping[int, Cost], reason: str | None) -> str:
    last, whole = _growth(found)
    why = reason or "for no reason that is known"
    return f"{name} ({last:.1f} times over the last decade, {whole:.1f} in all: {why})"


def _table_of_disk(disk: Mapping[str, Disk]) -> str:
    head = ["on disk, for a million messages", "all but vectors", "vectors and their index", "all"]
    rows = [
        [LABELS[kind], *map(_gigabytes, (one.words, one.vectors, one.words + one.vectors))]
        for kind, one in disk.items()
    ]
    return table(head, rows)


def _gigabytes(each: float) -> str:
    return f"{each * 1e6 / 1e9:.2f} GB"
