"""Parses the value of a fact: what follows "I live in", and where it ends.

A parser returns the values that begin at an offset of a sentence: none if they are implausible,
several if a list is allowed. It reads words up to punctuation, an emoji or a stop word, and rejects
a value that is too long, because half a thought is worse than nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple

from recollect.language.exact_values import find_values
from recollect.language.facts.gazetteers import CODE, TOOLS, gazetteer
from recollect.language.normalize import plain, plain_words
from recollect.language.patterns import alternatives
from recollect.language.patterns import words as split_words
from recollect.language.registry import merged

_WORD = re.compile(
    r"[€$£₱]?[^\W_](?:[\w'\u2019.,+#&/%\u2010\u2011-]{0,38}[\w+#%€$£])?[€$£%]?(?:'(?=\s|\Z))?"
    r"|[€$£₱](?!\w)"
)
_COMMA_INSIDE = re.compile(r",(?!\d)")
_COMMA = re.compile(r" ?, ?")
_ELIDED = re.compile(r"'.*", re.DOTALL)
_APPOSITION = re.compile(r", ([A-Z][\w'&-]{1,30}(?: [A-Z&][\w'&-]{0,30}){0,3})(?= ?(?:[,.;!?]|\Z))")
_PARTNER = re.compile(r" & [A-Z][\w'-]{1,30}")
_LINK = re.compile(r"www\.|https?|://|@|\.(?:com|org|net)\b")
_NAME = re.compile(r"[^\W\d_][^\W\d_'\u2019-]*(?:['\u2019-][^\W\d_]+)*\.?\Z")
_NAME_PARTICLES = split_words("de da di del della dela delos van von der la le el al bin san")
_MAX_VALUE_CHARS = 120


class ParsedValue(NamedTuple):
    text: str
    end: int
    """The offset at which the sentence goes on."""


class ValueWord(NamedTuple):
    text: str
    plain: str
    end: int


FunctionWords = Mapping[str, frozenset[str]]
"""The lists of the section `[facts.function_words]`."""


class ValueStart(NamedTuple):
    text: str
    start: int
    grammar: FunctionWords


ValueParser = Callable[[ValueStart], list[ParsedValue]]


def value_parsers(grammar: FunctionWords, trades: frozenset[str]) -> dict[str, ValueParser]:
    """The parsers by the names that the rules use."""
    known = gazetteer()
    language = partial(one_of, known=known["languages"])
    return {
        "name": partial(name, lower=True),
        "names": partial(things, member=name, with_ages=True),
        "capital": name,
        "title": title,
        "known": partial(things, member=partial(one_of, known=TOOLS)),
        "alone": bare_name,
        "place": place,
        "named": named_place,
        "short": partial(thing, max_words=2),
        "thing": partial(thing, max_words=5),
        "phrase": partial(thing, max_words=9),
        "aim": partial(thing, max_words=10, allowed=grammar["steps"]),
        "ailment": partial(one_of, known=known["ailments"], max_words=4),
        "near": partial(thing, max_words=6, until_preposition=True),
        "things": things,
        "thingsnear": partial(things, until_preposition=True),
        "towards": partial(led_by, first=grammar["towards"], parser=things),
        "people": partial(one_of, known=known["peoples"]),
        "language": language,
        "languages": partial(things, member=language),
        "tongue": partial(one_of, known=known["languages"] | known["peoples"]),
        "play": partial(things, member=partial(one_of, known=known["sports"])),
        "code": partial(things, member=partial(one_of, known=CODE)),
        "proper": partial(proper, max_words=5),
        "tools": partial(things, member=partial(proper, max_words=3, known=TOOLS)),
        "trade": partial(containing, heads=trades, max_words=6),
        "field": partial(containing, heads=known["fields"], max_words=4),
        "firm": partial(firm, fields=known["fields"], not_firms=known["not_firms"]),
        "condition": partial(containing, heads=known["conditions"], max_words=5),
        "writing": partial(
            containing, heads=known["writings"], max_words=8, until_preposition=False
        ),
        "project": partial(without, excluded=known["errands"], parser=partial(thing, max_words=10)),
        "date": partial(with_value, kind="date"),
        "amount": partial(with_value, kind="amount"),
    }


_PHRASES = merged("facts.values")
_JOINS = sorted(merged("facts.function_words")["joins"].split())
_AGE = re.compile(
    rf"(?:,| \()? ?(?:{alternatives(_PHRASES['before_age'])} )?"
    rf"\d{{1,2}}(?: {alternatives(_PHRASES['age_units'])})?\)?(?=,? \w|[,.]|\Z)"
)
_CONJUNCTION = re.compile(f"{alternatives('&', *_JOINS)} ")
_LIST_JOINT = re.compile(
    rf"(?P<joint> {{0,2}}(?:, ?(?:{alternatives(*_JOINS)} )?|{_CONJUNCTION.pattern}))"
    rf"(?:{alternatives(_PHRASES['quantifiers'])} )?"
)
_TITLE = re.compile(
    rf"[A-Z0-9][\w'-]{{0,30}}(?: (?:{alternatives('&', _PHRASES['in_titles'])} ){{0,2}}"
    r"(?!I(?:'|\b))[A-Z0-9][\w'-]{0,30}){0,6}"
)


def _value_words(at: ValueStart) -> Iterator[ValueWord]:
    """The words up to punctuation or a stop word."""
    text, start, grammar = at
    while match := _WORD.match(text, start):
        written = _COMMA_INSIDE.split(match[0], maxsplit=1)[0].rstrip(".,")
        word = ValueWord(written, plain(written), start + len(written))
        is_first = start == at.start
        if word.plain in grammar["stops"] and not (is_first and _begins_name(text, word)):
            return
        yield word
        following = text[word.end : word.end + 2]
        start = word.end + len(following) - len(following.lstrip(" "))
        if start == word.end:
            return


def _begins_name(text: str, word: ValueWord) -> bool:
    """Whether a stop word belongs to a name because of its capitals: "Studio Bersani"."""
    return len(word.text) > 3 and word.text.istitle() and _is_capital(text[word.end + 1 :])


def _phrase(
    at: ValueStart,
    *,
    max_words: int,
    until_preposition: bool = True,
    is_complete: bool = False,
    allowed: frozenset[str] = frozenset(),
) -> list[ValueWord]:
    """A run of words that can be a value, or nothing.

    `is_complete` rejects a value that goes on after it; `allowed` words are not excluded.
    """
    text, _, grammar = at
    words: list[ValueWord] = []
    for word in _value_words(at):
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
    has_letters = any(any(map(str.isalnum, word.text)) for word in _bare(words, grammar))
    return words if has_letters else []


def _bare(words: list[ValueWord], grammar: FunctionWords) -> list[ValueWord]:
    return [word for word in words if word.plain not in grammar["articles"]]


def _is_within_name(text: str, before: ValueWord, word: ValueWord, grammar: FunctionWords) -> bool:
    """Whether a preposition stands between two capitals: "Unibersidad ng Pilipinas"."""
    is_between_capitals = _is_capital(before.text) and _is_capital(text[word.end + 1 :])
    return word.plain in grammar["within_names"] and is_between_capitals


def _value(words: list[ValueWord], at: ValueStart) -> ParsedValue:
    end = words[-1].end
    value = at.text[at.start : end]
    for pair in at.grammar["possessives"]:
        first_person, third_person = pair.split("/")
        value = re.sub(rf"(?i)(?<!\w){first_person}(?!\w)", third_person, value)
    return ParsedValue(value[:_MAX_VALUE_CHARS], end)


def thing(
    at: ValueStart,
    *,
    max_words: int,
    until_preposition: bool = False,
    allowed: frozenset[str] = frozenset(),
) -> list[ParsedValue]:
    """One value of a few words."""
    words = _phrase(
        at,
        max_words=max_words,
        until_preposition=until_preposition,
        is_complete=True,
        allowed=allowed,
    )
    return [_value(words, at)] if words else []


def things(
    at: ValueStart,
    *,
    until_preposition: bool = False,
    member: ValueParser | None = None,
    with_ages: bool = False,
) -> list[ParsedValue]:
    """One value or a list: "nuts", "nuts and eggs", "nuts, eggs and milk". A comma alone does
    not make a list, since mostly another clause begins there. `with_ages` allows an age after each
    member."""
    text, _, grammar = at
    first = member or partial(thing, max_words=4, until_preposition=until_preposition)
    further = member or partial(thing, max_words=3, until_preposition=until_preposition)
    values = first(at)
    latest = values
    pending: list[ParsedValue] = []
    while latest:
        end = latest[-1].end
        age = _AGE.match(text, end) if with_ages else None
        joint = _LIST_JOINT.match(text, age.end() if age else end)
        word = _WORD.match(text, joint.end()) if joint else None
        if not (joint and word) or plain(word[0]) in grammar["verbs"] | grammar["stops"]:
            break
        latest = further(at._replace(start=joint.end()))
        # before a verb, the supposed member is its subject
        if latest and _following(text, latest[0].end) in grammar["verbs"]:
            break
        pending += latest
        if latest and _CONJUNCTION.search(joint["joint"]):
            values += pending
            pending = []
    return values


def _following(text: str, end: int) -> str:
    word = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
    return plain(word[0]) if word else ""


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _is_lower_case(text: str) -> bool:
    """Whether the text begins in lower case, so that missing capitals mean nothing."""
    return next((c.islower() for c in text if c.isalpha()), False)


def name(at: ValueStart, *, lower: bool = False) -> list[ParsedValue]:
    """The name of a person or an animal; with `lower`, a single word in lower case too."""
    text, start, grammar = at
    words: list[ValueWord] = []
    for word in _value_words(at):
        is_part = word.plain in _NAME_PARTICLES and bool(words)
        if not _NAME.match(word.text) or not (_is_capital(word.text) or is_part):
            break
        words.append(word)
    while words and words[-1].plain in _NAME_PARTICLES:
        words.pop()
    if not words and lower:
        first = next(_value_words(at), None)
        if first and first.text.isalpha() and len(first.text) > 1 and first.text.islower():
            words = [first] if _name_may_end(text, first.end, grammar) else []
    if not 1 <= len(words) <= 4 or any(word.plain in grammar["not_names"] for word in words):
        return []
    value = text[start : words[-1].end]
    if value.endswith(("'s", "\u2019s")) or (value.isupper() and len(value) < 3):
        return []
    return [ParsedValue(value, words[-1].end)]


def bare_name(at: ValueStart) -> list[ParsedValue]:
    """A name after "I'm", where almost anything may follow: the clause has to end after it."""
    return [
        value
        for value in name(at)
        if not value.text.isupper()
        and len(value.text.split()) <= 3
        and _name_may_end(at.text, value.end, at.grammar)
    ]


def _name_may_end(text: str, end: int, grammar: FunctionWords) -> bool:
    """Whether punctuation follows, or a word that can follow a name."""
    following = _following(text, end)
    return not following or following in grammar["prepositions"] | grammar["stops"]


def named_place(at: ValueStart) -> list[ParsedValue]:
    """A place with a capital, after words that anything may follow."""
    return [v for v in place(at) if any(map(str.isupper, v.text))]


def place(at: ValueStart) -> list[ParsedValue]:
    """A town or country, with the one it lies in; in lower case if the sentence is."""
    text, _, grammar = at
    words = _phrase(at, max_words=5)
    named = _bare(words, grammar)
    common = [w for w in named if not _is_capital(w.text) or w.text.isupper()]
    if not named or any(word.plain in grammar["not_places"] for word in common):
        return []
    is_named = _is_capital(named[0].text) and _is_capital(named[-1].text)
    if len(named) == 1 and named[0].plain in TOOLS:
        return []
    if not is_named and not (_is_lower_case(text) and len(words) <= 3 and named == words):
        return []
    value = _value(words, at)
    comma = _COMMA.match(text, words[-1].end)
    if is_named and comma:
        larger = list(_value_words(at._replace(start=comma.end())))
        known = larger and all(_is_capital(w.text) for w in larger) and len(larger) <= 2
        if known and not any(word.plain in grammar["not_names"] for word in larger):
            return [
                ParsedValue(f"{value.text}, {text[comma.end() : larger[-1].end]}", larger[-1].end)
            ]
    return [value]


def proper(
    at: ValueStart,
    *,
    max_words: int,
    known: frozenset[str] = frozenset(),
    lower: bool = False,
) -> list[ParsedValue]:
    """A proper noun: a firm, a tool, a make. In lower case only `known` ones, or with `lower`, one
    or two words of a sentence in lower case."""
    words = _phrase(at, max_words=max_words)
    bare = _bare(words, at.grammar)
    if not bare:
        return []
    has_name = any(any(map(str.isupper, word.text)) for word in bare)
    is_known = len(bare) <= 2 and bare[0].plain in known
    is_chat = lower and len(words) <= 2 and bare == words and _is_lower_case(at.text)
    if not (has_name or is_known or is_chat):
        return []
    value = _value(words, at)
    partner = _PARTNER.match(at.text, value.end) if _is_capital(words[-1].text) else None
    return [ParsedValue(value.text + partner[0], partner.end()) if partner else value]


def firm(
    at: ValueStart,
    *,
    fields: frozenset[str],
    not_firms: frozenset[str],
) -> list[ParsedValue]:
    """An employer, with a name that follows: "an NGO, Acqua Chiara"."""
    in_lower_case = partial(proper, max_words=2, lower=True)
    values = (
        proper(at, max_words=6)
        or containing(at, heads=fields, max_words=5)
        or without(at, excluded=not_firms, parser=in_lower_case)
    )
    named = _APPOSITION.match(at.text, values[0].end) if values else None
    if named is None or plain(named[1].split()[0]) in at.grammar["not_names"]:
        return values
    return [ParsedValue(f"{values[0].text}, {named[1]}", named.end())]


def title(at: ValueStart) -> list[ParsedValue]:
    """The title of a book or the like: "The Salt and the Sea"."""
    match = _TITLE.match(at.text, at.start)
    return (
        [ParsedValue(match[0], match.end())]
        if match and match[0] not in at.grammar["stops"]
        else []
    )


def without(at: ValueStart, *, excluded: frozenset[str], parser: ValueParser) -> list[ParsedValue]:
    """No values if they contain one of these words."""
    values = parser(at)
    words = {word for value in values for word in plain_words(value.text).split()}
    return [] if words & excluded else values


def one_of(at: ValueStart, *, known: frozenset[str], max_words: int = 1) -> list[ParsedValue]:
    """An entry of a list: a language, an instrument."""
    words = list(islice(_value_words(at), max_words))
    while words:
        end = words[-1].end
        if " ".join(word.plain for word in words) in known:
            return [ParsedValue(at.text[at.start : end], end)]
        words.pop()
    return []


def led_by(at: ValueStart, *, first: frozenset[str], parser: ValueParser) -> list[ParsedValue]:
    """Only values that begin with one of these words."""
    values = parser(at)
    return [v for v in values if plain_words(v.text).partition(" ")[0] in first]


def containing(
    at: ValueStart,
    *,
    heads: frozenset[str],
    max_words: int,
    until_preposition: bool = True,
) -> list[ParsedValue]:
    """A phrase with one of these words, such as a trade: "a primary school teacher"."""
    words = _phrase(at, max_words=max_words, until_preposition=until_preposition)
    has_head = any(word.plain in heads for word in words)
    return [_value(words, at)] if has_head else []


def with_value(at: ValueStart, *, kind: str) -> list[ParsedValue]:
    """A date or an amount, with up to two words that come before it."""
    ahead = at.text[at.start : at.start + _MAX_VALUE_CHARS]
    for span in find_values(ahead):
        before = ahead[: span.start]
        if span.kind == kind and len(before.split()) <= 2:
            if any(sign in before for sign in ",;:.!?()"):
                return []
            value = ahead[: span.end].rstrip(".,")
            return [ParsedValue(value, at.start + len(value))]
    return []
