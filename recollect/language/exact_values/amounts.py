"""Amounts: money, percentages, measures, and numbers with what they count ("37 guests").

`MONEY` comes before the codes, which might eat its digits. `COUNTS` come last: a number and the
word after it, if it is one that can be counted, or else a number of two digits and more.
"""

from recollect.language.exact_values.pattern import any_of, as_spoken

_NUMBER = r"""(?: \d{1,3} (?: [.,'\u00a0\u202f\x20] \d{3} ){1,5} (?: [.,]\d{1,2} )? (?!\d)
    | \d{1,15} (?: [.,]\d{1,6} )? (?!\d) )"""
_SIGN = "[€$£¥₱₹₩₽₺₫฿₴₪]"
_CURRENCY = any_of(
    "eur usd gbp php jpy cny inr chf cad aud mxn brl krw sek nok dkk pln euros? dollars? dollari "
    "dolares dolar bucks pounds? sterline libras pesos? piso pisong yen yuan rupees? francs? "
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

_NOT_COUNTED = any_of(
    "a ad ai al alla am an and ang are as at ay ba but by con da dal das de dei del den der di do "
    "e ed el en es est et for from has he i il in is ist it ito la le mas na nel ng nga ni no o of "
    "on or ou para per pm po por sa se si so sono su sul than that the then to u um und us was we "
    "with x y you"
)

MONEY = as_spoken(
    "amount",
    rf"""(?<![\w.,])
    (?: {_SIGN} | us\$ | r\$ | p (?= \d\d ) | (?: eur | usd | gbp | php | jpy | chf | cad ) \s )
    \s? {_NUMBER} {_TIMES}?""",
    rf"(?<![\w.,]) {_NUMBER} {_TIMES}? \s? (?: {_SIGN} | {_CURRENCY} | [元円원] )",
)
COUNTS = as_spoken(
    "amount",
    rf"""(?<![\w.,]) {_NUMBER} \s? (?: [%‰] | (?: percent | per \s? cento? | por \s ciento
    | por \s cento | pour \s cent | prozent | porsiyento ) (?!\w) )""",
    rf"""(?<![\w.,]) {_NUMBER} {_TIMES}? [ -] (?: (?: na | ng ) \s )?  # 37 guests, 25 na bisita
    (?! {_NOT_COUNTED} ) [^\W\d_]{{1,25}} (?!\w)""",
    rf"(?<![\w.,]) {_NUMBER} (?: [^\W\d_]{{1,4}} (?!\w) | °[cf]? )",  # 300g, 5km, 21°C
    r"\d{1,9} (?: [.,]\d{1,4} )? \s? [\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2}",  # 37人
    r"(?<![\w.,]) \d{2,15} (?: [.,]\d{1,6} )? (?! \w | [.,]\d )",
)
