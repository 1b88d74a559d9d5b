"""Resolves days that are named from the day of a message: "yesterday", "last Friday", "in a month".

Each language lists its phrases, units, numbers and weekdays in `[relative_days]`; the grammar is
the same for all. A count of days gives a day, weeks and weekends a range of days, and months and
years themselves, because "three months ago" is not exact to the day.

Nothing is resolved where the day is not certain:

- "last Monday" and "next Friday", if the nearest one is in the current week: people disagree;
- quotations, code, and capitals inside a sentence, which show a title or a noun ("USA Today");
- phrases with a date after them, or a parenthesis with figures: so a resolved text stays as it is
  when it is resolved again;
- words that mean something else in another language ("hier"), unless the text is in theirs.

All repetitions are bounded and a text is read once, so the time is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from recollect.language.calendar_periods import Period, named_period, named_weekday, shifted
from recollect.language.exact_values.dates import date_patterns
from recollect.language.normalize import plain
from recollect.language.relative_day_grammar import (
    COUNTED,
    FIXED_DAYS,
    PERIODS,
    Grammar,
    compile_phrases,
)
from recollect.language.stopwords import STOP_WORDS

_EXPLANATION = re.compile(r" ?\([^)\n]{0,60}\d")
_GAP = re.compile(r",? ")
_WORD_BEFORE = re.compile(r"([\w']{1,30}) ?\Z")
_WORD = re.compile(r"\w{1,20}")
_SENTENCE_END = re.compile(r"[.!?;]")
_QUOTATION_MARK = re.compile('["“”„«»`]')
_FENCES = ("```", "~~~")
_REACH_CHARS = 80
_ANNOTATION = re.compile(r" \([^()\n]{0,60}\d[^()\n]{0,60}\)")
_ANNOTATED_REACH_CHARS = 400


@dataclass(frozen=True, slots=True)
class RelativeDay:
    """A phrase, and the days it means, also as they are written in its language."""

    start: int
    end: int
    period: Period
    written: str


def find_relative_days(text: str, said_on: date) -> list[RelativeDay]:
    """Return the phrases that name a day or a period for certain, in their order."""
    return [found for offset, line in _prose_lines(text) for found in _find(line, offset, said_on)]


def annotate_relative_days(text: str, said_on: date) -> str:
    """Put the date behind each phrase: "yesterday (3 June 2024)". All other text is unchanged."""
    pieces, at = [], 0
    for found in find_relative_days(text, said_on):
        pieces.append(f"{text[at : found.end]} ({found.written})")
        at = found.end
    return "".join([*pieces, text[at:]])


def _prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines outside code blocks, with their offsets."""
    offset, fence = 0, ""
    for line in text.splitlines(keepends=True):
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        else:
            yield offset, line
        offset += len(line)


def _find(line: str, offset: int, said_on: date) -> Iterator[RelativeDay]:
    text = plain(line)
    phrases = compile_phrases()
    languages = _LanguageVotes(text)
    quotation_marks = at = 0
    for match in phrases.pattern.finditer(text):
        quotation_marks += len(_QUOTATION_MARK.findall(line, at, match.start()))
        at = match.start()
        grammar, field = phrases.source(match)
        if (
            quotation_marks % 2
            or not _is_certain(line, text, match, field, grammar)
            or languages.is_foreign(match[0], grammar)
        ):
            continue
        period = _resolve(line[at : match.end()], field, grammar, said_on)
        if period is not None:
            yield RelativeDay(offset + at, offset + match.end(), period, grammar.write(period))


def _resolve(phrase: str, field: str, grammar: Grammar, said_on: date) -> Period | None:
    text = plain(phrase)
    unit = grammar.unit(text)
    try:
        if field in FIXED_DAYS:
            return shifted("day", FIXED_DAYS[field], said_on)
        if field in COUNTED:
            return shifted(unit or "day", COUNTED[field] * grammar.number(text), said_on)
        which = next(which for which in PERIODS if which == field)
        weekday = grammar.weekdays.search(text)
        # Filipino has one word for a Sunday and a week; the day has a capital
        if weekday is not None and (unit is None or phrase[weekday.start()].isupper()):
            return named_weekday(which, (weekday.lastindex or 1) - 1, said_on)
        return named_period(which, unit or "day", said_on)
    except (OverflowError, ValueError):  # before the year 1 or after 9999
        return None


def _is_certain(line: str, text: str, match: re.Match[str], field: str, grammar: Grammar) -> bool:
    start, end = match.span()
    before = text[max(0, start - _REACH_CHARS) : start]
    return not (
        _is_excluded_by(before, field, grammar)
        or (field == "maybe_ahead" and _is_duration(text, start, grammar))
        or grammar.not_after.match(text, end)
        or _EXPLANATION.match(text, end)
        or _is_dated(text, end)
        or _is_title(line[start:end], before)
    )


def _is_excluded_by(before: str, field: str, grammar: Grammar) -> bool:
    """Whether the text before a phrase makes it vague or means another period."""
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    excluded = grammar.not_before if field in PERIODS else grammar.vague
    return field not in FIXED_DAYS and word[1] in excluded


def _is_duration(text: str, start: int, grammar: Grammar) -> bool:
    """Whether the words before show that "in three weeks" tells how long something took."""
    before = _ANNOTATION.sub("", text[max(0, start - _ANNOTATED_REACH_CHARS) : start])
    sentence = _SENTENCE_END.split(before[-_REACH_CHARS:])[-1]
    return grammar.durations.search(sentence) is not None


def _is_dated(text: str, end: int) -> bool:
    """Whether a date follows: "tomorrow, 5 June"."""
    gap = _GAP.match(text, end)
    return gap is not None and any(
        pattern.regex.match(text, gap.end()) for pattern in date_patterns().certain
    )


def _is_title(phrase: str, before: str) -> bool:
    """Whether the phrase has a capital although no sentence begins there."""
    if not phrase[0].isupper() or phrase.isupper():
        return False
    visible = before.rstrip()[-1:]
    return visible.isalnum() or visible in {",", ")"}


class _LanguageVotes:
    """Counts the stop words of a line, by language, if that is needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._votes: dict[str, int] = {}

    def is_foreign(self, phrase: str, grammar: Grammar) -> bool:
        """Whether the phrase is a stop word of another language that the line is in."""
        rivals = [
            code for code, stop in STOP_WORDS.items() if phrase in stop and code != grammar.code
        ]
        if rivals and not self._votes:
            said = _ANNOTATION.sub("", self._text)
            found = [word for word in _WORD.findall(said) if word != phrase]
            self._votes = {
                code: sum(word in stop for word in found) for code, stop in STOP_WORDS.items()
            }
        return any(self._votes[code] >= self._votes[grammar.code] for code in rivals)
