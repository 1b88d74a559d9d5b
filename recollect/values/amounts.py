"""Amounts: money, percentages, measures, and numbers with what they count ("37 guests").

Money is `MONEY`, because it comes before the codes that might eat its digits. A number that counts
something is a number and a word; which words do not count is for the reader of `COUNTS` to know.
"""

from recollect.values.pattern import any_of, as_spoken

_NUMBER = r"""(?: \d{1,3} (?: [.,'\u00a0\u202f\x20] \d{3} ){1,5} (?: [.,]\d{1,2} )? (?!\d)
    | \d{1,15} (?: [.,]\d{1,6} )? (?!\d) )"""
_SIGN = "[€$£¥₱₹₩₽₺₫฿₴₪]"
_CURRENCY = any_of(
    "eur usd gbp php jpy cny inr chf cad aud mxn brl krw sek nok dkk pln euros? dollars? dollari "
    "dolares dolar bucks pounds? sterline libras pesos? piso piso(?:ng) yen yuan rupees? francs? "
    "franchi franken reais cents?"
)
_TIMES = (
    r"(?: \s? (?:"
    + any_of(
        "k m bn mila milioni thousand million billion mil mill millones millions tausend millionen "
        "libo libong milyon milyong"
    )
    + r"| [万億亿千만억] ) )"
)

MONEY = as_spoken(
    "amount",
    rf"""(?<![\w.,]) (?: {_SIGN} | us\$ | r\$ | (?: eur | usd | gbp | php | jpy | chf | cad | aud ) \s
    | p (?= \d\d ) ) \s? {_NUMBER} {_TIMES}?""",
    rf"(?<![\w.,]) {_NUMBER} {_TIMES}? \s? (?: {_SIGN} | {_CURRENCY} | [元円원] )",
)
COUNTS = as_spoken(
    "amount",
    rf"""(?<![\w.,]) {_NUMBER} \s? (?: % | ‰ | (?: percent | per \s? cento? | por \s (?: ciento | cento )
    | pour \s cent | prozent | porsiyento ) (?!\w) )""",
    rf"(?<![\w.,]) {_NUMBER} {_TIMES}? [ -] (?: (?: na | ng ) \s )? (?P<counted> [^\W\d_]{{1,25}} ) (?!\w)",
    rf"(?<![\w.,]) {_NUMBER} (?: [^\W\d_]{{1,4}} (?!\w) | °[cf]? )",  # 300g, 5km, 21°C
    r"\d{1,9} (?: [.,]\d{1,4} )? \s? [\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2}",
    r"(?<![\w.,]) \d{2,15} (?: [.,]\d{1,6} )? (?! \w | [.,]\d )",
)
