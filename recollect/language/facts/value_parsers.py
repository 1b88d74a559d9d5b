"""Parses the value of a fact: what follows "I live in", and where it ends.

A parser takes the text of a sentence, an offset and the function words of the language, and returns
the values that begin there: none if they are implausible, several if a list is allowed. It reads
words up to punctuation, an emoji or a stop word, and rejects a value that is too long, because half
a thought is worse than nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from recollect.language import patterns as regex
from recollect.language.exact_values import find_values
from recollect.language.facts.gazetteers import CODE, TOOLS, gazetteer
from recollect.language.normalize import plain, plain_words
from recollect.language.patterns import alternatives
from recollect.language.registry import merged

_WORD = re.compile(
    r"[€$£₱]?[^\W_](?:[\w'\u2019.,+#&/%\u2010\u2011-]{0,38}[\w+#%€$£])?[€$£%]?(?:'(?=\s|\Z))?"
    r"|[€$£₱](?!\w)"
)
_COMMA_INSIDE = re.compile(r",(?!\d)")
_GAP = re.compile(r" {0,2}")
_COMMA = re.compile(r" ?, ?")
_ELIDED = re.compile(r"'.*", re.DOTALL)
_APPOSITION = re.compile(r", ([A-Z][\w'&-]{1,30}(?: [A-Z&][\w'&-]{0,30}){0,3})(?= ?(?:[,.;!?]|\Z))")
_PARTNER = re.compile(r" & [A-Z][\w'-]{1,30}")
_LINK = re.compile(r"www\.|https?|://|@|\.(?:com|org|net)\b")
_NAME = re.compile(r"[^\W\d_][^\W\d_'\u2019-]*(?:['\u2019-][^\W\d_]+)*\.?\Z")
_NAME_PARTICLES = regex.words("de da di del della dela delos van von der la le el al bin san")
_MAX_VALUE_CHARS = 120


class Value(NamedTuple):
    text: str
    end: int
    """The offset at which the sentence goes on."""


class ValueWord(NamedTuple):
    text: str
    plain: str
    end: int


FunctionWords = Mapping[str, frozenset[str]]
"""The lists of the section `[facts.function_words]`."""
ValueParser = Callable[[str, int, FunctionWords], list[Value]]


def value_parsers(grammar: FunctionWords, trades: frozenset[str]) -> dict[str, ValueParser]:
    """The parsers by the names that the rules use."""
    known = gazetteer()
    return {
        "name": name(lower=True),
        "names": things(if_only=name(lower=False), with_ages=True),
        "capital": name(lower=False),
        "title": title,
        "known": things(if_only=one_of(TOOLS)),
        "alone": bare_name,
        "place": place,
        "named": named_place,
        "short": thing(2),
        "thing": thing(5),
        "phrase": thing(9),
        "aim": thing(10, allowed=grammar["steps"]),
        "ailment": one_of(known["ailments"], 4),
        "near": thing(6, until_preposition=True),
        "things": things(4),
        "thingsnear": things(4, until_preposition=True),
        "towards": led_by(grammar["towards"], things(4)),
        "people": one_of(known["peoples"]),
        "language": one_of(known["languages"]),
        "languages": things(if_only=one_of(known["languages"])),
        "tongue": one_of(known["languages"] | known["peoples"]),
        "play": things(if_only=one_of(known["sports"])),
        "code": things(if_only=one_of(CODE)),
        "proper": proper(5),
        "tools": things(if_only=proper(3, known=TOOLS)),
        "trade": containing(trades, 6),
        "field": containing(known["fields"], 4),
        "firm": with_name(
            either(
                proper(6),
                containing(known["fields"], 5),
                without(known["not_firms"], proper(2, lower=True)),
            )
        ),
        "condition": containing(known["conditions"], 5),
        "writing": containing(known["writings"], 8, until_preposition=False),
        "project": without(known["errands"], thing(10)),
        "date": with_value("date"),
        "amount": with_value("amount"),
    }


class _ValuePatterns(NamedTuple):
    list_joint: re.Pattern[str]
    conjunction: re.Pattern[str]
    quantifier: re.Pattern[str]
    age: re.Pattern[str]
    title: re.Pattern[str]


@cache
def _patterns() -> _ValuePatterns:
    phrases = merged("facts.values")
    joins = sorted(merged("facts.function_words")["joins"].split())
    conjunction = alternatives("&", *joins)
    age = rf"\d{{1,2}}(?: {alternatives(phrases['age_units'])})?"
    within = alternatives("&", phrases["in_titles"])
    return _ValuePatterns(
        list_joint=re.compile(rf" {{0,2}}(?:(, ?)(?:{alternatives(*joins)} )?|{conjunction} )"),
        conjunction=re.compile(f"{conjunction} "),
        quantifier=re.compile(f"{alternatives(phrases['quantifiers'])} "),
        age=re.compile(
            rf"(?:,| \()? ?(?:{alternatives(phrases['before_age'])} )?{age}\)?(?=,? \w|[,.]|\Z)"
        ),
        title=re.compile(
            r"[A-Z0-9][\w'-]{0,30}"
            rf"(?: (?:{within} ){{0,2}}(?!I(?:'|\b))[A-Z0-9][\w'-]{{0,30}}){{0,6}}"
        ),
    )


def _value_words(text: str, start: int, grammar: FunctionWords) -> Iterator[ValueWord]:
    """The words up to punctuation or a stop word."""
    at = start
    while match := _WORD.match(text, at):
        written = _COMMA_INSIDE.split(match[0], maxsplit=1)[0].rstrip(".,")
        word = ValueWord(written, plain(written), match.start() + len(written))
        if word.plain in grammar["stops"] and not (at == start and _begins_name(text, word)):
            return
        yield word
        gap = _GAP.match(text, word.end)
        at = gap.end() if gap else word.end
        if at == word.end:
            return


def _begins_name(text: str, word: ValueWord) -> bool:
    """Whether a stop word belongs to a name because of its capitals: "Studio Bersani"."""
    return len(word.text) > 3 and word.text.istitle() and _is_capital(text[word.end + 1 :])


def _phrase(
    text: str,
    start: int,
    grammar: FunctionWords,
    *,
    max_words: int,
    until_preposition: bool,
    is_complete: bool = False,
    allowed: frozenset[str] = frozenset(),
) -> list[ValueWord]:
    """A run of words that can be a value, or nothing.

    `is_complete` rejects a value that goes on after it; `allowed` words are not excluded.
    """
    words: list[ValueWord] = []
    for word in _value_words(text, start, grammar):
        if (
            words
            and until_preposition
            and not grammar["prepositions"].isdisjoint({word.plain, _ELIDED.sub("'", word.plain)})
            and not _is_within_name(text, words[-1], word, grammar)
        ):
            break
        words.append(word)
        if len(words) > max_words + 3:
            return []
    if is_complete and words and _following(text, words[-1].end) in grammar["cuts"]:
        return []
    while words and words[-1].plain in grammar["trailing"]:
        words.pop()
    if not words or len(words) > max_words or words[0].plain in grammar["not_first"]:
        return []
    excluded = grammar["excluded"] - allowed
    if any(word.plain in excluded or _LINK.search(word.plain) for word in words):
        return []
    bare = [word for word in words if word.plain not in grammar["articles"]]
    return words if any(any(map(str.isalnum, word.text)) for word in bare) else []


def _is_within_name(text: str, before: ValueWord, word: ValueWord, grammar: FunctionWords) -> bool:
    """Whether a preposition stands between two capitals: "Unibersidad ng Pilipinas"."""
    is_between_capitals = _is_capital(before.text) and _is_capital(text[word.end + 1 :])
    return word.plain in grammar["within_names"] and is_between_capitals


def _value(words: list[ValueWord], text: str, start: int, grammar: FunctionWords) -> Value:
    end = words[-1].end
    value = text[start:end]
    for pair in grammar["possessives"]:
        first_person, third_person = pair.split("/")
        value = re.sub(rf"(?i)(?<!\w){first_person}(?!\w)", third_person, value)
    return Value(value[:_MAX_VALUE_CHARS], end)


def thing(
    max_words: int = 6, *, until_preposition: bool = False, allowed: frozenset[str] = frozenset()
) -> ValueParser:
    """One value of a few words."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        words = _phrase(
            text,
            start,
            grammar,
            max_words=max_words,
            until_preposition=until_preposition,
            is_complete=True,
            allowed=allowed,
        )
        return [_value(words, text, start, grammar)] if words else []

    return parse


def things(
    max_words: int = 4,
    *,
    until_preposition: bool = False,
    if_only: ValueParser | None = None,
    with_ages: bool = False,
) -> ValueParser:
    """One value or a list: "nuts", "nuts and eggs", "nuts, eggs and milk". A comma alone does
    not make a list, since mostly another clause begins there. `with_ages` allows an age after each
    member."""
    parser = if_only or thing(max_words, until_preposition=until_preposition)

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        values = parser(text, start, grammar)
        if not values:
            return []
        pending: list[Value] = []
        at = values[-1].end
        patterns = _patterns()
        while joint := patterns.list_joint.match(text, _after_age(text, at) if with_ages else at):
            quantifier = patterns.quantifier.match(text, joint.end())
            begin = quantifier.end() if quantifier else joint.end()
            if _begins_clause(text, begin, grammar):
                break
            more = (if_only or thing(3, until_preposition=until_preposition))(text, begin, grammar)
            if not more or _continues_as_clause(text, more[0].end, grammar):
                break
            pending += more
            at = more[0].end
            if patterns.conjunction.search(text, joint.start(), joint.end()):
                values += pending
                pending = []
        return values

    return parse


def _after_age(text: str, at: int) -> int:
    age = _patterns().age.match(text, at)
    return age.end() if age else at


def _begins_clause(text: str, start: int, grammar: FunctionWords) -> bool:
    word = _WORD.match(text, start)
    return word is None or plain(word[0]) in grammar["verbs"] | grammar["stops"]


def _continues_as_clause(text: str, end: int, grammar: FunctionWords) -> bool:
    """Whether a verb follows, so that the supposed list member is its subject."""
    return _following(text, end) in grammar["verbs"]


def _following(text: str, end: int) -> str:
    word = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
    return plain(word[0]) if word else ""


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _is_lower_case(text: str) -> bool:
    """Whether the text begins in lower case, so that missing capitals mean nothing."""
    return next((c.islower() for c in text if c.isalpha()), False)


def name(*, lower: bool) -> ValueParser:
    """The name of a person or an animal; with `lower`, a single word in lower case too."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        words: list[ValueWord] = []
        for word in _value_words(text, start, grammar):
            is_part = word.plain in _NAME_PARTICLES and bool(words)
            if not _NAME.match(word.text) or not (_is_capital(word.text) or is_part):
                break
            words.append(word)
        while words and words[-1].plain in _NAME_PARTICLES:
            words.pop()
        if not words and lower:
            first = next(_value_words(text, start, grammar), None)
            if first and first.text.isalpha() and len(first.text) > 1 and first.text.islower():
                words = [first] if _name_may_end(text, first.end, grammar) else []
        if not 1 <= len(words) <= 4 or any(word.plain in grammar["not_names"] for word in words):
            return []
        value = text[start : words[-1].end]
        if value.endswith(("'s", "\u2019s")) or (value.isupper() and len(value) < 3):
            return []
        return [Value(value, words[-1].end)]

    return parse


def bare_name(text: str, start: int, grammar: FunctionWords) -> list[Value]:
    """A name after "I'm", where almost anything may follow: the clause has to end after it."""
    values = name(lower=False)(text, start, grammar)
    if not values or values[0].text.isupper() or len(values[0].text.split()) > 3:
        return []
    return values if _name_may_end(text, values[0].end, grammar) else []


def _name_may_end(text: str, end: int, grammar: FunctionWords) -> bool:
    """Whether punctuation follows, or a word that can follow a name."""
    following = _following(text, end)
    return (
        not following or following in grammar["joins"] | grammar["prepositions"] | grammar["stops"]
    )


def named_place(text: str, start: int, grammar: FunctionWords) -> list[Value]:
    """A place with a capital, after words that anything may follow."""
    return [v for v in place(text, start, grammar) if any(map(str.isupper, v.text))]


def place(text: str, start: int, grammar: FunctionWords) -> list[Value]:
    """A town or country, with the one it lies in; in lower case if the sentence is."""
    words = _phrase(text, start, grammar, max_words=5, until_preposition=True)
    named = [word for word in words if word.plain not in grammar["articles"]]
    common = [w for w in named if not _is_capital(w.text) or w.text.isupper()]
    if not named or any(word.plain in grammar["not_places"] for word in common):
        return []
    is_named = _is_capital(named[0].text) and _is_capital(named[-1].text)
    if len(named) == 1 and named[0].plain in TOOLS:
        return []
    if not is_named and not (_is_lower_case(text) and len(words) <= 3 and named == words):
        return []
    value = _value(words, text, start, grammar)
    comma = _COMMA.match(text, words[-1].end)
    if is_named and comma:
        larger = list(_value_words(text, comma.end(), grammar))
        known = larger and all(_is_capital(w.text) for w in larger) and len(larger) <= 2
        if known and not any(word.plain in grammar["not_names"] for word in larger):
            return [Value(f"{value.text}, {text[comma.end() : larger[-1].end]}", larger[-1].end)]
    return [value]


def proper(
    max_words: int = 4, *, known: frozenset[str] = frozenset(), lower: bool = False
) -> ValueParser:
    """A proper noun: a firm, a tool, a make. In lower case only `known` ones, or with `lower`, one
    or two words of a sentence in lower case."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        words = _phrase(text, start, grammar, max_words=max_words, until_preposition=True)
        bare = [word for word in words if word.plain not in grammar["articles"]]
        if not bare:
            return []
        has_name = any(any(map(str.isupper, word.text)) for word in bare)
        is_known = len(bare) <= 2 and bare[0].plain in known
        is_chat = lower and len(words) <= 2 and bare == words and _is_lower_case(text)
        if not (has_name or is_known or is_chat):
            return []
        value = _value(words, text, start, grammar)
        partner = _PARTNER.match(text, value.end) if _is_capital(words[-1].text) else None
        return [Value(value.text + partner[0], partner.end()) if partner else value]

    return parse


def with_name(parser: ValueParser) -> ValueParser:
    """With a name that follows: "an NGO, Acqua Chiara"."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        values = parser(text, start, grammar)
        named = _APPOSITION.match(text, values[0].end) if values else None
        if named is None or plain(named[1].split()[0]) in grammar["not_names"]:
            return values
        return [Value(f"{values[0].text}, {named[1]}", named.end())]

    return parse


def title(text: str, start: int, grammar: FunctionWords) -> list[Value]:
    """The title of a book or the like: "The Salt and the Sea"."""
    match = _patterns().title.match(text, start)
    return [Value(match[0], match.end())] if match and match[0] not in grammar["stops"] else []


def either(*parsers: ValueParser) -> ValueParser:
    """The values of the first parser that has any."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        return next(filter(None, (parser(text, start, grammar) for parser in parsers)), [])

    return parse


def without(excluded: frozenset[str], parser: ValueParser) -> ValueParser:
    """No values if they contain one of these words."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        values = parser(text, start, grammar)
        said = {word for value in values for word in plain_words(value.text).split()}
        return [] if said & excluded else values

    return parse


def one_of(known: frozenset[str], max_words: int = 1) -> ValueParser:
    """An entry of a list: a language, an instrument."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        words: list[ValueWord] = []
        for word in _value_words(text, start, grammar):
            words.append(word)
            if len(words) == max_words:
                break
        while words:
            end = words[-1].end
            if " ".join(word.plain for word in words) in known:
                return [Value(text[start:end], end)]
            words.pop()
        return []

    return parse


def led_by(first: frozenset[str], parser: ValueParser) -> ValueParser:
    """Only values that begin with one of these words."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        values = parser(text, start, grammar)
        return [v for v in values if plain_words(v.text).partition(" ")[0] in first]

    return parse


def containing(
    heads: frozenset[str], max_words: int = 5, *, until_preposition: bool = True
) -> ValueParser:
    """A phrase with one of these words, such as a trade: "a primary school teacher"."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        words = _phrase(
            text, start, grammar, max_words=max_words, until_preposition=until_preposition
        )
        if not any(word.plain in heads for word in words):
            return []
        return [_value(words, text, start, grammar)]

    return parse


def with_value(kind: str) -> ValueParser:
    """A date or an amount, with up to two words that come before it."""

    def parse(text: str, start: int, grammar: FunctionWords) -> list[Value]:
        ahead = text[start : start + _MAX_VALUE_CHARS]
        for span in find_values(ahead):
            before = ahead[: span.start]
            if span.kind == kind and len(before.split()) <= 2:
                if any(sign in before for sign in ",;:.!?()"):
                    return []
                value = ahead[: span.end].rstrip(".,")
                return [Value(value, start + len(value))]
        return []

    return parse
