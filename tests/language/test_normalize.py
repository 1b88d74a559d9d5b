"""Folding, and normalization that keeps the length of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.normalize import fold, plain


@given(st.text())
def test_plain_text_has_the_same_length(text: str) -> None:
    assert len(plain(text)) == len(text)


def test_plain_text_of_every_script_has_the_same_length() -> None:
    text = "".join(map(chr, range(0x3000))) + "\ufb01\U0001f98a\u0130"
    assert len(plain(text)) == len(text)


def test_plain_text_has_no_accents_and_no_typography() -> None:
    assert plain("L\u2019Été à Paris, ÀÉÎÕÜ ñç") == "l'ete a paris, aeiou nc"
    assert plain("São\tPaulo, Zürich \u2010 Å, ł š") == "sao paulo, zurich - a, ł s"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Città di ROMA", "citta di roma"),
        ("Straße", "strasse"),
        ("Acme™", "acmetm"),
        ("日本", "日本"),
        ("", ""),
    ],
)
def test_fold_ignores_case_and_accents(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folded_text_has_no_ascii_capitals(text: str) -> None:
    """SQLite's LIKE ignores ASCII case and PostgreSQL's does not: no capitals may be left."""
    assert not any("A" <= character <= "Z" for character in fold(text))
