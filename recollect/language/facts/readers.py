"""The readers of values by the names that the tables give them."""

from recollect.language.facts.gazetteers import (
    AILMENTS,
    CODE,
    CONDITIONS,
    ERRANDS,
    FIELDS,
    LANGUAGES,
    PEOPLES,
    SPORTS,
    TOOLS,
    WRITINGS,
)
from recollect.language.facts.grammar_types import words
from recollect.language.facts.value_parsers import (
    Reader,
    bare_name,
    either,
    ends_in,
    name,
    named_place,
    one_of,
    place,
    proper,
    thing,
    things,
    title,
    with_name,
    with_value,
    without,
)

_NO_FIRM = words("night nights home free moment least weekends first now day days myself")

_STEPS = words(
    """
    first second third last draft version prima primo seconda secondo terza ultima ultimo bozza
    """
)


def common_readers(trades: frozenset[str]) -> dict[str, Reader]:
    return {
        "name": name(lower=True),
        "names": things(if_only=name(lower=False), aged=True),
        "capital": name(lower=False),
        "title": title,
        "known": things(if_only=one_of(TOOLS)),
        "alone": bare_name,
        "place": place,
        "named": named_place,
        "short": thing(2),
        "thing": thing(5),
        "phrase": thing(9),
        "aim": thing(10, allowed=_STEPS),
        "ailment": one_of(AILMENTS, 4),
        "near": thing(6, near=True),
        "things": things(4),
        "thingsnear": things(4, near=True),
        "people": one_of(PEOPLES),
        "language": one_of(LANGUAGES),
        "languages": things(if_only=one_of(LANGUAGES)),
        "play": things(if_only=one_of(SPORTS)),
        "code": things(if_only=one_of(CODE)),
        "proper": proper(5),
        "tools": things(if_only=proper(3, known=TOOLS)),
        "trade": ends_in(trades, 6),
        "field": ends_in(FIELDS, 4),
        "firm": with_name(
            either(proper(6), ends_in(FIELDS, 5), without(_NO_FIRM, proper(2, lower=True)))
        ),
        "condition": ends_in(CONDITIONS, 5),
        "writing": ends_in(WRITINGS, 8, near=False),
        "project": without(ERRANDS, thing(10)),
        "date": with_value("date"),
        "amount": with_value("amount"),
    }
