"""Finds the languages: every module of `languages/` with a constant `LANGUAGE`."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from recollect.language import languages
from recollect.language.definition import FactLanguage, Language, Part, merge


@cache
def all_languages() -> tuple[Language, ...]:
    """The languages, by precedence."""
    modules = (
        importlib.import_module(f"{languages.__name__}.{module.name}")
        for module in pkgutil.iter_modules(languages.__path__)
    )
    found: list[Language] = [module.LANGUAGE for module in modules]
    return tuple(sorted(found, key=lambda language: (language.precedence, language.code)))


def merged(part: Callable[[Language], Part]) -> Part:
    """One part of all languages, combined."""
    return merge(map(part, all_languages()))


@cache
def fact_languages() -> tuple[FactLanguage, ...]:
    """The languages in which facts can be recognized."""
    return tuple(language.facts for language in all_languages() if language.facts)


def merged_facts(part: Callable[[FactLanguage], Part]) -> Part:
    return merge(map(part, fact_languages()))
