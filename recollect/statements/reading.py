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
from recollect.statements.kinds import (
    PREFERENCE,
    RELATIVE,
    category_of,
    folded_object,
    name_attribute,
)
from recollect.statements.objects import Value
from recollect.statements.rule import Rule

_RULES: tuple[Rule, ...] = (*english.RULES, *italian.RULES, *filipino.RULES)
_SUBJECTS: Mapping[str, str] = {**english.SUBJECTS, **italian.SUBJECTS, **filipino.SUBJECTS}
_ANYWHERE = tuple(rule for rule in _RULES if rule.anywhere)

_JOINT = re.compile(
    r"\A|[,;:()!?\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf] ?|\.{2,} ?| - "
    r"|(?<!\w)(?:and|but|so|because|cause|coz|since|as|plus|also|then|though|btw|anyway"
    r"|e|ed|ma|pero|quindi|perche|poiche|siccome|dato che|visto che|poi|inoltre|anche se"
    r"|at|kaya|kasi|dahil|tapos|saka|tsaka|eh|kase) (?=\w)"
)
_LEAD = re.compile(
    r"(?:(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon)|ok|okay|well|so|oh|ah|yes|yeah|yep"
    r"|no|nope|and|but|also|btw|by the way|fyi|for (?:context|the record|reference|info)|actually"
    r"|anyway|thanks|thank you|please|just so you know|as you know|remember(?: that)?"
    r"|(?:please )?(?:note|keep in mind|bear in mind|remember|don't forget)(?: that)?|for what it's worth"
    r"|i should (?:mention|say|add)(?: that)?|you should know(?: that)?|let me add(?: that)?"
    r"|i forgot to (?:say|mention)(?: that)?|i (?:already )?told you(?: that)?|as i (?:said|mentioned)"
    r"|no wait|wait|sorry|correction|to be clear|honestly|personally|in fact|given that|considering"
    r"(?: that)?|because|since|there|everyone|all|first|a bit about me|about me|note|ps|p\.s\.|fun fact"
    r"|update|small update|quick update|news|from now on|in (?:the )?future|in general|usually"
    r"|basically|obviously|right now|in the end|finally|after the meeting|eventually|after all|unfortunately|sadly|luckily|these days|nowadays|now|currently|at home"
    r"|ciao|salve|cmq|alla fine|come ti dicevo|come dicevo|come sai|infine|insomma|per fortuna|al momento|in questo momento|da poco|intanto|buongiorno|buonasera|allora|beh|bene|va bene|si|comunque|tra l'altro|a proposito"
    r"|guarda|senti|sappi(?: che)?|ricorda(?:ti)?(?: che)?|tieni (?:presente|a mente|conto)(?: del fatto)?(?: che)?"
    r"|considera(?: che)?|ti (?:informo|ricordo|dico|ho detto|avviso)(?: che)?|premetto(?: che)?"
    r"|per (?:informazione|la cronaca|favore|piacere|contesto)|in realta|anzi|scusa|no aspetta|aspetta|e|ma|anche|grazie"
    r"|dato che|visto che|siccome|poiche|perche|d'ora in poi|da ora in poi|in generale|di solito|purtroppo"
    r"|io|personalmente|sinceramente|onestamente|adesso|ora|attualmente|che|un'altra cosa|nota|aggiornamento"
    r"|hi po|hello po|final na|sa wakas|sa huli|actually po|bale|ayun|kasalukuyang|kumusta|kamusta|magandang (?:umaga|gabi|hapon|tanghali|araw)(?: po)?|opo|oo|sige|salamat(?: po)?"
    r"|tandaan mo(?: na)?|pakitandaan(?: na)?|tandaan(?: na)?|para alam mo|sa totoo lang|actually|by the way|nga pala|pala"
    r"|kasi|pero|at|tapos|saka|tsaka|dahil|eh|bale|ngayon|ngayon ay|mula ngayon|simula ngayon|sa susunod|bago ko makalimutan"
    r"|ay|hindi(?=,)|wait lang|sorry|teka|po|note lang|update lang|fyi lang|alam mo(?: ba)?(?: na)?|sana tandaan mo na"
    r")(?:[,:;!.…-]{0,3} ?-? ?| )(?<=[\W]))"
)
_CLAUSE_END = re.compile(r"[,;:()!?\u2013\u2014…]|\.(?= |\Z)| - |\Z")
_MOST_LEADS = 4
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
    for sentence, read in guards.own_words(text):
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
        match = rule.told.fullmatch(told, at)
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
    starts = [(start.end(), True) for start in _JOINT.finditer(heard)]
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


def _heads(heard: str, start: int) -> Iterator[int]:
    """Where a clause may begin in earnest: at once, or behind phrases that lead to it."""
    yield start
    for _ in range(_MOST_LEADS):
        lead = _LEAD.match(heard, start)
        if lead is None or lead.end() == start:
            return
        start = lead.end()
        yield start


Hit = tuple[Rule, re.Match[str], list[Value]]


def _read_clause(heard: str, letters: str, start: int, before: Rule | None) -> Hit | None:
    """The first rule that applies. `before` applied to the clause before, if any did: then the
    subject may be understood."""
    for begin in _heads(heard, start):
        for rule in _RULES:
            shares = before is not None and before.grammar is rule.grammar
            if rule.follows and not (shares and before and rule.follows == before.kind):
                continue
            match = rule.full.match(heard, begin)
            if match is None and shares and rule.elliptic:
                match = rule.elliptic.match(heard, begin)
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
    closing = _CLAUSE_END.search(heard, end)
    clause = heard[start : closing.start() if closing else len(heard)]
    return guards.is_fleeting(clause) or guards.is_conditional(heard[:start])


def _mentioned(sentence: str, letters: str, heard: str) -> Iterator[Statement]:
    """What is told in passing: "my dog Luna", wherever it stands."""
    for rule in _ANYWHERE:
        for match in rule.full.finditer(heard):
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
