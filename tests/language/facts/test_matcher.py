"""What holds of every statement, in any language."""

import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.types import MemoryType
from recollect.language.facts import Fact, extract_facts, parse_note
from recollect.language.facts.attributes import KEYED_ATTRIBUTES, SINGLE_ATTRIBUTES
from recollect.language.facts.rules import all_rules, compiled
from tests.language.facts import test_english, test_filipino, test_italian

CATEGORIES = {
    *("personal", "family", "home", "work", "study", "health", "food", "taste", "answers", "tools"),
    *("projects", "plans"),
}
MESSAGES = [*test_english.TOLD, *test_italian.TOLD, *test_filipino.TOLD]
SILENT = [*test_english.SILENT, *test_italian.SILENT, *test_filipino.SILENT]
PIECES = st.sampled_from(
    [*MESSAGES, *SILENT, "and", "ma", "pero", ",", ".", "?", "\n", '"', "I'm", "sono", "ako", "🙂"]
)


def check(text: str, statement: Fact) -> None:
    assert statement.memory_type in typing.get_args(MemoryType)
    assert statement.category in CATEGORIES
    assert 0 < len(statement.content) <= 200
    assert statement.content == statement.content.strip(" .,;:!?")
    assert statement.subject
    attribute, _, about = statement.attribute.partition(":")
    assert attribute in (KEYED_ATTRIBUTES if about else SINGLE_ATTRIBUTES) | {"name"}
    assert 0.6 <= statement.confidence <= 0.95
    assert statement.sentence in text


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    for statement in extract_facts(text):
        check(text, statement)
    parse_note(text)


@given(st.lists(PIECES, max_size=6), st.sampled_from([" ", ", ", ". ", "\n", " and "]))
def test_any_mixture_can_be_read(pieces: list[str], joint: str) -> None:
    text = joint.join(pieces)
    statements = extract_facts(text)
    for statement in statements:
        check(text, statement)
        assert parse_note(statement.content) == (statement.subject, statement.attribute)
    keys = [(s.subject, s.attribute) for s in statements]
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
def test_any_value_can_be_read_back(said: str, value: str) -> None:
    for statement in extract_facts(said.format(value)):
        check(said.format(value), statement)
        assert parse_note(statement.content) == (statement.subject, statement.attribute)


def test_a_note_is_known_again() -> None:
    for message in MESSAGES:
        for statement in extract_facts(message):
            key = statement.subject, statement.attribute
            assert parse_note(statement.content) == key
            assert parse_note(f"{statement.content}.") == key


@pytest.mark.parametrize(
    ("note", "key"),
    [
        ("I live in Rome", ("user", "home")),
        ("Lives in Rome", ("user", "home")),
        ("User lives in Rome.", ("user", "home")),
        ("The user's name is Marta", ("user", "name")),
        ("L'utente vive a Roma", ("user", "home")),
        ("Is a vegetarian", ("user", "diet")),
        ("Has a dog named Luna", ("dog", "name:luna")),
        ("Prefers answers in Italian", ("user", "answer_language")),
        ("Wife's name is Elena", ("wife", "name")),
        ("The moon is far away", None),
        ("", None),
    ],
)
def test_notes_of_others_are_known_too(note: str, key: tuple[str, str] | None) -> None:
    assert parse_note(note) == key


def keys(message: str) -> set[tuple[str, str]]:
    return {(s.subject, s.attribute) for s in extract_facts(message)}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
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
    ],
)
def test_the_later_one_takes_the_place_of_the_earlier(earlier: str, later: str) -> None:
    assert keys(earlier) == keys(later) != set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my sister's name is Anna", "my sister's name is Clara"),
        ("I'm allergic to nuts", "I'm allergic to eggs"),
        ("I use Vim", "I use Docker"),
    ],
)
def test_both_can_hold(one: str, other: str) -> None:
    assert keys(one).isdisjoint(keys(other))


def test_in_one_message_the_last_one_wins() -> None:
    statements = extract_facts("I live in Porto. Sorry, I live in Braga.")
    assert [s.content for s in statements] == ["Lives in Braga"]


def test_no_rule_applies_to_nothing() -> None:
    for rule in all_rules():
        for pattern in filter(None, (rule.statement, rule.elliptic_statement, rule.note_pattern)):
            assert rule.parser or not compiled(pattern).match(""), pattern
