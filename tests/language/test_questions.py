"""What a question asks for decides where its answer is looked for."""

import pytest

from recollect.language.questions import (
    asks_about_assistant,
    is_personal,
    is_small_talk_question,
)

ABOUT_ASSISTANT = [
    "What did you recommend for the trip?",
    "Which ratio had you given me?",
    "What was your advice on tyres?",
    "Cosa mi hai consigliato per il volo?",
    "¿Qué hotel me recomendaste?",
    "Quel train m'as-tu conseillé ?",
    "Welches Buch hast du mir empfohlen?",
    "Qual livro você recomendou?",
    "Ano ang sinabi mo tungkol sa visa?",
]
PERSONAL = [
    *ABOUT_ASSISTANT,
    "What is our budget per day?",
    "When did I buy the boat?",
    "Quanto costa il mio biglietto?",
    "¿Cuál es mi presupuesto?",
    "Quel est mon numéro de réservation ?",
    "Wann habe ich das Boot gekauft?",
    "Qual é o meu orçamento?",
    "Ano ang pangalan ng aso ko?",
]
GENERAL = [
    "How do I change a flat tyre?",
    "Can you recommend a film?",
    "Did you know that bees dance?",
    "Perché il mare è salato?",
    "¿Cuánto tarda la luz del Sol en llegar a la Tierra?",
    "Comment fonctionne une éolienne ?",
    "Wie entsteht Nebel?",
    "My cat is black.",
    "My cat is black. Why is the sky blue?",
    "What is the capital of the US?",
    "Why do we dream?",
    "What do I need to renew a passport?",
    "What is your advice on buying a used car?",
    "Who was Idi Amin?",
    "Where is Ho Chi Minh City?",
    "Ma perché piove?",
    "¿Cuántos días tiene el mes de febrero?",
    "Warum haben wir Schaltjahre?",
    "Hast du einen Tipp für einen Film?",
]


@pytest.mark.parametrize("question", ABOUT_ASSISTANT)
def test_questions_about_the_assistants_words(question: str) -> None:
    assert asks_about_assistant(question)


@pytest.mark.parametrize("question", [*PERSONAL[len(ABOUT_ASSISTANT) :], *GENERAL])
def test_other_questions_are_not_about_the_assistants_words(question: str) -> None:
    assert not asks_about_assistant(question)


@pytest.mark.parametrize("question", PERSONAL)
def test_questions_that_only_memory_can_answer(question: str) -> None:
    assert is_personal(question)


@pytest.mark.parametrize("question", GENERAL)
def test_questions_that_anybody_could_answer(question: str) -> None:
    assert not is_personal(question)


@pytest.mark.parametrize(
    "sentence",
    ["how are you?", "Come stai?", "¿Qué tal?", "Ça va ?", "Wie geht's?"],
)
def test_small_talk(sentence: str) -> None:
    assert is_small_talk_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["How are you storing the keys?", "Come va cotta la pasta?", "And Rome, how is it going?"],
)
def test_questions_that_only_begin_like_small_talk(sentence: str) -> None:
    assert not is_small_talk_question(sentence)
