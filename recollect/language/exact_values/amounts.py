"""Amounts: money, percentages, measures, and numbers with what they count ("37 guests").

`money` comes before the codes, which might take its digits. `counts` come last: a number and the
word after it, if it can be counted, or else a number of two digits or more.
"""

from functools import cache
from typing import NamedTuple

from recollect.language.exact_values.pattern import ValuePattern, any_word, plain_patterns
from recollect.language.patterns import alternatives
from recollect.language.registry import merged

_NUMBER = r"""(?: \d{1,3} (?: [.,'\u00a0\u202f\x20] \d{3} ){1,5} (?: [.,]\d{1,2} )? (?!\d)
    | \d{1,15} (?: [.,]\d{1,6} )? (?!\d) )"""
_SIGN = "[€$£¥₱₹₩₽₺₫฿₴₪]"
_CODES = "eur usd gbp php jpy cny inr chf cad aud mxn brl krw sek nok dkk pln"


class AmountPatterns(NamedTuple):
    money: tuple[ValuePattern, ...]
    counts: tuple[ValuePattern, ...]


@cache
def amount_patterns() -> AmountPatterns:
    words = merged("amounts")
    times = rf"(?: \s? (?: {any_word(words['multipliers'])} | [万億亿千만억] ) )"
    currency = any_word(f"{_CODES} {words['currencies']}")
    link = rf"(?: {any_word(words['links'])} \s )?"
    return AmountPatterns(
        money=plain_patterns(
            "amount",
            rf"""(?<![\w.,])
            (?: {_SIGN} | us\$ | r\$ | p (?= \d\d )
              | (?: eur | usd | gbp | php | jpy | chf | cad ) \s )
            \s? {_NUMBER} {times}?""",
            rf"(?<![\w.,]) {_NUMBER} {times}? \s? (?: {_SIGN} | {currency} | [元円원] )",
        ),
        counts=plain_patterns(
            "amount",
            rf"(?<![\w.,]) {_NUMBER} \s? (?: [%‰] | {alternatives(words['percent'])} (?!\w) )",
            rf"""(?<![\w.,]) {_NUMBER} {times}? [ -] {link}  # 37 guests, 25 na bisita
            (?! {any_word(words["not_counted"])} ) [^\W\d_]{{1,25}} (?!\w)""",
            rf"(?<![\w.,]) {_NUMBER} (?: [^\W\d_]{{1,4}} (?!\w) | °[cf]? )",  # 300g, 5km, 21°C
            r"""\d{1,9} (?: [.,]\d{1,4} )? \s?  # 37人
            [\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2}""",
            r"(?<![\w.,]) \d{2,15} (?: [.,]\d{1,6} )? (?! \w | [.,]\d )",
        ),
    )
