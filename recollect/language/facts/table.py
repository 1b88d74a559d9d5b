"""Reads the rules of a language from a table that can be read by people too.

First the slots, each with its alternatives between semicolons and line ends; with an arrow, what
the note says instead. Then the rules: kind, reader of the value and confidence, below them the ways
to say it, and after an equals sign the note. Further notes are only read, never written. A line
that ends in a backslash goes on in the next.

    in = in; near; just outside
    love = love > Loves; hate > Hates

    HOME place .9
        <i> live <in> <value>
        = Lives {in} {value}

Behind the confidence may stand a kind that has to come right before ("after JOB"), or that the rule
holds "anywhere", or only where a sentence comes "first" to the point: "Based in Leeds".
"""

import re
from collections.abc import Iterator, Mapping

from recollect.language.facts import attributes
from recollect.language.facts.attributes import Kind
from recollect.language.facts.grammar_types import Grammar, unfolded
from recollect.language.facts.rule import Rule, Slot, make_rule
from recollect.language.facts.value_parsers import Reader

_SLOT = re.compile(r"(\w+) = (.+)")
_HEADER = re.compile(r"([A-Z_]+)(?: (\w+))? (\.\d+)(?: after ([A-Z_]+))?( anywhere| first)?")


def read_slots(text: str) -> dict[str, Slot]:
    slots: dict[str, Slot] = {}
    for block in _blocks(text):
        defined = _SLOT.fullmatch(";".join(line.strip() for line in block))
        if defined is None:
            raise ValueError(f"not a slot: {block[0]}")
        forms = [form.strip() for form in defined[2].split(";")]
        pairs = [form.split(" > ") for form in forms]
        is_mapping = len(pairs[0]) == 2
        slots[defined[1]] = dict(pairs) if is_mapping else "|".join(forms)
    return slots


def read_rules(
    text: str,
    *,
    grammar: Grammar,
    slots: Mapping[str, Slot],
    openers: Mapping[str, tuple[str, str]],
    readers: Mapping[str, Reader],
) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for block in _blocks(text):
        header = _HEADER.fullmatch(block[0])
        if header is None:
            raise ValueError(f"not a rule: {block[0]}")
        lines = [line.strip() for line in block[1:]]
        notes = [line.removeprefix("= ") for line in lines if line.startswith("= ")]
        rules += [
            make_rule(
                _kind(header[1]),
                said,
                notes[0],
                readers[header[2]] if header[2] else None,
                float(header[3]),
                grammar=grammar,
                slots=slots,
                openers=openers,
                follows=_kind(header[4]) if header[4] else None,
                anywhere=header[5] == " anywhere",
                first=header[5] == " first",
                also=tuple(notes[1:]),
            )
            for said in lines
            if not said.startswith("= ")
        ]
    return tuple(rules)


def _kind(name: str) -> Kind:
    kind = getattr(attributes, name)
    if not isinstance(kind, Kind):
        raise TypeError(name)
    return kind


def _blocks(text: str) -> Iterator[list[str]]:
    """A line that is not indented, with the indented ones below it."""
    block: list[str] = []
    for line in unfolded(text).splitlines():
        if not line.strip() or line.lstrip().startswith("# "):
            continue
        if block and not line.startswith(" "):
            yield block
            block = []
        block.append(line)
    if block:
        yield block
