"""Reconciles extracted memories with the known ones. A pure function.

Four questions decide about each candidate, in this order:

1. Did the user delete it? Statements from before the deletion, or from the same source message,
   stay deleted. A message is never evidence twice for the same memory.
2. Is it known, word for word or by its meaning? Then the memory is *confirmed* and gains a source.
3. Does another memory hold for the same subject and attribute? Then the later one *supersedes* it,
   and the old one stays on record. Nothing else causes a memory to be superseded.
4. Otherwise it is *added*.

A *correction* ("it's Luna, not Rex") supersedes the one memory of its conversation that has the
wrong word; if there are several, it is ignored. A *retraction* ("I don't live in Rome anymore")
ends the memory that it denies.

Memories that the user wrote, edited, pinned or archived always win: the candidate is *ignored*.
Candidates are applied in the order in which they were said, each to the result of the previous one.
So reading the same messages again changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from recollect.core.memory_types import Memory
from recollect.core.types import MemoryAction, MemoryAuthor, MemoryType
from recollect.language.analyzer import names_and_numbers, query_terms
from recollect.language.facts import note_value, parse_note
from recollect.language.normalize import content_hash, plain, plain_words, tombstone_hash
from recollect.language.patterns import words
from recollect.language.registry import merged, phrase_pattern
from recollect.store.memories import Tombstone

Verdict = Literal["add", "confirm", "supersede", "ignore"]

_ARTICLES = words(merged("memories")["articles"])


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """The message that a candidate or a correction comes from."""

    message_id: str
    conversation_id: str
    said_at: datetime
    recorded_at: datetime
    position: tuple[int, int]
    """The message's seq, and the index among its candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCandidate:
    """A memory that was found in a message."""

    id: str
    """The id of the memory, if it is added."""
    memory_type: MemoryType
    category: str | None
    content: str
    subject: str | None
    attribute: str | None
    confidence: float
    author: MemoryAuthor
    source: MemorySource
    is_retraction: bool = False
    """Whether the message says that this no longer holds."""
    similar_ids: frozenset[str] = frozenset()
    """Memories with nearly the same vector; names and numbers have the last say."""

    @property
    def key(self) -> tuple[str, str] | None:
        if self.subject is None or self.attribute is None:
            return None
        return self.subject, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCorrection:
    """A wrong word and the right one."""

    id: str
    """The id of the corrected memory, if it is added."""
    right: str
    wrong: str
    key: tuple[str, str] | None
    """The subject and attribute, if the user named them."""
    source: MemorySource
    conversation_memory_ids: frozenset[str] = frozenset()
    """Memories with a source in the same conversation."""


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory and the ids of its source messages."""

    memory: Memory
    sources: frozenset[str]


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """A memory before and after; `before` is None for a new one."""

    action: MemoryAction
    before: Memory | None
    after: Memory
    candidate: MemoryCandidate


@dataclass(slots=True)
class Reconciliation:
    """The verdicts by the candidates' ids, and the changes to apply in this order.

    A correction or retraction that matches no memory has no verdict.
    """

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    changes: list[MemoryChange] = field(default_factory=list)


def reconcile(
    candidates: Sequence[MemoryCandidate],
    known: Sequence[KnownMemory],
    tombstones: Sequence[Tombstone] = (),
    *,
    corrections: Sequence[MemoryCorrection] = (),
    user_id: str,
    now: datetime,
) -> Reconciliation:
    """Decide about each candidate and correction.

    `known` must have all memories with the same words, key or similar vector as a candidate and, if
    there are corrections, all memories of the conversation.
    """
    state = _Reconciler({item.memory.id: item for item in known}, tombstones, user_id, now)
    result = Reconciliation(changes=state.changes)
    items: list[MemoryCandidate | MemoryCorrection] = [*candidates, *corrections]
    for item in sorted(items, key=_order):
        if isinstance(item, MemoryCorrection):
            verdict = state.correct(item)
        else:
            verdict = state.retract(item) if item.is_retraction else state.decide(item)
        if verdict is not None:
            result.verdicts[item.id] = verdict
    for candidate in [*state.outdated]:  # it may confirm a memory that was added after it
        result.verdicts[candidate.id] = state.decide(candidate)
    return result


def _order(
    item: MemoryCandidate | MemoryCorrection,
) -> tuple[datetime, tuple[int, int], str, str]:
    content = item.content if isinstance(item, MemoryCandidate) else ""
    return item.source.said_at, item.source.position, content, item.id


@dataclass(slots=True)
class _Reconciler:
    known: dict[str, KnownMemory]
    tombstones: Sequence[Tombstone]
    user_id: str
    now: datetime
    changes: list[MemoryChange] = field(default_factory=list)
    outdated: list[MemoryCandidate] = field(default_factory=list)

    def decide(self, candidate: MemoryCandidate) -> Verdict:
        same = [item for item in self.known.values() if _says_the_same(candidate, item.memory)]
        is_read = any(candidate.source.message_id in item.sources for item in same)
        if is_read or self._is_deleted(candidate):
            return "ignore"
        if valid := [item for item in same if item.memory.valid_to is None]:
            current = [item for item in valid if item.memory.is_current]
            return self._confirm(candidate, (current or valid)[0])
        rival = self._rival(candidate)
        if rival is None:
            self._add(candidate)
            return "add"
        if is_user_authored(rival):
            return "ignore"
        if candidate.source.said_at < rival.confirmed_at:
            self.outdated.append(candidate)
            return "ignore"
        self._supersede(candidate, rival)
        return "supersede"

    def _is_deleted(self, candidate: MemoryCandidate) -> bool:
        source = candidate.source
        words = tombstone_hash(self.user_id, candidate.content)
        key = tombstone_hash(self.user_id, *candidate.key) if candidate.key else None
        for tombstone in self.tombstones:
            is_same_message = tombstone.source_message_id == source.message_id
            if tombstone.content_hash == words and (
                is_same_message or source.recorded_at <= tombstone.created_at
            ):
                return True
            if is_same_message and key is not None and tombstone.key_hash == key:
                return True
        return False

    def correct(self, correction: MemoryCorrection) -> Verdict | None:
        """Apply a correction. Return None if it does not match exactly one memory."""
        wrong = [
            item.memory
            for item in self.known.values()
            if item.memory.is_current
            and not is_user_authored(item.memory)
            and _is_about(correction, item.memory)
            and apply_correction(item.memory.content, correction) is not None
        ]
        if len(wrong) != 1:
            return None
        (old,) = wrong
        corrected = _as_corrected(old, correction)
        if self._is_deleted(corrected):
            return "ignore"
        words = content_hash(corrected.content)
        for item in self.known.values():
            other = item.memory
            if not other.is_current or other.id == old.id:
                continue
            if content_hash(other.content) == words or other.key == corrected.key is not None:
                self._retire(corrected, old, by=other.id)
                break
        else:
            self._supersede(corrected, old)
        return "supersede"

    def retract(self, denied: MemoryCandidate) -> Verdict | None:
        """End the denied memory. Return None if there is none."""
        rival = self._rival(denied)
        if (
            rival is None
            or is_user_authored(rival)
            or denied.source.said_at < rival.confirmed_at
            # the same message also says what holds now
            or denied.source.message_id in self.known[rival.id].sources
        ):
            return None
        if ":" not in (denied.attribute or "") and _value(rival.content) != _value(denied.content):
            return None
        self._retire(denied, rival, by=None)
        return "supersede"

    def _confirm(self, candidate: MemoryCandidate, known: KnownMemory) -> Verdict:
        memory, source = known.memory, candidate.source
        is_own = memory.author == "user"
        if memory.is_archived or (is_own and not known.sources):  # written without a message
            return "ignore"
        confidence = max(memory.confidence, candidate.confidence)
        confirmed = replace(
            memory,
            confidence=round(confidence + (1 - confidence) / 2, 4),
            valid_from=min(memory.valid_from, source.said_at),
            confirmed_at=max(memory.confirmed_at, source.said_at),
            updated_at=self.now,
        )
        after = memory if is_own else confirmed
        self.changes.append(MemoryChange("confirmed", memory, after, candidate))
        self.known[memory.id] = KnownMemory(after, known.sources | {source.message_id})
        return "ignore" if is_own else "confirm"

    def _rival(self, candidate: MemoryCandidate) -> Memory | None:
        """Return the current memory with the same key."""
        if candidate.key is None:
            return None
        current = (item.memory for item in self.known.values() if item.memory.is_current)
        return next((memory for memory in current if memory.key == candidate.key), None)

    def _supersede(self, candidate: MemoryCandidate, old: Memory) -> None:
        self._retire(candidate, old, by=candidate.id)
        self._add(candidate)

    def _retire(self, candidate: MemoryCandidate, old: Memory, *, by: str | None) -> None:
        after = replace(
            old, valid_to=candidate.source.said_at, superseded_by=by, updated_at=self.now
        )
        self.changes.append(MemoryChange("superseded", old, after, candidate))
        self.known[old.id] = replace(self.known[old.id], memory=after)

    def _add(self, candidate: MemoryCandidate) -> None:
        source = candidate.source
        memory = Memory(
            id=candidate.id,
            user_id=self.user_id,
            memory_type=candidate.memory_type,
            category=candidate.category,
            content=candidate.content,
            subject=candidate.subject,
            attribute=candidate.attribute,
            author=candidate.author,
            source_conversation_id=source.conversation_id,
            source_message_id=source.message_id,
            created_at=self.now,
            updated_at=self.now,
            confidence=candidate.confidence,
            valid_from=source.said_at,
            confirmed_at=source.said_at,
        )
        self.changes.append(MemoryChange("created", None, memory, candidate))
        self.known[candidate.id] = KnownMemory(memory, frozenset({source.message_id}))


def _is_about(correction: MemoryCorrection, memory: Memory) -> bool:
    if correction.key:
        return memory.key == correction.key
    return (
        memory.source_conversation_id == correction.source.conversation_id
        or memory.id in correction.conversation_memory_ids
    )


def apply_correction(content: str, correction: MemoryCorrection) -> str | None:
    """Replace the wrong word; return None unless it occurs exactly once."""
    wrong = re.compile(rf"(?<!\w){re.escape(correction.wrong)}(?!\w)", re.IGNORECASE)
    changed, count = wrong.subn(lambda _: correction.right, content)
    return changed if count == 1 else None


def _as_corrected(old: Memory, correction: MemoryCorrection) -> MemoryCandidate:
    content = apply_correction(old.content, correction) or old.content
    subject, attribute = parse_note(content) or (None, None)
    if subject != old.subject:
        subject, attribute = None, None
    return MemoryCandidate(
        id=correction.id,
        memory_type=old.memory_type,
        category=old.category,
        content=content,
        subject=subject,
        attribute=attribute,
        confidence=old.confidence,
        author=old.author,
        source=correction.source,
    )


def is_user_authored(memory: Memory) -> bool:
    """Whether the user wrote or pinned it, so that no extraction may supersede it."""
    return memory.author == "user" or memory.is_pinned


def _says_the_same(candidate: MemoryCandidate, memory: Memory) -> bool:
    """Compare the words, or the value of the same key, or the stems in their order.

    If the vectors are similar, stems may differ, but not names and numbers. A negated statement is
    never the same as an affirmed one.
    """
    ours, theirs = candidate.content, memory.content
    if content_hash(ours) == content_hash(theirs):
        return True
    if candidate.memory_type != memory.memory_type or _negations(ours) != _negations(theirs):
        return False
    if candidate.key is not None and candidate.key == memory.key and ":" not in candidate.key[1]:
        return _value(ours) == _value(theirs)
    has_both_keys = candidate.key is not None and memory.key is not None
    if has_both_keys and candidate.key != memory.key:
        return False
    our_stems, their_stems = _stems(ours), _stems(theirs)
    if set(our_stems) == set(their_stems):
        return our_stems == their_stems
    is_similar = memory.id in candidate.similar_ids and not has_both_keys
    return is_similar and names_and_numbers(ours) == names_and_numbers(theirs)


def _value(content: str) -> str:
    return note_value(content) or plain_words(content)


def _stems(text: str) -> list[str]:
    """Return the stems in order, without articles."""
    telling = [word for word in plain_words(text).split() if word not in _ARTICLES]
    return [stem for word in telling for stem in query_terms(word)]


def _negations(text: str) -> int:
    return len(phrase_pattern("memories", "negations").findall(plain(text)))
