"""Passages cover a text, in order, and end where a reader would stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.passages import MAX_PASSAGES, split_passages

WORDS = ("a", "tomorrow", "Lisbon.", "why?", "3.14", "1.", "漢字。", "مرحبا", "😀", "\u0301")
LINES = (
    "",
    "   ",
    "## Plan",
    "#",
    "- item",
    "    indented",
    "```python",
    "~~~",
    "```",
    "| a | b |",
)
TEXTS = st.lists(
    st.sampled_from(LINES) | st.lists(st.sampled_from(WORDS), max_size=80).map(" ".join),
    max_size=60,
).map("\n".join)
SENTENCE = "The harbour was built when the town was still an island with two gates. "


def parts(text: str) -> list[str]:
    return [text[p.start : p.end] for p in split_passages(text)]


def sentences(count: int) -> str:
    return (SENTENCE * count).strip()


@given(TEXTS | st.text() | st.text(alphabet="ab .\n#|`~-1", max_size=3000))
def test_passages_cover_the_text_in_order(text: str) -> None:
    covered = 0
    for passage in split_passages(text):
        assert covered <= passage.start < passage.end <= len(text)
        assert not text[covered : passage.start].strip()
        assert text[passage.start : passage.end].strip()
        covered = passage.end
    assert not text[covered:].strip()


@given(TEXTS)
def test_words_stay_whole(text: str) -> None:
    assert [word for part in parts(text) for word in part.split()] == text.split()


@given(st.text(alphabet="\ud83d\ude00 a", min_size=400, max_size=2000))
def test_surrogate_pairs_stay_whole(text: str) -> None:
    for passage in split_passages(text):
        around = text[passage.start - 1 : passage.start + 1] if passage.start else ""
        assert around != "\ud83d\ude00"


def test_a_short_text_is_one_passage() -> None:
    text = f"# Title\n\n{sentences(5)}\n\n- one\n- two"
    assert parts(f"\n  {text} \n") == [text]
    assert split_passages(text)[0].heading == ""
    assert split_passages(" \n\t") == []


@pytest.mark.parametrize(
    "text",
    [SENTENCE * 200, "word " * 4_000, "漢字" * 2_000, "字。" * 2_000, "x" * 40_000, "12 " * 3_000],
    ids=["sentences", "words", "Chinese", "Chinese sentences", "one word", "numbers"],
)
def test_the_passages_of_a_long_text_are_of_similar_size(text: str) -> None:
    sizes = [len(part) for part in parts(text)]
    assert len(sizes) > 5
    assert max(sizes) < 2.2 * min(sizes[:-1])


def test_the_strongest_border_wins() -> None:
    before, after = sentences(8), sentences(9)
    assert parts(f"{before}\n\n{after}") == [before, after]
    assert parts(f"{before}\n{after}") == [before, after]
    two_lines = f"{sentences(8)}\n{sentences(1)}"
    assert parts(f"{two_lines}\n\n{after}") == [two_lines, after]
    paragraphs = f"{sentences(8)}\n\n{sentences(1)}"
    assert parts(f"{paragraphs}\n\n# Next\n{after}") == [paragraphs, f"# Next\n{after}"]


def test_a_sentence_is_not_cut() -> None:
    for part in parts(sentences(60)):
        assert part.endswith("gates.")


def test_a_list_item_keeps_its_number() -> None:
    items = [f"{number}. {sentences(3)}" for number in range(1, 10)]
    text = "\n".join(items)
    for part in parts(text):
        assert part.split("\n")[0] in items


def test_a_heading_stays_with_its_text() -> None:
    assert parts(f"{sentences(10)}\n\n## Costs\n\n{sentences(12)}") == [
        sentences(10),
        f"## Costs\n\n{sentences(12)}",
    ]


def test_the_heading_above_a_passage() -> None:
    text = f"{sentences(9)}\n\n## **Costs** ##\n{sentences(40)}\n\n### Dates\n{sentences(14)}"
    headings = [p.heading for p in split_passages(text)]
    assert headings[:2] == ["", ""]
    assert set(headings[2:-1]) == {"Costs"}
    assert parts(text)[1].startswith("## **Costs**")
    assert not split_passages(f"```\n# comment\n{sentences(60)}\n```")[-1].heading


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_code_stays_whole(fence: str) -> None:
    code = f"{fence}python\n" + "\n\n".join(f"value_{n} = {n}" for n in range(30)) + f"\n{fence}"
    text = f"{sentences(7)}\n\n{code}\n\n{sentences(7)}"
    assert any(code in part for part in parts(text))


def test_a_table_stays_whole() -> None:
    table = "| name | price |\n| --- | --- |\n" + "| Lisbon | 12 |\n" * 15
    text = f"{sentences(9)}\n{table}{sentences(9)}"
    assert any(table.strip() in part for part in parts(text))


def test_long_code_is_cut_between_lines_and_keeps_its_indentation() -> None:
    lines = [f"    total_{n} = read(path_{n}, mode={n})" for n in range(80)]
    found = parts("```python\n" + "\n".join(lines) + "\n```")
    assert len(found) > 3
    assert [line for part in found for line in part.split("\n")][1:-1] == lines


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        " " * 1_999_999 + "x",
        "Hi. " * 500_000,
        "# x\n" * 500_000,
        "| a |\n" * 330_000,
        "```\n" * 500_000,
        ".)" * 1_000_000,
        "漢" * 600_000,
        ("\t " * 1_000 + "x") * 1_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_a_message_has_a_bounded_number_of_passages(text: str) -> None:
    """Each of these would take minutes if the time were quadratic."""
    found = split_passages(text)
    assert 0 < len(found) <= MAX_PASSAGES
    assert not text[found[-1].end :].strip()
