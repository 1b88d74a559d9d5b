"""Extracts corrections that name what was wrong: "no wait, it's Luna, not Rex".

Such a clause is about an earlier fact with the wrong word; only the stored memories show which.
Some forms are always a correction ("I meant Luna, not Rex"). The others count if they are the whole
message, if they are about names or numbers, or if the message admits a mistake ("sorry", "ho
scritto male", "nagkamali ako"). A fact may end in one as well ("my dog is called Luna, not Rex"),
while "I want tea, not coffee" corrects nothing.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from recollect.language.facts.attributes import folded_object
from recollect.language.facts.clauses import clause_starts, statement_starts
from recollect.language.facts.hedges import is_conditional, stated_part
from recollect.language.facts.matcher import extract_facts
from recollect.language.facts.own_words import own_words
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, split_phrases, words
from recollect.language.registry import merged, phrase_pattern

_MAX_CLAUSES = 40
_WORDS = r"[^\W_][\w'-]{0,30}(?: [^\W_][\w'-]{0,30}){0,2}?"


class Correction(NamedTuple):
    """`right` replaces `wrong`; in the fact with this key, if the sentence names one."""

    right: str
    wrong: str
    key: tuple[str, str] | None
    sentence: str


class _CorrectionPatterns(NamedTuple):
    interjections: re.Pattern[str]
    certain: list[re.Pattern[str]]
    right_not_wrong: re.Pattern[str]
    it_is_right_not_wrong: re.Pattern[str]
    not_wrong_but_right: re.Pattern[str]
    denied: re.Pattern[str]
    """A denial after a fact."""
    denial: re.Pattern[str]
    """A denial that is a sentence by itself."""


@cache
def _patterns() -> _CorrectionPatterns:
    phrases = merged("facts.corrections")
    part = {field: alternatives(listed) for field, listed in phrases.items()}
    marker = f"(?:{part['name_markers']} )?"
    right, wrong = f"{marker}(?P<right>{_WORDS})", f"{marker}(?P<wrong>{_WORDS})"
    it_is = f"(?:{part['it_is']}(?: {part['really']})? )"
    i_meant = f"(?:{part['i_meant']} )"
    before_not = alternatives(phrases["conjunctions"], phrases["before_not"])
    then_not = f",?(?: -)? (?:{before_not} )?{part['not_']} "
    but = f"(?:[,;…] ?|,? {part['but']} )"
    is_not = f"(?:{part['is_not']} )"
    end = (
        rf"(?: {part['trailing']})?"
        r"(?= ?(?:[,.;:!…()\u2013\u2014\U0001f300-\U0001faff\u2600-\u27bf]|- |\Z))"
    )
    certain = [
        f"{i_meant}{right}{then_not}{wrong}",
        f"{is_not}{wrong}{but}{i_meant}{right}",
        *(
            form.replace("<right>", right).replace("<wrong>", wrong).replace("<not>", then_not)
            for form in split_phrases(phrases["forms"])
        ),
        f"{part['i_wrote']} {wrong}{but}(?:{i_meant}|{it_is}){right}",
        f"{part['renamed_from']} {wrong} {part['renamed_to']} {right}",
    ]
    denial_preposition = f"(?:{part['denial_prepositions']} )?"
    return _CorrectionPatterns(
        interjections=re.compile(rf"(?:{part['interjections']}[ ,.;:!…-]{{1,4}}){{1,4}}\Z"),
        certain=[re.compile(form + end) for form in certain],
        right_not_wrong=re.compile(f"{right}{then_not}{wrong}{end}"),
        it_is_right_not_wrong=re.compile(f"{it_is}{right}{then_not}{wrong}{end}"),
        not_wrong_but_right=re.compile(f"{is_not}{wrong}{but}{it_is}?{right}{end}"),
        denied=re.compile(f",? {part['denials']} {denial_preposition}{wrong}{end}"),
        denial=re.compile(rf"(?:{part['conjunctions']} )?{part['not_']} {wrong}{end}[ .!…]{{0,4}}"),
    )


@cache
def _not_values() -> frozenset[str]:
    stops = merged("facts.function_words")["stops"]
    return words(f"{stops} {merged('facts.corrections')['not_values']}")


def extract_corrections(text: str) -> list[Correction]:
    corrections: list[Correction] = []
    sentences = list(own_words(text))
    admits_slip = any(_admits_slip(plain(visible)) for _, visible in sentences)
    for sentence, visible in _with_denials(sentences):
        of_fact = _corrected_facts(sentence, visible)
        corrections += of_fact or _clause_correction(sentence, visible, admits_slip=admits_slip)
    return corrections


def _admits_slip(text: str) -> bool:
    return phrase_pattern("facts.corrections", "slips").search(text) is not None


def _with_denials(sentences: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join a denial that is a sentence ("It's Luna. Not Rex.") with the sentence before."""
    for (sentence, visible), (_, following) in pairwise([*sentences, ("", "")]):
        denial = _patterns().denial.fullmatch(plain(following))
        if denial and _is_value(denial["wrong"]):
            yield sentence, f"{visible.rstrip(' .!…')}, {following}"
        else:
            yield sentence, visible


def _clause_correction(sentence: str, visible: str, *, admits_slip: bool) -> list[Correction]:
    text = stated_part(plain(visible))
    for start in clause_starts(text)[:_MAX_CLAUSES]:
        if is_conditional(text[:start]):
            return []
        for begin in statement_starts(text, start):
            for match, needs_names in _matches(text, start, begin):
                right, wrong = (visible[slice(*match.span(n))] for n in ("right", "wrong"))
                if not (_is_value(right) and _is_value(wrong)) or plain(right) == plain(wrong):
                    continue
                if admits_slip or not needs_names or (_is_named(right) and _is_named(wrong)):
                    return [Correction(right, wrong, None, sentence)]
    return []


def _matches(text: str, start: int, begin: int) -> Iterator[tuple[re.Match[str], bool]]:
    """Each match, and whether it counts only for names and numbers unless a slip is admitted."""
    patterns = _patterns()
    for form in patterns.certain:
        if match := form.match(text, begin):
            yield match, False
    if match := patterns.it_is_right_not_wrong.match(text, begin):
        yield match, start > 0 or bool(text[match.end() :].strip(" .!…"))
    if match := patterns.not_wrong_but_right.match(text, begin):
        yield match, True
    match = patterns.right_not_wrong.match(text, begin)
    if match and (_admits_slip(text) or patterns.interjections.match(text[:begin])):
        yield match, True


def _is_value(text: str) -> bool:
    return _not_values().isdisjoint(plain(text).split())


def _is_named(text: str) -> bool:
    words = text.split()
    return all(any(c.isupper() or c.isdigit() for c in word) for word in (words[0], words[-1]))


def _corrected_facts(sentence: str, visible: str) -> list[Correction]:
    """Corrections of attributes with several values; any other fact replaces the old one by itself.
    A denial within a fact ("we decided not to move") denies nothing else."""
    denied = _patterns().denied.search(plain(visible))
    if denied is None:
        return []
    wrong = visible[slice(*denied.span("wrong"))]
    return [
        Correction(
            _as_written(value, visible),
            wrong,
            (fact.subject, f"{name}:{folded_object(wrong)}"),
            sentence,
        )
        for fact in extract_facts(sentence)
        for name, colon, value in [fact.attribute.partition(":")]
        if colon and value != folded_object(wrong)
    ]


def _as_written(value: str, visible: str) -> str:
    words = r"[\W_]+".join(map(re.escape, value.split()))
    match = re.search(rf"(?<!\w){words}(?!\w)", plain(visible))
    return visible[slice(*match.span())] if match else value
