"""Extracts the facts of a message: every rule is tried wherever a clause begins.

A fact counts only at the beginning of its clause, which excludes "he thinks I live in Rome" without
a list of such verbs. After a value another clause may begin, since people chat without commas.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from recollect.core.types import MemoryType
from recollect.language.facts.attributes import (
    FACT_KINDS,
    category_of,
    folded_object,
    name_attribute,
)
from recollect.language.facts.clauses import clause_end, clause_starts, statement_starts
from recollect.language.facts.gazetteers import all_people, people_of
from recollect.language.facts.hedges import is_conditional, is_hedged, stated_part
from recollect.language.facts.own_words import own_words
from recollect.language.facts.rules import Rule, all_rules, compiled
from recollect.language.facts.value_parsers import ParsedValue, ValueStart
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, any_of
from recollect.language.registry import fact_languages, merged

_MAX_CLAUSES = 60
_MAX_NOTE_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A lasting fact that a user states about themselves, as a note and with its key."""

    memory_type: MemoryType
    category: str
    content: str
    """A short note in the third person, in the language of the sentence: "Lives in Lisbon"."""
    subject: str
    """The user, or a person by the English word: "user", "sister"."""
    attribute: str
    """A later fact with the same subject and attribute supersedes this one."""
    confidence: float
    sentence: str
    """The sentence that states it, as written."""


class _RuleMatch(NamedTuple):
    rule: Rule
    match: re.Match[str]
    values: list[ParsedValue]
    """Empty if the rule has no value to parse."""

    @property
    def end(self) -> int:
        return self.values[-1].end if self.values else self.match.end()


@cache
def _third_person() -> re.Pattern[str]:
    phrases = []
    for language in fact_languages():
        people = alternatives("\n".join(people_of(language)))
        phrases.append(language["facts"]["third_persons"].replace("<people>", people))
    return re.compile(any_of(*phrases))


@cache
def _note_opening(field: str) -> re.Pattern[str]:
    return re.compile(alternatives(merged("facts")[field]) + " ")


def extract_facts(text: str) -> list[Fact]:
    """The facts that a user's message states, in their order; the last one per key."""
    facts: dict[tuple[str, str], Fact] = {}
    before = ""
    for sentence, visible in own_words(text):
        is_about_user = not _third_person().search(before)
        before = plain(visible)
        for fact in _sentence_facts(sentence, visible, is_about_user):
            key = fact.subject, fact.attribute
            facts.pop(key, None)
            facts[key] = fact
    return list(facts.values())


def parse_note(content: str) -> tuple[str, str] | None:
    """The (subject, attribute) of a note, in the words of a user ("I live in Rome") or as we write
    it ("Lives in Rome"); None if no rule matches."""
    if note := _match_note(content):
        return _key(*note)
    facts = extract_facts(content)
    return (facts[0].subject, facts[0].attribute) if facts else None


def note_value(content: str) -> str | None:
    """The folded object of a note, to compare notes: "Is from Rome", "Comes from Rome"."""
    note = _match_note(content)
    if note is None or _note_opening("ended").match(plain(content)):
        return None
    return folded_object(note[1].get("value", "")) or None


def _match_note(content: str) -> tuple[Rule, dict[str, str]] | None:
    """The rule that writes such a note, and the texts in its slots."""
    text = " ".join(content.split())[:_MAX_NOTE_CHARS].rstrip(" .!")
    plain_text = plain(text)
    opening = _note_opening("note_openings").match(plain_text)
    start = opening.end() if opening else 0
    for rule in all_rules():
        match = compiled(rule.note_pattern).fullmatch(plain_text, start)
        slots = _note_slots(rule, match, text) if match else None
        if slots is not None:
            return rule, slots
    return None


def _sentence_facts(sentence: str, visible: str, is_about_user: bool) -> Iterator[Fact]:
    """The facts of a sentence. `is_about_user` is false if the sentence before is about somebody
    else, who may still be meant."""
    plain_text = stated_part(plain(visible))
    text = visible[: len(plain_text)]
    starts = [(start, True) for start in clause_starts(plain_text)[:_MAX_CLAUSES]]
    at, before = 0, None
    while starts:
        start, is_joint = starts.pop(0)
        if not at <= start < len(plain_text):
            continue
        is_first = start == 0 and is_about_user
        match = _match_clause(plain_text, text, start, before, is_first=is_first)
        if match is None:
            before = None if is_joint else before
            continue
        if not _is_uncertain(plain_text, match.match.start(), match.end):
            yield from _facts(match, text, sentence)
            before = match.rule
        at = max(match.end, start + 1)
        starts[:0] = [(at, False), (at + 1, False)]
    yield from _mentioned_facts(sentence, text, plain_text)


def _match_clause(
    plain_text: str, text: str, start: int, before: Rule | None, *, is_first: bool
) -> _RuleMatch | None:
    """The first rule that matches. `before` matched the clause before, so that the subject may be
    left out."""
    for begin in statement_starts(plain_text, start):
        for rule in all_rules():
            shares_subject = before is not None and before.function_words is rule.function_words
            if rule.is_first and not is_first:
                continue
            if rule.follows and not (shares_subject and before and rule.follows == before.kind):
                continue
            match = rule.match(plain_text, begin, shares_subject=shares_subject)
            if match and (parsed := _parse_value(rule, match, text)):
                return parsed
    return None


@cache
def _anywhere_rules() -> list[Rule]:
    return [rule for rule in all_rules() if rule.is_anywhere]


def _mentioned_facts(sentence: str, text: str, plain_text: str) -> Iterator[Fact]:
    """Facts mentioned in passing, anywhere in a sentence: "my dog Luna"."""
    for rule in _anywhere_rules():
        for match in compiled(rule.statement).finditer(plain_text):
            parsed = _parse_value(rule, match, text)
            if parsed and not is_conditional(plain_text[: match.start()]):
                yield from _facts(parsed, text, sentence)


def _parse_value(rule: Rule, match: re.Match[str], text: str) -> _RuleMatch | None:
    if rule.parser is None:
        return _RuleMatch(rule, match, [])
    begin, end = match.span("value")
    if begin == end:
        values = rule.parser(ValueStart(text, begin, rule.function_words))
        return _RuleMatch(rule, match, values) if values else None
    values = rule.parser(ValueStart(text[:end], begin, rule.function_words))
    if len(values) != 1 or values[0].end < end:
        return None
    return _RuleMatch(rule, match, [ParsedValue(values[0].text, match.end())])


def _is_uncertain(plain_text: str, start: int, end: int) -> bool:
    clause = plain_text[start : clause_end(plain_text, end)]
    return is_hedged(clause) or is_conditional(plain_text[:start])


def _facts(parsed: _RuleMatch, text: str, sentence: str) -> Iterator[Fact]:
    rule, match, values = parsed
    if match.start() == 0 and text[1:2].islower():  # a capital that only begins the sentence
        text = text[:1].lower() + text[1:]
    slots = {
        name: rule.render_slot(name, text[slice(*match.span(name))])
        for name, slot in match.groupdict().items()
        if slot and name != "value"
    }
    for filled in [{**slots, "value": value.text} for value in values] or [slots]:
        subject, attribute = _key(rule, filled)
        yield Fact(
            memory_type="entity" if subject != "user" else rule.kind.memory_type,
            category=category_of(subject) if subject != "user" else rule.kind.category,
            content=rule.render(filled),
            subject=subject,
            attribute=attribute,
            confidence=rule.confidence,
            sentence=sentence,
        )


def _note_slots(rule: Rule, match: re.Match[str], text: str) -> dict[str, str] | None:
    """The texts in the slots of a note, or None if we would not write such a value."""
    slots: dict[str, str] = {}
    for group, matched in match.groupdict().items():
        if matched is None:
            continue
        slot = group.partition("__")[0]
        begin, end = match.span(group)
        slots[slot] = text[begin:end]
        if slot == "value" and rule.parser:
            lowered = text[:1].lower() + text[1:end] if begin else text[:end]
            values = rule.parser(ValueStart(lowered, begin, rule.function_words))
            if not values:
                return None
            slots[slot] = values[0].text
    return slots


def _key(rule: Rule, slots: Mapping[str, str]) -> tuple[str, str]:
    subject = all_people().get(plain(slots.get("rel") or slots.get("rels", "")), "user")
    if rule.kind == FACT_KINDS["RELATIVE"]:
        return subject, name_attribute(subject, slots["value"])
    if rule.kind == FACT_KINDS["PREFERENCE"]:  # the same pair, whichever of the two is preferred
        pair = sorted(folded_object(slots[slot]) for slot in ("value", "other"))
        slots = {"pair": " or ".join(pair)}
    return subject, rule.kind.attribute_of(slots)
