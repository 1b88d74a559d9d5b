"""The model under load: it answers, sums up and embeds, and now and then does none of it well.

It also watches the sixth invariant: when it is asked, the question is on disk already.
"""

import json
import random
import threading
from typing import Any

from tests.faults.facts import owners, words
from tests.faults.traffic import answer_to
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, Plain, cut, endless, fails, garbage

_MOST_WORDS = 60
_PACE_SECONDS = 0.003


class Talking:
    """To be a scripted model's `always`."""

    def __init__(self, url: str, *, seed: int, faults: float) -> None:
        self._raw = RawDatabase(url)
        self._chosen = random.Random(seed)
        self.faults = faults
        self._lock = threading.Lock()
        self.asked = 0
        self.misbehaved = 0
        self.too_early: list[str] = []
        """Questions that it was asked before they were on disk."""

    def __call__(self, body: Body) -> Plain:
        with self._lock:
            self.asked += 1
            is_bad = not body.get("stream") and self._chosen.random() < self.faults
            self.misbehaved += is_bad
            bad = self._chosen.choice(_BAD)
        if body.get("stream"):
            question = str(body["messages"][-1]["content"])
            if not self._is_on_disk(question):
                self.too_early.append(question)
            return Answer(text=answer_to(question), pace=_PACE_SECONDS)
        if is_bad:
            return bad
        said = json.dumps(body["messages"][1:])
        marks = " ".join(f"zq{user}qz" for user in sorted(owners(said)))
        about = " ".join([marks, *words(said)[-_MOST_WORDS:]])
        if "response_format" in body:
            return json.dumps({"topic": f"On {about[:200]}.", "title": "Some words"})
        return f"They spoke of {about}."

    def _is_on_disk(self, question: str) -> bool:
        found: list[Any] = self._raw.execute(
            "select 1 from messages where content = :question", question=question
        )
        return bool(found)


_BAD: tuple[Plain, ...] = (
    fails(500),
    fails(429, retry_after="0"),
    garbage(),
    garbage("{}"),
    cut("They spoke"),
    endless("They spoke and "),
    "",
    "<think>What did they say?</think>",
    Answer(text="They spoke of", finish="length"),
    Answer(text="They spoke of nothing.", delay=1.0),
)
