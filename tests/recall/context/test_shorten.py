"""The middle of a long message is left out at sensible borders."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.recall.context.shorten import shorten
from tests.recall.sample_conversations import byte_count

CODE = "```python\n" + "print('a line of code')\n" * 20 + "```\n"
TABLE = "| a | b |\n| - | - |\n" + "| some value | another value |\n" * 20


@given(
    st.lists(
        st.sampled_from(("A sentence. ", "word " * 90, "\n\n", CODE, TABLE, "漢字。", "```\n"))
    ).map("".join),
    st.integers(0, 400),
)
def test_a_shortened_text_fits_and_keeps_both_ends(text: str, max_tokens: int) -> None:
    short = shorten(text, max_tokens, count=byte_count, seq=7)
    assert byte_count(short.text) <= max_tokens or not short.text
    if short.end:
        assert short.text.startswith(text[: short.start].rstrip())
        assert short.text.endswith(text[short.end :].strip("\n"))
        assert "tokens of message 7 left out" in short.text
    elif byte_count(text) <= max_tokens:
        assert short.text == text


def test_code_blocks_and_tables_are_cut_whole() -> None:
    text = f"First words.\n{CODE}In between.\n{TABLE}Last words."
    for max_tokens in range(20, byte_count(text)):
        short = shorten(text, max_tokens, count=byte_count, seq=1).text
        assert short.count("print") in (0, 20)
        assert short.count("some value") in (0, 20)
        assert short.count("```") in (0, 2)
