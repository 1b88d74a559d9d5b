"""A scripted model for answers, summaries, topics, memories and embeddings.

The worker calls it in the background at any time, so answers depend on the request, not on the
order of requests.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from math import sqrt
from typing import Any, Literal

from tests.scripted_model import Body, Plain, Scripted, ScriptedModel

Use = Literal["chat", "summary", "topic", "memories"]

DIMENSIONS = 256
SUMMARY = "The user and the assistant went through beds, plots, plans and lines, one by one."

_USES: Mapping[str, Use] = {
    "You keep the running summary": "summary",
    "You name conversations": "topic",
    "You read a chat and note": "memories",
}
"""The beginnings of the prompts, by use."""
_WORD = re.compile(r"\w+")


class SeedModel(ScriptedModel):
    """Answers "You said: …" unless a test sets another answer."""

    def __init__(self) -> None:
        super().__init__(dimensions=DIMENSIONS)
        self.always = self._dispatch
        self._meanings: dict[str, str] = {}
        self._scripts: list[tuple[Use, str, Scripted]] = []

    def when(self, text: str, answer: Scripted, *, use: Use = "chat") -> None:
        """Set the answer to requests for `use` with this text in the last message."""
        self._scripts.append((use, text, answer))

    def means(self, *words: str) -> None:
        """Give these words the same vector."""
        for word in words:
            self._meanings[word.lower()] = words[0].lower()

    def asked(self, text: str, *, use: Use = "chat") -> list[Body]:
        """The requests for `use` that contain this text, oldest first."""
        bodies = [one.body for one in [*self.requests] if "/embeddings" not in one.path]
        return [
            body
            for body in bodies
            if use_of(body) == use and text in json.dumps(body, ensure_ascii=False)
        ]

    def _dispatch(self, body: Body) -> Plain:
        use, last = use_of(body), last_text(body)
        for for_use, text, answer in reversed(self._scripts):
            if for_use == use and text in last:
                return answer(body) if callable(answer) else answer
        match use:
            case "summary":
                return SUMMARY
            case "topic":
                return json.dumps({"topic": _first_words(last), "title": None})
            case "memories":
                return json.dumps({"memories": []})
            case "chat":
                return f"You said: {last}"

    def _vector(self, text: str) -> list[float]:
        """Of the words, each at a place of its own: texts with words or meanings in common are
        near to each other, and others are not."""
        vector = [0.0] * self.dimensions
        for word in _WORD.findall(text.lower()):
            meaning = self._meanings.get(word, word)
            weight = 1.0 if word in self._meanings else 0.1
            noise = hashlib.shake_256(meaning.encode()).digest(self.dimensions)
            for place, byte in enumerate(noise):
                vector[place] += weight * (byte / 127.5 - 1)
        length = sqrt(sum(number * number for number in vector)) or 1.0
        return [number / length for number in vector]


def use_of(body: Body) -> Use:
    if "prompt" in body:  # a hosted one, and only summaries have any
        return "summary"
    first = str(body["messages"][0]["content"])
    return next((use for opening, use in _USES.items() if first.startswith(opening)), "chat")


def last_text(body: Body) -> str:
    return str(body["input"] if "input" in body else body["messages"][-1]["content"])


def said(body: Body) -> list[tuple[str, Any]]:
    """The messages of a request as (role, content)."""
    return [(message["role"], message["content"]) for message in body["messages"]]


def _first_words(text: str) -> str:
    """The first quoted text, which serves as the topic."""
    quoted = re.sub(r"<[^>]+>", " ", text)
    return " ".join(quoted.split()[:20])
