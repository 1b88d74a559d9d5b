"""Finds the languages and parses their files. `fields.txt` describes the format and all fields."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from recollect.language.patterns import any_of

FOLDERS = [Path(__file__).with_name("languages")]
_FIELDS = Path(__file__).with_name("fields.txt")
_ANY_FIELD = "*"
_CONTINUED_LINE = re.compile(r"\\\n\s*")
_FRAGMENT = re.compile(r"<(\w+)>")

Part = Mapping[str, str]
"""The values of a section by field; a field without a value is empty."""


@dataclass(frozen=True, slots=True)
class Language:
    parts: Mapping[str, Part]
    """The sections by name; the lines before the first one are the part `general`."""
    ordinals: Sequence[Part]
    """The sections `[references.ordinals]`, of which a language may have several."""

    def __getitem__(self, part: str) -> Part:
        return self.parts[part]

    @property
    def code(self) -> str:
        return self["general"]["code"]


@cache
def all_languages() -> tuple[Language, ...]:
    """The languages, by precedence."""
    sources = (sorted({entry, *entry.glob("*.txt")}) for f in FOLDERS for entry in f.iterdir())
    languages = [
        parse_language(*(file.read_text("utf-8") for file in files))
        for source in sources
        if (files := [path for path in source if path.suffix == ".txt"])
    ]
    return tuple(sorted(languages, key=_precedence))


def _precedence(language: Language) -> tuple[int, str]:
    return int(language["general"]["precedence"] or 100), language.code


@cache
def fact_languages() -> tuple[Language, ...]:
    """The languages in which facts can be recognized."""
    return tuple(language for language in all_languages() if language["facts.rules"]["rules"])


@cache
def merged(part: str) -> Part:
    """One part of all languages, with their lists joined."""
    parts = [language[part] for language in all_languages()]
    return {field: "\n".join(part[field] for part in parts) for field in parts[0]}


@cache
def phrase_pattern(part: str, field: str) -> re.Pattern[str]:
    """Matches any phrase that any language lists in this field, as whole words."""
    return re.compile(any_of(merged(part)[field]))


@cache
def _known_fields() -> dict[str, list[str]]:
    sections = _parse_sections(_FIELDS.read_text("utf-8"))
    return {name: " ".join(values).split() for name, values in sections}


def parse_language(*texts: str) -> Language:
    """Parse the files of one language."""
    known = _known_fields()
    parts = {
        name: {field: "" for field in fields if field != _ANY_FIELD}
        for name, fields in known.items()
    }
    ordinals = []
    for text in texts:
        for name, values in _parse_sections(text):
            if name not in known:
                raise ValueError(f"unknown section [{name}]")
            for field in values:
                if field not in known[name] and _ANY_FIELD not in known[name]:
                    raise ValueError(f"unknown field {field} in the section [{name}]")
            if name == "references.ordinals":
                ordinals.append({**parts[name], **values})
            else:
                parts[name] |= values
    if not parts["general"]["code"]:
        raise ValueError("the language has no code")
    return Language(parts, ordinals)


def _parse_sections(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    name, key = "general", ""
    values: dict[str, str] = {}
    fragments: Mapping[str, str] = {}
    for line in _CONTINUED_LINE.sub("", text).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            if name == "fragments":
                fragments = values
            elif values:
                yield name, values
            name, values = line.strip("[]"), {}
        elif name == "facts.rules":
            values["rules"] = f"{values.get('rules', '')}{line}\n"
        else:
            expanded = _expand(line, values if name == "fragments" else fragments)
            if line.startswith(" "):
                values[key] += f"\n{expanded.strip()}"
            else:
                key, _, value = expanded.partition(" =")
                values[key] = value.strip()
    yield name, values


def _expand(line: str, fragments: Mapping[str, str]) -> str:
    return _FRAGMENT.sub(lambda match: fragments.get(match[1], match[0]), line)
