"""The token estimate."""

import pytest

from recollect.tokens import count


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("你好世界", 4), ("дом", 2), ("😀😀", 2)],
)
def test_scripts_weigh_differently(text: str, tokens: int) -> None:
    assert count(text) == tokens
