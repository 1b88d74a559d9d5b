"""Dates and times of day, in digits for any language and in words for the languages known.

The `certain` ones have a day and a month. The `likely` ones, a time or a year alone, come after the
codes, in which such digits may stand; `weekdays` need no digits.
"""

from functools import cache
from typing import NamedTuple

from recollect.language.exact_values.pattern import ValuePattern, any_word, plain_patterns
from recollect.language.patterns import alternatives
from recollect.language.registry import merged


class DatePatterns(NamedTuple):
    certain: tuple[ValuePattern, ...]
    likely: tuple[ValuePattern, ...]
    weekdays: tuple[ValuePattern, ...]


@cache
def date_patterns() -> DatePatterns:
    words = merged("dates")
    month, weekday = any_word(words["months"]), any_word(words["weekdays"])
    suffix = "|".join([*words["ordinal_suffixes"].split(), "º", "°", r"\."])
    day = rf"(?: \d{{1,2}} (?: {suffix} )? (?!\d) )"
    year = rf"(?: ,? \s (?: {any_word(words['year_links'])} \s )? \d{{4}} (?!\d) )"
    of = rf"(?: \s {any_word(words['month_links'])} )?"
    part_of_day = rf"(?: \s {alternatives(words['parts_of_day'])} )"
    suffix_or_part = rf"(?: \s? {alternatives(words['clock_suffixes'])} | {part_of_day} )"
    clock = rf"""(?: \d{{1,2}} [:.h] \d{{2}} (?: :\d{{2}} )? (?!\d) {suffix_or_part}?
        | \d{{1,2}} {suffix_or_part}
        | {alternatives(words["clock"])} {part_of_day}? )"""
    at = rf"(?: ,? \s (?: {alternatives(words['clock_links'], '@')} \s )? )"
    day_and_month = alternatives(words["day_and_month"]).replace("<month>", month)
    return DatePatterns(
        certain=plain_patterns(
            "date",
            r"""(?<!\w) \d{4}-\d{2}-\d{2}
            (?: [t ] \d{2}:\d{2} (?: :\d{2} (?: \.\d{1,9} )? )? (?: z | [+-]\d{2}:?\d{2} )? )?
            (?!\w)""",
            rf"""(?<!\w) (?: {weekday} ,? \s (?: {any_word(words["articles"])} \s )? )?
            (?: {day} {of} \s {month} {year}?
              | {month} \s {day} (?! {alternatives(words["not_after_day"])} ) {year}?
              | {day_and_month} {year}?
              | {month} {of} \s \d{{4}} (?!\d) )
            (?: {at} {clock} )? (?!\w)""",
            r"(?<![\w/.-]) \d{1,2} ([/.-]) \d{1,2} \1 (?: \d{4} | \d{2} ) (?![\w/-])",
            r"\d{2,4}[年년]\s? (?: \d{1,2}[月월]\s? (?: \d{1,2}[日일号] )? )?",
            r"\d{1,2}[月월]\s?\d{1,2}[日일号]",
            rf"(?<!\w) {weekday} {at} {clock} (?!\w)",
            r"(?<!\w) (?: q[1-4] | h[12] ) [ /-]? 20\d{2} (?!\w)",
        ),
        likely=plain_patterns(
            "date",
            rf"(?<![\w.,:]) {clock} (?! [\w:%] | [.,]\d )",
            r"(?<![\w.,]) (?: 19 | 20 )\d{2} (?! [\w%] | [.,]\d )",
        ),
        weekdays=plain_patterns("date", rf"(?<!\w) {weekday}"),
    )
