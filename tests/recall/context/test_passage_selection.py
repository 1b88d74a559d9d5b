"""Which passages a context quotes: nothing for small talk, short ones before long ones."""

from datetime import UTC, datetime

import pytest

from recollect.recall.context.passage_selection import (
    is_small_talk,
    select_passages,
    value_by_length,
)
from recollect.recall.search.ranking import PassageCandidate

_DAY = datetime(2030, 1, 1, tzinfo=UTC)


def candidate(
    name: str,
    score: float,
    *,
    similarity: float | None = 0.5,
    lexical: float = 0.0,
    shares_name: bool = False,
) -> PassageCandidate:
    return PassageCandidate(
        message_id=name,
        part=0,
        start=0,
        end=100,
        conversation_id="c",
        seq=1,
        turn=1,
        role="user",
        speaker=None,
        said_at=_DAY,
        created_at=_DAY,
        similarity=similarity,
        lexical=lexical,
        shares_name=shares_name,
        score=score,
    )


def select(*candidates: PassageCandidate) -> list[str]:
    texts = {c.key: "text" for c in candidates}
    return [c.message_id for c in select_passages(candidates, texts)]


def test_nothing_is_selected_below_the_floor_of_relevance() -> None:
    weak = [candidate(str(n), 0.5, similarity=0.3, lexical=4.0) for n in range(5)]
    assert select(*weak) == []


@pytest.mark.parametrize(
    "relevant",
    [
        candidate("near", 0.5, similarity=0.36),
        candidate("name", 0.5, similarity=0.22, shares_name=True),
        candidate("words", 0.5, similarity=0.26, lexical=8.5),
        candidate("words alone", 0.5, similarity=None, lexical=3.0),
    ],
    ids=lambda c: c.message_id,
)
def test_one_relevant_passage_is_enough(relevant: PassageCandidate) -> None:
    assert select(relevant, candidate("weak", 0.4, similarity=0.3)) == [
        relevant.message_id,
        "weak",
    ]


def test_the_floor_is_lower_for_a_question_about_the_user() -> None:
    weak, unrelated = candidate("weak", 0.5, similarity=0.24), candidate("x", 0.5, similarity=0.1)
    texts = {weak.key: "text", unrelated.key: "text"}
    assert select_passages([weak, unrelated], texts) == []
    assert select_passages([weak, unrelated], texts, is_personal=True) == [weak, unrelated]
    assert select_passages([unrelated], texts, is_personal=True) == []


def test_passages_far_below_the_best_are_left_out() -> None:
    assert select(candidate("best", 0.9), candidate("far", 0.2)) == ["best"]


def test_passages_without_a_text_are_left_out() -> None:
    assert select_passages([candidate("deleted", 0.9)], {}) == []


def test_a_long_passage_has_to_score_higher() -> None:
    passage = candidate("any", 0.6)
    assert value_by_length(passage, "x" * 100) == value_by_length(passage, "x" * 240) == 0.6
    assert value_by_length(passage, "x" * 900) < 0.4


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "ok",
        "Grazie mille!",
        "Hello. Thank you.",
        "Hi there, how are you doing today?",
        "Perfect, thanks a lot for your help!",
        "¡Hola! ¿Qué tal?",
        "Vielen Dank, das war alles.",
    ],
)
def test_small_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is my name?",
        "Thanks, and what was my booking code?",
        "and him?",
        "Who is she?",
        "¿Y el restaurante de Lisboa, qué tal?",
        "E il progetto di Lisbona, come va?",
        "Tell me about Biscuit, what's new?",
        "x" * 999,
    ],
)
def test_not_small_talk(text: str) -> None:
    assert not is_small_talk(text)
