"""Runs a table of texts through a function."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from recollect.language.facts import extract_facts

Result = TypeVar("Result")


def mismatches(table: Mapping[str, Result], function: Callable[[str], Result]) -> dict[str, Result]:
    """The texts whose result is not the expected one, with the result."""
    results = {text: function(text) for text in table}
    return {text: result for text, result in results.items() if result != table[text]}


def unexpected(texts: Iterable[str], function: Callable[[str], Result]) -> dict[str, Result]:
    """The texts that have a result though they should have none."""
    return {text: result for text in texts if (result := function(text))}


def facts_in(message: str) -> list[str]:
    return [f"{f.content} | {f.subject} | {f.attribute}" for f in extract_facts(message)]
