"""One way to state something: how it is said, and how the note of it reads.

`said` is a regular expression in plain letters, to be matched where a clause begins, with slots in
angle brackets. `<value>` is where the value begins, if it comes last, and `<value3>` one of up to
three words in the middle. Every other slot is defined by its language: a pattern, which the note
repeats to the letter, or a mapping of what is said to what the note says ("love" → "Loves").

`note` has the same slots in braces. It is read both ways: filled in for a statement, and as a
pattern of its own for notes that are read back; so what is written can always be recognised.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from recollect.language.facts.attributes import Kind
from recollect.language.facts.grammar_types import Grammar
from recollect.language.facts.value_parsers import Reader
from recollect.language.salience import plain

Slot = str | Mapping[str, str]

_SAID_SLOT = re.compile(r"(?<!\?P)<(\w+)>( ?)")
_NOTE_SLOT = re.compile(r"\{(\w+)\}")
_WORD = r"[^\W_][\w'.-]{0,40}"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """There are many, and whoever has a model needs none; so each when it is first used."""
    return re.compile(pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    kind: Kind
    grammar: Grammar
    slots: Mapping[str, Slot]
    note: str
    reader: Reader | None
    confidence: float
    said: str
    elliptic: str | None
    """Without its subject, for clauses that share the one of the clause before."""
    told: str
    follows: Kind | None
    """Only right behind a statement of this kind: "a nurse" … "at the General"."""
    anywhere: bool
    """Not only where a clause begins."""
    first: bool
    """Only where a sentence begins, as the subject is left out: "Based in Leeds"."""

    def match(self, heard: str, start: int, *, shares: bool) -> re.Match[str] | None:
        """`shares` if the subject may be understood."""
        found = compiled(self.said).match(heard, start)
        if found is None and shares and self.elliptic:
            found = compiled(self.elliptic).match(heard, start)
        return found

    def render(self, filled: Mapping[str, str]) -> str:
        text = _NOTE_SLOT.sub(lambda slot: filled.get(slot[1], ""), self.note)
        return text[:1].upper() + text[1:]

    def rendered(self, slot: str, said: str) -> str:
        known = self.slots.get(slot)
        return said if known is None or isinstance(known, str) else known[plain(said)]


def make_rule(
    kind: Kind,
    said: str,
    note: str,
    reader: Reader | None = None,
    confidence: float = 0.85,
    *,
    grammar: Grammar,
    slots: Mapping[str, Slot],
    openers: Mapping[str, tuple[str, str]],
    follows: Kind | None = None,
    anywhere: bool = False,
    first: bool = False,
    also: tuple[str, ...] = (),
) -> Rule:
    """`openers` are the slots for the subject: as it is said in full, and what may be left of it
    where it is understood. `also` are other wordings of the note, which are only read."""
    full = _said(said, slots, {name: forms[0] for name, forms in openers.items()})
    shares = any(f"<{name}>" in said for name in openers)
    elliptic = _said(said, slots, {name: forms[1] for name, forms in openers.items()})
    return Rule(
        kind=kind,
        grammar=grammar,
        slots=slots,
        note=note,
        reader=reader,
        confidence=confidence,
        said=full,
        elliptic=elliptic if shares else None,
        told="|".join(_told(form, slots, n) for n, form in enumerate((note, *also))),
        follows=follows,
        anywhere=anywhere,
        first=first,
    )


def _said(said: str, slots: Mapping[str, Slot], openers: Mapping[str, str]) -> str:
    def pattern(slot: re.Match[str]) -> str:
        name, blank = slot[1], slot[2]
        if name in openers:
            return f"(?:{openers[name]}){blank}"
        if name == "value":
            return rf"(?P<value>){blank}"
        if name.startswith("value"):
            more = int(name.removeprefix("value")) - 1
            return rf"(?P<value>{_WORD}(?: {_WORD}){{0,{more}}}?){blank}"
        known = slots[name]
        if not isinstance(known, str):
            known = "|".join(re.escape(form) for form in sorted(known, key=len, reverse=True))
        return rf"(?P<{name}>{known}){blank}"

    return _SAID_SLOT.sub(pattern, said)


def _told(note: str, slots: Mapping[str, Slot], number: int) -> str:
    parts, at = [], 0
    for slot in _NOTE_SLOT.finditer(note):
        parts.append(re.escape(plain(note[at : slot.start()])))
        known = slots.get(slot[1], ".{1,160}?")
        if not isinstance(known, str):
            forms = sorted({plain(form) for form in known.values()}, key=len, reverse=True)
            known = "|".join(map(re.escape, forms))
        parts.append(rf"(?P<{slot[1]}__{number}>{known})")
        at = slot.end()
    parts.append(re.escape(plain(note[at:])))
    return "".join(parts)
