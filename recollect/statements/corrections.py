"""Corrections that name what was wrong: "no wait, it's Luna, not Rex".

Such a sentence says nothing by itself: it is about whatever was said with the wrong word, which
only what is known can tell. It has to be a correction and nothing else, or the end of a statement
("my dog is called Luna, not Rex"), so that "I want tea, not coffee" is none.
"""

import re
from typing import NamedTuple

from recollect.cues import plain
from recollect.statements.kinds import folded_object
from recollect.statements.reading import read_statements
from recollect.statements.voice import own_words

_WORDS = r"[^\W_][\w'-]{0,30}(?: [^\W_][\w'-]{0,30}){0,2}?"
_LEAD = (
    r"(?:(?:no|nope|wait|sorry|oops|ops|actually|ah|oh|eh|correction|my mistake|my bad|typo|i mean"
    r"|scusa(?:mi)?|aspetta|anzi|pardon|mi sono sbagliat[oa]|ho sbagliato|errore mio|in realta|cioe"
    r"|teka|ay|mali|pasensya|sorry po|wait lang|actually po)\b[ ,.;:!…-]{1,4}){0,4}"
)
_IS = (
    r"(?:(?:it's|its|it is|that's|he's|she's|he is|she is|they're|(?:his|her|its|their|the|my) name"
    r"(?:'s| is)|(?:he|she|it) is called|i meant|make (?:it|that)|e|sono|si chiama|si chiamano"
    r"|intendevo|volevo dire|dicevo|il nome e|ang pangalan (?:niya|nya) ay|ang ibig kong sabihin)"
    r"(?: (?:actually|really|in realta))? )"
)
_END = r"(?: (?:po|pala|lol|haha|sorry|scusa|ha))?[ .!…]{0,4}"
_RIGHT, _WRONG = rf"(?P<right>{_WORDS})", rf"(?P<wrong>{_WORDS})"
_PALA = r"(?: (?:pala|po|dapat|ang pangalan (?:niya|nya)|not)){1,3}"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_LEAD}{_IS}{_RIGHT},? (?:and )?not {_WRONG}{_END}",
        rf"{_LEAD}(?:it's |its )?not {_WRONG},? (?:but|it's|its) {_RIGHT}{_END}",
        rf"{_LEAD}{_IS}{_RIGHT},? (?:e )?non {_WRONG}{_END}",
        rf"{_LEAD}non (?:e |si chiama )?{_WRONG},? (?:ma|bensi) {_RIGHT}{_END}",
        rf"{_LEAD}(?:si )?{_RIGHT}{_PALA}[,.… ]{{1,3}}(?:at )?hindi (?:si )?{_WRONG}{_END}",
        rf"{_LEAD}hindi (?:si )?{_WRONG},? kundi (?:si )?{_RIGHT}{_END}",
    )
)
_DENIED = re.compile(rf",? (?:and not|e non|at hindi|not|non|hindi) (?:si )?{_WRONG}{_END}\Z")


class Correction(NamedTuple):
    """`right` takes the place of `wrong`; of the key's, where the sentence says of what."""

    right: str
    wrong: str
    key: tuple[str, str] | None
    sentence: str


def read_corrections(text: str) -> list[Correction]:
    found: list[Correction] = []
    for sentence, letters in own_words(text):
        found += _bare(sentence, letters) or _of_a_statement(sentence, letters)
    return found


def _bare(sentence: str, letters: str) -> list[Correction]:
    heard = plain(letters)
    for form in _FORMS:
        if match := form.fullmatch(heard):
            right, wrong = (letters[slice(*match.span(name))] for name in ("right", "wrong"))
            return [Correction(right, wrong, None, sentence)]
    return []


def _of_a_statement(sentence: str, letters: str) -> list[Correction]:
    """Of what one can have several of; else the statement takes the place by itself."""
    denied = _DENIED.search(plain(letters))
    if denied is None:
        return []
    wrong = letters[slice(*denied.span("wrong"))]
    keyed = [one for one in read_statements(sentence) if ":" in one.attribute]
    return [
        Correction(
            object,
            wrong,
            (one.subject, f"{name}:{folded_object(wrong)}"),
            sentence,
        )
        for one in keyed
        for name, _, object in [one.attribute.partition(":")]
    ]
