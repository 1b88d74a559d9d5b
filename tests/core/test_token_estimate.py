"""The estimate for installations without a tokenizer, against o200k."""

import sys
from collections.abc import Mapping
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core import token_estimate
from recollect.core.token_estimate import estimate
from tests.core.corpus import DOCUMENTS, HELD_OUT, TUNED
from tests.core.o200k import VOCABULARY, exact

fragments = st.sampled_from(
    [
        *("don", "'", "t", "A", "Bc", "qy", "é", " ", "  ", "\t", "\n", "12", "3456", "...", "/"),
        *("ни", "של", "है", "日本", "ません", "한국", "👍", "🏖️", "\ud800"),
        *DOCUMENTS.values(),
    ]
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(fragments, max_size=8).map("".join),
)


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("", 0),
        (" ", 1),
        ("ok", 1),
        ("don't", 1),
        ("42", 1),
        ("1234567", 3),
        ("in 42", 3),
        ("a\n\n\n\nb", 3),
        ("def f():\n        pass", 5),
        ("3f2a9b", 6),
        ("camelCase", 2),
        ("👍", 1),
        ("🏠", 3),
        ("你好世界", 3),
        ("\ud800", 3),
    ],
)
def test_costs_of_pieces(text: str, cost: int) -> None:
    assert estimate(text) == cost


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_document_is_much_underestimated(name: str) -> None:
    assert estimate(DOCUMENTS[name]) >= 0.85 * exact(DOCUMENTS[name])


@pytest.mark.parametrize("documents", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_the_estimate_is_within_ten_percent_on_average(documents: Mapping[str, str]) -> None:
    assert mean(abs(estimate(text) / exact(text) - 1) for text in documents.values()) < 0.10


def test_common_han_are_the_first_in_the_vocabulary() -> None:
    ranked = sorted(
        (VOCABULARY.get(chr(code).encode(), sys.maxsize), chr(code)) for code in token_estimate._HAN
    )
    assert {character for _, character in ranked[:500]} == token_estimate._COMMON_HAN


@given(texts)
def test_non_empty_text_costs_at_least_one(text: str) -> None:
    assert estimate(text) >= bool(text)


@given(texts, texts)
def test_cost_is_roughly_additive(first: str, second: str) -> None:
    """As in o200k, "don'" costs more than "don't", and a space costs more before a number; a few
    words of another script are rounded up."""
    whole, parts = estimate(first + second), (estimate(first), estimate(second))
    assert max(parts) - 2 <= whole <= sum(parts) + 2
