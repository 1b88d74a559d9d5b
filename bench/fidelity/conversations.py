"""Seeded conversations with eight facts each, surrounded by small talk.

Facts come in random order, then 48 turns of filler, and 60 more per later generation. Filler has
dates, people, amounts, codes and paths of the same shapes as the facts and never repeats a fact.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

from bench.fidelity.english import ENGLISH
from bench.fidelity.filipino import FILIPINO
from bench.fidelity.italian import ITALIAN
from bench.fidelity.language import KINDS, FactKind, Language
from bench.fidelity.slots import Slots
from recollect.core.types import Message, Role

LANGUAGES = (ENGLISH, ITALIAN, FILIPINO)
_FIRST_FILLER, _LATER_FILLER = 48, 60
_STARTED = datetime(2026, 9, 1, 8, tzinfo=UTC)
_VALUE = re.compile(r"\[(.+)\]")


@dataclass(frozen=True, slots=True)
class Fact:
    kind: FactKind
    value: str


@dataclass(frozen=True, slots=True)
class Planted:
    seed: int
    language: str
    facts: tuple[Fact, ...]
    parts: tuple[tuple[Message, ...], ...]
    """Messages before each compaction, in whole turns."""
    before: int


def conversations(
    seed_count: int, *, held_out: bool = False, before: int = 0, after: int = 10
) -> Iterator[Planted]:
    """The same ones each time, the languages in turn.

    Facts are planted after `before` generations of filler, and followed by `after`, their own
    included.
    """
    for seed in range(seed_count):
        yield _plant(seed, LANGUAGES[seed % len(LANGUAGES)], held_out, before, after)


def _plant(seed: int, language: Language, held_out: bool, before: int, after: int) -> Planted:
    chance = random.Random(f"{seed} {language.name} {held_out}")
    phrasings = language.held_out if held_out else language.tuned
    facts: list[Fact] = []
    stating: list[tuple[str, str]] = []
    for kind in chance.sample(KINDS, len(KINDS)):
        fact, turn = _state(kind, chance.choice(phrasings.of(kind)), language, chance)
        facts.append(fact)
        stating.append(turn)
    values = [fact.value.casefold() for fact in facts]

    def filler() -> tuple[str, str]:
        while True:
            turn = _pass_time(language, chance)
            if not any(value in " ".join(turn).casefold() for value in values):
                return turn

    planting: list[tuple[str, str]] = []
    for turn in stating:
        planting += [turn, *(filler() for _ in range(chance.randrange(3)))]
    planting += [filler() for _ in range(_FIRST_FILLER)]
    later = [[filler() for _ in range(_LATER_FILLER)] for _ in range(after - 1)]
    earlier = [[filler() for _ in range(_LATER_FILLER)] for _ in range(before)]
    numbers = count(1)
    return Planted(
        seed,
        language.name,
        tuple(facts),
        tuple(tuple(_messages(turns, numbers)) for turns in (*earlier, planting, *later)),
        before,
    )


def _state(
    kind: FactKind, phrasing: str, language: Language, chance: random.Random
) -> tuple[Fact, tuple[str, str]]:
    text = phrasing.format_map(Slots(language, chance))
    found = _VALUE.search(text)
    assert found is not None, phrasing
    sentence = text.replace(found[0], found[1])
    opener = chance.choice((*language.openers, "", "", ""))
    follower = chance.choice((*language.followers, "", "", ""))
    message = " ".join(part for part in (opener, sentence, follower) if part)
    return Fact(kind, found[1]), (message, chance.choice(language.acknowledgements))


def _pass_time(language: Language, chance: random.Random) -> tuple[str, str]:
    """A turn that is not worth remembering: of ten, three from the book, five about some topic, one
    about the day, and one in which users tell of themselves what nobody needs to know."""
    talk = language.talk
    answers: Sequence[str]
    dice = chance.randrange(10)
    if dice < 3:
        exchange = chance.choice(language.filler)
        text, answers = exchange.question, exchange.answers
    elif dice < 8:
        text, answers = chance.choice(talk.questions), talk.answers
    else:
        remark = chance.choice(talk.events if dice == 8 else talk.habits)
        text, answers = f"{remark} {chance.choice(talk.asides)}".strip(), talk.replies
    slots = Slots(language, chance)
    length = chance.randint(1, min(4, len(answers)))
    chosen = sorted(chance.sample(range(len(answers)), length))
    answer = " ".join(answers[index] for index in chosen)
    return text.format_map(slots), answer.format_map(slots)


def _messages(turns: Sequence[tuple[str, str]], numbers: Iterator[int]) -> Iterator[Message]:
    for text, answer in turns:
        yield _message(next(numbers), "user", text)
        yield _message(next(numbers), "assistant", answer)


def _message(seq: int, role: Role, content: str) -> Message:
    moment = _STARTED + timedelta(minutes=seq)
    return Message(
        id=f"m{seq}",
        conversation_id="planted",
        seq=seq,
        turn=(seq + 1) // 2,
        role=role,
        content=content,
        thinking=None,
        status="complete",
        tool_calls=None,
        suggested_values=None,
        suggested_actions=None,
        custom_payload=None,
        model_variant=None,
        metadata={},
        tokens=len(content) // 4,
        is_pinned=False,
        created_at=moment,
        event_at=moment,
    )
