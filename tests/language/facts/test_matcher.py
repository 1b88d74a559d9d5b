"""Properties of facts in any language."""

import typing

from hypothesis import given
from hypothesis import strategies as st

from recollect.core.types import MemoryType
from recollect.language.facts import Fact, extract_facts, parse_note
from recollect.language.facts.attributes import KEYED_ATTRIBUTES, SINGLE_ATTRIBUTES
from recollect.language.facts.rules import all_rules, compiled
from tests.language.languages import test_english, test_filipino, test_italian
from tests.language.tables import mismatches

CATEGORIES = {
    *("personal", "family", "home", "work", "study", "health", "food", "taste", "answers", "tools"),
    *("projects", "plans"),
}
MESSAGES = [*test_english.FACTS, *test_italian.FACTS, *test_filipino.FACTS]
WITHOUT_FACTS = [*test_english.NO_FACTS, *test_italian.NO_FACTS, *test_filipino.NO_FACTS]
PIECES = st.sampled_from(
    [
        *MESSAGES,
        *WITHOUT_FACTS,
        *("and", "ma", "pero", ",", ".", "?"),
        *("\n", '"', "I'm", "sono", "ako", "🙂"),
    ]
)


def check(text: str, fact: Fact) -> None:
    assert fact.memory_type in typing.get_args(MemoryType)
    assert fact.category in CATEGORIES
    assert 0 < len(fact.content) <= 200
    assert fact.content == fact.content.strip(" .,;:!?")
    assert fact.subject
    attribute, _, about = fact.attribute.partition(":")
    assert attribute in (KEYED_ATTRIBUTES if about else SINGLE_ATTRIBUTES) | {"name"}
    assert 0.6 <= fact.confidence <= 0.95
    assert fact.sentence in text


@given(st.text())
def test_any_text_is_accepted(text: str) -> None:
    for fact in extract_facts(text):
        check(text, fact)
    parse_note(text)


@given(st.lists(PIECES, max_size=6), st.sampled_from([" ", ", ", ". ", "\n", " and "]))
def test_any_mixture_is_accepted(pieces: list[str], joint: str) -> None:
    text = joint.join(pieces)
    facts = extract_facts(text)
    for fact in facts:
        check(text, fact)
        assert parse_note(fact.content) == (fact.subject, fact.attribute)
    keys = [(s.subject, s.attribute) for s in facts]
    assert len(keys) == len(set(keys))


@given(
    st.sampled_from(
        [
            *("I live in {}", "my dog's name is {}", "vivo a {}", "mia sorella si chiama {}"),
            *("nakatira ako sa {}", "I'm allergic to {}", "adoro {}", "I'm working on a {}"),
            *("I use {}", "uso {}", "mahilig ako sa {}", "we decided to use {}"),
            *("my favourite food is {}", "sono allergica alle {}", "ang pangalan ko ay {}"),
        ]
    ),
    st.text(min_size=1, max_size=60),
)
def test_a_note_with_any_value_is_parsed(template: str, value: str) -> None:
    for fact in extract_facts(template.format(value)):
        check(template.format(value), fact)
        assert parse_note(fact.content) == (fact.subject, fact.attribute)


def test_every_note_is_parsed() -> None:
    for message in MESSAGES:
        for fact in extract_facts(message):
            key = fact.subject, fact.attribute
            assert parse_note(fact.content) == key
            assert parse_note(f"{fact.content}.") == key


NOTES: dict[str, tuple[str, str] | None] = {
    "I live in Rome": ("user", "home"),
    "Lives in Rome": ("user", "home"),
    "User lives in Rome.": ("user", "home"),
    "The user's name is Marta": ("user", "name"),
    "L'utente vive a Roma": ("user", "home"),
    "Is a vegetarian": ("user", "diet"),
    "Has a dog named Luna": ("dog", "name:luna"),
    "Prefers answers in Italian": ("user", "answer_language"),
    "Wife's name is Elena": ("wife", "name"),
    "The moon is far away": None,
    "": None,
}
SAME_KEY = [
    ("I live in Porto", "I moved to Lisbon last month!"),
    ("abito a Genova", "mi sono trasferita a Verona"),
    ("nakatira ako sa Makati", "lumipat na kami sa Antipolo"),
    ("I love coffee", "I don't like coffee any more"),
    ("adoro il caffè", "non mi piace più il caffè"),
    ("I'm pescatarian", "I went vegan in January"),
    ("I prefer tea over coffee", "I prefer coffee to tea"),
    ("mia moglie si chiama Elena", "my wife's name is Helen"),
    ("I smoke", "I quit smoking"),
    ("Please always answer in Italian", "rispondimi in inglese"),
]
DIFFERENT_KEYS = [
    ("my sister's name is Anna", "my sister's name is Clara"),
    ("I'm allergic to nuts", "I'm allergic to eggs"),
    ("I use Vim", "I use Docker"),
]


def test_notes_in_other_words_are_parsed() -> None:
    assert mismatches(NOTES, parse_note) == {}


def keys(message: str) -> set[tuple[str, str]]:
    return {(s.subject, s.attribute) for s in extract_facts(message)}


def test_a_later_fact_has_the_key_of_the_one_it_replaces() -> None:
    for earlier, later in SAME_KEY:
        assert keys(earlier) == keys(later) != set(), later


def test_facts_that_can_both_hold_have_different_keys() -> None:
    for one, other in DIFFERENT_KEYS:
        assert keys(one).isdisjoint(keys(other)), other


def test_the_last_fact_of_a_message_wins() -> None:
    facts = extract_facts("I live in Porto. Sorry, I live in Braga.")
    assert [s.content for s in facts] == ["Lives in Braga"]


def test_no_rule_matches_an_empty_text() -> None:
    for rule in all_rules():
        for pattern in filter(None, (rule.statement, rule.elliptic_statement, rule.note_pattern)):
            assert rule.parser or not compiled(pattern).match(""), pattern
