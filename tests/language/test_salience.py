"""What a sentence does is told by its words, and how much it matters by what it does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.normalize import plain
from recollect.language.salience import Speaker, detect_signals, salience


def weight(sentence: str, speaker: Speaker = "user") -> int:
    return salience(detect_signals(sentence), speaker)


@given(st.text())
def test_the_plain_form_is_as_long_as_the_text(text: str) -> None:
    assert len(plain(text)) == len(text)


def test_the_plain_form_has_no_accents() -> None:
    assert plain("L\u2019Été à Paris, ÀÉÎÕÜ ñç") == "l'ete a paris, aeiou nc"


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("We decided on blue.", "The sky is blue."),
        ("Do not use Redis.", "Redis is a cache."),
        ("I prefer tea.", "I'd rather have tea right now."),
        ("Our deadline is in May.", "Yesterday we saw a film."),
        ("My boss is called Ann.", "Who is Ann?"),
        ("Remember that it is blue.", "It is blue."),
        ("Tell me about whales.", "Thanks, that helps!"),
        ("Abbiamo scelto il treno.", "Ieri abbiamo visto un film."),
        ("Il mio volo parte a maggio.", "Come stai?"),
        ("Huwag gumamit ng Redis.", "Kahapon tumakbo kami."),
        ("Ikakasal kami sa Mayo.", "Sumubok kami ng klase."),
        ("Hemos decidido ir.", "Ayer llovió."),
        ("Wir nehmen Blau.", "Gestern hat es geregnet."),
    ],
)
def test_one_matters_more_than_the_other(more: str, less: str) -> None:
    assert weight(more) > weight(less)


def test_users_matter_more_than_assistants() -> None:
    for sentence in ("Never cover the vents.", "It is blue.", "I prefer the first one."):
        assert weight(sentence, "user") > weight(sentence, "assistant")
    assert weight("We agreed on blue.", "assistant") > weight("It is blue.", "assistant")
    assert weight("The user decided on blue.", "summary") > weight("It rained.", "summary")


@pytest.mark.parametrize(
    "question",
    ["Why?", "Perché «così»?", "how do i undo that", "为什么？", "لماذا؟"],  # noqa: RUF001
)
def test_questions_are_known_with_and_without_a_mark(question: str) -> None:
    assert detect_signals(question).is_question


def test_a_clause_that_starts_like_a_question_is_none() -> None:
    assert not detect_signals("When you can choose, I always want aisle seats.").is_question


@given(st.text(), st.sampled_from(["user", "assistant", "summary"]))
def test_anything_can_be_weighed(sentence: str, speaker: Speaker) -> None:
    assert 0 <= weight(sentence, speaker) <= 20
