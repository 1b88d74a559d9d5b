"""Scoring of `bench.memories`."""

from collections.abc import Sequence

import pytest

from bench.memories.scoring import Dialogue, Entry, ScoredDialogue, Scores, StoredMemory, score

MARTA = {"type": "fact", "says": ["marta"]}
LISBON = {"type": "fact", "says": ["lisbon"]}
PORTO = {"type": "fact", "says": ["porto"], "not": ["lisbon"]}
TIRED = {"type": "fact", "says": ["tired"]}


def make(
    *,
    kind: str = "statement",
    expect: Sequence[object] = (),
    past: Sequence[object] = (),
    may: Sequence[object] = (),
) -> Dialogue:
    return Dialogue.of(
        {
            "id": "one",
            "split": "dev",
            "language": "en",
            "kind": kind,
            "conversations": [[{"role": "user", "content": "…"}]],
            "expect": expect,
            "past": past,
            "may": may,
        }
    )


def fact(content: str, key: tuple[str, str] | None = None) -> StoredMemory:
    return StoredMemory(content, "fact", key)


def scored(dialogue: Dialogue, *current: str, superseded: Sequence[str] = ()) -> ScoredDialogue:
    return score(dialogue, [*map(fact, current)], [*map(fact, superseded)])


@pytest.mark.parametrize(
    ("says", "says_not", "content", "is_match"),
    [
        (["cafe"], [], "Loves the Café de Flore.", True),
        (["Città"], [], "vive in citta", True),
        (["lisbon"], [], "Lives in Porto", False),
        (["marta", "lisbon"], [], "Marta lives in Lisbon", True),
        (["marta", "lisbon"], [], "Is called Marta", False),
        ([["torino", "turin"]], [], "Vive a Torino", True),
        ([["torino", "turin"], "vegan"], [], "Lives in Turin", False),
        (["rex"], ["was "], "Rex, as it was, is gone", False),
        (["rex"], ["was "], "It is Rex that was", False),
        (["rex"], ["was "], "Rex likes to be washed", True),
        (["meat"], ["n't"], "Doesn\u2019t eat meat", False),
        (["meat"], ["n't"], "Is fond of meat in the evening", True),
        (["3/8"], [], "Was born on 3/8", True),
        (["new york"], [], "Lives in New-York", True),
        (["?"], [], "Lives in Rome", False),
    ],
)
def test_entry_matches_fragments(
    says: list[object], says_not: list[str], content: str, is_match: bool
) -> None:
    assert Entry.of({"type": "fact", "says": says, "not": says_not}).matches(content) is is_match


def test_expected_or_allowed_is_right_and_the_rest_is_noise() -> None:
    dialogue = make(expect=[MARTA, LISBON], may=[TIRED])
    found = scored(dialogue, "Is called Marta", "Is tired", "Is in a hurry")
    assert [one.content for one in found.right] == ["Is called Marta", "Is tired"]
    assert [one.content for one in found.noise] == ["Is in a hurry"]
    assert found.missed == [dialogue.expect[1]]
    assert found.duplicates == found.stale == found.wrongly_superseded == []


def test_memory_may_match_several_entries() -> None:
    found = scored(make(expect=[MARTA, LISBON]), "Marta lives in Lisbon", "Is called Marta")
    assert (found.missed, found.duplicates, found.current) == ([], [], 2)


def test_past_entry_that_is_current_is_stale() -> None:
    home = {"type": "fact", "says": ["lives"]}
    found = scored(make(expect=[LISBON, home], past=[PORTO]), "Lives in Porto")
    assert [one.content for one in found.stale] == ["Lives in Porto"]
    assert found.right == found.noise == []
    assert len(found.missed) == 2


def test_only_past_entries_may_be_superseded() -> None:
    dialogue = make(expect=[LISBON], past=[PORTO])
    found = scored(dialogue, superseded=["Lives in Porto", "Lives in Lisbon", "Is tired"])
    assert [one.content for one in found.wrongly_superseded] == ["Lives in Lisbon"]
    assert found.missed == [dialogue.expect[0]]


def test_same_words_or_same_key_is_a_duplicate() -> None:
    home = ("user", "home")
    current = [
        fact("Lives in Lisbon", home),
        fact("Has moved to Lisbon", home),
        fact("Is called Marta"),
        fact("is called MARTA."),
        fact("Marta works"),
    ]
    found = score(make(expect=[MARTA, LISBON]), current, [])
    assert found.duplicates == [current[1], current[3]]


def test_repeated_statement_is_stored_once() -> None:
    current = ("Lives in Lisbon", "Lisbon is home", "Is called Marta")
    assert scored(make(expect=[MARTA, LISBON]), *current).duplicates == []
    found = scored(make(kind="repeat", expect=[MARTA, LISBON]), *current)
    assert [one.content for one in found.duplicates] == ["Lisbon is home"]


def test_type_counts_only_for_expected_entries() -> None:
    current = [
        StoredMemory("Is called Marta", "fact"),
        StoredMemory("Loves Lisbon", "preference"),
        StoredMemory("Is tired", "decision"),
        StoredMemory("Nonsense", "project"),
    ]
    found = score(make(expect=[MARTA, LISBON], may=[TIRED]), current, [])
    assert (found.of_right_type, found.of_some_type) == (1, 2)


def test_scores_add_up_over_dialogues() -> None:
    scores = Scores(
        [
            scored(make(expect=[MARTA, LISBON]), "Is called Marta", superseded=["In Lisbon"]),
            scored(make(expect=[LISBON], past=[PORTO]), "Lives in Lisbon", "Lives in Porto"),
            scored(make(kind="question"), "Asks a lot"),
        ]
    )
    assert (scores.dialogues, scores.memories) == (3, 4)
    assert (scores.precision, scores.recall) == (2 / 4, 2 / 3)
    assert scores.type_accuracy == 1
    assert (scores.wrong_supersedes, scores.missed_supersedes, scores.duplicates) == (1, 1, 0)
    assert (scores.noise, scores.of_kind("question").noise, scores.of_kind("quote").noise) == (
        1,
        1,
        0,
    )


def test_scores_of_nothing_are_one() -> None:
    scores = Scores([scored(make(kind="small_talk"))])
    assert (scores.precision, scores.recall, scores.type_accuracy) == (1, 1, 1)
