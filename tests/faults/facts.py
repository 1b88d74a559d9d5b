"""What clients were told, and what they said: the measure of what must be there, and what must not.

Every text of a user's bears the user's mark, so that one glance at an answer or a row tells whose
it is; and a word that nothing else has, so that it can be looked for after it was deleted.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

_MARK = re.compile(r"zq(\w+?)qz", re.IGNORECASE)
_WORD = re.compile(r"wd\d+x\b", re.IGNORECASE)
"""An index may have something before it that says whose it is."""
_numbers = count(1)

Role = Literal["user", "assistant", "tool"]


def mark(user: str) -> str:
    return f"zq{user}qz"


def owners(text: str) -> set[str]:
    """Whose marks are in it."""
    return {found.lower() for found in _MARK.findall(text)}


def new_word() -> str:
    return f"wd{next(_numbers)}x"


def words(text: str) -> list[str]:
    return [found.lower() for found in _WORD.findall(text)]


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it was acknowledged. The end of a stream does not say its number."""

    user: str
    conversation_id: str
    role: Role
    content: str
    seq: int | None = None


@dataclass(slots=True)
class Facts:
    said: dict[str, Said] = field(default_factory=dict)
    """Acknowledged messages and finished answers, by id."""
    asked: list[Said] = field(default_factory=list)
    """Questions that an answer has begun to: their ids nobody was told."""
    memories: dict[str, str] = field(default_factory=dict)
    """By id: what users wrote down."""
    gone_words: set[str] = field(default_factory=set)
    """Of what was deleted, with an answer that says so."""
    leaks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Answers that were not what they should be."""
    outcomes: Counter[str] = field(default_factory=Counter)

    def forget_message(self, id: str) -> None:
        self.gone_words.update(words(self.said.pop(id).content))

    def forget_conversation(self, conversation_id: str) -> None:
        for id in [id for id, _ in self.of(conversation_id)]:
            self.forget_message(id)
        for one in [one for one in self.asked if one.conversation_id == conversation_id]:
            self.asked.remove(one)
            self.gone_words.update(words(one.content))

    def forget_memory(self, id: str) -> None:
        self.gone_words.update(words(self.memories.pop(id)))

    def of(self, conversation_id: str) -> Iterator[tuple[str, Said]]:
        return (
            (id, said) for id, said in self.said.items() if said.conversation_id == conversation_id
        )
