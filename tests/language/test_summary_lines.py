"""The lines of extractive summaries: rendered, parsed, and shortened by whole sentences."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.sentences import split_sentences
from recollect.language.summary_lines import (
    SummaryLine,
    drop_oldest_sentences,
    parse_summary,
    render_summary,
    without_names_and_days,
)

SUMMARY = (
    "The user met Caroline.\n"
    "4 June 2024:\n"
    "[Caroline] I went to the market. I prefer mornings.\n"
    "[Assistant] Noted.\n"
    "9 June 2024:\n"
    "[Caroline] I moved."
)


def test_oldest_sentences_are_dropped_first_and_the_others_keep_their_day() -> None:
    shorter = drop_oldest_sentences(SUMMARY, keep=["The user met Caroline."])
    assert shorter == SUMMARY.replace("I went to the market. ", "")
    shorter = drop_oldest_sentences(shorter, keep=["The user met Caroline."])
    shorter = drop_oldest_sentences(shorter, keep=["The user met Caroline."])
    assert shorter == "The user met Caroline.\n9 June 2024:\n[Caroline] I moved."
    assert drop_oldest_sentences("One. Two.", keep=["One.", "Two."]) == "One."
    assert drop_oldest_sentences("One.", keep=["One."]) == ""
    assert drop_oldest_sentences("", keep=[]) == ""


def test_as_few_sentences_are_dropped_as_it_takes() -> None:
    keep, stepwise = ["The user met Caroline."], SUMMARY
    for length in range(len(SUMMARY) - 1, -1, -1):
        while len(stepwise) > length:
            stepwise = drop_oldest_sentences(stepwise, keep=keep)
        at_once = drop_oldest_sentences(SUMMARY, keep=keep, fits=partial(_is_within, length=length))
        assert at_once == stepwise


def _is_within(text: str, *, length: int) -> bool:
    return len(text) <= length


def test_sentences_without_names_and_days() -> None:
    assert without_names_and_days(SUMMARY) == (
        "The user met Caroline.\nI went to the market. I prefer mornings.\nNoted.\nI moved."
    )


SENTENCES = st.lists(
    st.builds(
        SummaryLine,
        st.sampled_from(["I moved.", "no full stop", "Why?", "4 June 2024: it rained."]),
        st.sampled_from(["User", "Caroline"]),
        st.sampled_from(["4 June 2024", "12 May 2023"]),
    ),
    max_size=6,
)


@given(SENTENCES)
def test_rendered_sentences_are_parsed_again(sentences: list[SummaryLine]) -> None:
    parsed = [
        SummaryLine(text, line.name, line.day)
        for line in parse_summary(render_summary(sentences))
        for text in split_sentences(line.text)
    ]
    assert parsed == sentences
