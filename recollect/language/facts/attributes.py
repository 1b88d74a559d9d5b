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


NAME = FactKind("name", "fact", "personal")
CALLED = FactKind("nickname", "preference", "answers")
HOME = FactKind("home", "fact", "home")
LIVED = FactKind("lived_in:{value}", "fact", "personal")
ORIGIN = FactKind("origin", "fact", "personal")
BIRTHPLACE = FactKind("birthplace", "fact", "personal")
NATIONALITY = FactKind("nationality", "fact", "personal")
AGE = FactKind("age", "fact", "personal")
BIRTHDAY = FactKind("birthday", "fact", "personal")
BIRTH_YEAR = FactKind("birth_year", "fact", "personal")
TIME_ZONE = FactKind("time_zone", "fact", "personal")
NATIVE_LANGUAGE = FactKind("native_language", "fact", "personal")
SPEAKS = FactKind("speaks:{value}", "fact", "personal")
MARITAL_STATUS = FactKind("marital_status", "fact", "family")
CHILDREN = FactKind("children", "fact", "family")
PETS = FactKind("has:{pet}{pets}", "fact", "family")
RELATIVE = FactKind("name:{value}", "entity", "family")
JOB = FactKind("job", "fact", "work")
EMPLOYER = FactKind("employer", "fact", "work")
WORKPLACE = FactKind("work_place", "fact", "work")
STUDY = FactKind("study", "fact", "study")
SCHOOL = FactKind("school", "fact", "study")
STUDIED = FactKind("studied_at:{value}", "fact", "study")
DEGREE = FactKind("degree", "fact", "study")
LEARNING = FactKind("learning:{value}", "project", "study")
ALLERGY = FactKind("allergy:{value}", "fact", "health")
INTOLERANCE = FactKind("intolerance:{value}", "fact", "health")
CONDITION = FactKind("condition:{value}{condition}", "fact", "health")
SMOKING = FactKind("smoking", "fact", "health")
DIET = FactKind("diet", "fact", "food")
EATS = FactKind("eats:{value}", "preference", "food")
DRINKS = FactKind("drinks:{value}", "preference", "food")
TASTE = FactKind("taste:{value}", "preference", "taste")
PREFERENCE = FactKind("preference:{pair}", "preference", "taste")
FAVOURITE = FactKind("favourite:{what}", "preference", "taste")
HOBBY = FactKind("hobby:{value}", "preference", "taste")
PLAYS = FactKind("plays:{value}", "fact", "taste")
COLLECTS = FactKind("collects:{value}", "preference", "taste")
ANSWER_LANGUAGE = FactKind("answer_language", "preference", "answers")
ANSWER_LENGTH = FactKind("answer_length", "preference", "answers")
ANSWER_TONE = FactKind("answer_tone", "preference", "answers")
SPELLING = FactKind("spelling", "preference", "answers")
ANSWER_STYLE = FactKind("answer_style:{style}{fluff}", "preference", "answers")
UNITS = FactKind("units", "preference", "answers")
USES = FactKind("uses:{value}", "fact", "tools")
DEVICE = FactKind("device:{device}", "fact", "tools")
VEHICLE = FactKind("vehicle", "fact", "tools")
ROUTINE = FactKind("routine:{routine} {doing}", "fact", "personal")
GETS_UP = FactKind("gets_up", "fact", "personal")
PROJECT = FactKind("project:{value}", "project", "projects")
GOAL = FactKind("goal:{value}", "project", "plans")
WEDDING_PLACE = FactKind("wedding_place", "decision", "plans")
WEDDING = FactKind("wedding", "project", "plans")
DECISION = FactKind("decision:{value}", "decision", "plans")
BUDGET = FactKind("budget", "fact", "plans")

FACT_KINDS = {name: kind for name, kind in globals().items() if isinstance(kind, FactKind)}
SINGLE_ATTRIBUTES = frozenset(
    kind.attribute for kind in FACT_KINDS.values() if ":" not in kind.attribute
)
"""Attributes with one value: a later fact replaces it."""
KEYED_ATTRIBUTES = frozenset(
    kind.attribute.partition(":")[0] for kind in FACT_KINDS.values() if ":" in kind.attribute
)
"""Attributes with several values, distinguished by their objects."""
