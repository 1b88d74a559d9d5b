"""The kinds of facts: memory type, category, and the attribute that makes two facts contradict.

Two facts with the same subject and attribute cannot both hold now. So an attribute with a single
value is a bare name ("home"), and one with several values includes its object ("allergy:peanuts").
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from recollect.core.types import MemoryType
from recollect.language.normalize import plain_words
from recollect.language.patterns import split_phrases, words
from recollect.language.registry import merged

_SUBJECTS_WITH_ONE_NAME = words(
    "user wife husband spouse partner girlfriend boyfriend fiance mother father boss"
)
_CATEGORIES = {
    **dict.fromkeys(("boss", "colleague"), "work"),
    **dict.fromkeys(("friend", "roommate", "neighbour", "teacher", "therapist"), "personal"),
}
_SLOT = re.compile(r"\{(\w+)\}")


class FactKind(NamedTuple):
    attribute: str
    """With the slots whose objects it includes: "taste:{value}"."""
    memory_type: MemoryType
    category: str

    def attribute_of(self, slots: Mapping[str, str]) -> str:
        filled = _SLOT.sub(lambda slot: folded_object(slots.get(slot[1], "")), self.attribute)
        return " ".join(filled.split())


@cache
def _articles() -> frozenset[str]:
    return words(merged("facts")["object_articles"])


@cache
def _spellings() -> dict[str, str]:
    """One spelling of words for the same object, so that a nut allergy is one to nuts."""
    return dict(pair.split() for pair in split_phrases(merged("facts")["spellings"]))


def folded_object(text: str) -> str:
    """The words of an object for comparison: folded, without leading articles."""
    words = plain_words(text).split()
    while len(words) > 1 and words[0] in _articles():
        words.pop(0)
    return " ".join(_spellings().get(word, word) for word in words)


def name_attribute(subject: str, name: str) -> str:
    """A user has one wife, but may have two brothers, dogs or friends."""
    return "name" if has_one_name(subject) else f"name:{folded_object(name)}"


def has_one_name(subject: str) -> bool:
    return subject in _SUBJECTS_WITH_ONE_NAME


def category_of(subject: str) -> str:
    return _CATEGORIES.get(subject, "family")


_KINDS: Mapping[tuple[MemoryType, str], str] = {
    ("fact", "personal"): """
        NAME name; LIVED lived_in:{value}; ORIGIN origin; BIRTHPLACE birthplace
        NATIONALITY nationality; AGE age; BIRTHDAY birthday; BIRTH_YEAR birth_year
        TIME_ZONE time_zone; NATIVE_LANGUAGE native_language; SPEAKS speaks:{value}
        ROUTINE routine:{routine} {doing}; GETS_UP gets_up
    """,
    ("preference", "answers"): """
        CALLED nickname; ANSWER_LANGUAGE answer_language; ANSWER_LENGTH answer_length
        ANSWER_TONE answer_tone; SPELLING spelling; ANSWER_STYLE answer_style:{style}{fluff}
        UNITS units
    """,
    ("fact", "home"): "HOME home",
    ("fact", "family"): "MARITAL_STATUS marital_status; CHILDREN children; PETS has:{pet}{pets}",
    ("entity", "family"): "RELATIVE name:{value}",
    ("fact", "work"): "JOB job; EMPLOYER employer; WORKPLACE work_place",
    ("fact", "study"): "STUDY study; SCHOOL school; STUDIED studied_at:{value}; DEGREE degree",
    ("project", "study"): "LEARNING learning:{value}",
    ("fact", "health"): """
        ALLERGY allergy:{value}; INTOLERANCE intolerance:{value}
        CONDITION condition:{value}{condition}; SMOKING smoking
    """,
    ("fact", "food"): "DIET diet",
    ("preference", "food"): "EATS eats:{value}; DRINKS drinks:{value}",
    ("preference", "taste"): """
        TASTE taste:{value}; PREFERENCE preference:{pair}; FAVOURITE favourite:{what}
        HOBBY hobby:{value}; COLLECTS collects:{value}
    """,
    ("fact", "taste"): "PLAYS plays:{value}",
    ("fact", "tools"): "USES uses:{value}; DEVICE device:{device}; VEHICLE vehicle",
    ("project", "projects"): "PROJECT project:{value}",
    ("project", "plans"): "GOAL goal:{value}; WEDDING wedding",
    ("decision", "plans"): "WEDDING_PLACE wedding_place; DECISION decision:{value}",
    ("fact", "plans"): "BUDGET budget",
}
"""The kinds by memory type and category, each with its attribute."""
FACT_KINDS = {
    name: FactKind(attribute, memory_type, category)
    for (memory_type, category), kinds in _KINDS.items()
    for name, attribute in (kind.split(maxsplit=1) for kind in split_phrases(kinds))
}
_ATTRIBUTES = [kind.attribute.partition(":") for kind in FACT_KINDS.values()]
SINGLE_ATTRIBUTES = frozenset(name for name, colon, _ in _ATTRIBUTES if not colon)
"""Attributes with one value: a later fact replaces it."""
KEYED_ATTRIBUTES = frozenset(name for name, colon, _ in _ATTRIBUTES if colon)
"""Attributes with several values, distinguished by their objects."""
