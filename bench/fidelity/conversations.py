"""Seeded conversations with eight facts in each, buried under small talk.

Facts come first, in random order, with a little talk between them. Then come 48 turns of filler, and
60 more for each later generation. Filler names dates, people, amounts, codes and paths of the same
shapes as the facts, in questions, answers and remarks about the day; it never repeats a fact.
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
from recollect.model import Message, Role

LANGUAGES = (ENGLISH, ITALIAN, FILIPINO)
_FIRST_FILLER, _LATER_FILLER = 48, 60
_STARTED = datetime(2026, 9, 1, 8, tzinfo=UTC)
_VALUE = re.compile(r"\[(.+)\]")
_CODES = ("PO-#####", "@@#@#@", "INV-2026-####", "@@-####-@", "@@####", "########-@", "@@@#####")
_PATHS = (
    "/srv/{word}/config/{other}.toml",
    "~/{word}/{other}_v#.xlsx",
    "C:\\Users\\{first}\\Documents\\{word}.docx",
    "{word}/reports/{other}-final.pdf",
    "/home/{word}/{other}/run.sh",
    "{word}_{other}.csv",
)
_PATH_WORDS = (
    "atlas harbor quartz meadow falcon ledger copper violet summit lantern orchid granite ember "
    "cobalt thistle juniper"
).split()
_CONSTANTS = ("MAX_RETRIES", "POOL_SIZE", "CACHE_TTL", "LOG_LEVEL")


@dataclass(frozen=True, slots=True)
class Fact:
    kind: FactKind
    value: str


@dataclass(frozen=True, slots=True)
class Planted:
    seed: int
    language: str
    facts: tuple[Fact, ...]
    generations: tuple[tuple[Message, ...], ...]
    """The messages that come before each compaction, whole turns."""


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
    )


def _state(
    kind: FactKind, phrasing: str, language: Language, chance: random.Random
) -> tuple[Fact, tuple[str, str]]:
    said = phrasing.format_map(_Slots(language, chance))
    found = _VALUE.search(said)
    assert found is not None, phrasing
    sentence = said.replace(found[0], found[1])
    opener = chance.choice((*language.openers, "", "", ""))
    follower = chance.choice((*language.followers, "", "", ""))
    message = " ".join(part for part in (opener, sentence, follower) if part)
    return Fact(kind, found[1]), (message, chance.choice(language.acknowledgements))


def _pass_time(language: Language, chance: random.Random) -> tuple[str, str]:
    """A turn that is not worth remembering: of ten, three from the book, five about some topic, one
    about the day, and one in which users tell of themselves what nobody needs to know."""
    talk = language.talk
    dice = chance.randrange(10)
    if dice < 3:
        exchange = chance.choice(language.filler)
        said, answers = exchange.question, exchange.answers
    elif dice < 8:
        said, answers = chance.choice(talk.questions), talk.answers
    else:
        remark = chance.choice(talk.events if dice == 8 else talk.habits)
        said, answers = f"{remark} {chance.choice(talk.asides)}".strip(), talk.replies
    slots = _Slots(language, chance)
    length = chance.randint(1, min(4, len(answers)))
    chosen = sorted(chance.sample(range(len(answers)), length))
    answer = " ".join(answers[index] for index in chosen)
    return said.format_map(slots), answer.format_map(slots)


class _Slots(dict[str, object]):
    """Values for the slots of a text, made when they are asked for, and kept for its other uses."""

    def __init__(self, language: Language, chance: random.Random) -> None:
        self._language = language
        self._chance = chance

    def __missing__(self, slot: str) -> object:
        self[slot] = value = self._make(slot)
        return value

    def _make(self, slot: str) -> object:
        language, chance = self._language, self._chance
        numbers = {
            "digit": (2, 9),
            "small": (3, 60),
            "n": (70, 990),
            "year": (1890, 2035),
            "hour": (1, 12),
            "day": (1, 28),
        }
        words: dict[str, Sequence[str]] = {
            "city": language.cities,
            "first": language.first_names,
            "last": language.last_names,
            "weekday": language.weekdays,
            "liking": language.likings,
            "food": language.foods,
            "tool": language.tools,
            "choice": language.choices,
            "topic": language.talk.topics,
            "other_topic": language.talk.topics,
            "word": _PATH_WORDS,
            "other": _PATH_WORDS,
            "constant": _CONSTANTS,
            "minute": ("05", "10", "20", "40", "55"),
        }
        composed: dict[str, Sequence[str]] = {
            "person": ("{first} {last}",),
            "amount": language.amounts,
            "price": language.prices,
            "time": language.times,
            "code": _CODES,
            "path": _PATHS,
            "version": ("#.#.#", "#.1#.#"),
        }
        if slot in numbers:
            return chance.randint(*numbers[slot])
        if slot in words:
            return chance.choice(words[slot])
        if slot in composed:
            form = _with_random_signs(chance.choice(composed[slot]), chance)
            return form.format_map(_Slots(language, chance))
        if slot == "big":
            return f"{chance.randint(110, 4990) * 10:,}".replace(",", language.thousands)
        if slot == "date":
            return self._date()
        raise KeyError(slot)

    def _date(self) -> str:
        language, chance = self._language, self._chance
        number = chance.randint(1, 12)
        return chance.choice(language.dates).format(
            day=chance.randint(1, 28),
            month=language.months[number - 1],
            number=number,
            year=chance.randint(2026, 2029),
            weekday=chance.choice(language.weekdays),
        )


def _with_random_signs(form: str, chance: random.Random) -> str:
    form = re.sub("#", lambda _: str(chance.randint(1, 9)), form)
    return re.sub("@", lambda _: chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ"), form)


def _messages(turns: Sequence[tuple[str, str]], numbers: Iterator[int]) -> Iterator[Message]:
    for spoken in turns:
        for role, content in zip(("user", "assistant"), spoken, strict=True):
            yield _message(next(numbers), role, content)  # type: ignore[arg-type]


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
