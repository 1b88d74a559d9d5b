"""The topic of a request, without the words that only ask."""

import pytest

from recollect.language.request_phrases import strip_request_phrases

LEFT = {
    "English": {
        "switch to the chat where we talked about the mortgage": "mortgage",
        "Could you please take me back to the conversation about C++?": "C++",
        "Let\u2019s go back to our Lisbon trip, please": "our Lisbon trip",
        "go back to the cryptocurrency conversation": "cryptocurrency",
        "the mortgage we talked about": "the mortgage",
        "where did we talk about taxes?": "taxes",
        "do you remember when we discussed the lease?": "lease",
        "Resume the discussion on tax brackets": "tax brackets",
        "take me to the conversation we had about knitting": "knitting",
        "open the one where we planned my mother's 70th": "my mother's 70th",
        "ok, open the other one about bees, would you?": "bees",
        "Can you find my recipe for bread? Open it.": "my recipe for bread",
        'switch to the chat called "Budget 2024"': "Budget 2024",
        "\u201cGo back to the chat about 東京 🗼\u201d": "東京 🗼",
    },
    "Italian": {
        "torniamo alla chat sul viaggio a Lisbona": "viaggio a Lisbona",
        "passiamo alla chat in cui parlavamo di vini": "vini",
        "ok, apri quella dell\u2019assicurazione per favore": "assicurazione",
        "quella sulla porta blindata": "porta blindata",
        "vai alla conversazione con Marta": "Marta",
        "portami alla chat sulla pizza": "pizza",
        "Senti, potresti ritrovare il discorso sulle tasse?": "tasse",
        "Ti ricordi quando parlavamo del trasloco? Torniamo lì": "trasloco",
        "la vacanza di cui avevamo parlato": "la vacanza",
    },
    "Filipino": {
        "balik tayo sa usapan natin tungkol sa visa": "visa",
        "buksan mo nga ulit yung chat natin tungkol sa kasal": "kasal",
        "pwede bang balikan natin yung tungkol sa visa?": "visa",
        "Tara, ituloy natin yung tungkol sa mga halaman": "halaman",
        "Nasaan yung usapan natin tungkol kay Ana?": "Ana",
        "lipat tayo dun sa budget": "budget",
    },
    "others": {
        "volvamos a la conversación sobre el presupuesto": "presupuesto",
        "revenons à la discussion sur le mariage": "mariage",
        "gehen wir zurück zum Gespräch über die Steuer": "Steuer",
        "Wechsle bitte zum Chat über Yoga": "Yoga",
        "voltemos para a conversa sobre o orçamento": "orçamento",
    },
}

TOPICS = """
    Mortgage; our wedding; open source licences; my resume for the Google job; resume tips
    load balancing in nginx; the chat app I'm building; the discussion paper on bees
    return to work after surgery; back pain; la porta blindata; ora legale
    porta la macchina dal meccanico; dove dormire a Lisbona; saan-saan; lo de la mudanza
"""

ONLY_ASKING = "torniamo alla chat; please; open it; yung chat natin; ok; go back; ?; Let's"


def test_the_topic_is_left() -> None:
    for table in LEFT.values():
        for sentence, topic in table.items():
            assert strip_request_phrases(sentence) == topic, sentence


def test_words_of_the_topic_are_kept() -> None:
    for topic in TOPICS.replace("\n", ";").split(";"):
        if topic.strip():
            assert strip_request_phrases(topic.strip()) == topic.strip()
    assert strip_request_phrases("The thread about Python threads") == "Python threads"
    assert strip_request_phrases("the one about open source licences") == "open source licences"
    assert strip_request_phrases("go back to the chat app I'm building") == "chat app I'm building"
    prices = "Go back to the budget: 2,500 euros, version 2.5"
    assert strip_request_phrases(prices) == "budget, 2,500 euros, version 2.5"


def test_a_request_without_a_topic_is_kept() -> None:
    for sentence in ONLY_ASKING.split("; "):
        assert strip_request_phrases(sentence) == sentence


LONG_SENTENCES = [
    "please " * 140,
    "a," * 500,
    "go to the " * 100,
    "go back " + " " * 900 + "to",
    "saan " + "nga " * 240,
    "we talked about " * 60,
    "x" + " please" * 140,
    "please " * 14_000,
    "the chat about " + "a" * 100_000,
]


@pytest.mark.timeout(60)
def test_long_sentences_take_linear_time() -> None:
    for sentence in LONG_SENTENCES:
        assert strip_request_phrases(sentence)
