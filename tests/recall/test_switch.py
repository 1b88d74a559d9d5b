"""Switch finds the conversation that a sentence asks for."""

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


def create(memory: Recollect, *texts: str, title: str | None = None) -> Conversation:
    return memory.conversations.create_conversation(
        user_id="alice", title=title, messages=said(*texts)
    )


@pytest.fixture
def open_with(tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """One database, opened with different settings."""
    opened: list[Recollect] = []

    def open_one(**settings: float) -> Recollect:
        url = f"sqlite:///{tmp_path}/recollect.db"
        chosen = Settings(database_url=url, embedder="none", switch_margin=settings["margin"])
        opened.append(Recollect.open(settings=chosen, clock=clock))
        return opened[-1]

    yield open_one
    for memory in opened:
        memory.close()


def test_the_latest_of_equal_conversations_comes_first(memory: Recollect, clock: Clock) -> None:
    ids = []
    for _ in range(3):
        ids.append(create(memory, "How much is the mortgage?", "It is 900 euros.").id)
        clock.advance(days=20)
    found = memory.recall.switch("back to the mortgage", user_id="alice")
    assert (found.match, found.needs_confirmation) == (None, True)
    assert [candidate.conversation.id for candidate in found.candidates] == ids[::-1]
    memory.conversations.add_message(said("And now?")[0], conversation_id=ids[0], user_id="alice")
    found = memory.recall.switch("back to the mortgage", user_id="alice")
    assert found.candidates[0].conversation.id == ids[0]


def test_recency_only_decides_between_equals(memory: Recollect, clock: Clock) -> None:
    old = create(memory, "Should we fix the mortgage rate for ten years?", "At 2.9 percent, yes.")
    clock.advance(days=365)
    create(memory, "How do I rate a restaurant?", "With stars, from one to five.")
    found = memory.recall.switch("go to the one about the mortgage rate", user_id="alice")
    assert found.match is not None
    assert found.match.id == old.id
    assert found.candidates[0].passage.startswith("Should we fix")


def test_the_margin_decides_whether_a_match_needs_confirmation(open_with: Open) -> None:
    memory = open_with(margin=0.0)
    clear = create(memory, "Which mortgage has a fixed rate?", "The one of the savings bank.")
    create(memory, "What is the rate of a mortgage broker called in Italian, by the way?")
    assert memory.recall.switch("the fixed mortgage rate", user_id="alice").match == clear
    found = open_with(margin=1.0).recall.switch("the fixed mortgage rate", user_id="alice")
    assert (found.match, found.needs_confirmation) == (None, True)
    assert found.candidates[0].conversation.id == clear.id


def test_a_conversation_is_found_by_its_title(memory: Recollect) -> None:
    falcon = create(memory, "Sum column B.", "Use =SUM(B:B).", title="Project Falcon")
    create(memory, "What do falcons eat?", "Falcons eat birds; a falcon dives for them.")
    for sentence in ("open the chat called Project Falcon", "torniamo a project falcon"):
        found = memory.recall.switch(sentence, user_id="alice")
        assert found.match is not None
        assert found.match.id == falcon.id


def test_at_most_five_candidates(memory: Recollect) -> None:
    for number in range(8):
        create(memory, f"The mortgage, number {number}.")
    found = memory.recall.switch("the mortgage", user_id="alice")
    assert len(found.candidates) == 5
    assert found.needs_confirmation


def test_archived_conversations_do_not_crowd_out_others(memory: Recollect) -> None:
    for _ in range(12):
        archived = create(memory, "The mortgage.", title="Mortgage")
        memory.conversations.update_conversation(
            {"is_archived": True}, conversation_id=archived.id, user_id="alice"
        )
    kept = create(memory, "Whether the house, the mortgage and the notary cost too much for us.")
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


@pytest.fixture(scope="module")
def embedding_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recollect]:
    """With the local embedder and a long deadline."""
    url = f"sqlite:///{tmp_path_factory.mktemp('switch')}/recollect.db"
    settings = Settings(database_url=url, embedder="local", query_milliseconds=60_000)
    with Recollect.open(settings=settings) as memory:
        for about, turns in TALKS.items():
            memory.conversations.create_conversation(
                user_id="alice", metadata={"about": about}, messages=said(*turns)
            )
        question = said("When is it warm there?")
        memory.conversations.create_conversation(
            "Trip to Lisbon", user_id="dora", messages=question
        )
        facts = said("Tell me about Lisbon.", "Lisbon is the capital of Portugal, a city of hills.")
        memory.conversations.create_conversation(user_id="dora", messages=facts)
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
def test_a_paraphrase_finds_the_conversation(
    embedding_memory: Recollect, sentence: str, about: str
) -> None:
    found = embedding_memory.recall.switch(sentence, user_id="alice")
    listed = [c.conversation.metadata["about"] for c in found.candidates]
    assert listed[0] == about
    assert found.match is None or found.match.metadata["about"] == about
    assert embedding_memory.recall.switch(sentence, user_id="carol").candidates == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "torniamo a quella sul viaggio a Lisbona",
        "zurück zur Reise nach Lissabon",
        "back to our trip",
    ],
)
def test_a_paraphrase_of_the_title_finds_the_conversation(
    embedding_memory: Recollect, sentence: str
) -> None:
    """Its messages say nothing about a trip, and another conversation says more about Lisbon."""
    found = embedding_memory.recall.switch(sentence, user_id="dora")
    assert found.match is not None
    assert found.match.title == "Trip to Lisbon"
