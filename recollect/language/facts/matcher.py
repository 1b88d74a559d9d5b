"""Finds the statements of a message: every rule is tried wherever a clause begins.

A statement counts only at the head of its clause, which is what keeps out "he thinks I live in
Rome" without knowing what thinking is. Where a value ended another clause may begin, since chats do
without commas.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from recollect.language.facts import english, filipino, italian, people
from recollect.language.facts.attributes import (
    PREFERENCE,
    RELATIVE,
    category_of,
    folded_object,
    name_attribute,
)
from recollect.language.facts.clauses import clause_end, clause_starts, heads
from recollect.language.facts.hedges import is_conditional, is_fleeting, own_part
from recollect.language.facts.own_words import own_words
from recollect.language.facts.rule import Rule, compiled
from recollect.language.facts.statement import Fact
from recollect.language.facts.value_parsers import Value
from recollect.language.salience import plain

_RULES = (*english.RULES, *italian.RULES, *filipino.RULES)
_ANYWHERE = tuple(rule for rule in _RULES if rule.anywhere)
_SUBJECTS = {**people.ENGLISH, **people.ITALIAN, **people.FILIPINO}
_OTHERS = re.compile(
    r"(?<!\w)(?:he|she|they|we|his|her|their|(?:my|our|your) (?:\w{1,30} )?(?:"
    + "|".join(map(re.escape, sorted(people.ENGLISH)))
    + r"))(?!\w)"
)
_MOST_CLAUSES = 60
_LONGEST_NOTE = 400
_IS_OVER = re.compile(r"left |ha lasciato |umalis |nag-resign ")
_ABOUT_THE_USER = re.compile(r"(?:the )?users?(?:'s)? |l'utente |ang (?:user|gumagamit)(?: ay)? ")


class _Hit(NamedTuple):
    rule: Rule
    match: re.Match[str]
    values: list[Value]
    """None where the rule has no value to read."""

    @property
    def end(self) -> int:
        return self.values[-1].end if self.values else self.match.end()


def extract_facts(text: str) -> list[Fact]:
    """What a user's message states about them, in its order; each (subject, attribute) once, the
    last one wins."""
    found: dict[tuple[str, str], Fact] = {}
    before = ""
    for sentence, read in own_words(text):
        is_of_the_user = not _OTHERS.search(before)
        before = plain(read)
        for statement in _read_sentence(sentence, read, is_of_the_user):
            key = statement.subject, statement.attribute
            found.pop(key, None)
            found[key] = statement
    return list(found.values())


def parse_note(content: str) -> tuple[str, str] | None:
    """The (subject, attribute) of a note, whether in the words of a user ("I live in Rome") or as
    we write them ("Lives in Rome"); None where it is not of a kind we know."""
    if told := _told(content):
        return _about(*told)
    stated = extract_facts(content)
    return (stated[0].subject, stated[0].attribute) if stated else None


def note_value(content: str) -> str | None:
    """The object of a note as we write them, so that one can tell what says the same of the same:
    "Is from Rome", "Comes from Rome"."""
    told = _told(content)
    if told is None or _IS_OVER.match(plain(content)):
        return None
    return folded_object(told[1].get("value", "")) or None


def _told(content: str) -> tuple[Rule, dict[str, str]] | None:
    """The rule by which a note is written, and what stands in its slots."""
    letters = " ".join(content.split())[:_LONGEST_NOTE].rstrip(" .!")
    told = plain(letters)
    introduced = _ABOUT_THE_USER.match(told)
    at = introduced.end() if introduced else 0
    for rule in _RULES:
        match = compiled(rule.told).fullmatch(told, at)
        filled = _told_slots(rule, match, letters) if match else None
        if filled is not None:
            return rule, filled
    return None


def _read_sentence(sentence: str, letters: str, is_of_the_user: bool) -> Iterator[Fact]:
    """`is_of_the_user` unless the sentence before is about somebody, who may be meant still."""
    heard = own_part(plain(letters))
    letters = letters[: len(heard)]
    starts = [(start, True) for start in clause_starts(heard)[:_MOST_CLAUSES]]
    at, before = 0, None
    while starts:
        start, is_joint = starts.pop(0)
        if not at <= start < len(heard):
            continue
        hit = _read_clause(heard, letters, start, before, is_first=start == 0 and is_of_the_user)
        if hit is None:
            before = None if is_joint else before
            continue
        if not _is_silent(heard, hit.match.start(), hit.end):
            yield from _stated(hit, letters, sentence)
            before = hit.rule
        at = max(hit.end, start + 1)
        starts[:0] = [(at, False), (at + 1, False)]
    yield from _mentioned(sentence, letters, heard)


def _read_clause(
    heard: str, letters: str, start: int, before: Rule | None, *, is_first: bool
) -> _Hit | None:
    """The first rule that applies. `before` applied to the clause before, if any did: then the
    subject may be understood."""
    for begin in heads(heard, start):
        for rule in _RULES:
            shares = before is not None and before.grammar is rule.grammar
            if rule.first and not is_first:
                continue
            if rule.follows and not (shares and before and rule.follows == before.kind):
                continue
            match = rule.match(heard, begin, shares=shares)
            if match and (hit := _valued(rule, match, letters)):
                return hit
    return None


def _mentioned(sentence: str, letters: str, heard: str) -> Iterator[Fact]:
    """What is told in passing: "my dog Luna", wherever it stands."""
    for rule in _ANYWHERE:
        for match in compiled(rule.said).finditer(heard):
            hit = _valued(rule, match, letters)
            if hit and not is_conditional(heard[: match.start()]):
                yield from _stated(hit, letters, sentence)


def _valued(rule: Rule, match: re.Match[str], letters: str) -> _Hit | None:
    if rule.reader is None:
        return _Hit(rule, match, [])
    begin, end = match.span("value")
    if begin == end:
        values = rule.reader(letters, begin, rule.grammar)
        return _Hit(rule, match, values) if values else None
    values = rule.reader(letters[:end], begin, rule.grammar)
    if len(values) != 1 or values[0].end < end:
        return None
    return _Hit(rule, match, [Value(values[0].text, match.end())])


def _is_silent(heard: str, start: int, end: int) -> bool:
    return is_fleeting(heard[start : clause_end(heard, end)]) or is_conditional(heard[:start])


def _stated(hit: _Hit, letters: str, sentence: str) -> Iterator[Fact]:
    rule, match, values = hit
    if match.start() == 0 and letters[1:2].islower():  # a capital that only opens the sentence
        letters = letters[:1].lower() + letters[1:]
    slots = {
        name: rule.rendered(name, letters[slice(*match.span(name))])
        for name, said in match.groupdict().items()
        if said and name != "value"
    }
    for filled in [{**slots, "value": value.text} for value in values] or [slots]:
        subject, attribute = _about(rule, filled)
        yield Fact(
            memory_type="entity" if subject != "user" else rule.kind.memory_type,
            category=category_of(subject) if subject != "user" else rule.kind.category,
            content=rule.render(filled),
            subject=subject,
            attribute=attribute,
            confidence=rule.confidence,
            sentence=sentence,
        )


def _told_slots(rule: Rule, match: re.Match[str], letters: str) -> dict[str, str] | None:
    """What stands in the slots of a note, if it can be what we would write there."""
    filled: dict[str, str] = {}
    for group, told in match.groupdict().items():
        if told is None:
            continue
        slot = group.partition("__")[0]
        begin, end = match.span(group)
        filled[slot] = letters[begin:end]
        if slot == "value" and rule.reader:
            chat = letters[:1].lower() + letters[1:end] if begin else letters[:end]
            values = rule.reader(chat, begin, rule.grammar)
            if not values:
                return None
            filled[slot] = values[0].text
    return filled


def _about(rule: Rule, filled: Mapping[str, str]) -> tuple[str, str]:
    subject = _SUBJECTS.get(plain(filled.get("rel") or filled.get("rels", "")), "user")
    if rule.kind == RELATIVE:
        return subject, name_attribute(subject, filled["value"])
    if rule.kind == PREFERENCE:  # whichever of the two is preferred
        pair = sorted(folded_object(filled[slot]) for slot in ("value", "other"))
        filled = {"pair": " or ".join(pair)}
    return subject, rule.kind.attribute_of(filled)
