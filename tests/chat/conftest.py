"""The engine on both databases, with a model that says what a test wants."""

import json
from collections.abc import Callable, Iterator

import pytest

from recollect import Settings
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.scripted_model import ScriptedModel

Open = Callable[..., Recollect]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture
def open_with_model(database_url: str, model: ScriptedModel, clock: Clock) -> Iterator[Open]:
    """Opens the test's database, once more as another process would."""
    opened: list[Recollect] = []
    settings = Settings(
        database_url=database_url,
        chat_model="scripted",
        openai_base_url=model.url,
        variants=json.dumps(
            {
                "narrow": {"model": "scripted", "most_answers": 1},
                "tiny": {"model": "scripted", "window": 60, "answer_tokens": 20},
            }
        ),
        embedder="none",
        extraction="manual",
    )

    def open_one(**arguments: object) -> Recollect:
        opened.append(Recollect.open(settings=settings, clock=clock, **arguments))  # type: ignore[arg-type]
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture
def memory(open_with_model: Open) -> Recollect:
    return open_with_model()
