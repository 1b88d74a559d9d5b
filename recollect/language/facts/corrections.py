"""Corrections that name what was wrong: "no wait, it's Luna, not Rex".

Such a clause says nothing by itself: it is about whatever was said with the wrong word, which only
what is known can tell. Some forms can be nothing but a correction ("I meant Luna, not Rex"). The
others count where they are all that is said, where they are about names or numbers, or where the
message owns up to a slip ("sorry", "ho scritto male", "nagkamali ako"). What ends a statement is
one as well ("my dog is called Luna, not Rex"), while "I want tea, not coffee" is none.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from recollect.language.facts.attributes import folded_object
from recollect.language.facts.clauses import clause_starts, heads
from recollect.language.facts.function_words import ENGLISH, FILIPINO, ITALIAN
from recollect.language.facts.grammar_types import any_of, words
from recollect.language.facts.hedges import is_conditional, own_part
from recollect.language.facts.matcher import extract_facts
from recollect.language.facts.own_words import own_words
from recollect.language.salience import plain

_MOST_CLAUSES = 40
_SLIP = re.compile(
    any_of(
        r"""
        sorry; w?h?oops; ops; correction; typo; my mistake; my bad; i mean; autocorrect; no wait
        i (?:mis(?:typed|spoke|wrote|spelled|spelt)|mixed (?:them|it|that) up|was wrong)
        i (?:got|had) (?:it|that|this) wrong; that'?s (?:wrong|not right); scratch that; wait no
        let me correct (?:that|myself); force of habit
        scusa(?:mi|te)?; pardon; mi (?:sono )?(?:sbagliat[oa]|confus[oa]|correggo); mi sbagliavo
        correggo; ho (?:sbagliato|scritto male|fatto confusione|confuso); errore mio; refuso
        correttore; anzi; no aspetta; rettifico; lapsus
        mali; pasensya; nagkamali; na-?typo; itama ko; nalito; naghalo
        """
    )
)
_BY_ITSELF = re.compile(
    r"(?:(?:no|nope|wait|actually|ah|oh|eh|ay|hindi|aspetta|cioe|in realta|teka|well|ok)"
    r"[ ,.;:!…-]{1,4}){1,4}\Z"
)
_WORDS = r"[^\W_][\w'-]{0,30}(?: [^\W_][\w'-]{0,30}){0,2}?"
_RIGHT, _WRONG = rf"(?:si )?(?P<right>{_WORDS})", rf"(?:si )?(?P<wrong>{_WORDS})"
_ITS_NAME = r"(?:his|her|its|their|the|(?:my|our)(?: \w{2,15}'s)?) name"
_IS = (
    r"(?:(?:it's|its|it is|it was|that's|he's|she's|he is|she is|they're"
    rf"|(?:it |that )?should (?:be|read|say|have been)|{_ITS_NAME}(?:'s| is)"
    r"|(?:he|she|it)(?:'s| is) (?:called|named)|e|era|sono|si chiama|si chiamano|(?:il nome"
    r"|il suo nome) e|(?:ang )?(?:pangalan|name|spelling) (?:niya|nya|nito|nun) (?:ay|is))"
    r"(?: (?:actually|really|in realta))? )"
)
_MEANT = (
    r"(?:(?:i (?:really |actually )?meant(?: to (?:say|write|type))?|make (?:it|that)"
    r"|intendevo(?: dire)?|volevo (?:dire|scrivere)|dicevo"
    r"|(?:ang )?ibig (?:kong|ko) sabihin(?: ay)?)"
    r"(?: it's)? )"
)
_NOT = r",?(?: -)? (?:(?:and|e|at|pala) )?(?:not|non|hindi|di) "
_BUT = r"(?:[,;…] ?|,? (?:but|ma|bensi|kundi|pero) )"
_PALA = (
    r"(?: (?:pala|po|dapat|talaga|siya|sya|yun|not)){1,3}"
    r"(?:(?: ang)? (?:spelling|pangalan|name)(?: (?:niya|nya|nun|noon|nito|nyan))?)?"
    r"(?:,? (?:\w-){1,15}\w(?!\w))?"
)
_DENIED_NAME = (
    rf"(?:(?:(?:it|he|she|{_ITS_NAME}|(?:my|our) \w{{2,15}})(?: is not| isn't| isnt|'s not)"
    r"(?: called| named)?|not|non(?: e| si chiama| sono)?|(?:hindi|di)(?: pala| po)?) )"
)
_WROTE = (
    r"(?:i (?:said|wrote|typed|put)|ho (?:detto|scritto|messo)|(?:nasabi|nasulat|sinabi|na-?type"
    r"|naisulat) ko(?: ay)?) "
)
_RENAMED = (
    r"(?:(?:i|we)(?:'ve| have)? (?:just )?(?:renamed (?:it |(?:my|our|the) \w{2,20} )?(?:from )?"
    r"|changed (?:its|the|his|her) name from )"
    r"|(?:l')?(?:ho|abbiamo) (?:rinominato(?: \w{2,20})?|cambiato nome|cambiato il nome) da "
    r"|(?:pinalitan|binago) (?:ko|namin) ang pangalan (?:mula sa|mula|from) )"
)
_END = (
    r"(?: (?:po|pala|lol|haha|sorry|scusa|ha|though|please|eh|pls))?"
    r"(?= ?(?:[,.;:!…()\u2013\u2014\U0001f300-\U0001faff\u2600-\u27bf]|- |\Z))"
)


def _forms(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern + _END) for pattern in patterns)


_CERTAIN = _forms(
    rf"{_MEANT}{_RIGHT}{_NOT}{_WRONG}",
    rf"{_DENIED_NAME}{_WRONG}{_BUT}{_MEANT}{_RIGHT}",
    rf"{_RIGHT}{_PALA}[,.…]{{0,3}}{_NOT}{_WRONG}",
    rf"(?:hindi|di)(?: pala| po)? {_WRONG},? {_RIGHT} (?:pala|dapat)",
    rf"{_WROTE}{_WRONG}{_BUT}(?:{_MEANT}|{_IS}){_RIGHT}",
    rf"{_RENAMED}{_WRONG} (?:to|into|a|in|sa) {_RIGHT}",
)
_IS_NOT = re.compile(rf"{_IS}{_RIGHT}{_NOT}{_WRONG}{_END}")
_NOT_BUT = re.compile(rf"{_DENIED_NAME}{_WRONG}{_BUT}{_IS}?{_RIGHT}{_END}")
_BARE = re.compile(rf"{_RIGHT}{_NOT}{_WRONG}{_END}")
_DENIED = re.compile(
    rf",? (?:and not|e non|at hindi|not|non|hindi) (?:to |al |alla |alle |ai |sa )?{_WRONG}{_END}"
)
_DENIAL = re.compile(rf"(?:and |e |at )?(?:not|non|hindi|di) {_WRONG}{_END}[ .!…]{{0,4}}")
_NO_VALUES = (
    ENGLISH.stops
    | ENGLISH.barred
    | ITALIAN.stops
    | FILIPINO.stops
    | words(
        "no not sorry wait scusa thanks gonna sure really bensi kundi a an only my solo mio mia"
    )
)


class Correction(NamedTuple):
    """`right` takes the place of `wrong`; of the key's, where the sentence says of what."""

    right: str
    wrong: str
    key: tuple[str, str] | None
    sentence: str


def extract_corrections(text: str) -> list[Correction]:
    found: list[Correction] = []
    spoken = list(own_words(text))
    is_owned = any(_SLIP.search(plain(letters)) for _, letters in spoken)
    for sentence, letters in _whole(spoken):
        stated = _of_a_statement(sentence, letters)
        found += stated or _bare(sentence, letters, is_owned=is_owned)
    return found


def _whole(spoken: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """With a denial that stands by itself ("It's Luna. Not Rex.") put to the sentence before."""
    for (sentence, letters), (_, following) in pairwise([*spoken, ("", "")]):
        denial = _DENIAL.fullmatch(plain(following))
        if denial and _is_value(denial["wrong"]):
            yield sentence, f"{letters.rstrip(' .!…')}, {following}"
        else:
            yield sentence, letters


def _bare(sentence: str, letters: str, *, is_owned: bool) -> list[Correction]:
    heard = own_part(plain(letters))
    for start in clause_starts(heard)[:_MOST_CLAUSES]:
        if is_conditional(heard[:start]):
            return []
        for begin in heads(heard, start):
            for match, needs_names in _matches(heard, start, begin):
                right, wrong = (letters[slice(*match.span(n))] for n in ("right", "wrong"))
                if not (_is_value(right) and _is_value(wrong)) or plain(right) == plain(wrong):
                    continue
                if is_owned or not needs_names or (_is_named(right) and _is_named(wrong)):
                    return [Correction(right, wrong, None, sentence)]
    return []


def _matches(heard: str, start: int, begin: int) -> Iterator[tuple[re.Match[str], bool]]:
    """Each with whether it has to be about names or numbers, should no slip be owned."""
    for form in _CERTAIN:
        if match := form.match(heard, begin):
            yield match, False
    if match := _IS_NOT.match(heard, begin):
        yield match, start > 0 or bool(heard[match.end() :].strip(" .!…"))
    if match := _NOT_BUT.match(heard, begin):
        yield match, True
    match = _BARE.match(heard, begin)
    if match and (_SLIP.search(heard) or _BY_ITSELF.match(heard[:begin])):
        yield match, True


def _is_value(words: str) -> bool:
    return _NO_VALUES.isdisjoint(plain(words).split())


def _is_named(words: str) -> bool:
    found = words.split()
    return all(any(c.isupper() or c.isdigit() for c in word) for word in (found[0], found[-1]))


def _of_a_statement(sentence: str, letters: str) -> list[Correction]:
    """Of what one can have several of; else the statement takes the place by itself. What is stated
    as denied ("we decided not to move") denies nothing else."""
    denied = _DENIED.search(plain(letters))
    if denied is None:
        return []
    wrong = letters[slice(*denied.span("wrong"))]
    keyed = [one for one in extract_facts(sentence) if ":" in one.attribute]
    return [
        Correction(
            _spelt(object, letters),
            wrong,
            (one.subject, f"{name}:{folded_object(wrong)}"),
            sentence,
        )
        for one in keyed
        for name, _, object in [one.attribute.partition(":")]
        if object != folded_object(wrong)
    ]


def _spelt(object: str, letters: str) -> str:
    """As the sentence has it."""
    words = r"[\W_]+".join(map(re.escape, object.split()))
    found = re.search(rf"(?<!\w){words}(?!\w)", plain(letters))
    return letters[slice(*found.span())] if found else object
