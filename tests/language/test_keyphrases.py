"""Key phrases in many languages, each idea once."""

# ruff: noqa: RUF001  (the punctuation of other scripts is meant)

import subprocess
import sys
import time
import unicodedata
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.keyphrases import WeightedTexts, readable, sentences, stems_of

TEXTS = st.lists(st.tuples(st.floats(0.1, 10), st.text()))


KEYPHRASES = [
    ("Can you write a cover letter for a data analyst?", {"cover letter", "data analyst"}),
    ("Potresti tradurre il contratto d'affitto?", {"contratto", "affitto"}),
    ("Paano gumawa ng business plan para sa karinderya?", {"business plan", "karinderya"}),
    ("Necesito ayuda con la declaración de la renta.", {"declaración", "renta"}),
    ("Je voudrais préparer l'entretien d'embauche.", {"entretien", "embauche"}),
    ("Wie schreibe ich eine Kündigung für den Mietvertrag?", {"Kündigung", "Mietvertrag"}),
    ("Preciso de uma receita de pão de queijo.", {"receita", "pão", "queijo"}),
    ("机器学习和统计学有什么区别？", {"机器学习", "统计学", "区别"}),
    ("東京の天気と新幹線の料金を教えてください。", {"東京", "新幹線", "料金"}),
    ("Excelの使い方を知りたいです。", {"Excel", "使い方"}),
]


def keyphrases(texts: Sequence[tuple[float, str]], *, limit: int = 5) -> list[str]:
    return WeightedTexts.of(texts).keyphrases(limit)


def test_keyphrases_are_found() -> None:
    for text, expected in KEYPHRASES:
        assert expected <= set(keyphrases([(1, text)]))


SMALL_TALK = [
    *("hi", "Hello there!", "Good morning, how are you today?", "Hi Claude!", "Thanks, Marta."),
    *(
        "ciao, come stai?",
        "Buongiorno!",
        "Tutto bene, grazie.",
        "kumusta",
        "Magandang umaga po!",
    ),
    *("Hola, ¿qué tal?", "Buenos días", "Bonjour, ça va ?", "Guten Morgen! Wie geht's?"),
    *("Oi, tudo bem?", "你好！", "早上好", "こんにちは、お元気ですか？", "ok 👍", "😀", ""),
]


def test_small_talk_has_no_keyphrases() -> None:
    for text in SMALL_TALK:
        assert keyphrases([(1, text)]) == []


def test_a_name_after_a_greeting_counts_if_the_sentence_goes_on() -> None:
    assert "Docker" in keyphrases([(1, "Hi, Docker does not start")])
    assert keyphrases([(1, "Hi Docker, how are you?")]) == []


def test_phrases_of_more_texts_come_first() -> None:
    texts = ["the ferry to Elba", "which beach is near the harbour", "is the ferry expensive"]
    assert keyphrases([(1, text) for text in texts])[0] == "ferry"


def test_a_heavier_text_wins_over_a_longer_one() -> None:
    answer = " ".join(["Insurance matters, and insurance premiums vary."] * 20)
    assert keyphrases([(3, "which ferry goes there"), (0.3, answer)])[0] == "ferry goes"


def test_longer_phrases_and_names_come_first() -> None:
    assert keyphrases([(1, "a letter; a sourdough starter")])[0] == "sourdough starter"
    assert keyphrases([(1, "the weather in Palermo")])[0] == "Palermo"


def test_near_duplicates_are_dropped() -> None:
    texts = ["Travelling by train", "the traveller", "train travel", "Trains", "a hotel"]
    found = keyphrases([(1, text) for text in texts])
    stems = [stems_of(phrase) for phrase in found]
    assert "hotel" in found
    assert sum("travel" in one for one in stems) == 1
    assert sum("train" in one for one in stems) == 1


def test_the_first_spelling_is_kept() -> None:
    assert keyphrases([(1, "the iPhone 15 Pro"), (1, "the IPHONE 15 PRO")]) == ["iPhone 15 Pro"]


def test_a_number_alone_is_not_a_phrase() -> None:
    assert keyphrases([(1, "the 1,200 or the 3.50 and the 42")]) == []


def test_vowel_signs_do_not_split_words() -> None:
    assert keyphrases([(1, "हिन्दी")]) == ["हिन्दी"]
    assert keyphrases([(1, unicodedata.normalize("NFD", "perché città"))]) == [
        unicodedata.normalize("NFD", "città")
    ]


def test_code_links_and_markup_are_ignored() -> None:
    text = "Fix **this parser** <b>\n```python\nfor spam in eggs: ...\n```\nhttps://example.org/ham"
    assert keyphrases([(1, text)]) == ["Fix", "parser"]


READABLE = [
    ("# A *nice* `title`", "A nice title"),
    ("see [the docs](https://example.org) or me@example.org", "see the docs or"),
    ("> - two\tlines\r\nin one", "two lines in one"),
    ("soft\u00adhyphen\u202e and \x00NUL", "softhyphen and NUL"),
    ("17 * 23 = snake_case", "17 * 23 = snake_case"),
    ("می\u200cخواهم", "می\u200cخواهم"),
    ("User: I asked", "I asked"),
]


def test_readable_is_plain_text_on_one_line() -> None:
    for text, plain in READABLE:
        assert readable(text) == plain


def test_the_middle_of_long_input_is_ignored() -> None:
    filler = "the and of " * 400
    found = keyphrases([(1, f"beginning {filler} middle {filler} ending")])
    assert found == ["beginning", "ending"]
    many = [(1.0, "opening")] + [(1.0, "yes")] * 50 + [(1.0, "centre")] + [(1.0, "yes")] * 50
    assert keyphrases([*many, (1.0, "closing")]) == ["opening", "closing"]


@given(TEXTS, st.integers(0, 8))
def test_limits_hold_for_any_text(texts: list[tuple[float, str]], limit: int) -> None:
    found = keyphrases(texts, limit=limit)
    assert len(found) <= limit
    assert found == keyphrases(texts, limit=limit)
    assert len(set(found)) == len(found)
    for phrase in found:
        assert phrase == phrase.strip() != ""
        assert not any(unicodedata.category(c) in {"Cc", "Zl", "Zp", "Cs"} for c in phrase)
        assert any(phrase in sentence.text for _, text in texts for sentence in sentences(text))


def test_the_order_does_not_depend_on_the_process() -> None:
    """Sets of strings come in another order in every process; sums of floats must not notice."""
    code = (
        "from recollect.language.keyphrases import WeightedTexts;"
        "texts = [(0.1 * i, f'red{i} green{i} blue{i % 3}') for i in range(20)];"
        "print(WeightedTexts.of(texts).keyphrases(5))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


LONG_TEXT_UNITS = [
    "a",
    "*",
    "_",
    "[",
    "<a ",
    "`",
    "x@",
    "l'",
    "中",
    "京い",
    "の",
    "我想",
    "- ",
    "\u0301",
]


def test_long_texts_take_linear_time() -> None:
    """A quadratic pattern would need minutes for these."""
    for piece in LONG_TEXT_UNITS:
        start = time.process_time()
        keyphrases([(1, piece * 1_000_000)])
        readable(piece * 100_000)
        assert time.process_time() - start < 10
