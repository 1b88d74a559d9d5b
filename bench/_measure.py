"""What is made of the timings.

A **slice** is one contestant doing one thing for a moment. Slices alternate between the contestants
in rounds, so a slow disk or a busy neighbour hits all alike; a ratio is the median of the ratios
within each round, which is steadier than the ratio of two medians.
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
        """Calls that succeeded, per second."""
        return (len(self.times) - len(self.failures)) / self.elapsed


@dataclass(slots=True)
class Series:
    """The slices of one contestant in one discipline, by round."""

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
    """How many times as long `one` takes."""
    return _ratio(one.rounds, other.rounds, lambda part: part.p50)


def rate_ratio(one: Series, other: Series) -> float:
    """How many times as many `one` does in the same time."""
    return _ratio(one.rounds, other.rounds, lambda part: part.rate)


def _ratio(
    one: Mapping[int, Slice], other: Mapping[int, Slice], of: Callable[[Slice], float]
) -> float:
    return median(of(one[number]) / of(other[number]) for number in one.keys() & other.keys())
