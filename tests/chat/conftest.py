"""The engine on both databases, with a model that says what a test wants."""

import pytest

from recollect.sync import Recollect
from tests.conftest import Open


@pytest.fixture
def memory(open_with_model: Open) -> Recollect:
    return open_with_model()
