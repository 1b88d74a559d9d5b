"""The estimate for installations without the tokenizer, against o200k."""

from random import Random
from statistics import mean

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recollect.core.token_estimate import estimate
from tests.core.corpus import DOCUMENTS
from tests.core.hostile_corpus import HOSTILE
from tests.core.o200k import exact

ALL = DOCUMENTS | HOSTILE
HUGE = 2_000_000

fragments = st.sampled_from(
    [
        *("don", "'", "t", "A", "Bc", "qy", "é", " ", "  ", "\t", "\n", "12", "3456", "...", "/"),
        *("ни", "של", "है", "日本", "ません", "한국", "👍", "🏖️", "\ud800"),
        *ALL.values(),
    ]
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(fragments, max_size=8).map("".join),
)
# ASCII, and symbols that belong to no script
marks = st.one_of(
    st.characters(max_codepoint=0x7E),
    st.characters(codec="utf-8", min_codepoint=0x2000, exclude_categories=("L", "M")),
)


@pytest.mark.parametrize("name", ALL)
def test_no_document_is_underestimated(name: str) -> None:
    assert estimate(ALL[name]) >= 0.95 * exact(ALL[name])


@given(st.lists(st.sampled_from([*ALL.values()]), min_size=1, max_size=8, unique=True))
def test_no_mixture_is_underestimated(documents: list[str]) -> None:
    text = "\n".join(documents)
    assert estimate(text) >= 0.95 * exact(text)


@example("\u2000\u2023\u205f")
@given(st.text(marks, max_size=300))
def test_no_symbols_are_underestimated(text: str) -> None:
    """But for a token or two: a pair of marks may be one token or not."""
    assert estimate(text) >= 0.95 * exact(text) - 2


@pytest.mark.parametrize("first", [0x4E00, 0xAC00], ids=["han", "hangul"])
def test_rare_characters_are_not_underestimated(first: int) -> None:
    text = "".join(map(chr, Random(1).choices(range(first, first + 11_000), k=2_000)))
    assert estimate(text) >= 0.95 * exact(text)


def test_documents_are_not_much_overestimated() -> None:
    ratios = {name: estimate(text) / exact(text) for name, text in DOCUMENTS.items()}
    assert mean(ratios.values()) < 1.4
    assert mean(ratio for name, ratio in ratios.items() if name.startswith("english")) < 1.25
    assert max(ratio for name, ratio in ratios.items() if len(DOCUMENTS[name]) > 100) < 2.1


@given(texts)
def test_non_empty_text_costs_at_least_one(text: str) -> None:
    assert estimate(text) >= bool(text)


@given(texts, texts)
def test_cost_is_roughly_additive(first: str, second: str) -> None:
    """As in o200k, "don'" costs more than "don't", and a space costs more before a number."""
    whole, parts = estimate(first + second), (estimate(first), estimate(second))
    assert max(parts) - 2 <= whole <= sum(parts) + 3


@pytest.mark.parametrize("length", [512, 31_250])
def test_huge_texts_are_read_entirely(length: int) -> None:
    """Blanks alternate with dense text, at places where samples could be taken."""
    dense = "".join(Random(2).choices("abcdefghijklmnopqrstuvwxyz", k=length))
    text = (" " * length + dense) * (HUGE // 2 // length)
    assert estimate(text) >= 0.95 * exact(text)


def test_huge_mixture_is_not_underestimated() -> None:
    everything = "\n".join(ALL.values())
    text = everything * (HUGE // len(everything) + 1)
    assert estimate(text) >= exact(text)
