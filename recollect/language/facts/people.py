"""The people and animals around a user, by the word for them.

The English word is the subject of facts about them, so that "mia sorella" and "my sister" are the
same person.
"""

from collections.abc import Mapping
from functools import cache

from recollect.language.patterns import split_phrases
from recollect.language.registry import Language, fact_languages


def people_of(language: Language) -> dict[str, str]:
    """The subject for each word of the language."""
    people = language["facts.people"]
    return {word: subject for subject in people for word in split_phrases(people[subject])}


@cache
def all_people() -> Mapping[str, str]:
    return {word: s for language in fact_languages() for word, s in people_of(language).items()}
