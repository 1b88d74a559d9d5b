"""Reconciling candidates with known memories: examples and properties."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.core.ids import new_id
from recollect.digest.memories.reconcile import (
    KnownMemory,
    MemoryCandidate,
    MemoryCorrection,
    MemorySource,
    Reconciliation,
    reconcile,
)
from recollect.language.normalize import tombstone_hash
from recollect.store.memories import Tombstone

USER = "alice"
NOW = datetime(2030, 1, 1, tzinfo=UTC)
CHAT = new_id()
MESSAGES = [new_id() for _ in range(6)]
_numbers = count()
PLACES = ["Lisbon", "Porto", "Rome", "Oslo"]


def source_of(message: int, at: datetime) -> MemorySource:
    return MemorySource(
        message_id=MESSAGES[message],
        conversation_id=CHAT,
        said_at=at,
        recorded_at=at,
        position=(message + 1, 0),
    )


def said(
    content: str,
    *,
    about: tuple[str, str] | None = ("user", "home"),
    message: int = 0,
    at: datetime | None = None,
    similar: frozenset[str] = frozenset(),
    confidence: float = 0.8,
) -> MemoryCandidate:
    """A candidate from a message that was said in the hour of its number."""
    return MemoryCandidate(
        id=f"memory {next(_numbers)}",
        memory_type="fact",
        category=None,
        content=content,
        subject=about[0] if about else None,
        attribute=about[1] if about else None,
        confidence=confidence,
        author="pattern",
        source=source_of(message, at or NOW - timedelta(days=1) + timedelta(hours=message)),
        similar_ids=similar,
    )


def held(candidate: MemoryCandidate, **changes: object) -> KnownMemory:
    """A memory as an extraction adds it, with changes."""
    (change,) = reconcile([candidate], [], user_id=USER, now=NOW).changes
    return KnownMemory(replace(change.after, **changes), frozenset({candidate.source.message_id}))  # type: ignore[arg-type]


def verdicts(reconciled: Reconciliation) -> list[str]:
    return [*reconciled.verdicts.values()]


def put(candidates: Sequence[MemoryCandidate], known: Sequence[KnownMemory] = ()) -> Reconciliation:
    return reconcile(candidates, known, user_id=USER, now=NOW)


def after(known: Sequence[KnownMemory], reconciled: Reconciliation) -> list[KnownMemory]:
    """Return the known memories after the changes."""
    by_id = {one.memory.id: one for one in known}
    for change in reconciled.changes:
        sources = by_id[change.after.id].sources if change.before else frozenset[str]()
        if change.action != "superseded":
            sources |= {change.candidate.source.message_id}
        by_id[change.after.id] = KnownMemory(change.after, sources)
    return list(by_id.values())


def current(known: Sequence[KnownMemory]) -> list[Memory]:
    return [one.memory for one in known if one.memory.is_current]


def test_unknown_memory_is_added_with_its_source() -> None:
    one = said("Lives in Lisbon")
    (change,) = put([one]).changes
    memory = change.after
    assert (memory.content, memory.author, memory.confidence) == ("Lives in Lisbon", "pattern", 0.8)
    assert (memory.source_conversation_id, memory.source_message_id) == (CHAT, MESSAGES[0])
    assert memory.valid_from == one.source.said_at
    assert memory.valid_to is None


@pytest.mark.parametrize("again", ["Lives in Lisbon", "lives in  LISBON.", "Lives in the Lisbon"])
def test_known_memory_is_confirmed_by_another_message(again: str) -> None:
    known = held(said("Lives in Lisbon", confidence=0.6))
    reconciled = put([said(again, message=1)], [known])
    assert verdicts(reconciled) == ["confirm"]
    (change,) = reconciled.changes
    assert change.after.content == "Lives in Lisbon"
    assert change.after.confidence > 0.8


def test_later_value_supersedes_and_keeps_the_old_one() -> None:
    known = held(said("Lives in Lisbon"))
    later = said("Lives in Porto", message=3)
    old, new = put([later], [known]).changes
    assert (old.action, old.after.valid_to) == ("superseded", later.source.said_at)
    assert old.after.superseded_by == new.after.id
    assert (new.action, new.after.content) == ("created", "Lives in Porto")


def test_earlier_value_does_not_supersede() -> None:
    known = held(said("Lives in Lisbon", message=3))
    assert verdicts(put([said("Lives in Porto", message=1)], [known])) == ["ignore"]


@pytest.mark.parametrize("about", [("sister", "home"), ("user", "job"), None])
def test_only_same_subject_and_attribute_supersede(
    about: tuple[str, str] | None,
) -> None:
    known = held(said("Lives in Lisbon"))
    reconciled = put([said("Lives in Porto", about=about, message=3)], [known])
    assert verdicts(reconciled) == ["add"]


@pytest.mark.parametrize("own", [{"author": "user"}, {"is_pinned": True}])
def test_user_authored_memory_is_not_superseded(own: dict[str, object]) -> None:
    known = held(said("Lives in Lisbon"), **own)
    assert put([said("Lives in Porto", message=3)], [known]).changes == []


def test_archived_memory_is_not_confirmed_or_added() -> None:
    known = held(said("Lives in Lisbon"), is_archived=True)
    assert put([said("Lives in Lisbon", message=2)], [known]).changes == []


def test_superseded_value_can_become_current_again() -> None:
    old = held(said("Lives in Rome"), valid_to=NOW, superseded_by="x")
    now = held(said("Lives in Porto", message=2))
    assert verdicts(put([said("Lives in Rome", message=4)], [old, now])) == ["supersede"]


def buried(one: MemoryCandidate, *, at: datetime, message: int | None = None) -> Tombstone:
    return Tombstone(
        content_hash=tombstone_hash(USER, one.content),
        source_message_id=None if message is None else MESSAGES[message],
        key_hash=tombstone_hash(USER, *one.key) if one.key else None,
        created_at=at,
    )


def ignored(one: MemoryCandidate, stone: Tombstone) -> bool:
    return verdicts(reconcile([one], [], [stone], user_id=USER, now=NOW)) == ["ignore"]


def test_deleted_memory_does_not_return_from_its_message() -> None:
    one = said("Lives in Lisbon", at=NOW + timedelta(days=1))
    assert ignored(one, buried(one, at=NOW, message=0))
    paraphrase = replace(one, content="Has a flat in Lisbon")
    assert ignored(paraphrase, buried(one, at=NOW, message=0))
    other = replace(one, content="Works in Lisbon", attribute="work")
    assert not ignored(other, buried(one, at=NOW, message=0))


def test_deleted_memory_returns_only_from_a_new_message() -> None:
    before, anew = said("Lives in Lisbon"), said("Lives in Lisbon", at=NOW + timedelta(days=1))
    assert ignored(before, buried(before, at=NOW, message=5))
    assert not ignored(anew, buried(before, at=NOW, message=5))


def test_negation_is_a_different_statement() -> None:
    known = held(said("Likes coffee", about=None))
    denied = said("Does not like coffee", about=None, message=1)
    assert verdicts(put([denied], [known])) == ["add"]


def test_word_order_can_make_a_different_statement() -> None:
    known = held(said("Prefers tea over coffee", about=None))
    turned = said("Prefers coffee over tea", about=None, message=1)
    assert verdicts(put([turned], [known])) == ["add"]


def test_similar_vectors_allow_other_words_but_not_names_or_numbers() -> None:
    known = held(said("Has a dog called Rex", about=None))
    near = frozenset({known.memory.id})
    same = said("Owns a dog called Rex", about=None, message=1, similar=near)
    other = said("Has a dog called Max", about=None, message=1, similar=near)
    assert verdicts(put([same], [known])) == ["confirm"]
    assert verdicts(put([other], [known])) == ["add"]
    assert verdicts(put([replace(same, similar_ids=frozenset())], [known])) == ["add"]


def correct(right: str, wrong: str, *, key: tuple[str, str] | None = None) -> MemoryCorrection:
    return MemoryCorrection(
        id="corrected",
        right=right,
        wrong=wrong,
        key=key,
        source=source_of(5, NOW),
    )


def corrected(
    known: Sequence[KnownMemory], one: MemoryCorrection, *read: MemoryCandidate
) -> list[str]:
    reconciled = reconcile(read, known, corrections=[one], user_id=USER, now=NOW)
    again = reconcile(read, after(known, reconciled), corrections=[one], user_id=USER, now=NOW)
    assert again.changes == []
    return sorted(memory.content for memory in current(after(known, reconciled)))


DOG, CAT = ("dog", "name:rex"), ("cat", "name:rex")


def test_correction_replaces_the_wrong_word() -> None:
    known = [held(said("Dog's name is Rex", about=DOG)), held(said("Lives in Rome"))]
    assert corrected(known, correct("Luna", "Rex")) == ["Dog's name is Luna", "Lives in Rome"]
    (retired, added) = reconcile(
        [], known, corrections=[correct("Luna", "rex")], user_id=USER, now=NOW
    ).changes
    assert retired.after.superseded_by == added.after.id
    assert added.after.key == ("dog", "name:luna")
    assert added.after.source_message_id == MESSAGES[5]


def test_correction_with_extracted_right_value() -> None:
    known = [held(said("Dog's name is Rex", about=DOG))]
    luna = said("Dog's name is Luna", about=("dog", "name:luna"), message=5)
    assert corrected(known, correct("luna", "Rex", key=DOG), luna) == ["Dog's name is Luna"]


def test_ambiguous_correction_is_ignored() -> None:
    known = [
        held(said("Dog's name is Rex", about=DOG)),
        held(said("Cat's name is Rex", about=CAT, message=1)),
    ]
    both = ["Cat's name is Rex", "Dog's name is Rex"]
    assert corrected(known, correct("Luna", "Rex")) == both
    assert corrected(known, correct("Luna", "Max")) == both
    assert corrected(known, correct("Luna", "Rex", key=CAT)) == [
        "Cat's name is Luna",
        "Dog's name is Rex",
    ]


@pytest.mark.parametrize("own", [{"author": "user"}, {"source_conversation_id": "another"}])
def test_correction_applies_to_its_conversation_only(own: dict[str, object]) -> None:
    known = [held(said("Dog's name is Rex", about=DOG), **own)]
    assert corrected(known, correct("Luna", "Rex")) == ["Dog's name is Rex"]


def test_correction_of_single_value_keeps_the_right_one() -> None:
    known = [held(said("Lives in Rome"))]
    assert corrected(known, correct("Milan", "Rome")) == ["Lives in Milan"]


def retracted(known: Sequence[KnownMemory], was: MemoryCandidate) -> list[str]:
    reconciled = put([replace(was, is_retraction=True)], known)
    return [memory.content for memory in current(after(known, reconciled))]


def test_retraction_ends_only_what_it_denies() -> None:
    known = [held(said("Lives in Rome"))]
    assert retracted(known, said("Lives in Rome", message=3)) == []
    assert retracted(known, said("Lives in Oslo", message=3)) == ["Lives in Rome"]
    assert retracted([held(said("Lives in Rome", message=4))], said("Lives in Rome", message=3))
    own = [held(said("Lives in Rome"), author="user")]
    assert retracted(own, said("Lives in Rome", message=3)) == ["Lives in Rome"]


def test_same_value_in_other_words_confirms() -> None:
    known = held(said("Is from Trapani", about=("user", "origin")))
    again = said("Comes from Trapani", about=("user", "origin"), message=1)
    other = said("Comes from Palermo", about=("user", "origin"), message=1)
    assert verdicts(put([again], [known])) == ["confirm"]
    assert verdicts(put([other], [known])) == ["supersede"]


@st.composite
def candidates(draw: st.DrawFn) -> MemoryCandidate:
    kind = draw(st.sampled_from(["home", "job", "taste", "nothing"]))
    place = draw(st.sampled_from(PLACES))
    about = {
        "home": ("user", "home"),
        "job": ("sister", "job"),
        "taste": ("user", f"taste:{place.lower()}"),
        "nothing": None,
    }[kind]
    verb = draw(st.sampled_from(["Likes", "Does not like"])) if kind == "taste" else f"{kind} in"
    return said(f"{verb} {place}", about=about, message=draw(st.integers(0, 5)))


@st.composite
def memories(draw: st.DrawFn) -> list[KnownMemory]:
    """Known memories, some of them changed by the user."""
    known = after([], put(draw(st.lists(candidates(), max_size=6))))
    touched = []
    for one in known:
        deed = draw(st.sampled_from(["nothing", "wrote", "pinned", "archived"]))
        changes: dict[str, dict[str, object]] = {
            "nothing": {},
            "wrote": {"author": "user"},
            "pinned": {"is_pinned": True},
            "archived": {"is_archived": True},
        }
        touched.append(KnownMemory(replace(one.memory, **changes[deed]), one.sources))  # type: ignore[arg-type]
    return touched


@given(st.lists(candidates(), max_size=8), memories())
def test_reconciling_is_idempotent(read: list[MemoryCandidate], known: list[KnownMemory]) -> None:
    once = after(known, put(read, known))
    again = [replace(one, id=f"{one.id} again") for one in read]
    assert put(again, once).changes == []


@given(st.lists(candidates(), max_size=8), memories(), st.randoms())
def test_order_of_candidates_does_not_matter(
    read: list[MemoryCandidate], known: list[KnownMemory], random: Random
) -> None:
    shuffled = list(read)
    random.shuffle(shuffled)
    assert after(known, put(read, known)) == after(known, put(shuffled, known))


@given(st.lists(candidates(), max_size=8), memories())
def test_user_authored_memories_never_change(
    read: list[MemoryCandidate], known: list[KnownMemory]
) -> None:
    changed = {one.memory.id: one.memory for one in after(known, put(read, known))}
    for one in known:
        memory = one.memory
        if memory.author == "user" or memory.is_archived:
            assert changed[memory.id] == memory
        if memory.is_pinned:
            assert changed[memory.id].content == memory.content
            assert changed[memory.id].is_current == memory.is_current


@given(st.lists(candidates(), max_size=8), memories())
def test_at_most_one_current_value_per_key(
    read: list[MemoryCandidate], known: list[KnownMemory]
) -> None:
    keys = [memory.key for memory in current(after(known, put(read, known))) if memory.key]
    assert len(keys) == len(set(keys))


@given(st.lists(candidates(), max_size=8), memories())
def test_every_memory_has_a_source_and_every_candidate_a_decision(
    read: list[MemoryCandidate], known: list[KnownMemory]
) -> None:
    reconciled = put(read, known)
    assert len(reconciled.verdicts) == len(read)
    assert all(change.after.source_message_id for change in reconciled.changes)
