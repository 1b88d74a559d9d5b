"""A model that blocks until a test lets it answer."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.scripted_model import Body, Plain

PATIENCE = 20.0


class BlockingModel:
    def __init__(self, answer: Plain) -> None:
        self.is_asked = threading.Event()
        self._answer = answer
        self._may_answer = threading.Event()

    def __call__(self, body: Body) -> Plain:
        self.is_asked.set()
        assert self._may_answer.wait(PATIENCE)
        return self._answer

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While it is inside, the model has been asked and has not answered."""
        assert self.is_asked.wait(PATIENCE)
        try:
            yield
        finally:
            self._may_answer.set()
