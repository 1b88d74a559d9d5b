"""Reads the value of a statement: what follows "I live in", and where it ends.

A reader takes the letters of a sentence and a place in them, and gives the values that begin there:
none where they are not plausible, several where the kind allows a list. Words are read one after
the other up to a sign, an emoji or a stop word; a value that runs on for too long is none, because
half of a thought is worse than nothing.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.language.exact_values import find_values
from recollect.language.facts.gazetteers import TOOLS
from recollect.language.facts.grammar_types import Grammar, words
from recollect.language.normalize import plain_words
from recollect.language.salience import plain

_WORD = re.compile(
    r"[€$£₱]?[^\W_](?:[\w'\u2019.,+#&/%\u2010\u2011-]{0,38}[\w+#%€$£])?[€$£%]?(?:'(?=\s|\Z))?"
    r"|[€$£₱](?!\w)"
)
_COMMA_INSIDE = re.compile(r",(?!\d)")
_GAP = re.compile(r" {0,2}")
_COMMA = re.compile(r" ?, ?")
_LISTED = re.compile(r" {0,2}(?:(, ?)(?:(?:and|or|e|ed|o|at|saka) )?|(?:and|or|&|e|ed|o|at|saka) )")
_ELIDED = re.compile(r"'.*", re.DOTALL)
_SOME = re.compile(r"(?:a bit of|a little|some|un po' di|kaunting) ")
_AND = re.compile(r"(?:and|or|&|e|ed|o|at|saka) ")
_APPOSITION = re.compile(r", ([A-Z][\w'&-]{1,30}(?: [A-Z&][\w'&-]{0,30}){0,3})(?= ?(?:[,.;!?]|\Z))")
_PARTNER = re.compile(r" & [A-Z][\w'-]{1,30}")
_AGED = re.compile(
    r"(?:,| \()? ?(?:na )?\d{1,2}(?: (?:years old|yrs|yo|anni|anyos))?\)?(?=,? \w|[,.]|\Z)"
)
_TITLE = re.compile(
    r"[A-Z0-9][\w'-]{0,30}(?: (?:(?:and|of|the|in|a|an|to|for|on|e|di|del|della|dei|il|la|ng|sa|at"
    r"|ang|&) ){0,2}(?!I(?:'|\b))[A-Z0-9][\w'-]{0,30}){0,6}"
)
_LINK = re.compile(r"www\.|https?|://|@|\.(?:com|org|net)\b")
_NAME = re.compile(r"[^\W\d_][^\W\d_'\u2019-]*(?:['\u2019-][^\W\d_]+)*\.?\Z")
_NAME_PARTICLES = words("de da di del della dela delos van von der la le el al bin san")
_LONGEST = 120


class Value(NamedTuple):
    text: str
    end: int
    """Where the sentence goes on."""


class Word(NamedTuple):
    text: str
    plain: str
    end: int


Reader = Callable[[str, int, Grammar], list[Value]]


def read_words(letters: str, start: int, grammar: Grammar) -> Iterator[Word]:
    """Up to a sign or a stop word."""
    at = start
    while found := _WORD.match(letters, at):
        text = _COMMA_INSIDE.split(found[0], maxsplit=1)[0].rstrip(".,")
        word = Word(text, plain(text), found.start() + len(text))
        if word.plain in grammar.stops and not (at == start and _opens_a_name(letters, word)):
            return
        yield word
        gap = _GAP.match(letters, word.end)
        at = gap.end() if gap else word.end
        if at == word.end:
            return


def _opens_a_name(letters: str, word: Word) -> bool:
    """ "Studio Bersani": no verb, if both are written with a capital."""
    return len(word.text) > 3 and word.text.istitle() and _is_capital(letters[word.end + 1 :])


def _phrase(
    letters: str,
    start: int,
    grammar: Grammar,
    *,
    most: int,
    near: bool,
    whole: bool = False,
    allowed: frozenset[str] = frozenset(),
) -> list[Word]:
    """A run of words that can be a value, or nothing; `whole` if it may not be cut off, and
    `allowed` even if a value with them would say nothing by itself."""
    found: list[Word] = []
    for word in read_words(letters, start, grammar):
        if (
            found
            and near
            and not grammar.near.isdisjoint({word.plain, _ELIDED.sub("'", word.plain)})
            and not (word.plain in grammar.inside and _is_inside(letters, found[-1], word))
        ):
            break
        found.append(word)
        if len(found) > most + 3:
            return []
    if whole and found and _following(letters, found[-1].end) in grammar.cuts:
        return []
    while found and found[-1].plain in grammar.ending:
        found.pop()
    if not found or len(found) > most or found[0].plain in grammar.fillers:
        return []
    barred = grammar.barred - allowed
    if any(word.plain in barred or _LINK.search(word.plain) for word in found):
        return []
    bare = [word for word in found if word.plain not in grammar.articles]
    return found if any(any(map(str.isalnum, word.text)) for word in bare) else []


def _is_inside(letters: str, before: Word, word: Word) -> bool:
    """Between two capitals: "Unibersidad ng Pilipinas"."""
    return _is_capital(before.text) and _is_capital(letters[word.end + 1 :])


def _value(found: list[Word], letters: str, start: int, grammar: Grammar) -> Value:
    end = found[-1].end
    text = letters[start:end]
    for said, told in grammar.mine.items():
        text = re.sub(rf"(?i)(?<!\w){said}(?!\w)", told, text)
    return Value(text[:_LONGEST], end)


def thing(most: int = 6, *, near: bool = False, allowed: frozenset[str] = frozenset()) -> Reader:
    """One value of a few words."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        found = _phrase(letters, start, grammar, most=most, near=near, whole=True, allowed=allowed)
        return [_value(found, letters, start, grammar)] if found else []

    return read


def things(
    most: int = 4, *, near: bool = False, if_only: Reader | None = None, aged: bool = False
) -> Reader:
    """One value or a list: "nuts", "nuts and eggs", "nuts, eggs and milk". A comma alone makes no
    list, since mostly another clause begins there. `aged` if each may have its age behind it."""
    reader = if_only or thing(most, near=near)

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        values = reader(letters, start, grammar)
        if not values:
            return []
        waiting: list[Value] = []
        at = values[-1].end
        while joint := _LISTED.match(letters, _behind_age(letters, at) if aged else at):
            some = _SOME.match(letters, joint.end())
            begin = some.end() if some else joint.end()
            if _begins_a_clause(letters, begin, grammar):
                break
            more = (if_only or thing(3, near=near))(letters, begin, grammar)
            if not more or _goes_on(letters, more[0].end, grammar):
                break
            waiting += more
            at = more[0].end
            if _AND.search(letters, joint.start(), joint.end()):
                values += waiting
                waiting = []
        return values

    return read


def _behind_age(letters: str, at: int) -> int:
    age = _AGED.match(letters, at)
    return age.end() if age else at


def _begins_a_clause(letters: str, start: int, grammar: Grammar) -> bool:
    word = _WORD.match(letters, start)
    return word is None or plain(word[0]) in grammar.clause | grammar.stops


def _goes_on(letters: str, end: int, grammar: Grammar) -> bool:
    """Whether a verb follows, so that what looked like a member of a list was a subject."""
    return _following(letters, end) in grammar.clause


def _following(letters: str, end: int) -> str:
    word = _WORD.match(letters, end + 1) if letters[end : end + 1] == " " else None
    return plain(word[0]) if word else ""


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _is_lower_case(letters: str) -> bool:
    """Whether it is written in the way of a chat, so that missing capitals tell nothing."""
    return next((c.islower() for c in letters if c.isalpha()), False)


def name(*, lower: bool) -> Reader:
    """Of a person or an animal. In lower case only after words that can introduce nothing else."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        found: list[Word] = []
        for word in read_words(letters, start, grammar):
            is_part = word.plain in _NAME_PARTICLES and bool(found)
            if not _NAME.match(word.text) or not (_is_capital(word.text) or is_part):
                break
            found.append(word)
        while found and found[-1].plain in _NAME_PARTICLES:
            found.pop()
        if not found and lower:
            first = next(read_words(letters, start, grammar), None)
            if first and first.text.isalpha() and len(first.text) > 1 and first.text.islower():
                found = [first] if _may_end(letters, first.end, grammar) else []
        if not 1 <= len(found) <= 4 or any(word.plain in grammar.not_names for word in found):
            return []
        text = letters[start : found[-1].end]
        if text.endswith(("'s", "\u2019s")) or (text.isupper() and len(text) < 3):
            return []
        return [Value(text, found[-1].end)]

    return read


def bare_name(letters: str, start: int, grammar: Grammar) -> list[Value]:
    """After "I'm" alone, where almost anything might follow: a capital, and the clause ends."""
    values = name(lower=False)(letters, start, grammar)
    if not values or values[0].text.isupper() or len(values[0].text.split()) > 3:
        return []
    return values if _may_end(letters, values[0].end, grammar) else []


def _may_end(letters: str, end: int, grammar: Grammar) -> bool:
    """Whether a name may end there: at a sign, or before a word that can follow one."""
    following = _following(letters, end)
    return not following or following in grammar.joins | grammar.near | grammar.stops


def named_place(letters: str, start: int, grammar: Grammar) -> list[Value]:
    """With a capital even in a chat, after words that may lead to anything."""
    return [v for v in place(letters, start, grammar) if any(map(str.isupper, v.text))]


def place(letters: str, start: int, grammar: Grammar) -> list[Value]:
    """A town or a country, with the one it lies in; in lower case if all the sentence is."""
    found = _phrase(letters, start, grammar, most=5, near=True)
    named = [word for word in found if word.plain not in grammar.articles]
    common = [w for w in named if not _is_capital(w.text) or w.text.isupper()]
    if not named or any(word.plain in grammar.not_places for word in common):
        return []
    is_named = _is_capital(named[0].text) and _is_capital(named[-1].text)
    if len(named) == 1 and named[0].plain in TOOLS:
        return []
    if not is_named and not (_is_lower_case(letters) and len(found) <= 3 and named == found):
        return []
    value = _value(found, letters, start, grammar)
    comma = _COMMA.match(letters, found[-1].end)
    if is_named and comma:
        larger = list(read_words(letters, comma.end(), grammar))
        known = larger and all(_is_capital(w.text) for w in larger) and len(larger) <= 2
        if known and not any(word.plain in grammar.not_names for word in larger):
            return [Value(f"{value.text}, {letters[comma.end() : larger[-1].end]}", larger[-1].end)]
    return [value]


def proper(most: int = 4, *, known: frozenset[str] = frozenset(), lower: bool = False) -> Reader:
    """Something with a name of its own: a firm, a tool, a make. In lower case only what is known,
    or, where a chat has no capitals at all, one or two words if `lower`."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        found = _phrase(letters, start, grammar, most=most, near=True)
        bare = [word for word in found if word.plain not in grammar.articles]
        if not bare:
            return []
        has_name = any(any(map(str.isupper, word.text)) for word in bare)
        is_known = len(bare) <= 2 and bare[0].plain in known
        is_chat = lower and len(found) <= 2 and bare == found and _is_lower_case(letters)
        if not (has_name or is_known or is_chat):
            return []
        value = _value(found, letters, start, grammar)
        partner = _PARTNER.match(letters, value.end) if _is_capital(found[-1].text) else None
        return [Value(value.text + partner[0], partner.end()) if partner else value]

    return read


def with_name(reader: Reader) -> Reader:
    """With the name that is put behind it: "an NGO, Acqua Chiara"."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        values = reader(letters, start, grammar)
        named = _APPOSITION.match(letters, values[0].end) if values else None
        if named is None or plain(named[1].split()[0]) in grammar.not_names:
            return values
        return [Value(f"{values[0].text}, {named[1]}", named.end())]

    return read


def title(letters: str, start: int, grammar: Grammar) -> list[Value]:
    """Of a book or the like, with the small words in it: "The Salt and the Sea"."""
    found = _TITLE.match(letters, start)
    return [Value(found[0], found.end())] if found and found[0] not in grammar.stops else []


def either(*readers: Reader) -> Reader:
    """What the first of them that finds anything finds."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        return next(filter(None, (reader(letters, start, grammar) for reader in readers)), [])

    return read


def without(barred: frozenset[str], reader: Reader) -> Reader:
    """Not if one of these words is among the values."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        values = reader(letters, start, grammar)
        said = {word for value in values for word in plain_words(value.text).split()}
        return [] if said & barred else values

    return read


def one_of(known: frozenset[str], most: int = 1) -> Reader:
    """A word of a list: a language, an instrument. Case does not matter."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        found: list[Word] = []
        for word in read_words(letters, start, grammar):
            found.append(word)
            if len(found) == most:
                break
        while found:
            end = found[-1].end
            if " ".join(word.plain for word in found) in known:
                return [Value(letters[start:end], end)]
            found.pop()
        return []

    return read


def led_by(first: frozenset[str], reader: Reader) -> Reader:
    """Only values that begin with one of these words: in Italian each bears its preposition."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        values = reader(letters, start, grammar)
        return [v for v in values if plain_words(v.text).partition(" ")[0] in first]

    return read


def ends_in(heads: frozenset[str], most: int = 5, *, near: bool = True) -> Reader:
    """A phrase with one of the given words in it, such as a trade: "a primary school teacher"."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        found = _phrase(letters, start, grammar, most=most, near=near)
        if not any(word.plain in heads for word in found):
            return []
        return [_value(found, letters, start, grammar)]

    return read


def with_value(kind: str) -> Reader:
    """A date or an amount, with up to two words that come before it."""

    def read(letters: str, start: int, grammar: Grammar) -> list[Value]:
        ahead = letters[start : start + _LONGEST]
        for found in find_values(ahead):
            if found.kind == kind and len(ahead[: found.start].split()) <= 2:
                if any(sign in ahead[: found.start] for sign in ",;:.!?()"):
                    return []
                text = ahead[: found.end].rstrip(".,")
                return [Value(text, start + len(text))]
        return []

    return read
