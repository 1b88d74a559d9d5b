"""Codes: order numbers, hashes, flights, IBANs, telephones, versions.

They have what words do not have: digits among capitals, underscores, groups of hex digits.
`CERTAIN` patterns match nothing else; `LIKELY` ones come after dates and money.
"""

from recollect.language.exact_values.pattern import literal_patterns

CERTAIN = literal_patterns(
    "identifier",
    r"(?<![\w-]) [0-9a-fA-F]{8}- (?: [0-9a-fA-F]{4}- ){3} [0-9a-fA-F]{12} (?![\w-])",  # UUID
    r"(?<=`) [^`\s]{2,80} (?=`)",  # `in backticks`
    r"(?<!\w) [A-Z]{2}\d{2} (?: [ ]?[A-Z0-9]{4} ){2,7} (?: [ ]?[A-Z0-9]{1,3} )? (?!\w)",  # IBAN
    r"(?<![\w$]) [A-Z][A-Z0-9]{0,40} (?: _[A-Z0-9]{1,40} ){1,8} (?!\w)",  # UPPER_SNAKE
    r"(?<![\w$]) [a-z][a-z0-9]{0,40} (?: _[a-z0-9]{1,40} ){1,8} (?!\w)",  # snake_case
)
LIKELY = literal_patterns(
    "identifier",
    r"""(?<![\w.,+-]) (?: \+ | 00 ) \d{1,3} (?: [ ./()-]{1,2} \d{2,8} ){2,5} (?!\w)  # telephones
    | (?<![\w.,+-]) \(?0\d{2,4}\)? (?: [ ./-] \d{2,4} ){2,4} (?!\w)
    | (?<![\w.,+-]) (?: 0 | \+ ) \d{8,13} (?!\w)""",
    r"(?<![\w.]) \d{1,3} (?: \.\d{1,3} ){3} (?: :\d{1,5} | /\d{1,2} )? (?![\w.])",  # IP address
    r"""(?<![\w.]) (?: [vV]\d{1,4} (?: \.\d{1,4} ){0,3} | \d{1,4}\.\d{1,4}\.\d{1,4} )  # versions
    (?: -[\w.]{1,20} )? (?! \w | \.\d )""",
    r"""(?<!\w) (?= [a-f]{0,40}\d ) (?= \d{0,40}[a-f] ) [0-9a-f]{7,64} (?!\w)""",  # hash
    r"""(?<![\w.,/-]) (?= \S{4} )                                   # PO-77123, QX7-4410-B, AZ1768
    (?= [A-Z/_-]{0,20}\d ) (?= [\d/_-]{0,20}[A-Z] )
    [A-Z0-9]{1,20} (?: [-/_.][A-Z0-9]{1,20} ){0,6} (?!\w)""",
    r"(?<!\w) (?: [A-Z]{2} | [A-Z]\d | \d[A-Z] ) [ ] \d{2,4} (?![\w%])",  # flight AZ 1768
    r"(?<![\w&]) \# (?= [a-zA-Z-]{0,20}\d ) [\w-]{1,30} (?!\w)",  # #4821
    r"(?<![\w.,-]) (?= [A-Za-z]{0,20}\d ) (?= \d{0,20}[A-Za-z] ) [A-Za-z0-9]{6,40} (?!\w)",
)
