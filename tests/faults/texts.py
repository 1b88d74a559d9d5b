"""What the scripted model says: to each question a text of its own, made of what streams are made
of, and of what is easily lost on the way."""

import random

from tests.scripted_model import Body

_STRANGE = (
    *("plain", "words", "naïve", "データ", "🎉🏳️‍🌈", '"quoted"', "back\\slash", "</script>"),
    *("data: [DONE]", "id: 7", "event: ping\n\n", "line\nbreak", "\r\n", "\u2028", "\t", "  "),
)


def question(number: int) -> str:
    return f"Question {number}"


def text(number: int, words: int) -> str:
    """Always the same for the same number. A longer one begins with a shorter one."""
    choices = random.Random(number)
    return f"{number}:" + "".join(f" {choices.choice(_STRANGE)}." for _ in range(words))


def text_for(body: Body, words: int) -> str:
    """The answer to the question that a request ends with."""
    return text(int(body["messages"][-1]["content"].removeprefix("Question ")), words)
