"""Texts of the scripted model with characters that are special in event streams."""

import random

from tests.scripted_model import Body

_STRANGE = (
    *("plain", "words", "naïve", "データ", "🎉🏳️‍🌈", '"quoted"', "back\\slash", "</script>"),
    *("data: [DONE]", "id: 7", "event: ping\n\n", "line\nbreak", "\r\n", "\u2028", "\t", "  "),
)


def question(number: int) -> str:
    return f"Question {number}"


def text(number: int, words: int) -> str:
    """Return a deterministic text; a shorter one is a prefix of a longer one."""
    choices = random.Random(number)
    return f"{number}:" + "".join(f" {choices.choice(_STRANGE)}." for _ in range(words))


def text_for(body: Body, words: int) -> str:
    """Return the answer to the last question of a request."""
    return text(int(body["messages"][-1]["content"].removeprefix("Question ")), words)
