"""Finds phrases that name a turn: "the second one", "yung pangalawa", "la prima", "turn 4".

**Finding** a phrase is literal. The text is folded (case, accents and typographic apostrophes and
hyphens do not matter) and split into words and punctuation; a hyphen or an apostrophe inside a word
joins it, so "first-class" and "l'ultima" are one word each. Then every run of a few words is
looked up in one table. The longest phrase wins, and of equally long ones the leftmost. The lookup
takes linear time and cannot find "una" in "unang". The table combines the ordinals of a language,
alone and after each of its determiners; article and gender need not agree.

**Detecting** a reference in a chat message is careful, because most of these words usually mean
something else: "vorrei una pizza", "wait a second", "per la prima volta". So each phrase has a
scope:

    ANYWHERE       "the first one", "yung una", "kanina": it hardly means anything else
    CLAUSE_END     "the first", "la prima", "earlier": a noun after it changes the meaning ("the
                   first time", "earlier versions"), so the clause has to end here: with the text,
                   the line, punctuation, an emoji, or a courtesy ("la seconda per favore")
    WHOLE_MESSAGE  "una", "second", "1st": without a determiner only as the whole message
    NEVER          "by the second", "3.8 or earlier", "on the 4th": idioms and dates; a phrase that
                   overlaps one is not a reference

A false alarm puts an irrelevant turn into the context, a miss costs one more question; hence the
caution. Every detected reference can also be found, because detecting only filters.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from recollect.language.normalize import fold, plain_typography
from recollect.language.patterns import alternatives, split_phrases, words
from recollect.language.registry import Part, all_languages, merged

__all__ = ["TURN_REFERENCES", "Reference", "contains_reference", "find_reference"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a turn, by `position` in the history or by absolute `turn` number.

    Exactly one of the two is set. Position 1 is the oldest turn, -1 the most recent; `phrase` is
    spelled as in `TURN_REFERENCES`, or is "turn 4" and the like.
    """

    phrase: str
    position: int | None
    turn: int | None

    def index_in(self, numbers: Sequence[int]) -> int | None:
        """The index of the turn among turns with these numbers, or None if it is not there."""
        if self.turn is not None:
            return numbers.index(self.turn) if self.turn in numbers else None
        position = self.position or 0
        index = position - 1 if position > 0 else len(numbers) + position
        return index if 0 <= index < len(numbers) else None


class _Scope(Enum):
    ANYWHERE = auto()
    CLAUSE_END = auto()
    WHOLE_MESSAGE = auto()
    NEVER = auto()


_POSITIONS = (*range(1, 11), -1, -2)
_WORDS = merged("references")
_TURN_NOUNS = words(_WORDS["turn_nouns"])
# "Turn 4" may be a verb ("I turn 30", "turn 4 pages"); the word before it shows which.
_BEFORE_VERB = re.compile(alternatives(_WORDS["before_verb"]))
_BEFORE_NOUN = re.compile(alternatives(_WORDS["before_turn_noun"]))
_TOKEN = re.compile(
    rf"(?P<end>{alternatives(_WORDS['courtesies'])}"
    r"(?![\w'-])|[.?!,;:)\]}\u00bb\u201d\u2013\u2014\n-]|(?<=\w)[\"'\u201c\u00ab*_`])"
    r"|[^\W_]+(?:(?:_+|['-]|(?<=\d)[.,](?=\d))[^\W_]+)*"
    r"|\S"
)
_END = "."


def _fold(text: str) -> str:
    return plain_typography(fold(plain_typography(text)))


def _phrases() -> Iterator[tuple[str, int, _Scope]]:
    for listed, position, scope in (
        (_WORDS["last"], -1, _Scope.ANYWHERE),
        (_WORDS["last_at_clause_end"], -1, _Scope.CLAUSE_END),
        (_WORDS["last_alone"], -1, _Scope.WHOLE_MESSAGE),
        (_WORDS["last_but_one"], -2, _Scope.ANYWHERE),
        (_WORDS["last_but_one_at_clause_end"], -2, _Scope.CLAUSE_END),
        (_WORDS["idioms"], 0, _Scope.NEVER),
    ):
        yield from ((phrase, position, scope) for phrase in split_phrases(listed))
    for language in all_languages():
        for ordinals in language.ordinals:
            yield from _ordinal_phrases(ordinals)


def _ordinal_phrases(ordinals: Part) -> Iterator[tuple[str, int, _Scope]]:
    bare = _Scope.ANYWHERE if ordinals["is_unambiguous"] else _Scope.WHOLE_MESSAGE
    endings = ordinals["endings"].split() or [""]
    for position, stems in zip(_POSITIONS, ordinals["stems"].split(","), strict=False):
        for form in (stem + ending for stem in stems.split() for ending in endings):
            yield form, position, bare
            for determiner in ordinals["determiners"].split():
                if not determiner.endswith("'"):
                    yield f"{determiner} {form}", position, _Scope.CLAUSE_END
                elif _fold(form).startswith(("a", "o", "u")):
                    yield determiner + form, position, _Scope.CLAUSE_END
            for template in split_phrases(ordinals["anywhere"]):
                yield template.format(form), position, _Scope.ANYWHERE
            for template in split_phrases(ordinals["clause_end"]):
                yield template.format(form), position, _Scope.CLAUSE_END


TURN_REFERENCES: dict[str, int] = {
    phrase: position for phrase, position, _ in _phrases() if position
}

_TABLE: dict[str, tuple[Reference, _Scope]] = {}
for _phrase, _position, _scope in _phrases():
    _TABLE.setdefault(_fold(_phrase), (Reference(_phrase, _position, None), _scope))
_FIRST_WORDS = {phrase.split()[0] for phrase in _TABLE}
_MAX_WORDS = max(len(phrase.split()) for phrase in _TABLE)


class _Candidate(NamedTuple):
    reference: Reference
    scope: _Scope
    start: int
    end: int


def _candidates(tokens: list[str]) -> Iterator[_Candidate]:
    for start, token in enumerate(tokens):
        if token in _FIRST_WORDS:
            for end in range(start + 1, min(start + _MAX_WORDS, len(tokens)) + 1):
                if entry := _TABLE.get(" ".join(tokens[start:end])):
                    yield _Candidate(*entry, start, end)
        if token in _TURN_NOUNS:
            at = start + (2 if tokens[start + 1 : start + 2] == ["#"] else 1)
            if at < len(tokens) and re.fullmatch("[0-9]{1,9}", tokens[at]):
                reference = Reference(f"{token} {tokens[at]}", None, int(tokens[at]))
                before = tokens[start - 1] if start else ""
                scope = _Scope.CLAUSE_END
                if at == start + 2 or _BEFORE_NOUN.fullmatch(before):
                    scope = _Scope.ANYWHERE
                elif _BEFORE_VERB.fullmatch(before):
                    scope = _Scope.WHOLE_MESSAGE
                yield _Candidate(reference, scope, start, at + 1)


def _certain(candidates: list[_Candidate], tokens: list[str]) -> Iterator[_Candidate]:
    idioms = [range(c.start, c.end) for c in candidates if c.scope is _Scope.NEVER]
    excluded = {index for idiom in idioms for index in idiom}
    word_indexes = [index for index, token in enumerate(tokens) if token[0].isalnum()]
    for candidate in candidates:
        _, scope, start, end = candidate
        following = tokens[end] if end < len(tokens) else _END
        ends_clause = following == _END or unicodedata.category(following[0]) == "So"
        is_whole = start <= word_indexes[0] and word_indexes[-1] < end
        if excluded.isdisjoint(range(start, end)) and (
            scope is _Scope.ANYWHERE or (scope is _Scope.CLAUSE_END and ends_clause) or is_whole
        ):
            yield candidate


def find_reference(text: str, *, careful: bool = False) -> Reference | None:
    """The longest phrase in `text` that names a turn; if `careful`, only one that surely does."""
    tokens = [_END if match["end"] else match[0] for match in _TOKEN.finditer(_fold(text))]
    candidates = list(_candidates(tokens))
    if careful:
        candidates = list(_certain(candidates, tokens))
    references = [c.reference for c in candidates if c.scope is not _Scope.NEVER]
    return max(references, key=lambda reference: len(reference.phrase), default=None)


def contains_reference(text: str) -> bool:
    """Whether a chat message surely refers to a turn."""
    return find_reference(text, careful=True) is not None
