"""Properties of the order of ranked candidates."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.recall.search.ranking import PassageCandidate, Weights, blend, is_relevant, rank

WEIGHTS = Weights()
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
BASE = PassageCandidate(
    message_id="base",
    part=0,
    start=0,
    end=100,
    conversation_id="chat",
    seq=1,
    turn=1,
    role="user",
    speaker=None,
    said_at=NOON,
    created_at=NOON,
)


def order(*candidates: PassageCandidate, question: str = "?") -> list[str]:
    return [r.message_id for r in rank(candidates, question, weights=WEIGHTS)]


def at(seq: int, **changes: Any) -> PassageCandidate:
    return replace(BASE, message_id=f"m{seq}", seq=seq, **changes)


CANDIDATES = st.lists(
    st.builds(
        PassageCandidate,
        message_id=st.uuids().map(str),
        part=st.integers(0, 3),
        start=st.just(0),
        end=st.just(100),
        conversation_id=st.sampled_from(["one", "two"]),
        seq=st.integers(1, 30),
        turn=st.just(1),
        role=st.sampled_from(["user", "assistant", "tool"]),
        speaker=st.sampled_from([None, "Ann", "Bo"]),
        said_at=st.integers(0, 5).map(lambda days: NOON + timedelta(days=days)),
        created_at=st.just(NOON),
        lexical=st.floats(0, 40),
        similarity=st.none() | st.floats(-1, 1),
    ),
    max_size=20,
    unique_by=(lambda c: c.message_id, lambda c: (c.conversation_id, c.seq)),
)


@given(CANDIDATES, st.sampled_from(["?", "What did Ann say?"]))
def test_all_candidates_are_ranked_by_scores_between_0_and_1(
    candidates: list[PassageCandidate], question: str
) -> None:
    ranked = rank(candidates, question, weights=WEIGHTS)
    assert sorted(r.message_id for r in ranked) == sorted(c.message_id for c in candidates)
    scores = [round(r.score, 4) for r in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= r.score <= 1 for r in ranked)


@given(CANDIDATES)
def test_the_order_of_candidates_does_not_matter(candidates: list[PassageCandidate]) -> None:
    scores = {r.message_id: r.score for r in rank(candidates, "?", weights=WEIGHTS)}
    reverse = {r.message_id: r.score for r in rank(candidates[::-1], "?", weights=WEIGHTS)}
    assert scores == pytest.approx(reverse)


def test_scores_are_added_instead_of_ranks() -> None:
    """The first has by far the best BM25; the cosines are nearly equal."""
    assert order(
        at(1, lexical=20.0, similarity=0.50),
        at(5, lexical=2.0, similarity=0.52),
        at(9, lexical=1.0, similarity=0.51),
    ) == ["m1", "m5", "m9"]


def test_neighbours_raise_a_score() -> None:
    question = at(10, lexical=9.0, similarity=0.6)
    answer, elsewhere = at(11, similarity=0.3), at(20, similarity=0.3)
    assert order(elsewhere, answer, question) == ["m10", "m11", "m20"]
    far = replace(answer, conversation_id="another")
    assert order(far, question, elsewhere)[0] == "m10"


def test_long_answers_neither_gain_nor_lend() -> None:
    question, far = at(10, similarity=0.5), at(20, similarity=0.5, said_at=NOON + timedelta(days=1))
    answer = at(11, role="assistant", lexical=9.0, similarity=0.6)
    assert order(question, far, answer)[-2:] == ["m20", "m10"]
    lone = replace(answer, message_id="lone", seq=30)
    scores = {r.message_id: r.score for r in rank([question, answer, lone], "?", weights=WEIGHTS)}
    assert scores["m11"] == scores["lone"]


def test_the_role_that_is_asked_about_counts_more() -> None:
    said, answered = at(1, similarity=0.5), at(9, role="assistant", similarity=0.5)
    assert order(said, answered, question="What did I say?") == ["m1", "m9"]
    assert order(said, answered, question="What did you say?") == ["m9", "m1"]


def test_an_assistant_counts_less_unless_it_has_a_speaker_name() -> None:
    said, answered = at(1, similarity=0.5), at(9, role="assistant", similarity=0.5)
    assert order(answered, said) == ["m1", "m9"]
    named = replace(answered, speaker="Bo", said_at=NOON + timedelta(hours=1))
    assert order(said, named) == ["m9", "m1"]


def test_the_named_speaker_comes_first() -> None:
    ann = at(1, speaker="Ann Lee", similarity=0.45)
    bo = at(9, speaker="Bo", similarity=0.5)
    assert order(ann, bo, question="Where was it?") == ["m9", "m1"]
    assert order(ann, bo, question="Where was ANN LEE?") == ["m1", "m9"]
    assert order(ann, bo, question="Where were Ann Lee and Bo?") == ["m9", "m1"]
    assert order(ann, bo, question="Where was the bonfire?") == ["m9", "m1"]


def test_the_best_message_raises_its_conversation() -> None:
    best = at(1, lexical=9.0, similarity=0.7)
    same, other = at(9, similarity=0.4), replace(at(12, similarity=0.42), conversation_id="b")
    assert order(best, other, same) == ["m1", "m9", "m12"]


def test_ties_are_broken_by_time() -> None:
    old, new = at(1, similarity=0.5), at(9, similarity=0.5, said_at=NOON + timedelta(days=1))
    assert order(old, new) == ["m9", "m1"]


def test_blend_without_one_of_the_scores() -> None:
    assert blend({"a": 4.0, "b": 2.0}, {}, weight=0.4) == {"a": 1.0, "b": 0.5}
    assert blend({}, {"a": 0.5, "b": -0.1}, weight=0.4) == {"a": 0.6, "b": 0.0}
    assert blend({}, {}, weight=0.4) == {}


def test_a_message_without_a_vector_is_found_by_words() -> None:
    just_said, others = at(1, lexical=12.0), [at(9, similarity=0.13), at(20, similarity=0.12)]
    assert order(*others, just_said)[0] == "m1"
    assert blend({"new": 12.0}, {"old": 0.13}, weight=0.4)["old"] < 0.3  # a weak cosine stays low


def test_closeness_decides_if_it_differs_enough() -> None:
    one, other = at(1, similarity=0.50, closeness=0.2), at(9, similarity=0.48, closeness=0.5)
    assert order(one, other) == ["m9", "m1"]
    nearly = replace(other, closeness=0.2004)
    assert order(one, nearly) == ["m1", "m9"]


def test_a_shared_name_makes_relevant() -> None:
    rare = at(1, lexical=4.0, similarity=0.15)
    assert not is_relevant(rare)
    assert is_relevant(replace(rare, shares_name=True))


def test_relevance_floor() -> None:
    assert not is_relevant(at(1, lexical=5.0, similarity=0.1))
    assert not is_relevant(at(1, lexical=0.8))
    assert is_relevant(at(1, similarity=0.5))
    assert is_relevant(at(1, lexical=9.0, similarity=0.25))
    assert is_relevant(at(1, lexical=4.0))
