"""Compares extracted memories with labels: a pure function.

A label lists fragments that a memory must contain (each a set of alternatives) and fragments that
it must not contain. Every current memory of a dialogue is, checked in this order,

    stale    matches an entry of `past`: it should have been superseded
    right    matches an entry of `expect` or of `may`
    noise    matches nothing
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
    """A labelled memory."""

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
    """Conversations of one user, and the labels after the last one."""

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
class StoredMemory:
    """The scored fields of a memory."""

    content: str
    memory_type: MemoryType
    key: tuple[str, str] | None = None
    """Subject and attribute, if only one such memory may be current."""

    @classmethod
    def of(cls, memory: Memory) -> Self:
        return cls(memory.content, memory.memory_type, memory.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredDialogue:
    """A dialogue with its classified memories."""

    dialogue: Dialogue
    right: Sequence[StoredMemory]
    noise: Sequence[StoredMemory]
    stale: Sequence[StoredMemory]
    duplicates: Sequence[StoredMemory]
    """Among all current memories."""
    wrongly_superseded: Sequence[StoredMemory]
    missed: Sequence[Entry]
    of_right_type: int
    of_some_type: int
    """Memories that match an entry of `expect`: only these have an expected type."""

    @property
    def current(self) -> int:
        return len(self.right) + len(self.noise) + len(self.stale)


@dataclass(frozen=True, slots=True)
class Scores:
    """Totals over dialogues. A share of zero items is 1."""

    scored: Sequence[ScoredDialogue] = field(
        repr=False
    )  # keeps the unseen half out of failed assertions

    @property
    def dialogues(self) -> int:
        return len(self.scored)

    @property
    def memories(self) -> int:
        """Number of current memories."""
        return sum(one.current for one in self.scored)

    @property
    def wanted(self) -> int:
        return sum(len(one.dialogue.expect) for one in self.scored)

    @property
    def typed(self) -> int:
        """Memories with an expected type."""
        return sum(one.of_some_type for one in self.scored)

    @property
    def precision(self) -> float:
        return _share(sum(len(one.right) for one in self.scored), self.memories)

    @property
    def recall(self) -> float:
        missed = sum(len(one.missed) for one in self.scored)
        return _share(self.wanted - missed, self.wanted)

    @property
    def type_accuracy(self) -> float:
        return _share(sum(one.of_right_type for one in self.scored), self.typed)

    @property
    def duplicates(self) -> int:
        return sum(len(one.duplicates) for one in self.scored)

    @property
    def wrong_supersedes(self) -> int:
        return sum(len(one.wrongly_superseded) for one in self.scored)

    @property
    def missed_supersedes(self) -> int:
        return sum(len(one.stale) for one in self.scored)

    def of_kind(self, kind: str) -> "Scores":
        return Scores([one for one in self.scored if one.dialogue.kind == kind])

    @property
    def noise(self) -> int:
        return sum(len(one.noise) for one in self.scored)


def score(
    dialogue: Dialogue, current: Sequence[StoredMemory], superseded: Sequence[StoredMemory]
) -> ScoredDialogue:
    """Classify memories. `current` is oldest first; the later of two duplicates counts."""
    stale = [one for one in current if _matching(one, dialogue.past)]
    holding = [one for one in current if not _matching(one, dialogue.past)]
    right = [one for one in holding if _matching(one, (*dialogue.expect, *dialogue.may))]
    matched = {one: _matching(one, dialogue.expect) for one in holding}
    wanted = [one for one in holding if matched[one]]
    found = {entry for one in wanted for entry in matched[one]}
    return ScoredDialogue(
        dialogue=dialogue,
        right=right,
        noise=[one for one in holding if one not in right],
        stale=stale,
        duplicates=_duplicates(dialogue, current),
        wrongly_superseded=[
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


def _duplicates(dialogue: Dialogue, current: Sequence[StoredMemory]) -> list[StoredMemory]:
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


def _matching(one: StoredMemory, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.matches(one.content))


def _texts(content: str) -> tuple[str, str]:
    """Return the folded text and its bare words, so that "was " matches before a comma too."""
    return _folded(content), f" {plain_words(content)} "


def _has_any(texts: Iterable[str], fragments: Iterable[str]) -> bool:
    folded = [_folded(fragment) for fragment in fragments]
    return any(fragment in text for text in texts for fragment in folded)


def _folded(text: str) -> str:
    return fold(text.translate(_APOSTROPHES))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
