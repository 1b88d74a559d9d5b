"""The people and animals around a user, by the word for them.

The English word is the subject of facts about them, so that "mia sorella" and "my sister" are the
same person.
"""

from collections.abc import Mapping
from functools import cache

from recollect.language.definition import FactLanguage
from recollect.language.patterns import split_phrases
from recollect.language.registry import fact_languages


def people_of(language: FactLanguage) -> dict[str, str]:
    """The subject for each word of the language."""
    return {word: s for s, phrases in language.people.items() for word in split_phrases(phrases)}


@cache
def all_people() -> Mapping[str, str]:
    return {word: s for language in fact_languages() for word, s in people_of(language).items()}
