"""Retracted facts."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.facts import extract_retractions
from tests.language.tables import mismatches

RETRACTED = {
    "I don't live in Rome anymore": ["Lives in Rome"],
    "I no longer live in Rome, Italy.": ["Lives in Rome, Italy"],
    "I no longer use Node.js": ["Uses Node.js"],
    "Hindi na ako vegan.": ["Vegan"],
    # Another clause says what holds.
    "I no longer live in Rome, I moved to Milan.": ["Lives in Rome"],
    "I no longer live in Rome and I moved to Milan": ["Lives in Rome"],
    "I no longer live in Rome - I live in Milan": ["Lives in Rome"],
    "I'm no longer vegan, I'm vegetarian.": ["Is vegan"],
    "I no longer work at Google but at Meta.": ["Works at Google"],
    "I no longer use Vim because I use Emacs.": ["Uses Vim"],
    "I don't eat fish, and I don't smoke anymore": ["Smokes"],
    "Non vivo più a Roma, mi sono trasferito a Milano.": ["Vive a Roma"],
    "Non sono più vegano ma vegetariano": ["È vegano"],
    "Non vivo più a Roma perché mi sono trasferito a Milano": ["Vive a Roma"],
    "Hindi na ako nakatira sa Maynila, nakatira na ako sa Cebu.": ["Nakatira sa Maynila"],
    "Hindi na ako vegan pero vegetarian ako": ["Vegan"],
    # It may never have held.
    "I don't live in Rome": [],
    "I don't think I live in Rome anymore.": [],
}


def test_retractions() -> None:
    assert mismatches(RETRACTED, lambda text: [f.content for f in extract_retractions(text)]) == {}


@given(st.text())
def test_any_text_is_accepted(text: str) -> None:
    for fact in extract_retractions(text):
        assert fact.content
