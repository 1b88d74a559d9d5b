"""References to a turn by its subject."""

import pytest

from recollect.language.patterns import split_phrases
from recollect.language.subjects import Subject, find_subject

FOUND = {
    "English": {
        "the one about the budget": "budget",
        "Tell me again the one about the budget, please": "budget",
        "the one regarding taxes": "taxes",
        "Can you repeat your answer about the visa fees?": "visa fees",
        "what you said earlier about the budget": "budget",
        "What did we decide about the venue?": "venue",
        "when we talked about my sister's wedding, what was the date?": "sister's wedding",
        "go back to the last one about the flights": "flights",
        "the question on taxes": "taxes",
        "the one with the train times": "train times",
        "you said something about a deposit": "a deposit",
        "the part where we discussed insurance": "insurance",
        "the budget we talked about earlier": "budget",
        "the hotel in Porto you mentioned": "hotel in Porto",
        "THE ONE ABOUT THE BUDGET": "BUDGET",
        "the  one\tabout   taxes": "taxes",
        "what did you tell me about version 2.5 again?": "version 2.5",
        "what did you tell me about Dr. Rossi\u2019s fee?": "Dr. Rossi\u2019s fee",
    },
    "Italian": {
        "quella sul volo": "volo",
        "Riprendi la domanda sul mutuo per favore": "mutuo",
        "cosa hai detto riguardo al visto?": "visto",
        "quello che mi hai detto prima sul ristorante": "ristorante",
        "quella del budget": "budget",
        "quella dell'assicurazione, dai": "assicurazione",
        "quella sull\u2019assicurazione": "assicurazione",
        "quando parlavamo del matrimonio": "matrimonio",
        "quella in cui abbiamo parlato di Lisbona": "Lisbona",
        "la tua risposta riguardo alle tasse": "tasse",
        "quella di prima sul budget": "budget",
        "Che mi dicevi dei biglietti?": "biglietti",
        "il volo di cui parlavamo": "volo",
    },
    "Filipino": {
        "yung tungkol sa budget": "budget",
        "Yung sinabi mo kanina tungkol sa visa": "visa",
        "yung tanong ko tungkol sa mga bayarin": "bayarin",
        "yung about sa flight": "flight",
        "ulitin mo yung tungkol kay Ana": "Ana",
        "ano nga yung sinabi mo tungkol sa deposito?": "deposito",
        "nung pinag-usapan natin ang kasal": "kasal",
        "nung nag-usap tayo tungkol sa kasal": "kasal",
        "yung sinabi mo sa budget": "budget",
        "yung budget na pinag-usapan natin": "budget",
    },
    "Spanish": {
        "la sobre el presupuesto": "presupuesto",
        "lo del presupuesto": "presupuesto",
        "lo que dijiste sobre el vuelo": "vuelo",
        "cuando hablamos de las vacaciones": "vacaciones",
    },
    "French": {
        "celle sur le budget": "budget",
        "celle à propos du vol": "vol",
        "ce que tu as dit sur l\u2019assurance": "assurance",
        "quand on parlait du mariage": "mariage",
    },
    "German": {
        "das mit dem Budget": "Budget",
        "die Frage zum Visum": "Visum",
        "was du vorhin über das Budget gesagt hast": "Budget",
        "als wir über die Reise gesprochen haben": "Reise",
    },
    "Portuguese": {
        "aquela sobre o orçamento": "orçamento",
        "o que você disse sobre o voo": "voo",
        "quando falamos do casamento": "casamento",
    },
}

WITHOUT_SUBJECT = {
    "English": """
        the one I want; that one; the thing is; the one on the left; the one about it
        what you said about that; tell me about the budget; What do you think about Rome?
        I have a question about the visa; The best thing about Rome is the food
        I said about ten people; a do not disturb sign; a de facto standard
    """,
    "Italian": """
        quella casa è bella; vorrei una pizza; parlami del volo; Ho una domanda sul visto
        quella della settimana scorsa; preferisco quella della nonna; qual è il prezzo?
        o da Roma o da Milano; quella sulla destra
    """,
    "Filipino": """
        yung aso ko; gusto ko ng kape; May tanong ako tungkol sa visa; yung sinabi mo sa akin
        Ano ang alam mo tungkol sa Japan?; ang libro tungkol sa Japan ay maganda
    """,
    "Spanish": "la de María; el de la camisa roja; lo de siempre; el libro está sobre la mesa",
    "French": "celle de Marie; quand on parle du loup; la table est sur la terrasse",
    "German": """
        Leute, die über 18 sind; Es ist schwer, das zu tun; Ich nehme das mit nach Hause
        was ich zu tun habe; als ich nach Hause kam; als wir über die Brücke gingen
    """,
    "Portuguese": "a do meio; o de sempre; a mesa",
}


def test_a_subject_is_found() -> None:
    for table in FOUND.values():
        for text, subject in table.items():
            found = find_subject(text)
            assert found is not None, text
            assert found.text == subject, text
            assert found.phrase in text
            assert found.text in found.phrase


def test_other_sentences_have_no_subject() -> None:
    for texts in WITHOUT_SUBJECT.values():
        for text in split_phrases(texts):
            assert find_subject(text) is None, text


def test_the_phrase_is_kept_as_written() -> None:
    text = "Ok.\nE QUELLA  SULL\u2019Assicurazione auto, per favore?"
    phrase = "QUELLA  SULL\u2019Assicurazione auto"
    assert find_subject(text) == Subject(phrase, "Assicurazione auto")


def test_the_first_meaningful_subject_counts() -> None:
    text = "what you said about that, and the one about taxes, and the one about rent"
    assert find_subject(text) == Subject("the one about taxes", "taxes")


def test_a_long_subject_is_truncated() -> None:
    found = find_subject("the one about " + "money " * 100)
    assert found is not None
    assert 100 < len(found.text) < 130


LONG_TEXTS = [
    "",
    "the one " + " " * 100_000,
    "the one about" + " " * 100_000 + "?",
    "yung " * 20_000,
    "yung " + "a" * 100_000,
    "yung " + "a-" * 50_000,
    "the a b c " * 10_000,
    "the budget we " * 7_000,
    "what you said " * 7_000,
    "quella di prima " * 6_000,
    "cosa mi hai " * 9_000,
    "was du x y über " * 6_000,
    "the one about it, " * 6_000,
    "\u0301\u0327" * 50_000,
]


@pytest.mark.timeout(60)
def test_long_texts_take_linear_time() -> None:
    for text in LONG_TEXTS:
        assert find_subject(text) is None
