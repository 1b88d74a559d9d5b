"""Random values for the slots of a text: people, dates, amounts, codes, paths …"""

import random
import re
from collections.abc import Sequence

from bench.fidelity.language import Language

_NUMBERS = {
    "digit": (2, 9),
    "small": (3, 60),
    "n": (70, 990),
    "year": (1890, 2035),
    "hour": (1, 12),
}
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
)
_CONSTANTS = ("MAX_RETRIES", "POOL_SIZE", "CACHE_TTL", "LOG_LEVEL")
_MINUTES = ("05", "10", "20", "40", "55")


class Slots(dict[str, object]):
    """Mapping for `str.format_map` that creates a value on first use and reuses it."""

    def __init__(self, language: Language, chance: random.Random) -> None:
        self._language = language
        self._chance = chance
        self._words = _words(language)
        self._forms = _forms(language)

    def __missing__(self, slot: str) -> object:
        self[slot] = value = self._make(slot)
        return value

    def _make(self, slot: str) -> object:
        chance = self._chance
        if slot in _NUMBERS:
            return chance.randint(*_NUMBERS[slot])
        if slot in self._words:
            return chance.choice(self._words[slot])
        if slot in self._forms:
            form = _with_random_signs(chance.choice(self._forms[slot]), chance)
            return form.format_map(Slots(self._language, chance))
        if slot == "big":
            thousands = f"{chance.randint(110, 4990) * 10:,}"
            return thousands.replace(",", self._language.thousands)
        if slot == "date":
            return self._date()
        raise KeyError(slot)

    def _date(self) -> str:
        language, chance = self._language, self._chance
        number = chance.randint(1, 12)
        return chance.choice(language.dates).format(
            day=chance.randint(1, 28),
            month=language.months.split()[number - 1],
            number=number,
            year=chance.randint(2026, 2029),
            weekday=chance.choice(language.weekdays.split()),
        )


def _words(language: Language) -> dict[str, Sequence[str]]:
    topics = language.talk.topics.split("; ")
    return {
        "city": language.cities.split(),
        "first": language.first_names.split(),
        "last": language.last_names.split(),
        "weekday": language.weekdays.split(),
        "liking": language.likings,
        "food": language.foods,
        "tool": language.tools,
        "choice": language.choices,
        "topic": topics,
        "other_topic": topics,
        "word": _PATH_WORDS.split(),
        "other": _PATH_WORDS.split(),
        "constant": _CONSTANTS,
        "minute": _MINUTES,
    }


def _forms(language: Language) -> dict[str, Sequence[str]]:
    return {
        "person": ("{first} {last}",),
        "amount": language.amounts,
        "price": language.prices,
        "time": language.times,
        "code": _CODES,
        "path": _PATHS,
        "version": ("#.#.#", "#.1#.#"),
    }


def _with_random_signs(form: str, chance: random.Random) -> str:
    form = re.sub("#", lambda _: str(chance.randint(1, 9)), form)
    return re.sub("@", lambda _: chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ"), form)
