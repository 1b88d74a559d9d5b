"""Time measurements and their ratios.

A **slice** is one library running one workload for a moment. Slices of the libraries alternate, so
a slow disk affects all of them; a ratio is the median of the ratios within each round, which is
more stable than the ratio of two medians.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True, slots=True)
class Slice:
    times: tuple[float, ...]
    elapsed: float
    failures: tuple[str, ...]

    @property
    def p50(self) -> float:
        return median(self.times)

    @property
    def rate(self) -> float:
        """Successful calls per second."""
        return (len(self.times) - len(self.failures)) / self.elapsed


@dataclass(slots=True)
class Series:
    """The slices of one library in one workload, by round."""

    rounds: dict[int, Slice] = field(default_factory=dict)

    @property
    def p50(self) -> float:
        return median(time for part in self.rounds.values() for time in part.times)

    @property
    def rate(self) -> float:
        return median(part.rate for part in self.rounds.values())

    @property
    def spent(self) -> float:
        return sum(part.elapsed for part in self.rounds.values())

    @property
    def failures(self) -> int:
        return sum(len(part.failures) for part in self.rounds.values())

    @property
    def calls(self) -> int:
        return sum(len(part.times) for part in self.rounds.values())


def time_ratio(one: Series, other: Series) -> float:
    """Return time of `one` / time of `other`."""
    return _ratio(one.rounds, other.rounds, lambda part: part.p50)


def rate_ratio(one: Series, other: Series) -> float:
    """Return rate of `one` / rate of `other`."""
    return _ratio(one.rounds, other.rounds, lambda part: part.rate)


def _ratio(
    one: Mapping[int, Slice], other: Mapping[int, Slice], of: Callable[[Slice], float]
) -> float:
    return median(of(one[number]) / of(other[number]) for number in one.keys() & other.keys())
