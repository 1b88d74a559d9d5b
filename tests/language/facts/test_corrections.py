"""Corrections of earlier statements, and sentences that only look like them."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.facts import extract_corrections
from tests.language.tables import mismatches, unexpected

CORRECTED = {
    "no wait, it's Luna, not Rex. Rex was my old one": ("Luna", "Rex"),
    "No, it\u2019s Luna, not Rex \U0001f642": ("Luna", "Rex"),
    "It's Luna. Not Rex.": ("Luna", "Rex"),
    "sorry, Luna not Rex": ("Luna", "Rex"),
    "oops typo, luna not rex": ("luna", "rex"),
    "I wrote Rex but I meant Luna": ("Luna", "Rex"),
    "I meant cashews not peanuts": ("cashews", "peanuts"),
    "his name isn't Rex, it's Luna": ("Luna", "Rex"),
    "my dog isn't called Rex, she's Luna": ("Luna", "Rex"),
    "no, not Rex, Luna": ("Luna", "Rex"),
    "not Rex but Luna": ("Luna", "Rex"),
    "it should be Tuesday, not Monday": ("Tuesday", "Monday"),
    "we renamed it from Girasole to Fogliaviva": ("Fogliaviva", "Girasole"),
    "scusa ho scritto male, si chiama Alida non Alice, maledetto T9": ("Alida", "Alice"),
    "volevo dire al nichel, non al glutine, dormo in piedi": ("al nichel", "al glutine"),
    "non Alice ma Alida": ("Alida", "Alice"),
    "non si chiama Alice, si chiama Alida": ("Alida", "Alice"),
    "scusa, Alida non Alice": ("Alida", "Alice"),
    "ho scritto Alice ma si chiama Alida": ("Alida", "Alice"),
    "abbiamo cambiato nome da Girasole a Fogliaviva": ("Fogliaviva", "Girasole"),
    "ay mali, Bia pala spelling nun, B-I-A, hindi Bea. lagot ako": ("Bia", "Bea"),
    "Ang ibig kong sabihin pusit, hindi alimango.": ("pusit", "alimango"),
    "hindi Bea kundi Bia": ("Bia", "Bea"),
    "hindi Bea, Bia pala": ("Bia", "Bea"),
    "sorry si Bia hindi si Bea": ("Bia", "Bea"),
    "nagkamali ako, Bia siya hindi Bea": ("Bia", "Bea"),
}
UNCORRECTED = [
    "I want tea, not coffee",
    "sorry, I want tea, not coffee",
    "it's fun, not work, so I'll stay",
    "if it's Luna, not Rex, tell me",
    "she said it's Luna, not Rex",
    "is it Luna, not Rex?",
    "it's late, not gonna lie",
    "Not bad, not bad at all",
    "It's not you, it's me",
    "not Monday but Tuesday works",
    "Not only Rome but Paris too",
    "voglio il t\u00e8, non il caff\u00e8",
    "sono stanca, non ho dormito",
    "non \u00e8 Rex, \u00e8 il mio cane",
    "gusto ko ng tsaa, hindi kape",
    "We decided not to use Postgres.",
    "Sorry, we decided not to hire Anna McDonald.",
    "abbiamo deciso di non assumere Anna Rossi",
    "",
]


OF_FACTS = {
    "my dog is called Luna, not Rex": ("Luna", ("dog", "name:rex")),
    "my friend's name is Zoë O'Brien, not Anna": ("Zoë O'Brien", ("friend", "name:anna")),
    "I'm allergic to cashews, not peanuts, sorry": ("cashews", ("user", "allergy:peanuts")),
    "sono allergica alle noci, non alle mandorle": ("noci", ("user", "allergy:mandorle")),
    "allergic ako sa pusit, hindi sa alimango": ("pusit", ("user", "allergy:alimango")),
}


def pairs_in(message: str) -> list[tuple[str, str]]:
    return [(found.right, found.wrong) for found in extract_corrections(message)]


def test_corrections() -> None:
    assert mismatches({text: [pair] for text, pair in CORRECTED.items()}, pairs_in) == {}


def test_no_corrections() -> None:
    assert unexpected(UNCORRECTED, pairs_in) == {}


def test_a_correction_within_a_fact_has_its_key() -> None:
    for message, expected in OF_FACTS.items():
        found = extract_corrections(message)
        assert [(entry.right, entry.key) for entry in found] == [expected], message


@given(st.text())
def test_any_text_is_accepted(text: str) -> None:
    for found in extract_corrections(text):
        assert found.right
        assert found.wrong
