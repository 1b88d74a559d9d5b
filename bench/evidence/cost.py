"""Time and number of queries of a context with retrieval, embedding left out."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.common.runner import log
from bench.evidence.long_chats import long_chats
from bench.evidence.recordings import CHAT, Recordings
from bench.recall.data import Person, Question, Session
from bench.scale.axes import AXES, MEASURED
from bench.scale.fixture import open_fixture
from bench.scale.texts import Texts
from recollect import MessageIn

MESSAGES = 700
SIZES = (100, 100_000)
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class ContextCost:
    seconds: dict[str, float]
    """p50 by kind of conversation."""
    statements: dict[int, int]
    """Queries by number of messages."""


async def measure_cost(recordings: Recordings) -> ContextCost:
    people = long_chats().people
    messages = [*chain.from_iterable(person.sessions[0].messages for person in people)]
    questions = [*chain.from_iterable(person.questions for person in people)]
    spoken = [message for message in messages if message.role != "tool" and message.content]
    short = [replace(one, content=one.content.split("\n\n")[0]) for one in spoken]
    kinds = {
        "short messages": _person("short", short, questions),
        "answers of 1,100 tokens": _person("long", spoken, questions),
    }
    seconds = {name: await _time(recordings, person) for name, person in kinds.items()}
    return ContextCost(seconds, await _count_statements())


def _person(name: str, messages: Sequence[MessageIn], questions: Sequence[Question]) -> Person:
    turns = [str(number) for number in range(1, MESSAGES + 1)]
    return Person(f"{name}-{MESSAGES}", [Session(1, turns, messages[:MESSAGES])], questions)


async def _time(recordings: Recordings, person: Person) -> float:
    async with recordings.open(person) as chat:
        log(f"timing contexts of {person.name}")
        times = []
        for number in range(_ROUNDS + 1):
            for question in person.questions:
                before = time.perf_counter()
                await chat.memory.contexts.build_context(
                    question.text, conversation_id=CHAT, user_id=person.name
                )
                if number:  # round 0 embeds the questions
                    times.append(time.perf_counter() - before)
    return median(times)


async def _count_statements() -> dict[int, int]:
    statements = {}
    texts = Texts()
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'statements.db'}"
        async with open_fixture(url, AXES[0], texts, max_vectors=SIZES[-1]) as fixture:
            for size in SIZES:
                log(f"counting the queries of a context, {size:,} messages")
                await fixture.grow(size)
                before = fixture.database.statements
                await fixture.memory.contexts.build_context(
                    texts.questions[0].text, conversation_id=fixture.chat, user_id=MEASURED
                )
                statements[size] = fixture.database.statements - before
    return statements
