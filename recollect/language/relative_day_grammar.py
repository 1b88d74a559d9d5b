"""The phrases for relative days in each language, compiled from the sections `[relative_days]`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, get_args

from recollect.language.calendar_periods import UNITS, Period, Unit, Which
from recollect.language.patterns import alternatives, any_of, split_phrases, words
from recollect.language.registry import Language, all_languages

FIXED_DAYS = {"two_days_ago": -2, "in_two_days": 2, "yesterday": -1, "today": 0, "tomorrow": 1}
"""Fields with a fixed number of days."""
PERIODS: tuple[Which, ...] = get_args(Which)
COUNTED = {"ago": -1, "ahead": 1, "maybe_ahead": 1}
"""Fields with a number of units, and their direction."""

_BEFORE = r"(?<![\w@/.-])(?<!(?<!\w)')(?=[a-z\d])"
_AFTER = r"(?![\w@/'-]|\.\w)"


@dataclass(frozen=True, slots=True)
class Grammar:
    """The words of one language."""

    code: str
    units: re.Pattern[str]
    weekdays: re.Pattern[str]
    numbers: re.Pattern[str]
    not_before: frozenset[str]
    vague: frozenset[str]
    not_after: re.Pattern[str]
    durations: re.Pattern[str]
    months: tuple[str, ...]
    day: str
    month: str
    year: str
    range: str

    def unit(self, phrase: str) -> Unit | None:
        match = self.units.search(phrase)
        return UNITS[(match.lastindex or 1) - 1] if match else None

    def number(self, phrase: str) -> int:
        if digits := re.search(r"\d+", phrase):
            return int(digits[0])
        match = self.numbers.search(phrase)
        return (match.lastindex or 1) if match else 1

    def write(self, period: Period) -> str:
        """Return a period as it is written in this language."""
        first, last = period
        in_year = self.year.format(year=last.year)
        if period.is_year:
            return str(last.year)
        if period.is_month:
            return f"{self.months[last.month - 1]} {in_year}"
        day, month = self._day_and_month(last.day, last.month)
        end = f"{day} {month} {in_year}"
        if first == last:
            return end
        day, month = self._day_and_month(first.day, first.month)
        if first.year != last.year:
            month += f" {self.year.format(year=first.year)}"
        beginning = day if first.month == last.month else f"{day} {month}"
        return self.range.format(first=beginning, last=end)

    def _day_and_month(self, day: int, month: int) -> tuple[str, str]:
        return self.day.format(day=day), self.month.format(month=self.months[month - 1])


class Phrases(NamedTuple):
    """All phrases of all languages.

    An empty group follows each of them; its number tells which one it was. A group around a phrase
    would be slow, because it is entered before the first letter is compared.
    """

    pattern: re.Pattern[str]
    sources: tuple[tuple[Grammar, str], ...]
    """The grammar and the field of each phrase."""

    def source(self, match: re.Match[str]) -> tuple[Grammar, str]:
        return self.sources[(match.lastindex or 1) - 1]


@cache
def compile_phrases() -> Phrases:
    phrases: list[str] = []
    sources: list[tuple[Grammar, str]] = []
    for language in all_languages():
        part = language["relative_days"]
        if not part["date"]:
            continue
        grammar = _grammar(language)
        days, *periods = _members(part["units"])
        number = rf"(?:\d{{1,3}}|{_nested(grammar.numbers)})"
        count = f"{number} (?:{'|'.join([days, *periods])})"
        period = f"(?:{'|'.join(periods)}|{_nested(grammar.weekdays)})"
        for field in (*FIXED_DAYS, *PERIODS, *COUNTED):
            for phrase in split_phrases(part[field]):
                phrases.append(phrase.replace("<count>", count).replace("<period>", period))
                sources.append((grammar, field))
    pattern = f"{_BEFORE}(?:{'()|'.join(phrases)}()){_AFTER}"
    return Phrases(re.compile(pattern), tuple(sources))


def _grammar(language: Language) -> Grammar:
    part = language["relative_days"]
    day, month, year = _members(part["date"])
    weekdays = _members(part["weekdays"] or ",".join(language["dates"]["weekdays"].split()))
    return Grammar(
        code=language.code,
        units=_numbered(_members(part["units"])),
        weekdays=_numbered(weekdays),
        numbers=_numbered(_members(part["numbers"])),
        not_before=words(part["not_before"]),
        vague=words(part["vague"]),
        not_after=re.compile(rf"[ -]{alternatives(part['not_after'])}(?:(?<=[' ])|(?!\w))"),
        durations=re.compile(any_of(part["durations"])),
        months=tuple(part["month_names"].split()),
        day=day,
        month=month,
        year=year,
        range=part["range"],
    )


def _members(text: str) -> list[str]:
    return [" ".join(member.split()) for member in text.split(",")]


def _numbered(members: list[str]) -> re.Pattern[str]:
    """Return a pattern with a numbered group for each member."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(f'({member})' for member in members)})(?!\w)")


def _nested(pattern: re.Pattern[str]) -> str:
    """Return the pattern without its groups, after which others are numbered."""
    return re.sub(r"\((?!\?)", "(?:", pattern.pattern.removeprefix(r"(?<!\w)"))
