"""Text as it is compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import fold


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
def test_case_and_accents_do_not_count(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_nothing_is_left_for_a_database_to_fold(text: str) -> None:
    """SQLite's LIKE ignores ASCII case and PostgreSQL's does not: there must be none left."""
    assert not any("A" <= character <= "Z" for character in fold(text))
