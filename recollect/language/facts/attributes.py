"""What can be stated: for each kind, where it is filed and what contradicts it.

`attribute` is the heart of it. Two statements with the same subject and attribute cannot both hold
now, so whatever one has a single one of is bare ("home"), and whatever one can have several of
carries its object ("allergy:peanuts").
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from recollect.core.types import MemoryType
from recollect.language.facts.grammar_types import words
from recollect.language.normalize import plain_words

_ARTICLES = words(
    """
    a an the some their un uno una il lo la i gli le l al allo alla ai agli alle all del dello della
    dei degli delle dell suo sua suoi sue ang mga ng si isang yung iyong
    """
)
_COUNTED = words("peanut nut egg walnut hazelnut almond cashew prawn cat dog bee wasp pistachio")
_ONE_FORM = """
    color colour; favorite favourite; flavor flavour; yoghurt yogurt; cilantro coriander
    aubergine eggplant; courgette zucchini; shrimps shrimp; strawberry strawberries
    nocciola nocciole; noce noci; arachide arachidi; gatto gatti; cane cani; gambero gamberi
    uovo uova; fragola fragole; crostaceo crostacei; latticino latticini; mandorla mandorle
    pistacchio pistacchi
"""
_SPELLING = {
    **{one: f"{one}s" for one in _COUNTED},
    **dict(pair.split() for pair in _ONE_FORM.replace("\n", ";").split(";") if pair.strip()),
}
"""One form of what is said in two, so that a nut allergy is one to nuts."""
_ONE_NAME = words("user wife husband spouse partner girlfriend boyfriend fiance mother father boss")
_FILED = {
    **dict.fromkeys(("boss", "colleague"), "work"),
    **dict.fromkeys(("friend", "roommate", "neighbour", "teacher", "therapist"), "personal"),
}
_SLOT = re.compile(r"\{(\w+)\}")


class Kind(NamedTuple):
    attribute: str
    """With the slots whose objects it carries: "taste:{value}"."""
    memory_type: MemoryType
    category: str

    def attribute_of(self, slots: Mapping[str, str]) -> str:
        filled = _SLOT.sub(lambda slot: folded_object(slots.get(slot[1], "")), self.attribute)
        return " ".join(filled.split())


def folded_object(text: str) -> str:
    """The words by which the same thing is known again: folded, without leading articles."""
    words = plain_words(text).split()
    while len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    return " ".join(_SPELLING.get(word, word) for word in words)


def name_attribute(subject: str, name: str) -> str:
    """Of some people one has one; of brothers, dogs and friends there may be two."""
    return "name" if has_one_name(subject) else f"name:{folded_object(name)}"


def has_one_name(subject: str) -> bool:
    return subject in _ONE_NAME


def category_of(subject: str) -> str:
    return _FILED.get(subject, "family")


NAME = Kind("name", "fact", "personal")
CALLED = Kind("nickname", "preference", "answers")
HOME = Kind("home", "fact", "home")
LIVED = Kind("lived_in:{value}", "fact", "personal")
ORIGIN = Kind("origin", "fact", "personal")
BIRTHPLACE = Kind("birthplace", "fact", "personal")
NATIONALITY = Kind("nationality", "fact", "personal")
AGE = Kind("age", "fact", "personal")
BIRTHDAY = Kind("birthday", "fact", "personal")
BIRTH_YEAR = Kind("birth_year", "fact", "personal")
TIME_ZONE = Kind("time_zone", "fact", "personal")
NATIVE_LANGUAGE = Kind("native_language", "fact", "personal")
SPEAKS = Kind("speaks:{value}", "fact", "personal")
MARITAL_STATUS = Kind("marital_status", "fact", "family")
CHILDREN = Kind("children", "fact", "family")
PETS = Kind("has:{pet}{pets}", "fact", "family")
RELATIVE = Kind("name:{value}", "entity", "family")
JOB = Kind("job", "fact", "work")
EMPLOYER = Kind("employer", "fact", "work")
WORKPLACE = Kind("work_place", "fact", "work")
STUDY = Kind("study", "fact", "study")
SCHOOL = Kind("school", "fact", "study")
STUDIED = Kind("studied_at:{value}", "fact", "study")
DEGREE = Kind("degree", "fact", "study")
LEARNING = Kind("learning:{value}", "project", "study")
ALLERGY = Kind("allergy:{value}", "fact", "health")
INTOLERANCE = Kind("intolerance:{value}", "fact", "health")
CONDITION = Kind("condition:{value}{condition}", "fact", "health")
SMOKING = Kind("smoking", "fact", "health")
DIET = Kind("diet", "fact", "food")
EATS = Kind("eats:{value}", "preference", "food")
DRINKS = Kind("drinks:{value}", "preference", "food")
TASTE = Kind("taste:{value}", "preference", "taste")
PREFERENCE = Kind("preference:{pair}", "preference", "taste")
FAVOURITE = Kind("favourite:{what}", "preference", "taste")
HOBBY = Kind("hobby:{value}", "preference", "taste")
PLAYS = Kind("plays:{value}", "fact", "taste")
COLLECTS = Kind("collects:{value}", "preference", "taste")
ANSWER_LANGUAGE = Kind("answer_language", "preference", "answers")
ANSWER_LENGTH = Kind("answer_length", "preference", "answers")
ANSWER_TONE = Kind("answer_tone", "preference", "answers")
SPELLING = Kind("spelling", "preference", "answers")
ANSWER_STYLE = Kind("answer_style:{style}{fluff}", "preference", "answers")
UNITS = Kind("units", "preference", "answers")
USES = Kind("uses:{value}", "fact", "tools")
DEVICE = Kind("device:{device}", "fact", "tools")
VEHICLE = Kind("vehicle", "fact", "tools")
ROUTINE = Kind("routine:{routine} {doing}", "fact", "personal")
GETS_UP = Kind("gets_up", "fact", "personal")
PROJECT = Kind("project:{value}", "project", "projects")
GOAL = Kind("goal:{value}", "project", "plans")
WEDDING_PLACE = Kind("wedding_place", "decision", "plans")
WEDDING = Kind("wedding", "project", "plans")
DECISION = Kind("decision:{value}", "decision", "plans")
BUDGET = Kind("budget", "fact", "plans")

_KINDS = [kind for kind in globals().values() if isinstance(kind, Kind)]
SINGLE_ATTRIBUTES = frozenset(kind.attribute for kind in _KINDS if ":" not in kind.attribute)
"""What there is one of: the later one takes its place."""
KEYED_ATTRIBUTES = frozenset(
    kind.attribute.partition(":")[0] for kind in _KINDS if ":" in kind.attribute
)
"""What there can be several of, told apart by their objects."""
