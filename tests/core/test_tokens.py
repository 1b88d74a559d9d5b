"""The token estimate, exact counters, and calibration by reported usage."""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core import tokens
from recollect.core.tokens import Calibration, Counter, count, counter_for
from tests.core.corpus import DOCUMENTS, HELD_OUT, TUNED

exact = counter_for("gpt-4o").count

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
    assert count(text) == cost


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_document_is_much_underestimated(name: str) -> None:
    assert count(DOCUMENTS[name]) >= 0.85 * exact(DOCUMENTS[name])


@pytest.mark.parametrize("documents", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_the_estimate_is_within_ten_percent_on_average(documents: Mapping[str, str]) -> None:
    assert mean(abs(count(text) / exact(text) - 1) for text in documents.values()) < 0.10


def test_common_han_are_the_first_in_the_vocabulary() -> None:
    ranks = import_module("bpe_openai.registry").o200k_base()["mergeable_ranks"]
    ranked = sorted((ranks.get(chr(code).encode(), sys.maxsize), chr(code)) for code in tokens._HAN)
    assert {character for _, character in ranked[:500]} == tokens._COMMON_HAN


@given(texts)
def test_non_empty_text_costs_at_least_one(text: str) -> None:
    assert count(text) >= bool(text)


@given(texts, texts)
def test_cost_is_roughly_additive(first: str, second: str) -> None:
    """As in o200k, "don'" costs more than "don't", and a space costs more before a number; a few
    words of another script are rounded up."""
    whole, parts = count(first + second), (count(first), count(second))
    assert max(parts) - 2 <= whole <= sum(parts) + 2


def _two_megabytes(*parts: str) -> str:
    """Repeat each part for its share of the text."""
    share = 2_000_000 // len(parts)
    return "".join((part * (share // len(part) + 1))[:share] for part in parts)


@pytest.mark.parametrize(
    "parts",
    [
        ("\n\n".join(DOCUMENTS.values()),),
        (DOCUMENTS["english"] + "\n", DOCUMENTS["base64"]),
        (DOCUMENTS["log lines"], DOCUMENTS["chinese"], DOCUMENTS["python"]),
        (DOCUMENTS["thai"] + "\n", DOCUMENTS["numbers"]),
    ],
    ids=["everything", "attachment", "halves", "table"],
)
def test_sampled_estimate_is_accurate(parts: tuple[str, ...]) -> None:
    huge = _two_megabytes(*parts)
    assert 0.85 <= count(huge) / exact(huge) <= 1.15


def test_huge_text_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def cost(text: str) -> int:
        read.append(text)
        return 100

    monkeypatch.setattr(tokens, "_cost", cost)
    huge = "".join(f"{line:>15}\n" for line in range(125_000))
    count(huge)
    assert sum(map(len, read)) == 2**15
    assert huge.startswith(read[0])
    assert huge.endswith(read[-1])


@pytest.fixture
def without_tokenizer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "bpe_openai._bindings", None)
    tokens._o200k.cache_clear()
    yield
    tokens._o200k.cache_clear()


@pytest.mark.parametrize(
    "model",
    [
        *("gpt-4o", "gpt-4o-mini-2024-07-18", "gpt-4.1-nano", "gpt-5", "gpt-5.1", "GPT-5-mini"),
        *("o1", "o3-mini", "o4-mini", "chatgpt-4o-latest"),
        *("openai/gpt-4o", "ft:gpt-4o-mini:acme::9x"),
    ],
)
def test_models_with_a_known_tokenizer_need_no_scale(model: str) -> None:
    assert counter_for(model, scale=2.0) == counter_for("gpt-4o") != Counter()


def test_exact_counter_uses_the_tokenizer() -> None:
    encoding = import_module("bpe_openai").get_encoding("o200k_base")
    assert [*map(exact, DOCUMENTS.values())] == [
        len(encoding.encode_ordinary(text)) for text in DOCUMENTS.values()
    ]


@pytest.mark.parametrize(
    "model",
    [None, "", "claude-sonnet-4", "gpt-4", "gpt-4-turbo", "gpt-3.5-turbo", "o100", "qwen/o1x"],
)
def test_other_models_are_estimated(model: str | None) -> None:
    assert counter_for(model) == Counter()
    assert counter_for(model).count("Good morning!") == count("Good morning!")


@pytest.mark.usefixtures("without_tokenizer")
def test_without_the_tokenizer_all_models_are_estimated() -> None:
    assert counter_for("gpt-4o", scale=1.5) == Counter(scale=1.5)


@pytest.mark.parametrize(
    ("scale", "scaled"), [(1.0, 100), (1.1, 110), (1.101, 111), (0.5, 50), (0.001, 1)]
)
def test_a_scaled_estimate_is_rounded_up(scale: float, scaled: int) -> None:
    hundred = "no " * 100
    assert counter_for("claude-sonnet-4", scale).count(hundred.strip()) == scaled


def test_exact_counter_accepts_lone_surrogates() -> None:
    assert exact("half \ud83d a pair") > 0
    assert exact("word " * 300_000) > 300_000


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
    assert 1.0 < short.scale("m") < 1.01 < long.scale("m")


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
