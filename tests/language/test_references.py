"""Phrases that name a turn."""

from __future__ import annotations

import string
import time
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from recollect.language import references
from recollect.language.references import (
    TURN_REFERENCES,
    Reference,
    contains_reference,
    find_reference,
)

SEED_004 = {
    # Filipino references
    "yung una": 1,
    "una": 1,
    "yung pangalawa": 2,
    "pangalawa": 2,
    "yung pangatlo": 3,
    "pangatlo": 3,
    "yung pang-apat": 4,
    "yung kanina": -1,  # Most recent
    "kanina": -1,
    # English references
    "the first one": 1,
    "first": 1,
    "the second one": 2,
    "second": 2,
    "the third one": 3,
    "third": 3,
    "earlier": -1,
    "previous": -1,
    "last one": -1,
}


def position(text: str) -> int | None:
    reference = find_reference(text)
    return reference.position if reference else None


def plain(text: str) -> str:
    marked = unicodedata.normalize("NFKD", text)
    return "".join(char for char in marked if not unicodedata.category(char).startswith("M"))


def test_exported_names() -> None:
    assert set(references.__all__) == {
        "TURN_REFERENCES",
        "Reference",
        "contains_reference",
        "find_reference",
    }


def test_phrases_of_seed_004() -> None:
    for phrase, expected in SEED_004.items():
        assert TURN_REFERENCES[phrase] == expected
        assert find_reference(phrase) == Reference(phrase, expected, None)


def test_accents_do_not_change_the_position() -> None:
    seen: dict[str, int] = {}
    for phrase, expected in TURN_REFERENCES.items():
        assert seen.setdefault(plain(phrase), expected) == expected, phrase
        assert expected in {*range(1, 11), -1, -2}


# One line per language: ten ordinals, the last, and the last but one where people have a word.
ORDINALS = {
    "English": "first second third fourth fifth sixth seventh eighth ninth tenth last penultimate",
    "English digits": "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th latest",
    "Filipino pang-": "pang-una pangalawa pangatlo pang-apat panlima pang-anim pampito pangwalo "
    "pansiyam pansampu",
    "Filipino pang- joined": "una pangalawa pangatlo pangapat panglima panganim pangpito pangwalo "
    "pangsiyam pangsampu huli",
    "Filipino ika-": "ikauna ikalawa ikatlo ikaapat ikalima ikaanim ikapito ikawalo ikasiyam "
    "ikasampu nauna",
    "Filipino digits": "ika-1 ika-2 ika-3 ika-4 ika-5 ika-6 ika-7 ika-8 ika-9 ika-10 nakaraan",
    "Italian m.": "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo ultimo "
    "penultimo",
    "Italian f.": "prima seconda terza quarta quinta sesta settima ottava nona decima ultima "
    "penultima",
    "Spanish m.": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo último "
    "penúltimo",
    "Spanish f.": "primera segunda tercera cuarta quinta sexta séptima octava novena décima última "
    "penúltima",
    "Spanish digits": "1º 2ª 3º 4ª 5º 6ª 7º 8ª 9º 10ª anterior",
    "French m.": "premier second troisième quatrième cinquième sixième septième huitième neuvième "
    "dixième dernier avant-dernier",
    "French f.": "première deuxième troisième quatrième cinquième sixième septième huitième "
    "neuvième dixième dernière avant-dernière",
    "French digits": "1er 2e 3ème 4e 5ème 6e 7ème 8e 9ème 10e précédent",
    "German -e": "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte letzte "
    "vorletzte",
    "German -en": "ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten "
    "letzten vorletzten",
    "Portuguese m.": "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo "
    "último penúltimo",
    "Portuguese f.": "primeira segunda terceira quarta quinta sexta sétima oitava nona décima "
    "última penúltima",
}
POSITIONS = (*range(1, 11), -1, -2)


def test_every_ordinal_to_ten_is_found() -> None:
    for line in ORDINALS.values():
        words = line.split()
        assert len(words) >= 10
        for word, expected in zip(words, POSITIONS, strict=False):
            for text in (word, word.upper(), plain(word), f"¿xyz {word}?"):
                assert position(text) == expected, text


WITH_DETERMINER = [
    ("the fourth one", 4),
    ("10th one", 10),
    ("the last one", -1),
    ("the previous one", -1),
    ("second to last one", -2),
    ("ang ikatlo", 3),
    ("iyong pang-apat", 4),
    ("ung una", 1),
    ("yung huli", -1),
    ("la prima", 1),
    ("il secondo", 2),
    ("l'ottava", 8),
    ("l'ultima", -1),
    ("l'ultimo", -1),
    ("dell'ultimo", -1),
    ("nella terza", 3),
    ("quella di prima", -1),
    ("el primero", 1),
    ("la primera", 1),
    ("el último", -1),
    ("la anterior", -1),
    ("le premier", 1),
    ("la deuxième", 2),
    ("la seconde", 2),
    ("la dernière", -1),
    ("l'avant-dernière", -2),
    ("der erste", 1),
    ("das erste", 1),
    ("den ersten", 1),
    ("dem zweiten", 2),
    ("der letzte", -1),
    ("vorhin", -1),
    ("o primeiro", 1),
    ("a segunda", 2),
    ("a última", -1),
]


def test_a_phrase_includes_its_determiner() -> None:
    for phrase, expected in WITH_DETERMINER:
        assert find_reference(f"xyz ({phrase}), zyx") == Reference(phrase, expected, None)
        assert contains_reference(f"xyz {phrase}?")


IN_SENTENCES = [
    ("Ano ulit yung pangalawa?", 2),
    ("not the second to last one but one", -2),
    ("wait a second", 2),  # literal, as the seed says
    ("vorrei una pizza", 1),
    ("first, then the third one", 3),  # the longest
    ("third or first", 3),  # equally long: the leftmost
    ("first or third", 1),
    ("L\u2019ULTIMA, grazie", -1),  # typographic apostrophe
    ("yung pang\u2011apat", 4),  # non-breaking hyphen
    ("el u\u0301ltimo", -1),  # combining accent
    ("_the second one_", 2),
    ("'first'", 1),
    ("the  first\tone", 1),
    ("the first--the fourth", 4),
]


def test_a_phrase_is_found_inside_a_sentence() -> None:
    for text, expected in IN_SENTENCES:
        assert position(text) == expected


PARTS_OF_WORDS = [
    "",
    " \n",
    "hello",
    "unang",
    "pangalawang",
    "seconds",
    "first-class",
    "twenty-first",
    "first's",
    "first_name",
    "my_first",
    "primavera",
    "o'first",
    "21st",
    "einerste",
    "turn",
    "turn four",
    "return 4",
    "turn 4x",
    "turn 4.5",
    "turn -4",
    "turn 1234567890",
    "turn\n4b",
    "tournée 4",
]


def test_a_part_of_a_word_is_not_a_phrase() -> None:
    for text in PARTS_OF_WORDS:
        assert find_reference(text) is None
        assert not contains_reference(text)


ABSOLUTE_TURNS = [
    ("turn 4", "turn 4", 4),
    ("Turn #12", "turn 12", 12),
    ("turn # 12", "turn 12", 12),
    ("what was in turn 4?", "turn 4", 4),
    ("what did you say in turn 4 about taxes", "turn 4", 4),
    ("go back to turn 4, please", "turn 4", 4),
    ("nel turno 3 hai detto altro", "turno 3", 3),
    ("¿y el turno 3?", "turno 3", 3),
    ("no turno 3", "turno 3", 3),
    ("au tour 3", "tour 3", 3),
    ("in Runde 7", "runde 7", 7),
    ("turn 0", "turn 0", 0),
    ("turn 123456789", "turn 123456789", 123456789),
    ("turn \uff14", "turn 4", 4),  # fullwidth digit
]


def test_an_absolute_turn_is_found() -> None:
    for text, phrase, turn in ABSOLUTE_TURNS:
        assert find_reference(text) == Reference(phrase, None, turn)
        assert contains_reference(text)


REFERENCES = [
    "the second one please",
    "The 4th one was good",
    "what about the first?",
    "what about the first 👍",
    "tell me more about the second",
    'you said "the second"',
    "the second please",
    "the first\nthanks",
    "explain the last one",
    "what was my second question?",
    "What was my previous query?",
    "what did I say earlier?",
    "as I said earlier about the budget",
    "Earlier, we spoke of it",
    "what was the previous answer about?",
    "compare the first one to the second one",
    "First!",
    "second, please",
    "Ano ulit yung pangalawa?",
    "mas maganda yung una",
    "yung kanina",
    "ano yung sinabi ko kanina tungkol dito",
    "pangatlo ang gusto ko",
    "una",
    "una po",
    "la prima?",
    "e la seconda?",
    "parlami dell'ultima.",
    "la seconda per favore",
    "cosa ti ho detto prima?",
    "quello di prima era meglio",
    "quiero el segundo",
    "el segundo, por favor",
    "¿Y la última?",
    "la respuesta anterior no sirve",
    "parle-moi de la deuxième",
    "la première s'il te plaît",
    "« la seconde »",
    "und die erste?",
    "nimm den zweiten!",
    "„das dritte\u201c",
    "was ich vorhin gesagt habe",
    "e a segunda?",
    "prefiro o terceiro",
]


def test_a_reference_is_detected() -> None:
    for text in REFERENCES:
        assert contains_reference(text)
        assert find_reference(text) is not None


OTHER_MEANINGS = [
    "",
    "hello there",
    "wait a second",
    "wait a second, please",
    "first, install Python",
    "First of all, thanks",
    "the first time I saw it",
    "the first (and only) time",
    'the second "real" problem',
    "the first/second step",
    "I need a third opinion",
    "at first, it worked",
    "I came in second.",
    "a 3-second delay",
    "previous experience required",
    "One last question: is it warm there?",
    "My second question is about tax",
    "I have a first question",
    "earlier versions of Python",
    "the earlier the better",
    "Python 3.8 or earlier.",
    "two days earlier, it rained",
    "it gets better by the second.",
    "see you on the 4th.",
    "last week it rained",
    "you are the first one to ask",
    "I turn 30",
    "she'll turn 18 in May",
    "turn 4 pages",
    "tour 4 cities",
    "vorrei una pizza",
    "secondo me hai ragione",
    "per la prima volta",
    "prima di tutto",
    "ci vediamo prima.",
    "all'ultimo minuto",
    "una semana",
    "espera un segundo",
    "primero, instala Python",
    "estoy en el cuarto",
    "la seconde guerre mondiale",
    "attends une seconde",
    "du premier coup",
    "erste Hilfe",
    "der Erste Weltkrieg",
    "am ersten.",
    "zum ersten Mal",
    "vamos na sexta?",
    "a primeira vez",
    "espera um segundo",
    "una sa lahat, salamat",
    "ang unang tanong",
    "ika-4 ng Hulyo",
]


def test_other_meanings_are_not_detected() -> None:
    for text in OTHER_MEANINGS:
        assert not contains_reference(text)


def test_a_careful_search_skips_uncertain_references() -> None:
    text = "previous jobs aside, yung una"
    assert position(text) == -1
    assert find_reference(text, careful=True) == Reference("yung una", 1, None)


WORDS = sorted({word for phrase in TURN_REFERENCES for word in phrase.split()} | {"turn", "4"})
MESSAGES = st.lists(
    st.sampled_from(WORDS) | st.sampled_from([*"?!,#'-_\"\n«»", "pizza", "please", "👍"])
).flatmap(lambda parts: st.sampled_from([" ", ""]).map(lambda space: space.join(parts)))
ANY_TEXT = st.text(st.characters(categories=None, exclude_categories=()))  # surrogates too


@given(ANY_TEXT | MESSAGES)
def test_every_detected_reference_is_found(text: str) -> None:
    found = find_reference(text)
    if contains_reference(text):
        assert found is not None
    if found is not None:
        assert (found.position is None) != (found.turn is None)
        assert found.position == TURN_REFERENCES.get(found.phrase)


def is_letter(char: str) -> bool:
    # Some letters are compatibility forms of a space and a mark, and join nothing.
    return all(part.isalpha() for part in plain(char)) and plain(char) != ""


PHRASES = st.sampled_from(sorted(TURN_REFERENCES))
CONTEXT = st.text(
    st.characters(exclude_categories=["L", "N", "M"]).filter(
        lambda char: not any(part.isalnum() for part in plain(char))
    )
    | st.sampled_from(string.punctuation + string.whitespace)
)


@given(PHRASES, CONTEXT, CONTEXT)
def test_a_phrase_is_found_between_punctuation(phrase: str, left: str, right: str) -> None:
    found = find_reference(left + phrase + right)
    assert found is not None
    assert plain(found.phrase) == plain(phrase)
    assert found.position == TURN_REFERENCES[phrase]


@given(PHRASES, st.characters(categories=["Lu", "Ll", "Lo"]).filter(is_letter), st.booleans())
def test_an_adjacent_letter_hides_a_phrase(phrase: str, letter: str, before: bool) -> None:
    found = find_reference(letter + phrase if before else phrase + letter)
    assert found is None or plain(found.phrase) != plain(phrase)


LONG_TEXT_UNITS = [
    "a",
    "first ",
    "the ",
    "second to last ",
    "turn 4 ",
    "on the 4th ",
    "a__",
    "per   ",
    "l'",
    "4.",
    "!",
    "é",
    "👍",
    "\0",
    "\ud800",
    "\u0300\u0327",
]


def test_long_texts_take_linear_time() -> None:
    for unit in LONG_TEXT_UNITS:
        text = "x" + unit * (100_000 // len(unit))
        started = time.process_time()
        find_reference(text)
        contains_reference(text)
        assert time.process_time() - started < 2  # it takes 0.1 s; quadratic work would take 30
