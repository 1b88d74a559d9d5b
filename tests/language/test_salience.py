"""Signals of a sentence, and the weight they give it."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.salience import Speaker, detect_signals, salience


def weight(sentence: str, speaker: Speaker = "user") -> int:
    return salience(detect_signals(sentence), speaker)


HEAVIER_AND_LIGHTER = [
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
]


def test_relative_weights() -> None:
    for more, less in HEAVIER_AND_LIGHTER:
        assert weight(more) > weight(less)


def test_sentences_of_users_weigh_more() -> None:
    for sentence in ("Never cover the vents.", "It is blue.", "I prefer the first one."):
        assert weight(sentence, "user") > weight(sentence, "assistant")
    assert weight("We agreed on blue.", "assistant") > weight("It is blue.", "assistant")
    assert weight("The user decided on blue.", "summary") > weight("It rained.", "summary")


QUESTIONS = ["Why?", "Perché «così»?", "how do i undo that", "为什么？", "لماذا؟"]  # noqa: RUF001


def test_questions_need_no_question_mark() -> None:
    for question in QUESTIONS:
        assert detect_signals(question).is_question


def test_a_clause_that_begins_like_a_question() -> None:
    assert not detect_signals("When you can choose, I always want aisle seats.").is_question


@given(st.text(), st.sampled_from(["user", "assistant", "summary"]))
def test_any_text_has_a_weight(sentence: str, speaker: Speaker) -> None:
    assert 0 <= weight(sentence, speaker) <= 20
