"""Finds the languages and parses their files. The format is described in `definition`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from recollect.language.definition import FactLanguage, Language, Ordinals
from recollect.language.patterns import join_continued_lines, words

FOLDERS = [Path(__file__).with_name("languages")]
_FRAGMENT = re.compile(r"<(\w+)>")

Part = TypeVar("Part")
_Sections = dict[str, list[dict[str, str]]]


@cache
def all_languages() -> tuple[Language, ...]:
    """The languages, by precedence."""
    sources = (sorted({entry, *entry.glob("*.txt")}) for f in FOLDERS for entry in f.iterdir())
    languages = [
        parse_language(*(file.read_text("utf-8") for file in files))
        for source in sources
        if (files := [path for path in source if path.suffix == ".txt"])
    ]
    return tuple(sorted(languages, key=lambda entry: (int(entry.precedence), entry.code)))


@cache
def fact_languages() -> tuple[FactLanguage, ...]:
    """The languages in which facts can be recognized."""
    return tuple(language.facts for language in all_languages() if language.facts.rules)


def merged(part: Callable[[Language], Part]) -> Part:
    """One part of all languages: lists are joined, sets united."""
    return _merge(map(part, all_languages()))


def merged_facts(part: Callable[[FactLanguage], Part]) -> Part:
    return _merge(map(part, fact_languages()))


def _merge(parts: Iterator[Part]) -> Part:
    first, *others = parts
    values = {entry.name: getattr(first, entry.name) for entry in fields(first)}  # type: ignore[arg-type]
    for other in others:
        for name, value in values.items():
            if isinstance(value, str):
                values[name] = f"{value}\n{getattr(other, name)}"
            elif isinstance(value, frozenset):
                values[name] = value | getattr(other, name)
    return type(first)(**values)


def parse_language(*texts: str) -> Language:
    """Parse the files of one language."""
    sections: _Sections = {}
    for text in texts:
        for name, values in _parse_sections(text):
            sections.setdefault(name, []).append(values)
    language: Language = _build(Language, "", sections)
    if sections:
        raise ValueError(f"{language.code}: unknown section [{next(iter(sections))}]")
    return language


def _parse_sections(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    name, key = "", ""
    values: dict[str, str] = {}
    fragments: Mapping[str, str] = {}
    for line in join_continued_lines(text).splitlines():
        if not line.strip() or line.startswith("# "):
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


def _build(part: Any, name: str, sections: _Sections) -> Any:
    """Build a dataclass from the section `name` and those of its parts, and remove them."""
    values = sections.pop(name, [{}])[0]
    arguments: dict[str, object] = {}
    for entry in fields(part):
        section = f"{name}.{entry.name}".strip(".")
        if is_dataclass(entry.type):
            arguments[entry.name] = _build(entry.type, section, sections)
        elif entry.name == "ordinals":
            ordinals = sections.pop(section, [])
            arguments["ordinals"] = tuple(Ordinals(**values) for values in ordinals)
        elif entry.name == "rules":
            arguments["rules"] = sections.pop(section, [{"rules": ""}])[0]["rules"]
        elif entry.type == Mapping[str, str]:
            arguments[entry.name] = sections.pop(section, [{}])[0]
        elif entry.name in values:
            value = values.pop(entry.name)
            arguments[entry.name] = words(value) if entry.type == frozenset[str] else value
    if values:
        raise ValueError(f"unknown field {next(iter(values))} in the section [{name}]")
    return part(**arguments)
