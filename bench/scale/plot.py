"""Cost by size as SVG: panels side by side with shared logarithmic axes.

Works on light and dark backgrounds, without scripts or external resources.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

Line = Sequence[tuple[float, float]]
Panels = Mapping[str, Mapping[str, Line]]
"""By the panel's title and the line's label."""

_COLOURS = (
    "#3b82c4", "#d97a1e", "#2f9e68", "#c44e8c", "#8a6fd1", "#b8860b", "#4fa3b8", "#d1495b",
    "#7a8a3a",
)  # fmt: skip
_DASHES = ("", "6 3", "2 3")
_WIDTH, _HEIGHT, _GAP = 270, 250, 22
_LEFT, _TOP, _BELOW, _RIGHT = 58, 52, 46, 14
_LEGEND_COLUMNS, _LEGEND_LINE = 3, 19
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600; font-size: 14px }
.small { font-size: 11px; fill: #666 }
.grid { stroke: #8884; stroke-width: 1 }
.frame { fill: none; stroke: #8888 }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .small { fill: #aaa } }
"""


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps values to coordinates; `start` and `end` are exponents of ten."""

    start: int
    end: int
    first: float
    last: float

    @classmethod
    def over(cls, values: Sequence[float], first: float, last: float) -> "_Scale":
        start, end = floor(log10(min(values))), ceil(log10(max(values)))
        return cls(start, max(end, start + 1), first, last)

    def place(self, value: float) -> float:
        share = (log10(value) - self.start) / (self.end - self.start)
        return round(self.first + share * (self.last - self.first), 1)

    @property
    def powers(self) -> Sequence[int]:
        return range(self.start, self.end + 1)


def draw(title: str, panels: Panels, *, x: str, y: str) -> str:
    """Return the SVG. `x` and `y` are axis labels; panels share both scales."""
    points = [point for lines in panels.values() for line in lines.values() for point in line]
    labels = [*dict.fromkeys(label for lines in panels.values() for label in lines)]
    width = _LEFT + len(panels) * (_WIDTH + _GAP) - _GAP + _RIGHT
    legend = -(-len(labels) // _LEGEND_COLUMNS) * _LEGEND_LINE
    height = _TOP + _HEIGHT + _BELOW + legend
    vertical = _Scale.over([value for _, value in points], _TOP + _HEIGHT, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="20">{escape(title)}</text>',
        f'<text class="small" x="{_LEFT - 48}" y="{_TOP - 10}">{escape(y)}</text>',
    ]
    for number, (name, lines) in enumerate(panels.items()):
        left = _LEFT + number * (_WIDTH + _GAP)
        across = _Scale.over([value for value, _ in points], left, left + _WIDTH)
        parts += _frame(name, across, vertical, x, with_numbers=number == 0)
        parts += [_line(lines[label], at, across, vertical) for at, label in _known(labels, lines)]
    parts += _legend(labels, width, _TOP + _HEIGHT + _BELOW)
    return "\n".join((*parts, "</svg>", ""))


def _known(labels: Sequence[str], lines: Mapping[str, Line]) -> Iterator[tuple[int, str]]:
    return ((at, label) for at, label in enumerate(labels) if lines.get(label))


def _frame(
    name: str, across: _Scale, vertical: _Scale, x: str, *, with_numbers: bool
) -> Iterator[str]:
    left, right = across.first, across.last
    bottom, top = vertical.first, vertical.last
    for power in vertical.powers:
        at = vertical.place(10**power)
        yield f'<line class="grid" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>'
        if with_numbers:
            yield (
                f'<text class="small" x="{left - 6}" y="{at + 4}" text-anchor="end">'
                f"{_short(power)}</text>"
            )
    for power in across.powers:
        at = across.place(10**power)
        yield f'<line class="grid" x1="{at}" x2="{at}" y1="{bottom}" y2="{top}"/>'
        yield (
            f'<text class="small" x="{at}" y="{bottom + 15}" text-anchor="middle">'
            f"{_short(power)}</text>"
        )
    yield (
        f'<rect class="frame" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>'
    )
    middle = (left + right) / 2
    yield f'<text x="{middle}" y="{top - 10}" text-anchor="middle">{escape(name)}</text>'
    yield (
        f'<text class="small" x="{middle}" y="{bottom + 31}" text-anchor="middle">'
        f"{escape(x)}</text>"
    )


def _line(points: Line, at: int, across: _Scale, vertical: _Scale) -> str:
    colour, dash = _look(at)
    places = [(across.place(size), vertical.place(cost)) for size, cost in points]
    path = " ".join(f"{x},{y}" for x, y in places)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in places)
    return f'<polyline points="{path}" stroke="{colour}"{dash}/>{dots}'


def _legend(labels: Sequence[str], width: float, top: float) -> Iterator[str]:
    column = (width - _LEFT) / _LEGEND_COLUMNS
    for at, label in enumerate(labels):
        colour, dash = _look(at)
        x = _LEFT + at % _LEGEND_COLUMNS * column
        y = top + at // _LEGEND_COLUMNS * _LEGEND_LINE
        yield f'<line x1="{x}" x2="{x + 22}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"'
        yield f'{dash}/><text x="{x + 28}" y="{y + 4}">{escape(label)}</text>'


def _look(at: int) -> tuple[str, str]:
    dash = _DASHES[at % len(_DASHES)]
    return _COLOURS[at % len(_COLOURS)], f' stroke-dasharray="{dash}"' if dash else ""


def _short(power: int) -> str:
    for least, unit in ((6, "M"), (3, "k")):
        if power >= least:
            return f"{10 ** (power - least)}{unit}"
    return f"{10.0**power:g}"
