"""Finds the statements of a sentence: every rule is tried wherever a clause begins.

A statement counts only at the head of its clause, which is what keeps out "he thinks I live in
Rome" without knowing what thinking is. Clauses begin at the start of a sentence, behind a sign or a
conjunction, and where a value ended; greetings and phrases such as "remember that" may come first.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.cues import plain
from recollect.model import MemoryType
from recollect.statements import english, filipino, guards, italian
from recollect.statements.clauses import clause_end, clause_starts, heads
from recollect.statements.kinds import (
    PREFERENCE,
    RELATIVE,
    category_of,
    folded_object,
    name_attribute,
)
from recollect.statements.objects import Value
from recollect.statements.rule import Rule, compiled
from recollect.statements.voice import own_words

_RULES: tuple[Rule, ...] = (*english.RULES, *italian.RULES, *filipino.RULES)
_SUBJECTS: Mapping[str, str] = {**english.SUBJECTS, **italian.SUBJECTS, **filipino.SUBJECTS}
_ANYWHERE = tuple(rule for rule in _RULES if rule.anywhere)

_REMOVED = re.compile(r"(?:the )?users?(?:'s)? |l'utente |ang (?:user|gumagamit)(?: ay)? ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something lasting that a user says of themselves, as a note and as a key."""

    memory_type: MemoryType
    category: str
    content: str
    """A short note in the third person, in the language of the sentence: "Lives in Lisbon"."""
    subject: str
    """"user", or whom it is about in English: "sister"."""
    attribute: str
    """What it says of the subject. A later statement with both the same supersedes this one."""
    confidence: float
    sentence: str
    """Where it was read, to the letter."""


def read_statements(text: str) -> list[Statement]:
    """What a user's message states about them, in its order; each (subject, attribute) once, the
    last one wins."""
    found: dict[tuple[str, str], Statement] = {}
    for sentence, read in own_words(text):
        for statement in _read_sentence(sentence, read):
            key = statement.subject, statement.attribute
            found.pop(key, None)
            found[key] = statement
    return list(found.values())


def read_note(content: str) -> tuple[str, str] | None:
    """The (subject, attribute) of a note, whether in the words of a user ("I live in Rome") or as
    we write them ("Lives in Rome"); None where it is not of a kind we know."""
    letters = " ".join(content.split())[:400].rstrip(" .!")
    told = plain(letters)
    removed = _REMOVED.match(told)
    at = removed.end() if removed else 0
    for rule in _RULES:
        match = compiled(rule.told).fullmatch(told, at)
        if match and (filled := _filled_in(rule, match, letters)):
            return _about(rule, filled)
    stated = read_statements(content)
    return (stated[0].subject, stated[0].attribute) if stated else None


def _filled_in(rule: Rule, match: re.Match[str], letters: str) -> dict[str, str] | None:
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


def _read_sentence(sentence: str, letters: str) -> Iterator[Statement]:
    heard = guards.own_part(plain(letters))
    letters = letters[: len(heard)]
    at = 0
    before: Rule | None = None
    starts = [(start, True) for start in clause_starts(heard)]
    while starts:
        start, is_joint = starts.pop(0)
        if not at <= start < len(heard):
            continue
        hit = _read_clause(heard, letters, start, before)
        if hit is None:
            before = None if is_joint else before
            continue
        rule, match, values = hit
        end = values[-1].end if values else match.end()
        if not _is_silent(heard, match.start(), end):
            yield from _stated(rule, match, values, letters, sentence)
            before = rule
        at = max(end, start + 1)
        starts[:0] = [(at, False), (at + 1, False)]  # chats do without commas
    yield from _mentioned(sentence, letters, heard)


Hit = tuple[Rule, re.Match[str], list[Value]]


def _read_clause(heard: str, letters: str, start: int, before: Rule | None) -> Hit | None:
    """The first rule that applies. `before` applied to the clause before, if any did: then the
    subject may be understood."""
    for begin in heads(heard, start):
        for rule in _RULES:
            shares = before is not None and before.grammar is rule.grammar
            if rule.follows and not (shares and before and rule.follows == before.kind):
                continue
            match = rule.match(heard, begin, shares=shares)
            if match and (hit := _valued(rule, match, letters)):
                return hit
    return None


def _valued(rule: Rule, match: re.Match[str], letters: str) -> Hit | None:
    if rule.reader is None:
        return rule, match, []
    begin, end = match.span("value")
    if begin == end:
        values = rule.reader(letters, begin, rule.grammar)
        return (rule, match, values) if values else None
    values = rule.reader(letters[:end], begin, rule.grammar)
    if len(values) != 1 or values[0].end < end:
        return None
    return rule, match, [Value(values[0].text, match.end())]


def _is_silent(heard: str, start: int, end: int) -> bool:
    clause = heard[start : clause_end(heard, end)]
    return guards.is_fleeting(clause) or guards.is_conditional(heard[:start])


def _mentioned(sentence: str, letters: str, heard: str) -> Iterator[Statement]:
    """What is told in passing: "my dog Luna", wherever it stands."""
    for rule in _ANYWHERE:
        for match in compiled(rule.said).finditer(heard):
            hit = _valued(rule, match, letters)
            if hit and not guards.is_conditional(heard[: match.start()]):
                yield from _stated(*hit, letters, sentence)


def _stated(
    rule: Rule, match: re.Match[str], values: list[Value], letters: str, sentence: str
) -> Iterator[Statement]:
    slots = {
        name: rule.rendered(name, letters[slice(*match.span(name))])
        for name, said in match.groupdict().items()
        if said and name != "value"
    }
    for value in values or [None]:
        filled = {**slots, "value": value.text} if value else slots
        content = rule.render(filled)
        subject, attribute = _about(rule, filled)
        yield Statement(
            memory_type=rule.kind.memory_type,
            category=category_of(subject) if subject != "user" else rule.kind.category,
            content=content,
            subject=subject,
            attribute=attribute,
            confidence=rule.confidence,
            sentence=sentence,
        )


def _about(rule: Rule, filled: Mapping[str, str]) -> tuple[str, str]:
    subject = _SUBJECTS.get(plain(filled.get("rel") or filled.get("rels", "")), "user")
    if rule.kind == RELATIVE:
        return subject, name_attribute(subject, filled["value"])
    if rule.kind == PREFERENCE:  # whichever of the two is preferred
        pair = sorted(folded_object(filled[slot]) for slot in ("value", "other"))
        filled = {"pair": " or ".join(pair)}
    return subject, rule.kind.attribute_of(filled)
