"""The conversation and the turn that are meant, by the words and by the meaning."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import Conversation, MessageIn
from recollect.settings import Settings
from recollect.sync import Recollect
from tests.conftest import Clock

Open = Callable[..., Recollect]


def said(*texts: str) -> list[MessageIn]:
    return [
        MessageIn(role="assistant" if index % 2 else "user", content=text)
        for index, text in enumerate(texts)
    ]


def tell(memory: Recollect, *texts: str, title: str | None = None) -> Conversation:
    return memory.conversations.create_conversation(
        user_id="alice", title=title, messages=said(*texts)
    )


@pytest.fixture
def open_with(tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """One database, opened with other settings each time."""
    opened: list[Recollect] = []

    def open_one(**settings: float) -> Recollect:
        url = f"sqlite:///{tmp_path}/recollect.db"
        given = Settings(database_url=url, embedder="none", switch_margin=settings["margin"])
        opened.append(Recollect.open(settings=given, clock=clock))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_of_equals_the_latest_comes_first(memory: Recollect, clock: Clock) -> None:
    ids = []
    for _ in range(3):
        ids.append(tell(memory, "How much is the mortgage?", "It is 900 euros.").id)
        clock.advance(days=20)
    found = memory.recall.switch("back to the mortgage", user_id="alice")
    assert (found.match, found.needs_confirmation) == (None, True)
    assert [one.conversation.id for one in found.candidates] == ids[::-1]
    memory.conversations.add_message(said("And now?")[0], conversation_id=ids[0], user_id="alice")
    found = memory.recall.switch("back to the mortgage", user_id="alice")
    assert found.candidates[0].conversation.id == ids[0]


def test_recency_only_decides_between_equals(memory: Recollect, clock: Clock) -> None:
    old = tell(memory, "Should we fix the mortgage rate for ten years?", "At 2.9 percent, yes.")
    clock.advance(days=365)
    tell(memory, "How do I rate a restaurant?", "With stars, from one to five.")
    found = memory.recall.switch("go to the one about the mortgage rate", user_id="alice")
    assert found.match is not None
    assert found.match.id == old.id
    assert found.candidates[0].passage.startswith("Should we fix")


def test_the_margin_says_what_is_clear(open_with: Open) -> None:
    memory = open_with(margin=0.0)
    clear = tell(memory, "Which mortgage has a fixed rate?", "The one of the savings bank.")
    tell(memory, "What is the rate of a mortgage broker called in Italian, by the way?")
    assert memory.recall.switch("the fixed mortgage rate", user_id="alice").match == clear
    found = open_with(margin=1.0).recall.switch("the fixed mortgage rate", user_id="alice")
    assert (found.match, found.needs_confirmation) == (None, True)
    assert found.candidates[0].conversation.id == clear.id


def test_a_conversation_that_is_called_by_its_title_is_meant(memory: Recollect) -> None:
    falcon = tell(memory, "Sum column B.", "Use =SUM(B:B).", title="Project Falcon")
    tell(memory, "What do falcons eat?", "Falcons eat birds; a falcon dives for them.")
    for sentence in ("open the chat called Project Falcon", "torniamo a project falcon"):
        found = memory.recall.switch(sentence, user_id="alice")
        assert found.match is not None
        assert found.match.id == falcon.id


def test_at_most_five_are_named(memory: Recollect) -> None:
    for number in range(8):
        tell(memory, f"The mortgage, number {number}.")
    found = memory.recall.switch("the mortgage", user_id="alice")
    assert len(found.candidates) == 5
    assert found.needs_confirmation


def test_archived_conversations_do_not_crowd_out_others(memory: Recollect) -> None:
    for _ in range(12):
        archived = tell(memory, "The mortgage.", title="Mortgage")
        memory.conversations.update_conversation(
            {"is_archived": True}, conversation_id=archived.id, user_id="alice"
        )
    kept = tell(memory, "Whether the house, the mortgage and the notary cost too much for us.")
    found = memory.recall.switch("back to the mortgage", user_id="alice")
    assert found.match is not None
    assert found.match.id == kept.id
    assert len(found.candidates) == 1


TALKS = {
    "mortgage": ("Should we fix our mortgage for ten years?", "At 2.9 percent, yes."),
    "dog": ("My puppy bites everything, shoes and hands.", "He is teething: give him a chew toy."),
    "lisbon": ("A Lisbona quale quartiere è in piano?", "La Baixa, tra il fiume e il Rossio."),
    "visa": ("Magkano ang bayad sa Japan visa?", "Mga 3,000 pesos sa agency."),
}
PLANS = (
    *("What is our budget for the wedding?", "12,000 euros, a third of it for the food."),
    *("E il volo per gli ospiti?", "Il volo da Torino costa 89 euro a testa."),
    *("Who plays the music?", "A quartet, from six to nine."),
    *("Sino ang photographer?", "Si Ana ang kukuha ng mga larawan."),
)


@pytest.fixture(scope="module")
def understanding(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recollect]:
    """With the local embedder, and time to wait for it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('switch')}/recollect.db"
    settings = Settings(database_url=url, embedder="local", query_milliseconds=60_000)
    with Recollect.open(settings=settings) as memory:
        for about, turns in TALKS.items():
            memory.conversations.create_conversation(
                user_id="alice", metadata={"about": about}, messages=said(*turns)
            )
        memory.conversations.create_conversation(user_id="bob", messages=said(*PLANS))
        asked = said("When is it warm there?")
        memory.conversations.create_conversation("Trip to Lisbon", user_id="dora", messages=asked)
        told = said("Tell me about Lisbon.", "Lisbon is the capital of Portugal, a city of hills.")
        memory.conversations.create_conversation(user_id="dora", messages=told)
        memory.work()
        yield memory


@pytest.mark.parametrize(
    ("sentence", "about"),
    [
        ("switch to the chat where we talked about the home loan", "mortgage"),
        ("torniamo alla chat sul mutuo della casa", "mortgage"),
        ("take me back to the conversation about training the dog", "dog"),
        ("riapri quella sul cane che morde", "dog"),
        ("let's go back to our holiday in Portugal", "lisbon"),
        ("balik tayo sa usapan natin tungkol sa visa", "visa"),
    ],
)
def test_a_sentence_is_understood(understanding: Recollect, sentence: str, about: str) -> None:
    found = understanding.recall.switch(sentence, user_id="alice")
    listed = [one.conversation.metadata["about"] for one in found.candidates]
    assert listed[0] == about
    assert found.match is None or found.match.metadata["about"] == about
    assert understanding.recall.switch(sentence, user_id="carol").candidates == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "torniamo a quella sul viaggio a Lisbona",
        "zurück zur Reise nach Lissabon",
        "back to our trip",
    ],
)
def test_a_title_may_be_called_in_other_words(understanding: Recollect, sentence: str) -> None:
    """What was said under it says nothing of a trip, and another conversation more of Lisbon."""
    found = understanding.recall.switch(sentence, user_id="dora")
    assert found.match is not None
    assert found.match.title == "Trip to Lisbon"


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("the one about money", 1),
        ("the one about the budget", 1),
        ("What did you say about the flights?", 2),
        ("lo del vuelo", 2),
        ("the one about the band", 3),
        ("quella sulle fotografie", 4),
        ("yung tungkol sa budget", 1),
        ("quella sui soldi", 1),
        ("the one about quantum physics", None),
        ("quella sui vulcani", None),
    ],
)
def test_a_turn_is_understood(understanding: Recollect, text: str, turn: int | None) -> None:
    (talk,) = understanding.conversations.list_conversations(user_id="bob").items
    found = understanding.recall.resolve_reference(text, conversation_id=talk.id, user_id="bob")
    assert found.kind == "semantic"
    assert (found.turn and found.turn.number) == turn
