"""The state that clients expect from acknowledged requests.

Every text contains its user's mark, which shows leaks between users, and a unique word, which shows
leftovers after a deletion.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

_MARK = re.compile(r"zq(\w+?)qz", re.IGNORECASE)
_WORD = re.compile(r"wd\d+x\b", re.IGNORECASE)
"""No \\b at the start: index terms have a user prefix."""
_numbers = count(1)

Role = Literal["user", "assistant", "tool"]


def mark(user: str) -> str:
    return f"zq{user}qz"


def owners(text: str) -> set[str]:
    """Return the users whose marks are in the text."""
    return {found.lower() for found in _MARK.findall(text)}


def new_word() -> str:
    return f"wd{next(_numbers)}x"


def words(text: str) -> list[str]:
    return [found.lower() for found in _WORD.findall(text)]


@dataclass(frozen=True, slots=True)
class AcknowledgedMessage:
    """An acknowledged message; `seq` is unknown for streamed answers."""

    user: str
    conversation_id: str
    role: Role
    content: str
    seq: int | None = None


@dataclass(slots=True)
class ExpectedState:
    said: dict[str, AcknowledgedMessage] = field(default_factory=dict)
    """Acknowledged messages and finished answers, by id."""
    asked: list[AcknowledgedMessage] = field(default_factory=list)
    """Questions whose answer has started; their ids are unknown."""
    memories: dict[str, str] = field(default_factory=dict)
    """Content of memories by id."""
    deleted_words: set[str] = field(default_factory=set)
    """Words of texts whose deletion was acknowledged."""
    leaks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Unexpected responses."""
    outcomes: Counter[str] = field(default_factory=Counter)

    def expect_message_deleted(self, id: str) -> None:
        self.deleted_words.update(words(self.said.pop(id).content))

    def expect_conversation_deleted(self, conversation_id: str) -> None:
        for id in [id for id, _ in self.of(conversation_id)]:
            self.expect_message_deleted(id)
        for one in [one for one in self.asked if one.conversation_id == conversation_id]:
            self.asked.remove(one)
            self.deleted_words.update(words(one.content))

    def expect_memory_deleted(self, id: str) -> None:
        self.deleted_words.update(words(self.memories.pop(id)))

    def of(self, conversation_id: str) -> Iterator[tuple[str, AcknowledgedMessage]]:
        return (
            (id, said) for id, said in self.said.items() if said.conversation_id == conversation_id
        )
