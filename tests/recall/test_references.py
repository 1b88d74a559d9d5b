"""References by subject find the turn that is about it."""

from collections.abc import Iterator

import pytest

from recollect import MessageIn
from recollect.settings import Settings
from recollect.sync import Recollect

PLANS = (
    *("What is our budget for the wedding?", "12,000 euros, a third of it for the food."),
    *("E il volo per gli ospiti?", "Il volo da Torino costa 89 euro a testa."),
    *("Who plays the music?", "A quartet, from six to nine."),
    *("Sino ang photographer?", "Si Ana ang kukuha ng mga larawan."),
)


@pytest.fixture(scope="module")
def embedding_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recollect]:
    """With the local embedder and a long deadline."""
    url = f"sqlite:///{tmp_path_factory.mktemp('references')}/recollect.db"
    settings = Settings(database_url=url, embedder="local", query_milliseconds=60_000)
    messages = [
        MessageIn(role="assistant" if index % 2 else "user", content=text)
        for index, text in enumerate(PLANS)
    ]
    with Recollect.open(settings=settings) as memory:
        memory.conversations.create_conversation(user_id="bob", messages=messages)
        memory.work()
        yield memory


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
def test_a_turn_is_found_by_its_subject(
    embedding_memory: Recollect, text: str, turn: int | None
) -> None:
    (conversation,) = embedding_memory.conversations.list_conversations(user_id="bob").items
    found = embedding_memory.recall.resolve_reference(
        text, conversation_id=conversation.id, user_id="bob"
    )
    assert found.kind == "semantic"
    assert (found.turn and found.turn.number) == turn
