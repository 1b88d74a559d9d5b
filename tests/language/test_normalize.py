"""Normalization that keeps the length of a text."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.normalize import plain


@given(st.text())
def test_plain_text_has_the_same_length(text: str) -> None:
    assert len(plain(text)) == len(text)


def test_plain_text_of_every_script_has_the_same_length() -> None:
    text = "".join(map(chr, range(0x3000))) + "\ufb01\U0001f98a\u0130"
    assert len(plain(text)) == len(text)


def test_plain_text_has_no_accents_and_no_typography() -> None:
    assert plain("L\u2019Été à Paris, ÀÉÎÕÜ ñç") == "l'ete a paris, aeiou nc"
    assert plain("São\tPaulo, Zürich \u2010 Å, ł š") == "sao paulo, zurich - a, ł s"
