"""Reconciling: what was just read, with what is known already. A pure function.

Each candidate is put to four questions, in this order.

1. Did the user delete it? What was said before that, or in the very messages it stood on, stays
   deleted. And what was read in its message before is not read again, whatever became of it.
2. Is it known word for word, or by its meaning? Then it is *confirmed*: the memory stands on one
   message more.
3. Does something else hold of the same subject and attribute? Then the later one *supersedes* it,
   and the old one stays on record. On no other ground is anything superseded.
4. Else it is *added*.

A *correction* ("it's Luna, not Rex") is about the one memory of its conversation that has the wrong
word, which the same memory with the right word supersedes. Where there are several, it is ignored.
A *retraction* ("I don't live in Rome anymore") ends what it denies, and puts nothing in its place.

What a user wrote, edited, pinned or put away wins each time: the candidate is *ignored*. Candidates
are taken in the order in which they were said, whatever the order they come in, and each meets what
those before it have changed. So reading the same messages again changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, assert_never

from recollect.core.memory_types import Memory
from recollect.core.types import MemoryAction, MemoryAuthor, MemoryType
from recollect.language.analyzer import names_and_numbers, query_terms
from recollect.language.facts import note_value, parse_note
from recollect.language.normalize import content_hash, plain_words, tombstone_hash
from recollect.language.salience import plain
from recollect.store.memories import Tombstone

Verdict = Literal["add", "confirm", "supersede", "ignore"]

_ARTICLES = frozenset(
    ("a", "an", "the", "il", "lo", "la", "i", "gli", "le", "un", "uno", "una", "ang", "mga", "si")
)
_OUTDATED = "Something that was said later holds."
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|without|non|mai|niente|nessun\w*|senza|hindi|ayaw|ayoko|wala"
    r"|walang|huwag)\b|n't\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCandidate:
    """Something to remember, as it was read in one message."""

    id: str
    """The id of the memory, should it become one."""
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    confidence: float
    author: MemoryAuthor
    message_id: str
    conversation_id: str
    said_at: datetime
    recorded_at: datetime
    place: tuple[int, int]
    """Its message's seq, and its number among what was read there."""
    alike: frozenset[str] = frozenset()
    """Memories that an embedder takes for the same; their words have the last say."""

    @property
    def key(self) -> tuple[str, str] | None:
        if self.subject is None or self.attribute is None:
            return None
        return self.subject, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCorrection:
    """That one word was wrong, and which is right."""

    id: str
    """The id of the memory with the right word, should there be none yet."""
    right: str
    wrong: str
    key: tuple[str, str] | None
    """Of what it was wrong, where that was said."""
    message_id: str
    conversation_id: str
    said_at: datetime
    recorded_at: datetime
    place: tuple[int, int]
    standing: frozenset[str] = frozenset()
    """Memories that were said in its conversation too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRetraction:
    """That something does not hold any more, in the words of what held."""

    was: MemoryCandidate


_Said = MemoryCandidate | MemoryCorrection | MemoryRetraction


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory, and the messages it stands on."""

    memory: Memory
    sources: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """A memory before and after; None before it is there."""

    action: MemoryAction
    before: Memory | None
    after: Memory
    candidate: MemoryCandidate


@dataclass(frozen=True, slots=True)
class Decision:
    candidate: MemoryCandidate
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """One decision for each candidate, and what follows from them, in its order."""

    decisions: Sequence[Decision]
    changes: Sequence[MemoryChange]


def reconcile(
    candidates: Sequence[MemoryCandidate],
    known: Sequence[KnownMemory],
    tombstones: Sequence[Tombstone] = (),
    *,
    corrections: Sequence[MemoryCorrection] = (),
    retractions: Sequence[MemoryRetraction] = (),
    user_id: str,
    now: datetime,
) -> Reconciliation:
    """`known` holds at least what says the same words as a candidate, is about the same, or is
    alike; and what stands on the conversation, where that has corrections."""
    state = _State({held.memory.id: held for held in known}, tombstones, user_id, now)
    decisions: list[Decision] = []
    everything: list[_Said] = [*candidates, *corrections, *retractions]
    for one in sorted(everything, key=_order):
        match one:
            case MemoryCandidate():
                decided: Decision | None = state.take(one)
            case MemoryCorrection():
                decided = state.correct(one)
            case MemoryRetraction():
                decided = state.retract(one.was)
            case _:
                assert_never(one)
        if decided is not None:
            decisions.append(decided)
    late = [state.take(one.candidate) if one.reason == _OUTDATED else one for one in decisions]
    return Reconciliation(late, state.changes)


def _order(one: _Said) -> tuple[datetime, tuple[int, int], str, str]:
    if isinstance(one, MemoryRetraction):
        one = one.was
    return one.said_at, one.place, one.content if isinstance(one, MemoryCandidate) else "", one.id


@dataclass(slots=True)
class _State:
    held: dict[str, KnownMemory]
    tombstones: Sequence[Tombstone]
    user_id: str
    now: datetime
    changes: list[MemoryChange] = field(default_factory=list)

    def take(self, one: MemoryCandidate) -> Decision:
        """What is outdated may be taken once more: it can confirm what was added after it."""
        return Decision(one, *self._take(one))

    def _take(self, one: MemoryCandidate) -> tuple[Verdict, str]:
        if self._is_buried(one):
            return "ignore", "The user deleted it."
        same = [held for held in self.held.values() if _says_the_same(one, held.memory)]
        if any(one.message_id in held.sources for held in same):
            return "ignore", "It was read in this message before."
        if standing := [held for held in same if held.memory.valid_to is None]:
            current = [held for held in standing if held.memory.is_current]
            return self._meet_again(one, (current or standing)[0])
        return self._meet(one, self._rival(one))

    def _meet(self, one: MemoryCandidate, rival: Memory | None) -> tuple[Verdict, str]:
        if rival is None:
            self._add(one)
            return "add", "It was not known."
        if is_user_authored(rival):
            return "ignore", "The user's own word on it stands."
        if one.said_at < rival.confirmed_at:
            return "ignore", _OUTDATED
        self._supersede(one, rival)
        return "supersede", "It takes the place of what held of the same."

    def _is_buried(self, one: MemoryCandidate) -> bool:
        words = tombstone_hash(self.user_id, one.content)
        key = tombstone_hash(self.user_id, *one.key) if one.key else None
        for stone in self.tombstones:
            from_there = stone.source_message_id == one.message_id
            if stone.content_hash == words and (from_there or one.recorded_at <= stone.buried_at):
                return True
            if from_there and key is not None and stone.key_hash == key:
                return True
        return False

    def correct(self, one: MemoryCorrection) -> Decision | None:
        """None where nothing was said of what it corrects."""
        wrong = [
            held.memory
            for held in self.held.values()
            if held.memory.is_current
            and not is_user_authored(held.memory)
            and (held.memory.key == one.key if one.key else _was_said_there(held.memory, one))
            and apply_correction(held.memory.content, one) is not None
        ]
        if len(wrong) != 1:
            return None
        (old,) = wrong
        right = _as_corrected(old, one)
        if self._is_buried(right):
            return Decision(right, "ignore", "The user deleted it.")
        words = content_hash(right.content)
        for held in self.held.values():
            there = held.memory
            if not there.is_current or there.id == old.id:
                continue
            if content_hash(there.content) == words or there.key == right.key is not None:
                self._retire(right, old, by=there.id)
                return Decision(right, "supersede", "It was corrected, and the right one is known.")
        self._supersede(right, old)
        return Decision(right, "supersede", "It was corrected.")

    def retract(self, was: MemoryCandidate) -> Decision | None:
        """None where nothing like it holds."""
        rival = self._rival(was)
        if rival is None or is_user_authored(rival) or was.said_at < rival.confirmed_at:
            return None
        if was.message_id in self.held[rival.id].sources:  # the same sentence says what holds now
            return None
        if ":" not in (was.attribute or "") and _value(rival.content) != _value(was.content):
            return None
        self._retire(was, rival, by=None)
        return Decision(was, "supersede", "It does not hold any more.")

    def _meet_again(self, one: MemoryCandidate, held: KnownMemory) -> tuple[Verdict, str]:
        memory = held.memory
        if memory.is_archived:
            return "ignore", "The user put it away."
        if memory.author == "user":
            if held.sources:  # else it stands on the user's word alone, which nothing can add to
                self._change("confirmed", memory, memory, one)
                self.held[memory.id] = replace(held, sources=held.sources | {one.message_id})
            return "ignore", "The user has said so already."
        confidence = max(memory.confidence, one.confidence)
        after = replace(
            memory,
            confidence=round(confidence + (1 - confidence) / 2, 4),
            valid_from=min(memory.valid_from, one.said_at),
            confirmed_at=max(memory.confirmed_at, one.said_at),
            updated_at=self.now,
        )
        self._change("confirmed", memory, after, one)
        self.held[memory.id] = KnownMemory(after, held.sources | {one.message_id})
        return "confirm", "It was known."

    def _rival(self, one: MemoryCandidate) -> Memory | None:
        if one.key is None:
            return None
        return next(
            (
                held.memory
                for held in self.held.values()
                if held.memory.is_current and held.memory.key == one.key
            ),
            None,
        )

    def _supersede(self, one: MemoryCandidate, old: Memory) -> None:
        self._retire(one, old, by=one.id)
        self._add(one)

    def _retire(self, one: MemoryCandidate, old: Memory, *, by: str | None) -> None:
        after = replace(old, valid_to=one.said_at, superseded_by=by, updated_at=self.now)
        self._change("superseded", old, after, one)
        self.held[old.id] = replace(self.held[old.id], memory=after)

    def _add(self, one: MemoryCandidate) -> None:
        memory = Memory(
            id=one.id,
            user_id=self.user_id,
            memory_type=one.memory_type,
            category=one.category,
            content=one.content,
            subject=one.subject,
            attribute=one.attribute,
            author=one.author,
            source_conversation_id=one.conversation_id,
            source_message_id=one.message_id,
            created_at=self.now,
            updated_at=self.now,
            last_accessed_at=None,
            access_count=0,
            is_pinned=False,
            is_archived=False,
            confidence=one.confidence,
            valid_from=one.said_at,
            confirmed_at=one.said_at,
            valid_to=None,
            superseded_by=None,
        )
        self._change("created", None, memory, one)
        self.held[one.id] = KnownMemory(memory, frozenset({one.message_id}))

    def _change(
        self, action: MemoryAction, before: Memory | None, after: Memory, one: MemoryCandidate
    ) -> None:
        self.changes.append(MemoryChange(action=action, before=before, after=after, candidate=one))


def _was_said_there(memory: Memory, one: MemoryCorrection) -> bool:
    return memory.source_conversation_id == one.conversation_id or memory.id in one.standing


def apply_correction(content: str, one: MemoryCorrection) -> str | None:
    """With the right word in the place of the wrong one; None where that is not in it."""
    wrong = re.compile(rf"(?<!\w){re.escape(one.wrong)}(?!\w)", re.IGNORECASE)
    changed, count = wrong.subn(lambda _: one.right, content)
    return changed if count == 1 else None


def _as_corrected(old: Memory, one: MemoryCorrection) -> MemoryCandidate:
    content = apply_correction(old.content, one) or old.content
    subject, attribute = parse_note(content) or (None, None)
    if subject != old.subject:
        subject, attribute = None, None
    return MemoryCandidate(
        id=one.id,
        memory_type=old.memory_type,
        category=old.category,
        content=content,
        subject=subject,
        attribute=attribute,
        confidence=old.confidence,
        author=old.author,
        message_id=one.message_id,
        conversation_id=one.conversation_id,
        said_at=one.said_at,
        recorded_at=one.recorded_at,
        place=one.place,
    )


def is_user_authored(memory: Memory) -> bool:
    """Whether a user has had a hand in it, so that no extraction may retire it."""
    return memory.author == "user" or memory.is_pinned


def _says_the_same(one: MemoryCandidate, memory: Memory) -> bool:
    """The same words; or the same value, of what there is one of; or the same stems in the same
    order. Where an embedder vouches for it, some may differ, but no names and no numbers. What is
    affirmed is never the same as what is denied."""
    if content_hash(one.content) == content_hash(memory.content):
        return True
    if one.memory_type != memory.memory_type or _negations(one.content) != _negations(
        memory.content
    ):
        return False
    if one.key is not None and memory.key is not None and one.key != memory.key:
        return False
    if one.key is not None and one.key == memory.key and ":" not in one.key[1]:
        return _value(one.content) == _value(memory.content)
    ours, theirs = _stems(one.content), _stems(memory.content)
    if set(ours) == set(theirs):
        return ours == theirs
    may_be_other_words = memory.id in one.alike and (one.key is None or memory.key is None)
    return may_be_other_words and _exact(one.content) == _exact(memory.content)


def _value(content: str) -> str:
    return note_value(content) or plain_words(content)


def _stems(text: str) -> list[str]:
    """Of its words, in the order in which they stand. Articles tell nothing."""
    words = [word for word in plain_words(text).split() if word not in _ARTICLES]
    return [stem for word in words for stem in query_terms(word)]


def _negations(text: str) -> int:
    return len(_NEGATION.findall(plain(text)))


def _exact(text: str) -> set[str]:
    """The words that cannot be said in other words: names and numbers."""
    return names_and_numbers(text)
