"""Rules of a language: how a fact is stated, and how its note reads.

A language writes its rules as tables. The table of slots gives each slot its alternatives between
semicolons and line ends; with an arrow, what the note says instead. The table of rules gives kind,
value parser and confidence, below them the statements, and after an equals sign the note. Further
notes are only recognized, never written. A line that ends in a backslash goes on in the next.

    in = in; near; just outside
    love = love > Loves; hate > Hates

    HOME place .9
        <i> live <in> <value>
        = Lives {in} {value}

After the confidence may come the kind of fact that has to come right before ("after JOB"), or
"anywhere" if the statement need not begin a clause, or "first" if it has to begin the message or
sentence, as the subject is left out: "Based in Leeds".

A statement is a pattern with slots in angle brackets. `<value>` is where the value begins, if it
comes last, and `<value3>` a value of up to three words in the middle. All other slots are defined
by the language. The note has the same slots in braces. It is used both ways: filled in for a
fact, and as a pattern for notes that are parsed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from recollect.language.facts.attributes import FACT_KINDS, FactKind
from recollect.language.facts.gazetteers import gazetteer, people_of
from recollect.language.facts.value_parsers import FunctionWords, ValueParser, value_parsers
from recollect.language.normalize import plain
from recollect.language.patterns import alternatives, split_phrases, words
from recollect.language.registry import Language, fact_languages

Slot = str | Mapping[str, str]

_HEADER = re.compile(r"([A-Z_]+)(?: (\w+))? (\.\d+)(?: after ([A-Z_]+))?( anywhere| first)?")
_STATEMENT_SLOT = re.compile(r"(?<!\?P)<(\w+)>")
_NOTE_SLOT = re.compile(r"\{(\w+)\}")
_ESCAPED_NOTE_SLOT = re.compile(r"\\\{(\w+)\\\}")
_WORD = r"[^\W_][\w'.-]{0,40}"
_BOUNDARY = r"(?= ?(?:\Z|[,;:.!?()…\u2013\u2014\U0001f300-\U0001faff]|- |{}(?!\w)))"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first used: there are many, and most installations need none."""
    return re.compile(pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    kind: FactKind
    function_words: FunctionWords
    slots: Mapping[str, Slot]
    note: str
    parser: ValueParser | None
    confidence: float
    statement: str
    elliptic_statement: str | None
    """Without its subject, for clauses that share the subject of the clause before."""
    note_pattern: str
    follows: FactKind | None
    is_anywhere: bool
    is_first: bool

    def match(self, text: str, start: int, *, shares_subject: bool) -> re.Match[str] | None:
        match = compiled(self.statement).match(text, start)
        if match is None and shares_subject and self.elliptic_statement:
            match = compiled(self.elliptic_statement).match(text, start)
        return match

    def render(self, slots: Mapping[str, str]) -> str:
        text = _NOTE_SLOT.sub(lambda slot: slots.get(slot[1], ""), self.note)
        return text[:1].upper() + text[1:]

    def render_slot(self, slot: str, text: str) -> str:
        forms = self.slots.get(slot)
        return text if forms is None or isinstance(forms, str) else forms[plain(text)]


@cache
def all_rules() -> tuple[Rule, ...]:
    return tuple(rule for language in fact_languages() for rule in _parse_rules(language))


def _parse_slots(language: Language) -> dict[str, Slot]:
    people = sorted(people_of(language), key=len, reverse=True)
    slots: dict[str, Slot] = {"rel": "|".join(people)}
    for name, phrases in language["facts.boundaries"].items():
        slots[name] = _BOUNDARY.replace("{}", alternatives(phrases))
    for name, phrases in language["facts.slots"].items():
        forms = split_phrases(phrases)
        pairs = [form.split(" > ") for form in forms]
        slots[name] = dict(pairs) if len(pairs[0]) == 2 else "|".join(forms)
    return slots


def _parse_rules(language: Language) -> Iterator[Rule]:
    function_words = {
        field: words(value) for field, value in language["facts.function_words"].items()
    }
    trades = words(language["facts"]["trades"])
    function_words["not_names"] |= gazetteer()["peoples"] | trades
    slots, parsers = _parse_slots(language), value_parsers(function_words, trades)
    both = {name: split_phrases(forms) for name, forms in language["facts.subjects"].items()}
    subjects = {name: forms[0] for name, forms in both.items()}
    elliptic_subjects = {name: forms[1] for name, forms in both.items()}
    for block in re.split(r"\n(?! )", language["facts.rules"]["rules"].strip()):
        first, *lines = (line.strip() for line in block.splitlines())
        header = _HEADER.fullmatch(first)
        if header is None:
            raise ValueError(f"not a rule: {first}")
        notes = [line.removeprefix("= ") for line in lines if line.startswith("= ")]
        for statement in (line for line in lines if not line.startswith("= ")):
            elliptic = _statement_pattern(statement, slots, elliptic_subjects)
            yield Rule(
                kind=FACT_KINDS[header[1]],
                function_words=function_words,
                slots=slots,
                note=notes[0],
                parser=parsers[header[2]] if header[2] else None,
                confidence=float(header[3]),
                statement=_statement_pattern(statement, slots, subjects),
                elliptic_statement=(
                    elliptic if any(f"<{name}>" in statement for name in subjects) else None
                ),
                note_pattern="|".join(_note_pattern(n, slots, i) for i, n in enumerate(notes)),
                follows=FACT_KINDS[header[4]] if header[4] else None,
                is_anywhere=header[5] == " anywhere",
                is_first=header[5] == " first",
            )


def _statement_pattern(
    statement: str, slots: Mapping[str, Slot], subjects: Mapping[str, str]
) -> str:
    def pattern(slot: re.Match[str]) -> str:
        name = slot[1]
        if name in subjects:
            return f"(?:{subjects[name]})"
        if name == "value":
            return "(?P<value>)"
        if name.startswith("value"):
            more = int(name.removeprefix("value")) - 1
            return rf"(?P<value>{_WORD}(?: {_WORD}){{0,{more}}}?)"
        forms = slots[name]
        return rf"(?P<{name}>{forms if isinstance(forms, str) else _any_form(forms)})"

    return _STATEMENT_SLOT.sub(pattern, statement)


def _note_pattern(note: str, slots: Mapping[str, Slot], number: int) -> str:
    def pattern(slot: re.Match[str]) -> str:
        forms = slots.get(slot[1], ".{1,160}?")
        if not isinstance(forms, str):
            forms = _any_form({plain(form) for form in forms.values()})
        return rf"(?P<{slot[1]}__{number}>{forms})"

    return _ESCAPED_NOTE_SLOT.sub(pattern, re.escape(plain(note)))


def _any_form(forms: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
