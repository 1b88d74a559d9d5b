"""Dates and times of day, in figures for any language and in words for eight.

`CERTAIN` are those with a day and a month. `LIKELY` ones, a time or a year alone, come after the
codes, in which such digits may stand; `WEEKDAYS` need no digits.
"""

from recollect.language.exact_values.pattern import any_of, as_spoken

_MONTH = any_of(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sept? oct nov dec "
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre "
    "enero pebrero marso abril mayo hunyo hulyo setyembre oktubre nobyembre disyembre "
    "febrero junio julio septiembre octubre noviembre diciembre "
    "janvier fevrier mars avril mai juin juillet aout septembre octobre decembre "
    "januar februar marz juni juli oktober dezember "
    "janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro"
)
_WEEKDAY = any_of(
    "monday tuesday wednesday thursday friday saturday sunday "
    "lunedi martedi mercoledi giovedi venerdi sabato domenica "
    "lunes martes miyerkules huwebes biyernes sabado linggo miercoles jueves viernes domingo "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira"
)
_DAY = r"(?: \d{1,2} (?: st | nd | rd | th | er | º | ° | \. )? (?!\d) )"
_YEAR = r"(?: ,? \s (?: de \s | del \s | taong \s )? \d{4} (?!\d) )"
_OF = r"(?: \s (?: of | de | di | del | ng ) )?"
_PART_OF_DAY = r"(?: \s (?: ng | sa ) \s (?: umaga | tanghali | hapon | gabi ) )"
_HALF = r"(?: \s? (?: [ap]m (?!\w) | [ap]\.m\. ) )"
_HALF_OR_PART = rf"(?: {_HALF} | \s?uhr (?!\w) | {_PART_OF_DAY} )"
_CLOCK = rf"""(?: \d{{1,2}} [:.h] \d{{2}} (?: :\d{{2}} )? (?!\d) {_HALF_OR_PART}?
    | \d{{1,2}} {_HALF_OR_PART}
    | alas-? \s? (?: \d{{1,2}} (?: :\d{{2}} )? | \w{{3,12}} ) {_PART_OF_DAY}? )"""
_AT = r"(?: ,? \s (?: (?: at | alle (?: \s ore )? | ore | a \s las | um | as | nang | @ ) \s )? )"

CERTAIN = as_spoken(
    "date",
    r"""(?<!\w) \d{4}-\d{2}-\d{2}
    (?: [t ] \d{2}:\d{2} (?: :\d{2} (?: \.\d{1,9} )? )? (?: z | [+-]\d{2}:?\d{2} )? )? (?!\w)""",
    rf"""(?<!\w) (?: {_WEEKDAY} ,? \s (?: (?: the | il | el | le | den | der ) \s )? )?
    (?: {_DAY} {_OF} \s {_MONTH} {_YEAR}?
      | {_MONTH} \s {_DAY} (?! \s na \s ) {_YEAR}?   # "may 25 na bisita": there are 25 guests
      | ika-? \s? \d{{1,2}} \s ng \s {_MONTH} {_YEAR}?
      | {_MONTH} {_OF} \s \d{{4}} (?!\d) )
    (?: {_AT} {_CLOCK} )? (?!\w)""",
    r"(?<![\w/.-]) \d{1,2} ([/.-]) \d{1,2} \1 (?: \d{4} | \d{2} ) (?![\w/-])",
    r"\d{2,4}[年년]\s? (?: \d{1,2}[月월]\s? (?: \d{1,2}[日일号] )? )?",
    r"\d{1,2}[月월]\s?\d{1,2}[日일号]",
    rf"(?<!\w) {_WEEKDAY} {_AT} {_CLOCK} (?!\w)",
    r"(?<!\w) (?: q[1-4] | h[12] ) [ /-]? 20\d{2} (?!\w)",
)
LIKELY = as_spoken(
    "date",
    rf"(?<![\w.,:]) {_CLOCK} (?! [\w:%] | [.,]\d )",
    r"(?<![\w.,]) (?: 19 | 20 )\d{2} (?! [\w%] | [.,]\d )",
)
WEEKDAYS = as_spoken("date", rf"(?<!\w) {_WEEKDAY}")
