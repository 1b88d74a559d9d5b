"""What is known about somebody, held against what should be known: a pure function.

An entry of the labelled set says which fragments a memory must have, each one of some alternatives,
and which it must not have. Every current memory of a dialogue is one of

    stale    it matches an entry of `past`: it should have been retired
    right    it matches one of `expect`, or of `may`, which nobody asks for
    noise    it matches nothing

in this order, so what is stale is never right, and stands for no entry of `expect`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from recollect.core.memory_types import Memory
from recollect.core.types import MemoryType, Role
from recollect.language.normalize import fold, plain_words

Split = Literal["dev", "test"]

_REPEAT = "repeat"
_APOSTROPHES = str.maketrans("’‘", "''")  # noqa: RUF001  what people type, and what labels have


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that may be known."""

    memory_type: MemoryType
    says: tuple[tuple[str, ...], ...]
    says_not: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        says = tuple((one,) if isinstance(one, str) else tuple(one) for one in given["says"])
        return cls(given["type"], says, tuple(given.get("not", ())))

    def matches(self, content: str) -> bool:
        texts = _texts(content)
        return all(_has_any(texts, choice) for choice in self.says) and not _has_any(
            texts, self.says_not
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """Conversations of one user, and what is to be known after the last one."""

    id: str
    split: Split
    language: str
    kind: str
    conversations: tuple[tuple[tuple[Role, str], ...], ...]
    expect: tuple[Entry, ...]
    past: tuple[Entry, ...]
    may: tuple[Entry, ...]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        return cls(
            id=given["id"],
            split=given["split"],
            language=given["language"],
            kind=given["kind"],
            conversations=tuple(
                tuple((said["role"], said["content"]) for said in conversation)
                for conversation in given["conversations"]
            ),
            expect=tuple(map(Entry.of, given["expect"])),
            past=tuple(map(Entry.of, given["past"])),
            may=tuple(map(Entry.of, given["may"])),
        )


@dataclass(frozen=True, slots=True)
class Known:
    """A memory, as far as it is judged."""

    content: str
    memory_type: MemoryType
    key: tuple[str, str] | None = None
    """What it is about, if only one such memory may be current."""

    @classmethod
    def of(cls, memory: Memory) -> Self:
        return cls(memory.content, memory.memory_type, memory.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A dialogue, and what became of it."""

    dialogue: Dialogue
    right: Sequence[Known]
    noise: Sequence[Known]
    stale: Sequence[Known]
    duplicates: Sequence[Known]
    """Among the current ones, whatever else is true of them."""
    wrongly_retired: Sequence[Known]
    missed: Sequence[Entry]
    of_right_type: int
    of_some_type: int
    """How many match an entry of `expect`: only those have a type that is asked for."""

    @property
    def current(self) -> int:
        return len(self.right) + len(self.noise) + len(self.stale)


@dataclass(frozen=True, slots=True)
class Scores:
    """Of dialogues, all together. A share of nothing is a whole."""

    judged: Sequence[Judged] = field(repr=False)  # lest a failed test show the unseen half

    @property
    def dialogues(self) -> int:
        return len(self.judged)

    @property
    def memories(self) -> int:
        """That are current."""
        return sum(one.current for one in self.judged)

    @property
    def wanted(self) -> int:
        return sum(len(one.dialogue.expect) for one in self.judged)

    @property
    def typed(self) -> int:
        """Memories of which a type is asked."""
        return sum(one.of_some_type for one in self.judged)

    @property
    def precision(self) -> float:
        return _share(sum(len(one.right) for one in self.judged), self.memories)

    @property
    def recall(self) -> float:
        missed = sum(len(one.missed) for one in self.judged)
        return _share(self.wanted - missed, self.wanted)

    @property
    def type_accuracy(self) -> float:
        return _share(sum(one.of_right_type for one in self.judged), self.typed)

    @property
    def duplicates(self) -> int:
        return sum(len(one.duplicates) for one in self.judged)

    @property
    def wrong_supersedes(self) -> int:
        return sum(len(one.wrongly_retired) for one in self.judged)

    @property
    def missed_supersedes(self) -> int:
        return sum(len(one.stale) for one in self.judged)

    def of_kind(self, kind: str) -> "Scores":
        return Scores([one for one in self.judged if one.dialogue.kind == kind])

    @property
    def noise(self) -> int:
        return sum(len(one.noise) for one in self.judged)


def judge(dialogue: Dialogue, current: Sequence[Known], superseded: Sequence[Known]) -> Judged:
    """`current` is in the order in which they came: of two alike, the later is too much."""
    stale = [one for one in current if _matching(one, dialogue.past)]
    holding = [one for one in current if not _matching(one, dialogue.past)]
    right = [one for one in holding if _matching(one, (*dialogue.expect, *dialogue.may))]
    matched = {one: _matching(one, dialogue.expect) for one in holding}
    wanted = [one for one in holding if matched[one]]
    found = {entry for one in wanted for entry in matched[one]}
    return Judged(
        dialogue=dialogue,
        right=right,
        noise=[one for one in holding if one not in right],
        stale=stale,
        duplicates=_duplicates(dialogue, current),
        wrongly_retired=[
            one
            for one in superseded
            if _matching(one, dialogue.expect) and not _matching(one, dialogue.past)
        ],
        missed=[entry for entry in dialogue.expect if entry not in found],
        of_right_type=sum(
            any(one.memory_type == entry.memory_type for entry in matched[one]) for one in wanted
        ),
        of_some_type=len(wanted),
    )


def _duplicates(dialogue: Dialogue, current: Sequence[Known]) -> list[Known]:
    """Those with the words or the key of an earlier one. Where the same is said again and again, as
    in the kind `repeat`, also those that match an entry of `expect` once more."""
    seen: set[object] = set()
    found = []
    for one in current:
        marks: set[object] = {plain_words(one.content) or fold(one.content)}
        if one.key is not None:
            marks.add(one.key)
        if dialogue.kind == _REPEAT and not _matching(one, dialogue.past):
            marks.update(_matching(one, dialogue.expect))
        if marks & seen:
            found.append(one)
        seen |= marks
    return found


def _matching(one: Known, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.matches(one.content))


def _texts(content: str) -> tuple[str, str]:
    """To the letter, and as bare words: "was " is to be found at an end, and before a comma."""
    return _folded(content), f" {plain_words(content)} "


def _has_any(texts: Iterable[str], fragments: Iterable[str]) -> bool:
    folded = [_folded(fragment) for fragment in fragments]
    return any(fragment in text for text in texts for fragment in folded)


def _folded(text: str) -> str:
    return fold(text.translate(_APOSTROPHES))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
