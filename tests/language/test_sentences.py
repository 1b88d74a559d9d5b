"""Sentence splitting in any language."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.language.sentences import is_code, split_sentences

BY_LANGUAGE = {
    "English": ["Dr. Smith paid $3.50 at 5 p.m. on May 3.", "Really?!", "i think so.", "Bye"],
    "Italian": ["Il dott. Rossi abita a Roma, v. pag. 12.", "Perché?", "Non lo so!", "Ecco, ecc."],
    "Filipino": ["Kumusta po si Gng. Cruz?", "Mabuti naman.", "Sa ika-3 ng Mayo na ang alis."],
    "Spanish": ["¿Cómo estás?", "¡Muy bien!", "La Sra. López llega a las 15.30."],
    "French": ["M. Dupont est là.", "« Ça va ? » demanda-t-il.", "Oui."],
    "German": [
        "Am 12. März kommt Hr. Braun, z. B. mit dem Zug.",
        "Gut.",
        "Am 3. und 4. Mai nicht.",
    ],
    "Portuguese": ["O Sr. Silva pagou R$ 1.200,50.", "Está bem?", "Sim."],
}


def test_sentences_by_language() -> None:
    for sentences in BY_LANGUAGE.values():
        assert split_sentences(" ".join(sentences)) == sentences


OTHER_STOPS = [
    ("今天很好。明天呢？好！", ["今天很好。", "明天呢？", "好！"]),  # noqa: RUF001
    ("「行く。」と言った。", ["「行く。」", "と言った。"]),
    ("كيف حالك؟ أنا بخير. شكرا", ["كيف حالك؟", "أنا بخير.", "شكرا"]),
    ("ठीक हूँ। चलो। अच्छा", ["ठीक हूँ।", "चलो।", "अच्छा"]),
    ("آپ کیسے ہیں؟ ٹھیک۔ چلو", ["آپ کیسے ہیں؟", "ٹھیک۔", "چلو"]),  # noqa: RUF001
]


def test_scripts_with_other_full_stops() -> None:
    for text, sentences in OTHER_STOPS:
        assert split_sentences(text) == sentences


WHOLE = [
    "See https://example.org/a?b=1.2&c=x for version 3.14 of node.js.",
    "Well... maybe not … or so.",
    "J. R. R. Tolkien, e.g. in No. 5, vs. the U.S. edition.",
    '"Stop!" he said.',
    "It costs approx. 3 euros, i.e. nothing.",
]


def test_what_is_not_split() -> None:
    for whole in WHOLE:
        assert split_sentences(whole) == [whole]


def test_lines_lists_and_headings() -> None:
    text = "# Plan\n\n- first. second\n* third\n  2) fourth\n> 1. quoted\nlast"
    assert split_sentences(text) == [
        "Plan",
        "first.",
        "second",
        "third",
        "fourth",
        "quoted",
        "last",
    ]


def test_a_code_block_is_one_sentence() -> None:
    block = "```python\nprint('a. b')\n\nx = 1.\n```"
    found = split_sentences(f"Look. Here:\n{block}\nAnd then? No ~~~ here.")
    assert found == ["Look.", "Here:", block, "And then?", "No ~~~ here."]
    assert [is_code(sentence) for sentence in found] == [False, False, True, False, False]
    assert split_sentences("```\nnever closed. Still code") == ["```\nnever closed. Still code"]


def test_blank_text_has_no_sentences() -> None:
    assert split_sentences("") == split_sentences(" \n\t\r\n ") == []


PIECES = st.lists(
    st.sampled_from(
        [*"aB1 .!?…。؟।\n\t-*#>)\"'”`~", "```", "\n\n", "12.", "Dr.", "e.g.", "- ", "1. ", "ok"]
    )
).map("".join)


@given(st.one_of(st.text(), PIECES))
@example("Hello. - foo")
@example("- ```")
@example("```\n``` ```\n")
def test_sentences_are_substrings_of_the_text(text: str) -> None:
    at = 0
    for sentence in split_sentences(text):
        assert sentence == sentence.strip() != ""
        found = text.find(sentence, at)
        left_out = text[at:found]
        assert found >= 0, "not in the text, or not in its order"
        assert not re.search(r"\w", re.sub(r"\(?\d{1,2}[.)]", "", left_out))
        at = found + len(sentence)
    assert not re.search(r"\w", re.sub(r"\(?\d{1,2}[.)]", "", text[at:]))


@given(st.one_of(st.text(), PIECES))
def test_splitting_a_sentence_again_changes_nothing(text: str) -> None:
    for sentence in split_sentences(text):
        assert split_sentences(sentence) == [sentence]


def test_long_texts_take_linear_time() -> None:
    """Quadratic time would hit the time-out of the whole suite."""
    for part in ["!", "a. ", "- ", ".\u3000", "```\n", '."']:
        text = part * (2_000_000 // len(part))
        assert sum(map(len, split_sentences(text))) <= len(text)
