"""How `bench.memories` scores: by hand-made memories, without an engine."""

from collections.abc import Sequence

import pytest

from bench._judging import Dialogue, Entry, Judged, Known, Scores, judge

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


def fact(content: str, key: tuple[str, str] | None = None) -> Known:
    return Known(content, "fact", key)


def judged(dialogue: Dialogue, *current: str, superseded: Sequence[str] = ()) -> Judged:
    return judge(dialogue, [*map(fact, current)], [*map(fact, superseded)])


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
def test_a_memory_matches_by_its_fragments(
    says: list[object], says_not: list[str], content: str, is_match: bool
) -> None:
    assert Entry.of({"type": "fact", "says": says, "not": says_not}).matches(content) is is_match


def test_what_is_expected_or_allowed_is_right_and_the_rest_is_noise() -> None:
    dialogue = make(expect=[MARTA, LISBON], may=[TIRED])
    found = judged(dialogue, "Is called Marta", "Is tired", "Is in a hurry")
    assert [one.content for one in found.right] == ["Is called Marta", "Is tired"]
    assert [one.content for one in found.noise] == ["Is in a hurry"]
    assert found.missed == [dialogue.expect[1]]
    assert found.duplicates == found.stale == found.wrongly_retired == []


def test_one_memory_may_stand_for_several_entries_and_several_for_one() -> None:
    found = judged(make(expect=[MARTA, LISBON]), "Marta lives in Lisbon", "Is called Marta")
    assert (found.missed, found.duplicates, found.current) == ([], [], 2)


def test_what_is_past_and_still_current_is_stale_whatever_else_it_matches() -> None:
    home = {"type": "fact", "says": ["lives"]}
    found = judged(make(expect=[LISBON, home], past=[PORTO]), "Lives in Porto")
    assert [one.content for one in found.stale] == ["Lives in Porto"]
    assert found.right == found.noise == []
    assert len(found.missed) == 2


def test_what_holds_must_not_be_retired_and_what_is_past_may() -> None:
    dialogue = make(expect=[LISBON], past=[PORTO])
    found = judged(dialogue, superseded=["Lives in Porto", "Lives in Lisbon", "Is tired"])
    assert [one.content for one in found.wrongly_retired] == ["Lives in Lisbon"]
    assert found.missed == [dialogue.expect[0]]


def test_of_two_with_the_same_words_or_the_same_key_one_is_a_duplicate() -> None:
    home = ("user", "home")
    current = [
        fact("Lives in Lisbon", home),
        fact("Has moved to Lisbon", home),
        fact("Is called Marta"),
        fact("is called MARTA."),
        fact("Marta works"),
    ]
    found = judge(make(expect=[MARTA, LISBON]), current, [])
    assert found.duplicates == [current[1], current[3]]


def test_what_is_repeated_is_to_be_known_once() -> None:
    current = ("Lives in Lisbon", "Lisbon is home", "Is called Marta")
    assert judged(make(expect=[MARTA, LISBON]), *current).duplicates == []
    found = judged(make(kind="repeat", expect=[MARTA, LISBON]), *current)
    assert [one.content for one in found.duplicates] == ["Lisbon is home"]


def test_a_type_counts_only_where_one_is_asked_for() -> None:
    current = [
        Known("Is called Marta", "fact"),
        Known("Loves Lisbon", "preference"),
        Known("Is tired", "decision"),
        Known("Nonsense", "project"),
    ]
    found = judge(make(expect=[MARTA, LISBON], may=[TIRED]), current, [])
    assert (found.of_right_type, found.of_some_type) == (1, 2)


def test_scores_add_up_over_dialogues() -> None:
    scores = Scores(
        [
            judged(make(expect=[MARTA, LISBON]), "Is called Marta", superseded=["In Lisbon"]),
            judged(make(expect=[LISBON], past=[PORTO]), "Lives in Lisbon", "Lives in Porto"),
            judged(make(kind="question"), "Asks a lot"),
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


def test_of_nothing_all_is_right() -> None:
    scores = Scores([judged(make(kind="small_talk"))])
    assert (scores.precision, scores.recall, scores.type_accuracy) == (1, 1, 1)
