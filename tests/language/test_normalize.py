"""Folding, and normalization that keeps the length of a text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.normalize import fold, normalized_length, plain


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


def test_normalized_length_counts_what_signs_stand_for() -> None:
    assert len(unicodedata.normalize("NFKC", "\ufdfa")) == 18
    assert normalized_length("\ufdfa" * 50_000, limit=2_000_000) == 900_000
    assert normalized_length("ﬁne ½", limit=100) == len("fine 1/2")
    assert normalized_length("a" * 100_000, limit=10) == 100_000


def test_normalized_length_stops_at_the_limit() -> None:
    assert 1_000 < normalized_length("\ufdfa" * 1_000_000, limit=1_000) < 200_000


def test_normalized_length_of_many_marks_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks are left out before NFKC sorts them."""
    longest = 0

    def normalize(form: str, text: str) -> str:
        nonlocal longest
        longest = max(longest, len(text))
        return text

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    text = "a" + "\u0301\u0323" * 50_000
    assert normalized_length(text, limit=10**6) == len(text)
    assert longest < 20
