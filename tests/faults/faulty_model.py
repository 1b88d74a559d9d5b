"""Model behaviour under load: answers, summarizes, embeds, and sometimes returns bad responses.

It also checks the sixth invariant: the question is committed before the model is called.
"""

import json
import random
import threading
from typing import Any

from tests.faults.client_load import answer_to
from tests.faults.expected_state import owners, words
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, Plain, cut, endless, fails, garbage

_MAX_WORDS = 60
_PACE_SECONDS = 0.003


class FaultyModel:
    """Used as `ScriptedModel.always`."""

    def __init__(self, url: str, *, seed: int, faults: float) -> None:
        self._raw = RawDatabase(url)
        self._chosen = random.Random(seed)
        self.faults = faults
        self._lock = threading.Lock()
        self.asked = 0
        self.bad_answers = 0
        self.asked_before_commit: list[str] = []
        """Questions that were not committed before the model call."""

    def __call__(self, body: Body) -> Plain:
        with self._lock:
            self.asked += 1
            is_bad = not body.get("stream") and self._chosen.random() < self.faults
            self.bad_answers += is_bad
            bad = self._chosen.choice(_BAD)
        if body.get("stream"):
            question = str(body["messages"][-1]["content"])
            if not self._is_on_disk(question):
                self.asked_before_commit.append(question)
            return Answer(text=answer_to(question), pace=_PACE_SECONDS)
        if is_bad:
            return bad
        said = json.dumps(body["messages"][1:])
        marks = " ".join(f"zq{user}qz" for user in sorted(owners(said)))
        about = " ".join([marks, *words(said)[-_MAX_WORDS:]])
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
