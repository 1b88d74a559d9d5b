"""Counting with o200k, and calibration by reported usage."""

import logging
import sys
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core import tokens
from recollect.core.token_estimate import estimate
from recollect.core.tokens import Calibration, Counter, count, counter_for
from tests.core.corpus import DOCUMENTS
from tests.core.o200k import exact

LETTERS = "abcdefghijklmnopqrstuvwxyz"
HAN = [chr(code) for code in range(0x4E00, 0x9FA0)]
HUGE = 2_000_000
"""The characters of the longest message."""

fragments = st.sampled_from(
    [
        *("don", "'", "t", "A", "Bc", "qy", "é", " ", "  ", "\t", "\n", "12", "3456", "...", "/"),
        *("ни", "של", "है", "日本", "ません", "한국", "👍", "🏖️", "-" * 300, " " * 300, "a" * 9_000),
        *DOCUMENTS.values(),
    ]
)
texts = st.one_of(
    st.text(max_size=200),
    st.lists(fragments, max_size=8).map("".join),
    st.lists(fragments, max_size=8).map(lambda parts: "".join(parts) * 20),
)


def _repeated(text: str, length: int = HUGE) -> str:
    return (text * (length // len(text) + 1))[:length]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tokens_are_those_of_the_tokenizer(name: str) -> None:
    assert count(DOCUMENTS[name]) == exact(DOCUMENTS[name])


@given(texts)
def test_long_texts_are_counted_in_parts(text: str) -> None:
    """A cut inside a word adds or saves a token."""
    cuts = 0 if len(text) <= 2**13 else len(text) // 100
    assert abs(count(text) - exact(text)) <= cuts


@given(texts)
def test_non_empty_text_costs_at_least_one(text: str) -> None:
    assert count(text) >= bool(text)


@pytest.mark.parametrize(
    "text",
    [
        _repeated("\n\n".join(DOCUMENTS.values())),
        _repeated(DOCUMENTS["english"] + "\n"),
        _repeated("a"),
        "".join(Random(1).choices(LETTERS, k=HUGE)),
        "".join(Random(2).choices(HAN, k=HUGE)),
        _repeated("👨‍👩‍👧‍👦🏖️"),
        _repeated("-"),
        _repeated("-=" * 70 + "\n"),
        _repeated("7"),
        _repeated("\n"),
        _repeated("\t"),
        " " * HUGE,
    ],
    ids=[
        *("everything", "prose", "one letter", "letters", "han", "emoji", "dashes", "art"),
        *("digits", "lines", "tabs", "spaces"),
    ],
)
def test_huge_texts_are_counted(text: str) -> None:
    assert 0.999 * exact(text) <= count(text) <= 1.02 * exact(text)


def test_no_part_of_a_huge_text_is_guessed() -> None:
    """Blanks that alternate with dense text, at the places where samples could be taken."""
    parts, size = 64, HUGE // 64
    dense = "".join(Random(3).choices(LETTERS, k=size - 512))
    text = (" " * 512 + dense) * parts
    assert count(text) == pytest.approx(exact(text), rel=0.001)


def test_cuts_at_spaces_add_nothing() -> None:
    prose = _repeated("\n\n".join(DOCUMENTS[name] for name in ("english", "markdown", "spanish")))
    assert count(prose) == exact(prose)


@pytest.mark.parametrize("length", [1, 9_000])
def test_lone_surrogates_are_counted(length: int) -> None:
    text = "half \ud83d a pair " * length
    assert count(text) == exact(text.replace("\ud83d", "\ufffd"))


@pytest.fixture
def without_tokenizer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def clear() -> None:
        tokens._tokenizer.cache_clear()
        tokens._o200k.cache_clear()
        tokens._count_short.cache_clear()

    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    clear()
    yield
    clear()


@pytest.mark.usefixtures("without_tokenizer")
def test_without_the_package_tokens_are_estimated(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    english = DOCUMENTS["english"]
    assert count("Order 4471-B") == estimate("Order 4471-B")
    assert count("half \ud83d a pair") >= 5
    assert count(_repeated(english)) == pytest.approx(
        estimate(english) * HUGE / len(english), rel=0.02
    )
    assert [record.message for record in caplog.records] == ["tokens.estimated"]


@pytest.mark.usefixtures("without_tokenizer")
def test_without_the_package_all_models_are_calibrated() -> None:
    assert counter_for("gpt-4o", scale=1.5) == Counter(scale=1.5)


@pytest.mark.parametrize(
    "model",
    [
        *("gpt-4o", "gpt-4o-mini-2024-07-18", "gpt-4.1-nano", "gpt-5", "gpt-5.1", "GPT-5-mini"),
        *("o1", "o3-mini", "o4-mini", "chatgpt-4o-latest"),
        *("openai/gpt-4o", "ft:gpt-4o-mini:acme::9x"),
    ],
)
def test_models_with_a_known_tokenizer_need_no_scale(model: str) -> None:
    assert counter_for(model, scale=2.0).count("Good morning!") == exact("Good morning!")


@pytest.mark.parametrize(
    "model",
    [None, "", "claude-sonnet-4", "gpt-4", "gpt-4-turbo", "gpt-3.5-turbo", "o100", "qwen/o1x"],
)
def test_other_models_are_calibrated(model: str | None) -> None:
    assert counter_for(model).count("Good morning!") == exact("Good morning!")
    assert counter_for(model, scale=2.0).count("Good morning!") == 2 * exact("Good morning!")


@pytest.mark.parametrize(
    ("scale", "scaled"), [(1.0, 100), (1.1, 110), (1.101, 111), (0.5, 50), (0.001, 1)]
)
def test_a_scaled_count_is_rounded_up(scale: float, scaled: int) -> None:
    hundred = "no " * 100
    assert counter_for("claude-sonnet-4", scale).count(hundred.strip()) == scaled


def test_a_scale_starts_at_one() -> None:
    assert Calibration().scale("claude-sonnet-4") == 1.0


def test_scale_converges_gradually() -> None:
    calibration = Calibration()
    scales = []
    for _ in range(60):
        calibration.observe("claude-sonnet-4", estimated=10_000, reported=13_000)
        scales.append(calibration.scale("claude-sonnet-4"))
    assert scales == sorted(scales)
    assert scales[0] <= 1.15
    assert scales[-1] == pytest.approx(1.3, abs=0.01)
    assert calibration.scale("claude-haiku-4") == 1.0


def test_long_prompts_weigh_more() -> None:
    short, long = Calibration(), Calibration()
    short.observe("m", estimated=20, reported=40)
    long.observe("m", estimated=2_000, reported=4_000)
    assert 1.0 < short.scale("m") < long.scale("m")


@pytest.mark.parametrize("ratio", [0.93, 1.0, 1.1, 1.24])
def test_small_differences_between_reports_leave_the_scale_alone(ratio: float) -> None:
    totals = {"m": (100_000, int(100_000 * ratio))}
    calibration = Calibration.from_totals(totals)
    calibration.observe("m", estimated=4_000, reported=int(4_000 * (ratio + 0.02)))
    scale = calibration.scale("m")
    assert ratio <= scale <= ratio + 0.1
    for turn in range(100):
        differs = 0.02 if turn % 2 else -0.02
        calibration.observe("m", estimated=4_000, reported=int(4_000 * (ratio + differs)))
        assert calibration.scale("m") == scale


def test_a_scale_is_never_below_the_ratio_and_goes_down_with_it() -> None:
    calibration = Calibration.from_totals({"m": (10_000_000, 14_100_000)})
    assert calibration.scale("m") == pytest.approx(1.45)
    for _ in range(300):
        calibration.observe("m", estimated=4_000, reported=4_400)
    assert 1.1 <= calibration.scale("m") <= 1.15


def test_a_scale_follows_a_provider_that_changes_its_tokenizer() -> None:
    calibration = Calibration.from_totals({"m": (50_000_000, 50_000_000)})
    for _ in range(300):
        calibration.observe("m", estimated=4_000, reported=6_000)
    assert calibration.scale("m") == pytest.approx(1.5, abs=0.02)


@pytest.mark.parametrize(
    ("estimated", "reported"), [(0, 100), (100, 0), (-5, 100), (100, -5), (0, 0)]
)
def test_invalid_reports_are_ignored(estimated: int, reported: int) -> None:
    calibration = Calibration.from_totals({"m": (estimated, reported)})
    calibration.observe("m", estimated=estimated, reported=reported)
    assert calibration.scale("m") == 1.0


@given(st.lists(st.tuples(st.integers(-10, 10**9), st.integers(-10, 10**9))))
def test_scale_is_bounded(reports: list[tuple[int, int]]) -> None:
    calibration = Calibration()
    for estimated, reported in reports:
        calibration.observe("m", estimated=estimated, reported=reported)
    assert 0.5 <= calibration.scale("m") <= 3.0


def test_calibration_continues_from_totals() -> None:
    calibration = Calibration.from_totals({"big": (1_000_000, 1_200_000), "new": (400, 800)})
    assert calibration.scale("big") == pytest.approx(1.2, abs=0.005)
    assert 1.0 < calibration.scale("new") < 1.2
