"""Days, weeks, months and years counted from a day. Weeks start on Monday."""

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, NamedTuple

Unit = Literal["day", "week", "weekend", "month", "year"]
UNITS: tuple[Unit, ...] = ("day", "week", "weekend", "month", "year")
Which = Literal["last", "this", "next", "coming"]
_WEEKS: dict[Which, int] = {"last": -1, "this": 0, "next": 1, "coming": 1}
_SATURDAY, _SUNDAY = 5, 6


class Period(NamedTuple):
    """All days from the first to the last one."""

    first: date
    last: date

    @property
    def is_month(self) -> bool:
        return self.first.day == 1 and self.last == _month_end(self.first)

    @property
    def is_year(self) -> bool:
        return (self.first, self.last) == _year(self.last.year)


def shifted(unit: Unit, count: int, day: date) -> Period:
    """Return the unit that is `count` units away. Raises ValueError or OverflowError if there is
    no such year."""
    if unit == "day":
        return _single(day + timedelta(days=count))
    if unit == "month":
        months = 12 * day.year + day.month - 1 + count
        first = date(months // 12, months % 12 + 1, 1)
        return Period(first, _month_end(first))
    if unit == "year":
        return _year(day.year + count)
    monday = day + timedelta(days=7 * count - day.weekday())
    start = _SATURDAY if unit == "weekend" else 0
    return Period(monday + timedelta(days=start), monday + timedelta(days=6))


def named_period(which: Which, unit: Unit, day: date) -> Period | None:
    """Return the last, this or next unit, or None if it is not certain.

    The next weekend is certain only on a weekend. On a Sunday no week is certain, because for some
    people a new one has begun.
    """
    if unit == "week" and day.weekday() == _SUNDAY:
        return None
    if unit == "weekend" and day.weekday() < _SATURDAY:
        if which == "next":
            return None
        if which == "coming":
            return shifted(unit, 0, day)
    return shifted(unit, _WEEKS[which], day)


def named_weekday(which: Which, weekday: int, day: date) -> Period | None:
    """Return the last, this or next Monday (0) to Sunday (6), or None if it is not certain.

    People disagree whether the last or next one may be in the same week.
    """
    in_week = shifted("week", _WEEKS[which], day).first + timedelta(days=weekday)
    if which == "this":
        return _single(in_week) if in_week >= day else None
    ahead = (weekday - day.weekday() - 1) % 7 + 1
    nearest = day + timedelta(days=(ahead - 7 or -7) if which == "last" else ahead)
    return _single(nearest) if which == "coming" or nearest == in_week else None


def _single(day: date) -> Period:
    return Period(day, day)


def _year(year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31))


def _month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])
